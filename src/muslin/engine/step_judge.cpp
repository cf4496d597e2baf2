#include "muslin/engine/step_judge.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

// An implicit step is off by half its length times the change of velocity in it. This much is what
// free fall changes in 1/120 s [m/s]: long steps are no less accurate than those of cloth that
// falls.
constexpr double slight_change = 0.08;

// The part of its velocity that cloth in contact is taken to change in a step: 0.4 m/s at most in a
// step that is longer than usual, 13 mm in 1/30 s.
constexpr double turning_speed = 0.2;

// What a step may gain of the energy that it starts with: what solves leave does no harm.
constexpr double kinetic_gain = 0.01;
constexpr double elastic_gain = 1e-3;

// A change of stretch in one step that no recipe goes on with.
constexpr double no_cloth = 100;

} // namespace

Trouble StepJudge::judge(const TakenStep& taken, std::string& reason) const {
    const auto& [input, end, step, contact] = taken;
    const double h = input.h;
    if (step.status == StepReport::Status::solver_failed) {
        reason = "the linear system was not positive definite";
        return Trouble::not_definite;
    }
    if (step.status == StepReport::Status::inaccurate) {
        reason = fmt::format("its error is {:.3g} m, more than solver.error", step.error);
        return Trouble::inaccurate;
    }
    if (step.status == StepReport::Status::not_finite || !in_range(end)) {
        reason = "a position or velocity became infinite, or nearly so";
        return Trouble::not_finite;
    }
    if (!contact.resolved) {
        reason = contact.reason;
        return Trouble::contact;
    }
    for (const auto& force : parts_.integrator.forces()) {
        const LimitedDomain* domain = force->capabilities().domain;
        if (domain && !domain->is_defined(end.positions)) {
            reason = fmt::format("a potential of '{}' has no finite value at the length of a "
                                 "connection",
                                 force->name());
            return Trouble::undefined;
        }
    }
    if (parts_.control.needs_calm(h) && step.unconverged > 0) {
        reason = "a step that is for calm cloth did not converge";
        return Trouble::hasty;
    }
    if (parts_.control.needs_calm(h) && velocity_change(taken) > slight_change) {
        reason = "velocities changed in a step that is for calm cloth";
        return Trouble::hasty;
    }
    if (h > 2 * parts_.control.contact_floor() && gains_energy(taken)) {
        reason = "the step gained energy that nothing gave";
        return Trouble::gained;
    }
    const double limit = stretch_limit(h, input.conditions.phase),
                 change = stretch_change(input.begin, end);
    if (change > limit) {
        reason = fmt::format("a triangle's stretch changed by {:.3g} in one step, more than "
                             "time.stretch_change_limit = {:.3g}",
                             change, limit);
        return Trouble::stretch;
    }
    return Trouble::none;
}

bool StepJudge::is_torn(const StepInput& input, const State& end) const {
    const double limit = stretch_limit(input.h, input.conditions.phase);
    return limit >= no_cloth && stretch_change(input.begin, end) > limit;
}

// In twice the step velocities would change by twice as much.
bool StepJudge::is_calm(const TakenStep& taken) const {
    return taken.step.unconverged == 0 && velocity_change(taken) <= 0.5 * slight_change;
}

// While a garment is sewn, where it comes to lie is what counts: cloth that stops for a moment,
// where impacts cannot all be resolved, does no harm there.
double StepJudge::contact_floor(DressingPhase phase) const {
    const StepControl& control = parts_.control;
    return phase == DressingPhase::sew ? std::max(0.5 * control.largest(), control.contact_floor())
                                       : control.contact_floor();
}

// The change of stretch that a step of this length may have.
double StepJudge::stretch_limit(double h, DressingPhase phase) const {
    const double asked = parts_.scene.time.stretch_change_limit;
    double limit = asked > 0 ? asked : parts_.recipe.stretch_change_limit;
    if (parts_.recipe.accepts_shortest_steps && asked == 0 && h <= contact_floor(phase))
        limit = no_cloth;
    if (phase == DressingPhase::sew) // what counts is where cloth comes to lie, not on which way
        limit *= 4;
    return limit;
}

