#include "muslin/integrators/mixed.h"

#include "muslin/integrators/loops.h"

#include <cmath>

namespace muslin {
MixedIntegrator::MixedIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                                 const MixedSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      damped_(damped_forces(force_pointers())), vibrations_(model, force_pointers()) {}

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
        find_constraint_forces(half, constraints);
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
    return half * damping_rate_ > settings_.stiff_damping;
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
        for (DampedForce* force : damped_)
            force->cache_damping({x, from});
    }
    const ProfileScope scope(profile, Task::solve);
    right_side_.resize(x.size());
    for_particles(x.size(), [&](std::size_t i) { right_side_[i] = h * force_[i]; });
    solve(h, report);
    to.resize(from.size());
    for_particles(from.size(), [&](std::size_t i) { to[i] = from[i] + change_[i]; });
}

void MixedIntegrator::multiply(double h, std::span<const Vec3> w, std::vector<Vec3>& out) const {
    out.assign(w.size(), {0, 0, 0});
    for (const DampedForce* force : damped_)
        force->add_damping(w, out); // minus D w
    for_particles(w.size(), [&](std::size_t i) { out[i] = model_.mass[i] * w[i] - h * out[i]; });
}

// Plain conjugate gradients for change_, from zero; the filter keeps held directions at zero.
void MixedIntegrator::solve(double h, StepReport& report) {
    ++report.solves;
    change_.assign(right_side_.size(), {0, 0, 0});
    residual_ = right_side_;
    filter_.apply(residual_);
    direction_ = residual_;
    double square = inner(residual_, residual_);
    const double enough = settings_.tolerance * settings_.tolerance * square;
    int iterations = 0;
    while (square > enough && iterations < settings_.max_iterations) {
        multiply(h, direction_, product_);
        filter_.apply(product_);
        const double curvature = inner(direction_, product_);
        if (curvature == 0) // what is left is too small to be squared
            break;
        if (!(curvature > 0)) {
            report.status = StepReport::Status::solver_failed;
            break;
        }
        const double alpha = square / curvature;
        for_particles(change_.size(), [&](std::size_t i) {
            change_[i] += alpha * direction_[i];
            residual_[i] -= alpha * product_[i];
        });
        const double next = inner(residual_, residual_);
        const double beta = next / square;
        for_particles(change_.size(),
                      [&](std::size_t i) { direction_[i] = residual_[i] + beta * direction_[i]; });
        square = next;
        ++iterations;
    }
    report.cg_iterations += iterations;
    report.cg_residual = enough > 0 ? settings_.tolerance * std::sqrt(square / enough) : 0;
}

// What the last solve left in held directions, over its time: the force that keeps them.
void MixedIntegrator::find_constraint_forces(double h, const ConstraintSet& constraints) {
    multiply(h, change_, product_);
    constraint_forces_.clear();
    for (const ParticleConstraint& c : constraints.list())
        constraint_forces_.push_back((1 / h) * (product_[c.particle] - right_side_[c.particle]));
}

double MixedIntegrator::longest_step_of(double rate) const {
    for (const auto& force : forces_)
        rate += added_eigenvalue(*force);
    return rate > 0 ? settings_.safety * 2 / std::sqrt(rate)
                    : std::numeric_limits<double>::infinity();
}

double MixedIntegrator::find_longest_step(const State& begin) {
    vibrations_.restart(begin);
    global_rate_ = vibrations_.fastest(30);
    damping_rate_ = vibrations_.fastest_damping(12);
    since_bound_ = 0;
    last_bound_ = longest_step_of(
        std::max(global_rate_, settings_.safety * settings_.safety * vibrations_.bound(8)));
    return last_bound_;
}

double MixedIntegrator::follow_longest_step(const State& begin) {
    constexpr int every = 4; // steps; growth of what is not stable is small in so few
    if (++since_bound_ < every)
        return last_bound_;
    since_bound_ = 0;
    vibrations_.move_to(begin);
    last_bound_ = longest_step_of(
        std::max(global_rate_, settings_.safety * settings_.safety * vibrations_.bound(2)));
    return last_bound_;
}

} // namespace muslin
