#include "muslin/integrators/runge_kutta.h"

#include "muslin/integrators/loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace muslin {
namespace {

bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

double square_of(const Vec3& a) {
    return dot(a, a);
}

} // namespace

RungeKutta::RungeKutta(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                       const RungeKuttaSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      stability_(model, forces_, settings.safety) {
    for (const auto& force : forces_)
        items_.push_back({force.get(), is_inside_cloth(*force)});
}

StepReport RungeKutta::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                 State& end, Profile& profile) {
    StepReport report;
    const std::size_t n = begin.positions.size();
    constraints.make_filter(filter_);
    end = begin;
    end.time = begin.time + h;
    corrections_.start(n);
    sums_.velocity.assign(n, Vec3{0, 0, 0});
    sums_.force.assign(n, Vec3{0, 0, 0});

    at_.position = begin.positions;
    at_.velocity = begin.velocities;
    if (last_end_.belong_to(begin))
        at_.force = last_end_.force;
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
        end.positions[i] += (h / 6) * sums_.velocity[i];
        end.velocities[i] += (h / (6 * model_.mass[i])) * sums_.force[i];
    });
    follow_to_end(constraints, end.positions, end.velocities);
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
    else if (settings_.adaptive)
        estimate_error(h, end, report, profile);
    if (report.status == StepReport::Status::ok) {
        apply_modifiers(begin, h, constraints, end, report, profile);
        find_constraint_forces(begin, h, end);
    }
    return report;
}

// Forces at the state of an evaluation, once its held particles are where they belong.
void RungeKutta::evaluate(Place place, const State& begin, double h,
                          const ConstraintSet& constraints, Profile& profile) {
    const double time = begin.time + (place == Place::begin    ? 0
                                      : place == Place::middle ? 0.5 * h
                                                               : h);
    const auto follow = [&] {
        if (place == Place::middle)
            follow_to_middle(constraints, begin.positions, at_.position, at_.velocity);
        else if (place == Place::end)
            follow_to_end(constraints, at_.position, at_.velocity);
    };
    follow();
    if (corrections_.has_corrector())
        corrections_.correct(
            time, at_.position, at_.velocity,
            [&] {
                if (place == Place::begin) // held particles stay as the step found them
                    for (const int p : filter_.particles) {
                        at_.position[p] = begin.positions[p];
                        at_.velocity[p] = begin.velocities[p];
                    }
                follow();
            },
            profile);
    const ProfileScope scope(profile, Task::forces);
    evaluate_forces(time, at_.position, at_.velocity, at_.force);
}

void RungeKutta::evaluate_forces(double time, std::span<const Vec3> x, std::span<const Vec3> v,
                                 std::vector<Vec3>& f) {
    const std::span<const Vec3> slow = damping_.slowed(v);
    f.assign(x.size(), {0, 0, 0});
    for (const Item& item : items_) {
        item.force->prepare(time);
        item.force->add_force({x, item.inside ? slow : v}, f);
    }
}

void RungeKutta::add_up(double weight) {
    for_particles(at_.position.size(), [&](std::size_t i) {
        sums_.velocity[i] += weight * at_.velocity[i];
        sums_.force[i] += weight * at_.force[i];
    });
}

// The state of the next evaluation, by the derivatives of the last.
void RungeKutta::go_to(const State& begin, double interval) {
    for_particles(at_.position.size(), [&](std::size_t i) {
        at_.position[i] = begin.positions[i] + interval * at_.velocity[i];
        at_.velocity[i] = begin.velocities[i] + (interval / model_.mass[i]) * at_.force[i];
    });
}

// Whether the forces at the begin are those that the error of the last step asked for. Where
// history or bonds may have changed since, nobody can tell.
bool RungeKutta::EndForces::belong_to(const State& begin) const {
    return reusable && begin.time == time && begin.bonds.empty() &&
           begin.strain_history.triangles.empty() && begin.strain_history.hinges.empty() &&
           same_bits(begin.positions, position) && same_bits(begin.velocities, velocity);
}

void RungeKutta::estimate_error(double h, const State& end, StepReport& report, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        evaluate_forces(end.time, end.positions, end.velocities, last_end_.force);
    }
    last_end_.reusable = !corrections_.has_corrector();
    last_end_.time = end.time;
    last_end_.position = end.positions;
    last_end_.velocity = end.velocities;

    report.error = largest_error(h, end);
    if (!std::isfinite(report.error)) {
        report.status = StepReport::Status::not_finite;
    } else if (!accurate_.judge(h, report.error, settings_.error)) {
        report.status = StepReport::Status::inaccurate;
        report.longest_step = accurate_.length();
    }
}

// The largest of |e_x| and h |e_v|, held coordinates and what the corrector moved left out.
double RungeKutta::largest_error(double h, const State& end) {
    const std::size_t n = at_.position.size(), chunks = (n + particle_grain - 1) / particle_grain;
    partials_.resize(chunks);
    parallel_for(n, particle_grain, [&](std::size_t first, std::size_t last) {
        double most = 0;
        auto held = std::lower_bound(filter_.particles.begin(), filter_.particles.end(),
                                     static_cast<int>(first)) -
                    filter_.particles.begin();
        for (std::size_t i = first; i < last; ++i) {
            Vec3 change = (h / model_.mass[i]) * (last_end_.force[i] - at_.force[i]);
            if (held < std::ssize(filter_.particles) &&
                filter_.particles[held] == static_cast<int>(i))
                change = filter_.projection[held++] * change;
            if (corrections_.has_moved(i))
                continue;
            const double square =
                std::max(square_of(end.velocities[i] - at_.velocity[i]), square_of(change));
            most = square <= most ? most : square; // keeps what is not a number
        }
        partials_[first / particle_grain] = most;
    });
    double most = 0;
    for (std::size_t c = 0; c < chunks; ++c)
        most = partials_[c] <= most ? most : partials_[c];
    return h / 6 * std::sqrt(most);
}

void RungeKutta::apply_modifiers(const State& begin, double h, const ConstraintSet& constraints,
                                 State& end, StepReport& report, Profile& profile) {
    if (modifiers_.empty())
        return;
    modify_mean(begin, h, filter_, end, report, profile);
    follow_to_end(constraints, end.positions, end.velocities);
    modify(end.positions, h, filter_, end.velocities, report, profile);
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
}

// What held particles got besides the forces, along what held them.
void RungeKutta::find_constraint_forces(const State& begin, double h, const State& end) {
    constraint_forces_.clear();
    for (std::size_t k = 0; k < filter_.particles.size(); ++k) {
        const int p = filter_.particles[k];
        const Vec3 change = (model_.mass[p] / h) * (end.velocities[p] - begin.velocities[p]) -
                            (1.0 / 6) * sums_.force[p];
        constraint_forces_.push_back(change - filter_.projection[k] * change);
    }
}

double RungeKutta::find_longest_step(const State& begin) {
    last_end_.reusable = false;
    accurate_.forget();
    return stability_.find(begin, settings_.limit_damping, damping_);
}

double RungeKutta::follow_longest_step(const State& begin) {
    const double stable = stability_.follow(begin);
    return settings_.adaptive ? std::min(stable, accurate_.length()) : stable;
}

} // namespace muslin
