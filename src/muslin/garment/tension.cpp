#include "muslin/garment/tension.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

struct RestPair {
    double u = 1, v = 1;
};

// Later entries win where regions overlap, as in the force.
std::vector<RestPair> rest_stretches(const Model& model, double time) {
    std::vector<RestPair> out(model.dynamics.triangles.size());
    for (const RestStretch& r : model.rest_stretches) {
        const RestPair rest = {r.b_u.at(time), r.b_v.at(time)};
        for (const int t : r.triangles)
            out[t] = rest;
    }
    return out;
}

double thread_tension(double length, double rest, double stiffness, const ThreadLaw& law) {
    const double beyond = law.limit > 0 ? std::max(0.0, length - (1 + law.limit) * rest) : 0.0;
    return stiffness * (length - rest + law.stiffening * beyond);
}

TriangleTension tension_of(const std::array<Vec3, 3>& x, const std::array<Vec2, 3>& p,
                           const Material& material, const RestPair& rest, const ThreadLaw& law) {
    const Vec2 d1 = p[1] - p[0], d2 = p[2] - p[0];
    const double det = cross(d1, d2);
    const Vec3 e1 = x[1] - x[0], e2 = x[2] - x[0];
    const Vec3 w_u = (1 / det) * (d2.y * e1 - d1.y * e2); // [BW98 (9)]
    const Vec3 w_v = (1 / det) * (d1.x * e2 - d2.x * e1);
    const double length_u = norm(w_u), length_v = norm(w_v);
    TriangleTension out;
    out.area = 0.5 * std::abs(det);
    out.stretch_u = length_u - 1;
    out.stretch_v = length_v - 1;
    out.along_u = thread_tension(length_u, rest.u, material.stretch_u, law);
    out.along_v = thread_tension(length_v, rest.v, material.stretch_v, law);
    const double shear = material.shear * dot(w_u, w_v);
    out.largest =
        0.5 * (out.along_u + out.along_v) + std::hypot(0.5 * (out.along_u - out.along_v), shear);
    return out;
}

} // namespace

std::vector<TriangleTension> triangle_tensions(const Model& model, const State& state,
                                               const ThreadLaw& law) {
    const DynamicsLayer& layer = model.dynamics;
    const std::vector<RestPair> rest = rest_stretches(model, state.time);
    std::vector<TriangleTension> out(layer.triangles.size());
    parallel_for(out.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& [a, b, c] = layer.triangles[t];
            out[t] = tension_of({state.positions[a], state.positions[b], state.positions[c]},
                                layer.pattern[t], model.cloths[layer.triangle_cloth[t]].material,
                                rest[t], law);
        }
    });
    return out;
}

void tension_field(const Model& model, const std::vector<TriangleTension>& tensions,
                   std::size_t cloth, std::vector<double>& out) {
    const auto [begin, end] = model.cloths[cloth].triangle_range;
    std::vector<double> sum(model.mass.size(), 0), area(model.mass.size(), 0);
    for (int t = begin; t < end; ++t)
        for (const int p : model.dynamics.triangles[t]) {
            sum[p] += tensions[t].area * std::max(0.0, tensions[t].largest);
            area[p] += tensions[t].area;
        }
    const auto& particle = model.cloths[cloth].surface.vertex_particle;
    out.resize(particle.size());
    for (std::size_t v = 0; v < particle.size(); ++v)
        out[v] = area[particle[v]] > 0 ? sum[particle[v]] / area[particle[v]] : 0;
}

} // namespace muslin
