#include "muslin/integrators/integrator.h"

#include "muslin/integrators/loops.h"

namespace muslin {

bool all_finite(const State& state) {
    const double bad =
        parallel_sum<double>(state.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
            double count = 0;
            for (std::size_t i = begin; i < end; ++i)
                count += is_finite(state.positions[i]) && is_finite(state.velocities[i]) ? 0 : 1;
            return count;
        });
    return bad == 0;
}

void follow_path(const ConstraintSet& constraints, std::span<const Vec3> x, double h,
                 std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k) {
            const Vec3& n = c.direction[k];
            v[c.particle] +=
                ((c.position[k] - dot(n, x[c.particle])) / h - dot(n, v[c.particle])) * n;
        }
}

void follow_speed(const ConstraintSet& constraints, std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            v[c.particle] += (c.velocity[k] - dot(c.direction[k], v[c.particle])) * c.direction[k];
}

void follow_to_middle(const ConstraintSet& constraints, std::span<const Vec3> begin,
                      std::span<Vec3> x, std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k) {
            const Vec3& n = c.direction[k];
            const double place =
                c.has_path ? c.middle[k] : 0.5 * (dot(n, begin[c.particle]) + c.position[k]);
            const double speed = c.has_path ? c.middle_velocity[k] : c.velocity[k];
            x[c.particle] += (place - dot(n, x[c.particle])) * n;
            v[c.particle] += (speed - dot(n, v[c.particle])) * n;
        }
}

void follow_to_end(const ConstraintSet& constraints, std::span<Vec3> x, std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k) {
            const Vec3& n = c.direction[k];
            const double speed = c.has_path ? c.end_velocity[k] : c.velocity[k];
            x[c.particle] += (c.position[k] - dot(n, x[c.particle])) * n;
            v[c.particle] += (speed - dot(n, v[c.particle])) * n;
        }
}

void Integrator::set_conditions(const Conditions& conditions) {
    conditions_ = &conditions;
    for (const auto& force : forces_)
        force->set_conditions(conditions);
}

std::vector<Force*> Integrator::force_pointers() const {
    std::vector<Force*> out;
    for (const auto& force : forces_)
        out.push_back(force.get());
    return out;
}

void Integrator::modify_mean(const State& begin, double h, const Filter& filter, State& end,
                             StepReport& report, Profile& profile) {
    const std::size_t n = begin.positions.size();
    mean_.resize(n);
    for_particles(
        n, [&](std::size_t i) { mean_[i] = (1 / h) * (end.positions[i] - begin.positions[i]); });
    modified_ = mean_;
    modify(begin.positions, h, filter, modified_, report, profile);
    for_particles(n, [&](std::size_t i) {
        end.positions[i] = begin.positions[i] + h * modified_[i];
        end.velocities[i] += modified_[i] - mean_[i];
    });
}

void Integrator::modify(std::span<const Vec3> positions, double h, const Filter& filter,
                        std::span<Vec3> velocities, StepReport& report, Profile& profile) const {
    report.sweeps += modifiers_.modify(positions, h, filter, velocities, profile);
}

int VelocityModifiers::modify(std::span<const Vec3> positions, double h, const Filter& filter,
                              std::span<Vec3> velocities, Profile& profile) const {
    const ProfileScope scope(profile, Task::resolve);
    int sweeps = 0;
    for (const auto& modifier : all_)
        sweeps += modifier->modify(positions, h, filter, velocities);
    return sweeps;
}

} // namespace muslin
