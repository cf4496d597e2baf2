#include "muslin/forces/edge_springs.h"

#include <algorithm>
#include <cmath>

namespace muslin {

std::vector<Link> edge_springs(const Model& model) {
    const DynamicsLayer& layer = model.dynamics;
    std::vector<LinkSide> sides;
    for (std::size_t t = 0; t < layer.triangles.size(); ++t) {
        const auto& p = layer.pattern[t];
        const Material& m = model.cloths[layer.triangle_cloth[t]].material;
        const double area = 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
        for (int k = 0; k < 3; ++k) {
            const int a = layer.triangles[t][k], b = layer.triangles[t][(k + 1) % 3];
            const Vec2 e = p[(k + 1) % 3] - p[k];
            const double squared = dot(e, e);
            const double along_u = e.x * e.x / squared;
            const double stiffness = m.stretch_u * along_u + m.stretch_v * (1 - along_u);
            sides.push_back({{std::min(a, b), std::max(a, b)},
                             std::sqrt(squared),
                             stiffness * area / squared,
                             m.stretch_damping * area / squared,
                             0});
        }
    }
    return join_sides(std::move(sides));
}

EdgeSpringForce::EdgeSpringForce(const Model& model)
    : LinkForce("edge_springs", ForceKind::in_plane, edge_springs(model), {},
                model.particle_count()) {}

} // namespace muslin
