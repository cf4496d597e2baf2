#include "muslin/sim/judge.h"

#include "muslin/mesh/penetration.h"

#include <algorithm>

namespace muslin {

Judge::Judge(const Model& model)
    : model_(model), edges_(pattern_edges(model.dynamics.triangles, model.dynamics.pattern)) {
    for (const Body& body : model.bodies)
        body_closed_.push_back(is_closed({body.mesh.positions, body.triangles}));
}

Verdict Judge::judge(std::span<const Vec3> positions, double time) const {
    const DynamicsLayer& layer = model_.dynamics;
    Verdict v;
    const EdgeStretch edges = edge_stretch(positions, edges_.edges, edges_.lengths);
    v.stretch_max = edges.max;
    v.stretch_min = edges.min;
    v.stretch_99 = edges.p99;
    const PrincipalStretch principal = extreme_stretch(positions, layer.triangles, layer.pattern);
    v.principal_max = principal.max;
    v.principal_min = principal.min;
    v.self_intersections = static_cast<int>(count_self_intersections(positions, layer.triangles));
    std::vector<Vec3> place;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        const Body& body = model_.bodies[b];
        place.resize(body.mesh.positions.size());
        body_positions(body, time, place);
        const TriangleView surface = {place, body.triangles};
        v.body_intersections +=
            static_cast<int>(count_intersections_between({positions, layer.triangles}, surface));
        if (body_closed_[b])
            v.body_penetration_max = std::max(v.body_penetration_max.value_or(0),
                                              find_penetration(positions, surface).depth);
    }
    return v;
}

} // namespace muslin
