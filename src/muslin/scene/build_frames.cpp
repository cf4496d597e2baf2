// Animations, frame by frame.
#include "muslin/io/animation.h"
#include "muslin/io/mesh_convert.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/point_cache.h"
#include "muslin/scene/build_parts.h"

#include <fmt/format.h>

namespace muslin {
namespace {

/// The frames of a file or of a sequence of files, one at a time.
class FramesReader {
public:
    FramesReader(const FramesDescription& animation, const std::string& key,
                 const FramesOwner& owner)
        : animation_(animation), key_(key) {
        if (is_pattern(animation.path))
            open_sequence(owner.mesh);
        else
            open_cache(owner.mesh.positions.size());
    }
    int count() const { return meshes_ ? meshes_->frames() : cache_->samples(); }
    void read(int frame, std::vector<Vec3>& positions) {
        meshes_ ? meshes_->read(0, frame, positions) : cache_->read(frame, positions);
    }
    double rate(double scene_rate) const {
        const double per_frame = meshes_ ? 1 : cache_->samples_per_frame();
        if (animation_.frame_rate > 0)
            return animation_.frame_rate * per_frame;
        const std::optional<double> own = meshes_ ? std::nullopt : cache_->frame_rate();
        return own.value_or(scene_rate * per_frame);
    }

private:
    [[noreturn]] void reject(const std::string& expected, const std::string& found) const {
        throw InputError({animation_.where,
                          key_,
                          expected,
                          fmt::format("{} in '{}'", found, animation_.path.string()),
                          {}});
    }
    void open_cache(std::size_t vertices) {
        cache_ = open_point_cache(animation_.path);
        if (static_cast<std::size_t>(cache_->points()) != vertices)
            reject(fmt::format("a point cache of {} points, one for each vertex of the mesh",
                               vertices),
                   fmt::format("{}", cache_->points()));
        if (cache_->samples() < 1)
            reject("a point cache with at least one sample", "none");
    }
    /// All files of a sequence have the polygons of the first (io/animation.h).
    void open_sequence(const PolygonMesh& mesh) {
        meshes_ = open_animation(animation_.path);
        const PolygonMesh& first = meshes_->objects().front().mesh;
        if (first.positions.size() != mesh.positions.size())
            reject(fmt::format("meshes of {} vertices, as the mesh has", mesh.positions.size()),
                   fmt::format("{}", first.positions.size()));
        if (first.corner_vertex != mesh.corner_vertex || first.face_begin != mesh.face_begin)
            reject("meshes with the polygons of the mesh, in its order", "others");
    }

    const FramesDescription& animation_;
    const std::string& key_;
    std::optional<PointCacheReader> cache_;
    std::unique_ptr<AnimationSource> meshes_;
};

} // namespace

Frames read_frames(const FramesDescription& animation, const std::string& key,
                   const FramesOwner& owner, double scene_rate) {
    FramesReader reader(animation, key, owner);
    const auto* file = std::get_if<MeshFile>(&owner.source);
    Frames out;
    PolygonMesh sample;
    for (int i = 0; i < reader.count(); ++i) {
        reader.read(i, sample.positions);
        if (file)
            to_metres_y_up(sample, file->unit, file->z_up);
        place_mesh(sample, owner.placement, RestShape::positions);
        out.frames.push_back(sample.positions);
    }
    out.rate = reader.rate(scene_rate);
    return out;
}

} // namespace muslin
