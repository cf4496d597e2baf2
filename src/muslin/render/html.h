#pragma once

#include "muslin/render/camera.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// One surface of an interactive page. Its frames are added to the page one by one.
struct PageMesh {
    std::string name;
    std::vector<std::array<int, 3>> triangles;
    Vec3 front_color{}, back_color{}; ///< sRGB, 0 .. 1
    Box box;                          ///< holds every frame: positions are kept relative to it
    int vertices = 0;
};

struct PageSettings {
    std::string title;
    std::string statistics; ///< plain text, shown as it is, line by line
    Camera camera;          ///< where the viewer starts
    double ground_height = 0;
    double frames_per_second = 30;
    int first_frame = 0; ///< number of the first frame added
    int frame_step = 1;  ///< step between the numbers of the frames added
};

/// A self-contained page that plays an animation in any browser with WebGL 2, from the disk,
/// without a network: orbit, zoom, pan, play, step, scrub. Positions are kept as 16-bit fractions
/// of the mesh's box: the error is at most half of 1/65535 of the box's side.
class HtmlPage {
public:
    explicit HtmlPage(PageSettings settings);

    /// The number by which frames are added to it.
    int add_mesh(PageMesh mesh);
    /// Adds the next frame of a mesh; one with a single frame stands still.
    void add_frame(int mesh, std::span<const Vec3> positions);

    /// Bytes of one vertex of one frame, before they are written as text (4/3 of that).
    static constexpr std::size_t bytes_per_vertex = 3 * sizeof(std::uint16_t);

    /// The file appears whole or not at all. Throws FileError.
    void write(const std::filesystem::path& file) const;

private:
    struct Surface {
        PageMesh mesh;
        std::vector<std::uint16_t> positions; // all frames, one after the other
    };
    PageSettings settings_;
    std::vector<Surface> surfaces_;
};

} // namespace muslin