double StepJudge::stretch_change(const State& begin, const State& end) const {
    return parts_.watched.largest_stretch_change(begin.positions, end.positions);
}

// Whether something besides its own forces moves the cloth.
bool StepJudge::is_driven(const Conditions& conditions) const {
    return conditions.phase != DressingPhase::done ||
           std::any_of(parts_.model.bodies.begin(), parts_.model.bodies.end(), is_moving) ||
           std::any_of(conditions.pins.begin(), conditions.pins.end(), [](const Pin& pin) {
               return pin.frames.size() > 1 || !pin.motion.is_constant();
           });
}

Energy StepJudge::energy_of(const State& state) const {
    const Model& model = parts_.model;
    Energy out;
    for (std::size_t i = 0; i < model.mass.size(); ++i)
        out.kinetic += 0.5 * model.mass[i] * dot(state.velocities[i], state.velocities[i]);
    for (const auto& force : parts_.integrator.forces())
        (force->kind() == ForceKind::gravity ? out.gravity : out.elastic) +=
            force->energy(state.positions);
    return out;
}

// A backward-Euler step loses energy, unless it is long beside the buckling of what it compresses:
// cloth then comes out of an impact more crumpled than its speed can pay for. Nothing is judged
// where something gives it energy.
bool StepJudge::gains_energy(const TakenStep& taken) const {
    const Model& model = parts_.model;
    const Conditions& conditions = taken.input.conditions;
    const State &begin = taken.input.begin, &end = taken.end;
    const Animated<Vec3>& wind = conditions.air.wind;
    const bool blows =
        conditions.air.field || !wind.is_uniform() || !wind.is_constant() || norm(wind.at(0)) > 0;
    const bool is_loaded = std::any_of(model.loads.begin(), model.loads.end(), [&](const auto& l) {
        return (l.window.contains(begin.time) || l.window.contains(end.time)) &&
               (norm(l.force.at(begin.time)) > 0 || norm(l.force.at(end.time)) > 0);
    });
    const auto& forces = parts_.integrator.forces();
    const bool feeds = std::any_of(forces.begin(), forces.end(),
                                   [](const auto& force) { return force->capabilities().feeds; });
    const bool is_fed = feeds || is_driven(conditions) || !model.stickings.empty() || blows ||
                        is_loaded || !conditions.pulls.empty() || !model.rest_stretches.empty();
    if (parts_.recipe.calm_step == 0 || is_fed)
        return false;
    const Energy before = energy_of(begin), after = energy_of(end);
    return after.all() > before.all() + std::max(taken.contact.released_energy, 0.0) +
                             kinetic_gain * before.kinetic + elastic_gain * before.elastic;
}

// By how much the step changes velocities [m/s], where its length may depend on it: infinitely
// while something is driven, drawn apart or held by bonds, for which steps of the usual length are
// made. Neighbours are judged together, by their root mean square: what one particle does against a
// body may be noise.
double StepJudge::velocity_change(const TakenStep& taken) const {
    constexpr std::size_t neighbours = 128; // particles in a row, which lie together
    const auto& [input, end, step, contact] = taken;
    const State &first = input.begin, &last = end;
    if (!parts_.control.heeds_calm() || is_driven(input.conditions) || contact.crossings > 0 ||
        !parts_.model.stickings.empty())
        return HUGE_VAL;
    // Cloth that touches follows the surface of the other in steps that are short beside its curve:
    // speed is taken for a change of direction there.
    const double turned = contact.contacts > 0 ? turning_speed : 0;
    const double largest = parallel_largest(
        first.velocities.size(), neighbours, [&](std::size_t from, std::size_t to) {
            double squares = 0;
            for (std::size_t i = from; i < to; ++i) {
                const Vec3 change = last.velocities[i] - first.velocities[i];
                const Vec3 speed = turned * last.velocities[i];
                squares += dot(change, change) + dot(speed, speed);
            }
            return squares / static_cast<double>(to - from);
        });
    return std::sqrt(largest);
}

} // namespace muslin
