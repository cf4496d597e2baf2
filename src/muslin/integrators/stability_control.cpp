#include "muslin/integrators/stability_control.h"

#include "muslin/forces/edge_springs.h"

#include <limits>

namespace muslin {

StabilityControl::StabilityControl(const Model& model, const StabilityControlSettings& settings)
    : settings_(settings), model_(model), watched_(model.mass.size()),
      shortest_(model.mass.size(), std::numeric_limits<double>::infinity()) {
    const std::vector<Link> edges = edge_springs(model);
    neighbour_begin_.assign(model.mass.size() + 1, 0);
    for (const Link& e : edges)
        for (const int p : e.particles) {
            shortest_[p] = std::min(shortest_[p], e.rest);
            ++neighbour_begin_[p + 1];
        }
    for (std::size_t p = 0; p < model.mass.size(); ++p) {
        neighbour_begin_[p + 1] += neighbour_begin_[p];
        const double way = settings.least * shortest_[p];
        watched_[p].floor = way * way;
    }
    neighbours_.resize(2 * edges.size());
    std::vector<int> next(neighbour_begin_.begin(), neighbour_begin_.end() - 1);
    for (const Link& e : edges)
        for (int k = 0; k < 2; ++k)
            neighbours_[next[e.particles[k]]++] = e.particles[1 - k];
}

void StabilityControl::forget() {
    for (Watched& w : watched_) {
        w.last = {0, 0, 0};
        w.square = 0;
        w.count = w.hot = 0;
        w.fast = false;
    }
    any_ = false;
}

// v = the rigid motion with the same momentum and angular momentum: the projection on rigid motions
// in the norm of kinetic energy, which it therefore does not raise.
void StabilityControl::make_rigid(std::span<const int> group, std::span<const Vec3> x,
                                  std::span<Vec3> v) const {
    double mass = 0;
    Vec3 centre = {0, 0, 0}, drift = {0, 0, 0};
    for (const int p : group) {
        mass += model_.mass[p];
        centre += model_.mass[p] * x[p];
        drift += model_.mass[p] * v[p];
    }
    centre *= 1 / mass;
    drift *= 1 / mass;
    Vec3 turning = {0, 0, 0};
    Mat3 inertia = Mat3::zero();
    for (const int p : group) {
        const Vec3 arm = x[p] - centre;
        turning += model_.mass[p] * cross(arm, v[p] - drift);
        inertia += model_.mass[p] * (Mat3::diagonal(dot(arm, arm)) - outer(arm, arm));
    }
    // All in a line: there is no telling how it turns about the line.
    const double size = (inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2]) / 3;
    if (!(determinant(inertia) > 1e-9 * size * size * size))
        return;
    const Vec3 spin = inverse(inertia) * turning;
    for (const int p : group)
        v[p] = drift + cross(spin, x[p] - centre);
}

} // namespace muslin
