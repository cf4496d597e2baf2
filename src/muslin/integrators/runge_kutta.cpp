#include "muslin/integrators/runge_kutta.h"

#include "muslin/integrators/loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace muslin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

double square_of(const Vec3& a) {
    return dot(a, a);
}

/// Of the cloth itself: a sum over elements.
bool is_inside(Force& force) {
    return force.capabilities().elements != nullptr;
}

std::vector<Force*> pick(std::span<const std::unique_ptr<Force>> forces, bool inside) {
    std::vector<Force*> out;
    for (const auto& force : forces)
        if (is_inside(*force) == inside)
            out.push_back(force.get());
    return out;
}

/// Of the largest half disc inside the region of stability, 2.616. On the negative axis alone it
/// would be 2.785, on the imaginary axis 2.828.
constexpr double stable_radius = 2.61;

} // namespace

RungeKutta::RungeKutta(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                       const RungeKuttaSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      vibrations_(model, force_pointers()), inside_(model, pick(forces_, true)),
      outside_(model, pick(forces_, false)), stable_step_(infinity), accurate_step_(infinity) {
    for (const auto& force : forces_)
        items_.push_back({force.get(), is_inside(*force)});
}

StepReport RungeKutta::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                 State& end, Profile& profile) {
    StepReport report;
    const std::size_t n = begin.positions.size();
    constraints.make_filter(filter_);
    end = begin;
    end.time = begin.time + h;
    corrected_.assign(corrector_ ? n : 0, 0);
    velocity_sum_.assign(n, Vec3{0, 0, 0});
    force_sum_.assign(n, Vec3{0, 0, 0});

    position_ = begin.positions;
    velocity_ = begin.velocities;
    if (is_known(begin))
        force_ = known_force_;
    else
        evaluate(Place::begin, begin, h, constraints, profile);
    add_up(1);
    go_to(begin, 0.5 * h);
    evaluate(Place::middle, begin, h, constraints, profile);
    add_up(2);
    go_to(begin, 0.5 * h);
    evaluate(Place::middle, begin, h, constraints, profile);
    add_up(2);
    go_to(begin, h);
    evaluate(Place::end, begin, h, constraints, profile);
    add_up(1);

    for_particles(n, [&](std::size_t i) {
        end.positions[i] += (h / 6) * velocity_sum_[i];
        end.velocities[i] += (h / (6 * model_.mass[i])) * force_sum_[i];
    });
    follow_to_end(constraints, end.positions, end.velocities);
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
    else if (settings_.adaptive)
        estimate_error(h, end, report, profile);
    if (report.status == StepReport::Status::ok)
        finish(begin, h, constraints, end, report, profile);
    return report;
}

// Forces at the state of an evaluation, once its held particles are where they belong.
void RungeKutta::evaluate(Place place, const State& begin, double h,
                          const ConstraintSet& constraints, Profile& profile) {
    const double time = begin.time + (place == Place::begin    ? 0
                                      : place == Place::middle ? 0.5 * h
                                                               : h);
    const auto hold = [&] {
        if (place == Place::middle)
            follow_to_middle(constraints, begin.positions, position_, velocity_);
        else if (place == Place::end)
            follow_to_end(constraints, position_, velocity_);
    };
    hold();
    if (corrector_) {
        uncorrected_position_ = position_;
        uncorrected_velocity_ = velocity_;
        corrector_->correct(time, position_, velocity_, profile);
        if (place == Place::begin) // held particles stay as the step found them
            for (const int p : filter_.particles) {
                position_[p] = begin.positions[p];
                velocity_[p] = begin.velocities[p];
            }
        hold();
        for_particles(position_.size(), [&](std::size_t i) {
            if (square_of(position_[i] - uncorrected_position_[i]) > 0 ||
                square_of(velocity_[i] - uncorrected_velocity_[i]) > 0)
                corrected_[i] = 1;
        });
    }
    const ProfileScope scope(profile, Task::forces);
    evaluate_forces(time, position_, velocity_, force_);
}

void RungeKutta::evaluate_forces(double time, std::span<const Vec3> x, std::span<const Vec3> v,
                                 std::vector<Vec3>& f) {
    std::span<const Vec3> slow = v;
    if (damping_scale_ < 1) {
        slowed_.resize(v.size());
        for_particles(v.size(), [&](std::size_t i) { slowed_[i] = damping_scale_ * v[i]; });
        slow = slowed_;
    }
    f.assign(x.size(), {0, 0, 0});
    for (const Item& item : items_) {
        item.force->prepare(time);
        item.force->add_force({x, item.inside ? slow : v}, f);
    }
}

void RungeKutta::add_up(double weight) {
    for_particles(position_.size(), [&](std::size_t i) {
        velocity_sum_[i] += weight * velocity_[i];
        force_sum_[i] += weight * force_[i];
    });
}

// The state of the next evaluation, by the derivatives of the last.
void RungeKutta::go_to(const State& begin, double interval) {
    for_particles(position_.size(), [&](std::size_t i) {
        position_[i] = begin.positions[i] + interval * velocity_[i];
        velocity_[i] = begin.velocities[i] + (interval / model_.mass[i]) * force_[i];
    });
}

