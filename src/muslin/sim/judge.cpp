#include "muslin/sim/judge.h"

#include "muslin/mesh/triangle_mesh.h"

namespace muslin {

Judge::Judge(const Model& model)
    : model_(model), edges_(pattern_edges(model.dynamics.triangles, model.dynamics.pattern)) {
    for (const Body& body : model.bodies) {
        TriangleMesh mesh = triangulate(body.mesh);
        bodies_.push_back({std::move(mesh.positions), std::move(mesh.triangles)});
    }
}

Verdict Judge::judge(std::span<const Vec3> positions) const {
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
    for (const BodyTriangles& body : bodies_)
        v.body_intersections += static_cast<int>(count_intersections_between(
            {positions, layer.triangles}, {body.positions, body.triangles}));
    return v;
}

} // namespace muslin
