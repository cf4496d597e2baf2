#include "muslin/integrators/mixed.h"

#include "muslin/base/parallel.h"

#include <cmath>
#include <random>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

template <class Body>
void for_particles(std::size_t n, const Body& body) {
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            body(i);
    });
}

double inner(std::span<const Vec3> a, std::span<const Vec3> b) {
    return parallel_sum<double>(a.size(), grain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += dot(a[i], b[i]);
        return sum;
    });
}

/// Gives held directions the velocity that takes them to their place in h seconds.
void follow_path(const ConstraintSet& constraints, std::span<const Vec3> x, double h,
                 std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k) {
            const Vec3& n = c.direction[k];
            v[c.particle] +=
                ((c.position[k] - dot(n, x[c.particle])) / h - dot(n, v[c.particle])) * n;
        }
}

/// Gives held directions the velocity they are to have at the end.
void follow_speed(const ConstraintSet& constraints, std::span<Vec3> v) {
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            v[c.particle] += (c.velocity[k] - dot(c.direction[k], v[c.particle])) * c.direction[k];
}

} // namespace

MixedIntegrator::MixedIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                                 const MixedSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings) {}

StepReport MixedIntegrator::step(const State& begin, double h, const ConstraintSet& constraints,
                                 State& end, Profile& profile) {
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

// Power iteration from a shape of chance.
template <class Times>
double MixedIntegrator::largest_rate(int iterations, const Times& times) {
    double rate = 0;
    shape_ = alternating_;
    for (int k = 0; k < iterations; ++k) {
        times(shape_, product_of_shape_);
        rate = std::sqrt(inner(product_of_shape_, product_of_shape_) / inner(shape_, shape_));
        if (!(rate > 0) || !std::isfinite(rate))
            return 0;
        for_particles(shape_.size(),
                      [&](std::size_t i) { shape_[i] = (1 / rate) * product_of_shape_[i]; });
    }
    return rate;
}

// Of M^-1 D.
double MixedIntegrator::find_damping_rate(const State& begin) {
    for (const auto& force : forces_) {
        force->prepare(begin.time);
        force->cache_damping({begin.positions, begin.velocities});
    }
    return largest_rate(12, [&](std::span<const Vec3> shape, std::vector<Vec3>& out) {
        out.assign(shape.size(), {0, 0, 0});
        for (const auto& force : forces_)
            force->add_damping(shape, out); // minus D times it
        for_particles(shape.size(), [&](std::size_t i) { out[i] *= -1 / model_.mass[i]; });
    });
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
        for (const auto& force : forces_)
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
    for (const auto& force : forces_)
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

// M^-1 K times a shape, by the difference of forces at two places a little apart.
void MixedIntegrator::stiffness_times(const State& begin, std::span<const Vec3> shape,
                                      std::vector<Vec3>& out) {
    constexpr double apart = 1e-7; // [m]
    const std::size_t n = shape.size();
    moved_.resize(n);
    out.resize(n);
    for_particles(n, [&](std::size_t i) { moved_[i] = begin.positions[i] + apart * shape[i]; });
    forces_at(begin.time, moved_, still_, product_);
    for_particles(n, [&](std::size_t i) {
        out[i] = (1 / (model_.mass[i] * apart)) * (base_[i] - product_[i]);
    });
}

// Every particle moves by the same way, each against what its neighbours' last moves did to it: the
// largest acceleration is then the largest sum over a row of M^-1 K that moves can have, which no
// omega^2 exceeds by much, and of which each is at least half where springs meet.
double MixedIntegrator::local_rate(const State& begin, int iterations) {
    const std::size_t n = begin.positions.size();
    double rate = 0;
    for (int k = 0; k < iterations; ++k) {
        stiffness_times(begin, alternating_, product_of_shape_);
        rate = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double length = norm(product_of_shape_[i]);
            rate = std::max(rate, length);
            if (length > 0)
                alternating_[i] = (1 / length) * product_of_shape_[i];
        }
    }
    return std::isfinite(rate) ? rate : 0;
}

double MixedIntegrator::longest_step_of(double rate) const {
    for (const auto& force : forces_)
        rate += force->added_eigenvalue();
    return rate > 0 ? settings_.safety * 2 / std::sqrt(rate)
                    : std::numeric_limits<double>::infinity();
}

double MixedIntegrator::longest_step(const State& begin) {
    const std::size_t n = begin.positions.size();
    std::mt19937 random(1); // the same shape every time: what follows has no history
    std::uniform_real_distribution<double> uniform(-1, 1);
    alternating_.resize(n);
    for (Vec3& p : alternating_) {
        p = {uniform(random), uniform(random), uniform(random)};
        p *= 1 / norm(p);
    }
    still_.assign(n, Vec3{0, 0, 0});
    forces_at(begin.time, begin.positions, still_, base_);
    global_rate_ = largest_rate(30, [&](std::span<const Vec3> shape, std::vector<Vec3>& out) {
        stiffness_times(begin, shape, out);
    });
    damping_rate_ = find_damping_rate(begin);
    since_bound_ = 0;
    last_bound_ = longest_step_of(
        std::max(global_rate_, settings_.safety * settings_.safety * local_rate(begin, 8)));
    return last_bound_;
}

double MixedIntegrator::longest_step_now(const State& begin) {
    constexpr int every = 4; // steps; growth of what is not stable is small in so few
    if (++since_bound_ < every)
        return last_bound_;
    since_bound_ = 0;
    forces_at(begin.time, begin.positions, still_, base_);
    last_bound_ = longest_step_of(
        std::max(global_rate_, settings_.safety * settings_.safety * local_rate(begin, 2)));
    return last_bound_;
}

} // namespace muslin
