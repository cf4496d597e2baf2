#pragma once

#include "muslin/render/camera.h"

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

/// What `muslin render` draws of a run.
struct RunViewOptions {
    std::filesystem::path output;      ///< its ending decides: .png, .mp4 or .html
    std::optional<int> frame;          ///< of a .png; else the last
    std::optional<ContactSheet> sheet; ///< a .png of several frames
    int first_frame = 0;               ///< of a movie or page
    std::optional<int> last_frame;     ///< of a movie or page; else the last there is
    int frame_step = 1;                ///< take every so-manyth frame of a movie or page
    int width = 1280, height = 720;    ///< [pixels]; of a sheet: its width, and the shape of a tile
    double frames_per_second = 30;     ///< of the run: what frame numbers mean in time
    ViewDirection view;
    bool wireframe = false;
    bool checker = false; ///< on cloths whose mesh has texture coordinates; not in a page
    bool flat = false;
    bool ground = true;
    std::string title;      ///< of a page; else the directory's name
    std::string statistics; ///< plain text shown in a page
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
