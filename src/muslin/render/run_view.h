#pragma once

#include "muslin/mesh/fields.h"
#include "muslin/render/camera.h"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// Several frames in one picture, row by row, each with its number.
struct ContactSheet {
    int columns = 4;
    /// Numbers of the frames; else two rows of frames, spread from the first to the last.
    std::vector<int> frames;
};

/// Red triangles where cloth intersects or is pinched: in the frames whose figures count any, in
/// all frames, or in none.
enum class Marking { counted, always, never };

/// What `muslin render` draws of a run.
struct RunViewOptions {
    /// Its ending decides: .png a picture; .mp4, .gif or .webp a movie; .html a page. A name with
    /// a row of # (frames/####.png) or a folder gets one picture per frame.
    std::filesystem::path output;
    std::optional<int> frame;          ///< of a .png; else the last
    std::optional<ContactSheet> sheet; ///< a .png of several frames
    int first_frame = 0;               ///< of a movie, page or folder
    std::optional<int> last_frame;     ///< of a movie, page or folder; else the last there is
    int frame_step = 1;                ///< take every so-manyth frame of them
    int width = 1280, height = 720;    ///< [pixels]; of a sheet: its width, and the shape of a tile
    std::optional<double> playback_rate; ///< pictures a second of a movie; else as in the run
    ViewDirection view;
    bool fit_cloth = false;      ///< whether only cloth must be in the picture
    double vertical_fov = 28;    ///< [degrees]
    double zoom = 1;             ///< 2 is twice as close
    std::optional<Vec3> look_at; ///< middle of the picture [m]; else that of the scene
    /// The camera goes once around: while the run plays, or in 120 pictures of `frame`.
    bool turntable = false;

    // Not in a page, which has its own switches; only `color`, `range` and `own_range` are where it
    // begins.
    bool wireframe = false;
    bool checker = false; ///< on cloths whose mesh has texture coordinates
    bool flat = false;
    bool ground = true;
    bool shadows = true;
    std::optional<Vec3> background; ///< sRGB, 0 .. 1
    int subdivide = 0;              ///< levels, 0 .. 4, at which cloth is drawn finer and smoother
    std::optional<Field> color;     ///< colours cloth by this field, with a legend
    std::optional<std::array<double, 2>> range; ///< of the colours; else the field's own
    bool own_range = false; ///< up to what all but 0.5 % of the values in the pictures stay below
    std::filesystem::path texture; ///< PNG or JPEG on cloths with texture coordinates; empty: none
    double texture_size = 0.2;     ///< its width on the cloth [m]
    Marking marking = Marking::counted;
    std::string caption; ///< {frame}, {time} and {scene} are filled in

    bool page = false; ///< a page, whatever the output's name
    /// A page takes fewer frames, evenly, rather than grow beyond this.
    std::size_t max_page_bytes = std::size_t{64} << 20;
    /// Called after each frame with how many are done and how many there will be. It may throw:
    /// nothing half-written is left behind.
    std::function<void(int done, int total)> progress;
};

struct RunViewReport {
    int frames = 0;     ///< drawn or embedded
    int frame_step = 1; ///< the step used, where a page had to take fewer
};

/// Draws a finished run from its directory. Throws FileError when a file cannot be read or written
/// or OpenGL or ffmpeg is missing, InputError when the directory or an option makes no sense.
RunViewReport render_run(const std::filesystem::path& directory, const RunViewOptions& options);

} // namespace muslin
