#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/scene/build_parts.h"

#include <fmt/format.h>

namespace muslin {

// Vertices that are stitched share a particle; it goes to the mean of where they start.
void place_starts(const SceneDescription& scene, const Model& model, State& start) {
    if (scene.starts.empty())
        return;
    std::vector<Vec3> sums(start.positions.size(), {0, 0, 0});
    std::vector<int> counts(start.positions.size(), 0);
    for (const StartDescription& d : scene.starts)
        for (const Cloth& cloth : model.cloths) {
            if (cloth.name != d.cloth)
                continue;
            const PolygonMesh mesh = d.given ? *d.given : read_mesh(d.path);
            const auto& particle = cloth.particles;
            if (mesh.positions.size() != particle.size())
                throw InputError({d.given ? d.where : Source{d.path.string(), 0, 0},
                                  "vertices",
                                  fmt::format("the {} of cloth '{}', whose start it gives",
                                              particle.size(), cloth.name),
                                  std::to_string(mesh.positions.size()),
                                  {}});
            for (std::size_t v = 0; v < particle.size(); ++v) {
                sums[particle[v]] += mesh.positions[v];
                ++counts[particle[v]];
            }
        }
    for (std::size_t p = 0; p < counts.size(); ++p)
        if (counts[p] > 0)
            start.positions[p] = (1.0 / counts[p]) * sums[p];
}

} // namespace muslin