// Whether the forces at the begin are those that the error of the last step asked for. Where
// history or bonds may have changed since, nobody can tell.
bool RungeKutta::is_known(const State& begin) const {
    return known_ && begin.time == known_time_ && begin.bonds.empty() &&
           begin.strain_history.triangles.empty() && begin.strain_history.hinges.empty() &&
           same_bits(begin.positions, known_position_) &&
           same_bits(begin.velocities, known_velocity_);
}

void RungeKutta::estimate_error(double h, const State& end, StepReport& report, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        evaluate_forces(end.time, end.positions, end.velocities, known_force_);
    }
    known_ = corrector_ == nullptr;
    known_time_ = end.time;
    known_position_ = end.positions;
    known_velocity_ = end.velocities;

    report.error = largest_error(h, end);
    if (!std::isfinite(report.error)) {
        report.status = StepReport::Status::not_finite;
        return;
    }
    // The error goes with the fourth power of the step.
    const double ratio = settings_.error / std::max(report.error, 1e-12 * settings_.error);
    const bool good = ratio >= 1;
    const double most = good ? (refused_ ? 1.0 : 5.0) : 0.9;
    accurate_step_ = h * std::clamp(0.9 * std::pow(ratio, 0.25), 0.1, most);
    refused_ = !good;
    if (!good) {
        report.status = StepReport::Status::inaccurate;
        report.longest_step = accurate_step_;
    }
}

// The largest of |e_x| and h |e_v|, held coordinates and what the corrector moved left out.
double RungeKutta::largest_error(double h, const State& end) {
    const std::size_t n = position_.size(), chunks = (n + particle_grain - 1) / particle_grain;
    partials_.resize(chunks);
    parallel_for(n, particle_grain, [&](std::size_t first, std::size_t last) {
        double most = 0;
        auto held = std::lower_bound(filter_.particles.begin(), filter_.particles.end(),
                                     static_cast<int>(first)) -
                    filter_.particles.begin();
        for (std::size_t i = first; i < last; ++i) {
            Vec3 change = (h / model_.mass[i]) * (known_force_[i] - force_[i]);
            if (held < std::ssize(filter_.particles) &&
                filter_.particles[held] == static_cast<int>(i))
                change = filter_.projection[held++] * change;
            if (!corrected_.empty() && corrected_[i])
                continue;
            const double square =
                std::max(square_of(end.velocities[i] - velocity_[i]), square_of(change));
            most = square <= most ? most : square; // keeps what is not a number
        }
        partials_[first / particle_grain] = most;
    });
    double most = 0;
    for (std::size_t c = 0; c < chunks; ++c)
        most = partials_[c] <= most ? most : partials_[c];
    return h / 6 * std::sqrt(most);
}

void RungeKutta::finish(const State& begin, double h, const ConstraintSet& constraints, State& end,
                        StepReport& report, Profile& profile) {
    if (!modifiers_.empty()) {
        modify_mean(begin, h, filter_, end, report, profile);
        follow_to_end(constraints, end.positions, end.velocities);
        modify(end.positions, h, filter_, end.velocities, report, profile);
    }
    // What held particles got besides the forces, along what held them.
    constraint_forces_.clear();
    for (std::size_t k = 0; k < filter_.particles.size(); ++k) {
        const int p = filter_.particles[k];
        const Vec3 change = (model_.mass[p] / h) * (end.velocities[p] - begin.velocities[p]) -
                            (1.0 / 6) * force_sum_[p];
        constraint_forces_.push_back(change - filter_.projection[k] * change);
    }
    if (!modifiers_.empty() && !all_finite(end))
        report.status = StepReport::Status::not_finite;
}

// No eigenvalue -lambda/2 +- sqrt(lambda^2/4 - omega^2) is larger than both omega and lambda.
double RungeKutta::stable_step(double rate) const {
    for (const auto& force : forces_)
        rate += added_eigenvalue(*force);
    const double fastest = std::max(std::sqrt(std::max(rate, 0.0)), damping_rate_);
    return fastest > 0 ? settings_.safety * stable_radius / fastest : infinity;
}

double RungeKutta::find_longest_step(const State& begin) {
    known_ = false;
    refused_ = false;
    accurate_step_ = infinity;
    since_bound_ = 0;
    vibrations_.restart(begin);
    global_rate_ = vibrations_.fastest(8);
    const double square = settings_.safety * settings_.safety;
    const double rate = std::max(global_rate_, square * vibrations_.bound(5));

    const auto damping = [&](Vibrations& of) {
        of.restart(begin);
        return std::max(of.fastest_damping(6), settings_.safety * of.bound_damping(4));
    };
    const double inside = damping(inside_), outside = damping(outside_);
    damping_scale_ = 1;
    if (settings_.limit_damping && inside > 0 && inside + outside > std::sqrt(rate))
        damping_scale_ = std::clamp((std::sqrt(rate) - outside) / inside, 0.0, 1.0);
    damping_rate_ = damping_scale_ * inside + outside;
    stable_step_ = stable_step(rate);
    return stable_step_;
}

double RungeKutta::follow_longest_step(const State& begin) {
    constexpr int every = 8; // steps; what grows unstable between shows as error
    if (++since_bound_ >= every) {
        since_bound_ = 0;
        vibrations_.move_to(begin);
        const double square = settings_.safety * settings_.safety;
        stable_step_ = stable_step(std::max(global_rate_, square * vibrations_.bound(1)));
    }
    return std::min(stable_step_, settings_.adaptive ? accurate_step_ : infinity);
}

} // namespace muslin
