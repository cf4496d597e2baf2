#pragma once

#include "muslin/render/camera.h"
#include "muslin/render/image.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

/// One surface to draw. Colours are sRGB, 0 .. 1.
struct RenderMesh {
    std::vector<Vec3> positions;               ///< [m]
    std::vector<std::array<int, 3>> triangles; ///< counter-clockwise seen from the front
    Vec3 front_color = {0.87, 0.80, 0.69};
    Vec3 back_color = {0.47, 0.57, 0.66};
    /// Empty, or one colour per vertex, which then replaces both colours above.
    std::vector<Vec3> vertex_colors;
    /// Empty, or one place on the colour map (color_map.h), 0 .. 1, per vertex, which then replaces
    /// the colours above. Between vertices the place is interpolated, so that every colour is one
    /// of the legend's.
    std::vector<float> vertex_places;
    /// Empty, or (u, v) of each triangle's corners [m]: where checker and texture are drawn.
    std::vector<std::array<Vec2, 3>> material;
    /// Drawn on surfaces with material coordinates, upright with its lower left corner at (0, 0),
    /// and repeated. None: plain.
    std::shared_ptr<const Image> texture;
    double texture_size = 0.2; ///< width of the texture in the material [m]; its height follows
    /// Drawn as if it were this much further from the eye [m]: a body just under a cloth that was
    /// smoothed must not show through it.
    double set_back = 0;
    /// Triangles drawn in RenderSettings::mark_color; faintly where something hides them.
    std::vector<int> marked;
};

struct RenderSettings {
    int width = 1280, height = 720; ///< [pixels], 1 .. 8192
    int samples = 4;                ///< per pixel against jagged edges; drivers may offer fewer
    bool ground = true;             ///< a floor that catches the shadow and fades out
    bool wireframe = false;         ///< edges over the shaded surface
    bool flat = false;              ///< one normal per triangle: shows the mesh as it is
    bool checker = false;           ///< on surfaces with material coordinates
    double checker_size = 0.05;     ///< side of a checker square in the material [m]
    bool shadows = true;
    bool ambient_occlusion = true;
    Vec3 background = {0.855, 0.862, 0.875}; ///< sRGB, 0 .. 1
    Vec3 mark_color = {0.86, 0.05, 0.04};    ///< sRGB, 0 .. 1
    /// 0 .. 1: light that comes evenly from all sides, for colours that must be read off.
    double even_light = 0;
    /// Height of the floor [m]; else y = 0 where the scene stands on or a little above it, and
    /// the scene's lowest point where it does not.
    std::optional<double> ground_height;
    /// Of the whole animation: light, shadow and floor then stand still from frame to frame.
    /// Else the box of the meshes.
    std::optional<SceneBounds> bounds;
    /// Direction towards the key light; else from above, to the left of the camera.
    std::optional<Vec3> toward_light;
};

/// Distances [m], rows from top to bottom; infinite where there is nothing.
struct DepthImage {
    int width = 0, height = 0;
    std::vector<float> depth;

    float at(int x, int y) const { return depth[static_cast<std::size_t>(y) * width + x]; }
};

/// Draws meshes into pictures with OpenGL, without a display. The same input gives the same
/// picture on one machine. An object belongs to the thread that calls it.
class Renderer {
public:
    /// Throws FileError when no OpenGL driver can start.
    Renderer();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    Image draw(std::span<const RenderMesh> meshes, const Camera& camera,
               const RenderSettings& settings = {});
    /// For tests: how far the meshes are along the view axis, in the middle of every pixel, without
    /// the floor. Of the settings only the size and the bounds count.
    DepthImage draw_depth(std::span<const RenderMesh> meshes, const Camera& camera,
                          const RenderSettings& settings = {});

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace muslin
