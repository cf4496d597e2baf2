#include "muslin/forces/air_vertices.h"

#include "muslin/base/parallel.h"

#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 512;

template <class Body>
void for_each(std::size_t n, const Body& body) {
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            body(i);
    });
}

} // namespace

AirVerticesForce::AirVerticesForce(const Model& model) : model_(model) {
    const auto& triangles = model.dynamics.triangles;
    const std::size_t n = model.mass.size();
    area_.assign(n, 0);
    first_.assign(n + 1, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& u = model.dynamics.pattern[t];
        for (const int p : triangles[t]) {
            area_[p] += std::abs(cross(u[1] - u[0], u[2] - u[0])) / 6;
            ++first_[p + 1];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        first_[i + 1] += first_[i];
    triangles_.resize(first_[n]);
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int p : triangles[t])
            triangles_[next[p]++] = static_cast<int>(t);
}

void AirVerticesForce::set_conditions(const Conditions& conditions) {
    conditions_ = &conditions;
    prepare(time_);
}

void AirVerticesForce::prepare(double time) {
    time_ = time;
    uniform_ = conditions_->air.wind.is_uniform();
    if (uniform_)
        wind_ = conditions_->air.wind.at(time);
}

Vec3 AirVerticesForce::normal(std::span<const Vec3> x, std::size_t particle) const {
    Vec3 sum = {0, 0, 0};
    for (int k = first_[particle]; k < first_[particle + 1]; ++k) {
        const auto& [a, b, c] = model_.dynamics.triangles[triangles_[k]];
        sum += cross(x[b] - x[a], x[c] - x[a]);
    }
    const double length = norm(sum);
    return length > 1e-150 ? (1 / length) * sum : Vec3{0, 0, 0};
}

AirVertexResponse<double> AirVerticesForce::respond(const Kinematics& at, std::size_t i) const {
    const Air& air = conditions_->air;
    const double area = area_[i];
    return air_on_vertex(at.velocities[i], normal(at.positions, i),
                         uniform_ ? wind_ : air.wind.at_place(time_, at.positions[i]),
                         air.viscous_drag * area,
                         (air.linear_drag + air.quadratic_drag * 1.0 /* m/s */) * area);
}

void AirVerticesForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    if (conditions_->air.field)
        return add_force_of_field(at, f);
    for_each(area_.size(), [&](std::size_t i) { f[i] += respond(at, i).force; });
}

void AirVerticesForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                      std::span<Vec3> f, BlockMatrix& a) const {
    if (conditions_->air.field)
        return add_linearised_of_field(at, step.h, f, a);
    for_each(area_.size(), [&](std::size_t i) {
        const AirVertexResponse<double> r = respond(at, i);
        f[i] += r.force;
        a.add_diagonal(static_cast<int>(i),
                       Mat3::diagonal(step.h * conditions_->air.viscous_drag * area_[i]) +
                           step.h * outer(r.dashpot, r.dashpot));
    });
}

void AirVerticesForce::cache_damping(const Kinematics& at) {
    if (conditions_->air.field)
        return cache_damping_of_field(at);
    dashpots_.resize(area_.size());
    for_each(area_.size(), [&](std::size_t i) { dashpots_[i] = respond(at, i).dashpot; });
}

void AirVerticesForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    for_each(area_.size(), [&](std::size_t i) {
        f[i] -= (conditions_->air.viscous_drag * area_[i]) * w[i] +
                dot(dashpots_[i], w[i]) * dashpots_[i];
    });
}

} // namespace muslin
