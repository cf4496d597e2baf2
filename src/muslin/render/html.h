#pragma once

#include "muslin/io/deflate.h"
#include "muslin/render/camera.h"
#include "muslin/render/page_codec.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace muslin {

/// One surface of an interactive page.
struct PageMesh {
    std::string name;
    std::vector<std::array<int, 3>> triangles;
    Vec3 front_color{}, back_color{}; ///< sRGB, 0 .. 1
    SceneBounds box;                  ///< holds every frame: positions are kept relative to it
    int vertices = 0;
    bool moves = true; ///< else its first frame is its only one
    bool is_body = false;
};

/// A quantity over the vertices, shown in colours on request.
struct PageField {
    std::string name, label, unit;
    double low = 0, high = 1; ///< ends of the scale; values beyond them are shown as the end
};

/// A line of the certificate.
struct PageFigure {
    std::string label, value;
    std::optional<bool> kept; ///< whether a limit on it was kept; none where there is no limit
    bool from_run = true;     ///< else about the page itself
};

/// A quantity over time, one value per frame of the page; not a number where it is not known.
struct PageSeries {
    std::string label, unit;
    std::vector<double> values;
};

struct PageSettings {
    std::string title;
    std::optional<bool> passed; ///< none: nothing was certified
    std::string verdict;        ///< a sentence on it
    std::vector<PageFigure> certificate;
    std::vector<PageSeries> series;
    Camera camera;   ///< where the viewer starts
    SceneBounds box; ///< of everything over all frames
    double ground_height = 0;
    double aspect = 16.0 / 9.0; ///< of the picture that the camera was framed for
    std::string color;          ///< name of the field shown at first; empty: none
    bool fit_colors = false;    ///< at first, over what occurs instead of the field's scale
    double frames_per_second = 30;
    int first_frame = 0; ///< number of the first frame added
    int frame_step = 1;  ///< step between the numbers of the frames added
};

/// A self-contained page that plays an animation in a browser, from the disk, without a network:
/// orbit, zoom, pan, play, step, scrub, colour maps, certificate. Positions are kept as 16-bit
/// fractions of the mesh's box, values of fields as 8-bit fractions of their scale, packed by
/// FramePacker. Only the packed bytes are held until they are written.
class HtmlPage {
public:
    explicit HtmlPage(PageSettings settings);

    /// The number by which frames are added to it. All meshes and fields come before any frame.
    int add_mesh(PageMesh mesh);
    int add_field(PageField field);
    /// Adds the next frame of a mesh. The meshes take turns, in their order.
    void add_frame(int mesh, std::span<const Vec3> positions);
    /// Adds the next frame of a field on a mesh; meshes take turns here too. A mesh whose first
    /// turn is passed over does not have the field.
    void add_values(int field, int mesh, std::span<const double> values);
    /// A line under those of the run.
    void add_figure(PageFigure figure) { settings_.certificate.push_back(std::move(figure)); }

    /// The largest difference between a position and what the page shows [m].
    double position_error() const;
    /// The bytes of each part of the file, by name, as far as it has come.
    std::vector<std::pair<std::string, std::size_t>> sizes() const;
    std::size_t size() const; ///< their sum

    /// The file appears whole or not at all; nothing can be added after it. Throws FileError.
    void write(const std::filesystem::path& file);

private:
    struct Surface {
        PageMesh mesh;
        FramePacker packer;
        int frames = 0;
    };
    struct Track { // a field on a mesh
        int mesh;
        FramePacker packer;
        int frames = 0;
    };
    struct ColorField {
        PageField field;
        std::vector<Track> tracks;
        Deflater stream;
    };

    void widen_extent(std::span<const Vec3> positions);
    std::array<double, 2> seen_extent() const;
    std::string head() const;

    PageSettings settings_;
    std::vector<Surface> surfaces_;
    std::vector<ColorField> fields_;
    Deflater shape_, motion_;
    double half_width_ = 0, half_height_ = 0; // of all frames, seen from the camera, at distance 1
    std::size_t still_bytes_;                 // of what every page has
};

} // namespace muslin
