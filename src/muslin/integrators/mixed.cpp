#include "muslin/integrators/mixed.h"

#include "muslin/integrators/loops.h"

namespace muslin {

MixedIntegrator::MixedIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                                 const MixedSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      damping_(model, force_pointers(), settings.tolerance, settings.max_iterations),
      stability_(model, force_pointers(), settings.safety) {}

StepReport MixedIntegrator::take_step(const State& begin, double h,
                                      const ConstraintSet& constraints, State& end,
                                      Profile& profile) {
    StepReport report;
    const double half = 0.5 * h, later = begin.time + h;
    const std::vector<Vec3>&x = begin.positions, &v = begin.velocities;
    constraints.make_filter(filter_);
    end = begin;
    end.time = later;

    // The velocity that moves the positions.
    if (settings_.scheme == MixedScheme::leapfrog_trapezoidal) {
        const ProfileScope scope(profile, Task::forces);
        forces_at(begin.time, x, v, force_);
        accelerate(half, v, half_);
        middle_ = half_;
    } else {
        accelerate_implicitly(begin.time, half, x, v, middle_, report, profile);
        if (damping_is_stiff(half))
            half_ = middle_;
        else
            accelerate(half, v, half_); // with the forces at the begin that the solve began with
    }
    follow_path(constraints, x, h, middle_);
    modify(x, h, filter_, middle_, report, profile);
    for_particles(x.size(), [&](std::size_t i) { end.positions[i] = x[i] + h * middle_[i]; });

    // The velocity at the end.
    if (settings_.scheme == MixedScheme::central_newmark) {
        const ProfileScope scope(profile, Task::forces);
        forces_at(later, end.positions, middle_, force_);
        accelerate(half, middle_, end.velocities);
    } else {
        follow_speed(constraints, half_);
        accelerate_implicitly(later, half, end.positions, half_, end.velocities, report, profile);
        damping_.find_constraint_forces(half, constraints, constraint_forces_);
    }
    follow_speed(constraints, end.velocities);
    if (settings_.scheme != MixedScheme::central_newmark)
        modify(end.positions, h, filter_, end.velocities, report, profile);
    else
        constraint_forces_.assign(constraints.list().size(), Vec3{0, 0, 0});
    if (report.status == StepReport::Status::ok && !all_finite(end))
        report.status = StepReport::Status::not_finite;
    return report;
}

// The trapezoidal rule takes half a step of damping explicitly, which multiplies a velocity by
// 1 - h lambda / 2, and half implicitly, which divides it by 1 + h lambda / 2. Where damping is
// stiff and its direction turns between the two, as that of an edge that swings does, they no
// longer cancel: what is left grows from step to step. Then both halves are implicit.
bool MixedIntegrator::damping_is_stiff(double half) const {
    return half * stability_.damping_rate() > settings_.stiff_damping;
}

void MixedIntegrator::forces_at(double time, std::span<const Vec3> x, std::span<const Vec3> v,
                                std::vector<Vec3>& f) {
    f.assign(x.size(), {0, 0, 0});
    for (const auto& force : forces_) {
        force->prepare(time);
        force->add_force({x, v}, f);
    }
}

// to = from + h a, with the forces last computed.
void MixedIntegrator::accelerate(double h, std::span<const Vec3> from,
                                 std::vector<Vec3>& to) const {
    to.resize(from.size());
    for_particles(from.size(),
                  [&](std::size_t i) { to[i] = from[i] + (h / model_.mass[i]) * force_[i]; });
}

// to = from + h a(x, to): with to = from + w and D at `from`,
//     (M + h D) w = h f(x, from).
// Held directions keep what they have in `from`.
void MixedIntegrator::accelerate_implicitly(double time, double h, std::span<const Vec3> x,
                                            std::span<const Vec3> from, std::vector<Vec3>& to,
                                            StepReport& report, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        forces_at(time, x, from, force_);
        damping_.linearise({x, from});
    }
    const ProfileScope scope(profile, Task::solve);
    damping_.solve(h, force_, filter_, report);
    const std::span<const Vec3> change = damping_.change();
    to.resize(from.size());
    for_particles(from.size(), [&](std::size_t i) { to[i] = from[i] + change[i]; });
}

} // namespace muslin
