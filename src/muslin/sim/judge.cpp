#include "muslin/sim/judge.h"

#include "muslin/mesh/measure.h"
#include "muslin/mesh/triangle_mesh.h"

#include <map>

namespace muslin {

Judge::Judge(const Model& model) : model_(model) {
    const DynamicsLayer& layer = model.dynamics;
    // An edge's rest length is its length in the pattern; on a seam, the mean of both sides.
    std::map<std::array<int, 2>, std::array<double, 2>> sums; // length, number of sides
    for (std::size_t t = 0; t < layer.triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = layer.triangles[t][i], b = layer.triangles[t][(i + 1) % 3];
            auto& sum = sums[{std::min(a, b), std::max(a, b)}];
            sum[0] += norm(layer.pattern[t][(i + 1) % 3] - layer.pattern[t][i]);
            sum[1] += 1;
        }
    for (const auto& [edge, sum] : sums) {
        edges_.push_back(edge);
        rest_lengths_.push_back(sum[0] / sum[1]);
    }
    for (const Body& body : model.bodies) {
        TriangleMesh mesh = triangulate(body.mesh);
        bodies_.push_back({std::move(mesh.positions), std::move(mesh.triangles)});
    }
}

Verdict Judge::judge(std::span<const Vec3> positions) const {
    const DynamicsLayer& layer = model_.dynamics;
    Verdict v;
    const EdgeStretch edges = edge_stretch(positions, edges_, rest_lengths_);
    v.stretch_max = edges.max;
    v.stretch_min = edges.min;
    v.stretch_99 = edges.p99;
    const PrincipalStretch principal = extreme_stretch(positions, layer.triangles, layer.pattern);
    v.principal_max = principal.max;
    v.principal_min = principal.min;
    v.self_intersections =
        static_cast<int>(count_self_intersections(positions, layer.triangles));
    for (const BodyTriangles& body : bodies_)
        v.body_intersections += static_cast<int>(count_intersections_between(
            {positions, layer.triangles}, {body.positions, body.triangles}));
    return v;
}

} // namespace muslin
