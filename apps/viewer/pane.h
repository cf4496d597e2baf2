#pragma once

#include "muslin/mesh/subdivide.h"
#include "muslin/render/renderer.h"
#include "viewer/frame_source.h"
#include "viewer/pick.h"

#include <memory>
#include <optional>

namespace muslin::viewer {

/// How surfaces are drawn.
struct Look {
    bool wireframe = false, checker = false, flat = false;
    bool ground = true, shadows = true;
    bool marks = false;         ///< of what intersects, in red
    bool smooth = false;        ///< finer cloth over the simulated one
    std::optional<Field> color; ///< none: the cloth's own
    double low = 0, high = 1;   ///< of the colours' scale, in the field's unit
    bool operator==(const Look&) const = default;
};

/// A surface that a ray meets first.
struct SurfaceHit {
    std::size_t surface = 0;
    int vertex = 0; ///< the nearest to the hit, in the user's order
    Hit hit;
};

/// A part of the window that shows one source. It draws into a picture of its own, which is kept
/// until something in it changes: panels then cost no drawing of cloth.
class Pane {
public:
    explicit Pane(std::unique_ptr<FrameSource> source);
    ~Pane();
    Pane(Pane&&) noexcept;

    FrameSource& source() { return *source_; }

    /// Chooses what is drawn.
    void show(int frame, const Look& look);
    const Frame& frame() const { return *frame_; }
    Vec3 vertex(std::size_t surface, int index) const { return points_[surface][index]; }

    struct View {
        Camera camera;
        SceneBounds bounds; ///< of everything that is shown over time [m]
        Vec3 toward_light = {0, 1, 0};
        int width = 1, height = 1;
        /// 0: all; 1: without shading that takes long; 2: in half the pixels as well.
        int draft = 0;
    };
    /// Draws what has changed since the last time; true where something had. Needs the window's
    /// context.
    bool paint(const View& view);
    /// Puts the picture into the window with its lower left corner at (x, y), from below [pixels].
    void put(int x, int y) const;
    /// Lets go of the picture; the context must be there.
    void close_picture();

    std::optional<SurfaceHit> pick(const Ray& ray) const;
    /// How long it took to find what intersects, the last time it was asked [s].
    double mark_seconds() const { return mark_seconds_; }

private:
    struct Picture;
    void update_meshes(const Look& look);
    void mark();
    void set_smooth(bool on);

    std::unique_ptr<FrameSource> source_;
    std::shared_ptr<const Frame> frame_;
    Look look_;
    std::vector<std::vector<Vec3>> points_;         ///< by surface, in the user's order
    std::vector<RenderMesh> meshes_;                ///< by surface
    std::vector<std::vector<int>> vertices_;        ///< of the surface, for each of the mesh
    std::vector<std::optional<Subdivision>> finer_; ///< of cloths, while they are drawn smooth
    bool changed_ = true;
    double mark_seconds_ = 0;
    std::unique_ptr<Picture> picture_; ///< made when first painted
};

} // namespace muslin::viewer
