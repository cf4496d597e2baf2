#include "muslin/forces/air_vertices.h"

#include "muslin/base/parallel.h"

namespace muslin {

void AirVerticesForce::respond_to_field(const Kinematics& at) const {
    const Air& air = conditions_->air;
    winds_.resize(area_.size());
    responses_.resize(area_.size());
    air.field->find(time_, at.positions, winds_);
    parallel_for(area_.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            responses_[i] = air_on_vertex(
                at.velocities[i], normal(at.positions, i), winds_[i], air.viscous_drag * area_[i],
                (air.linear_drag + air.quadratic_drag * 1.0 /* m/s */) * area_[i]);
    });
}

void AirVerticesForce::add_force_of_field(const Kinematics& at, std::span<Vec3> f) const {
    respond_to_field(at);
    for (std::size_t i = 0; i < area_.size(); ++i)
        f[i] += responses_[i].force;
}

void AirVerticesForce::add_linearised_of_field(const Kinematics& at, double h, std::span<Vec3> f,
                                               BlockMatrix& a) const {
    respond_to_field(at);
    for (std::size_t i = 0; i < area_.size(); ++i) {
        const Vec3& dashpot = responses_[i].dashpot;
        f[i] += responses_[i].force;
        a.add_diagonal(static_cast<int>(i),
                       Mat3::diagonal(h * conditions_->air.viscous_drag * area_[i]) +
                           h * outer(dashpot, dashpot));
    }
}

void AirVerticesForce::cache_damping_of_field(const Kinematics& at) {
    respond_to_field(at);
    dashpots_.resize(area_.size());
    for (std::size_t i = 0; i < area_.size(); ++i)
        dashpots_[i] = responses_[i].dashpot;
}

} // namespace muslin
