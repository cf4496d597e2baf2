#include "muslin/integrators/sdirk2.h"

#include "muslin/integrators/loops.h"

#include <numbers>

namespace muslin {
namespace {

constexpr double g = 1 - 1 / std::numbers::sqrt2;

} // namespace

Sdirk2::Sdirk2(const Model& model, std::vector<std::unique_ptr<Force>> forces,
               ImplicitSettings settings)
    : Integrator(model, std::move(forces)), solver_(model, forces_, modifiers_, settings) {}

StepReport Sdirk2::take_step(const State& begin, double h, const ConstraintSet& constraints,
                             State& end, Profile& profile) {
    two_stages_ = !solver_.stage().has_contact();
    if (!two_stages_)
        return solver_.take_one_stage(begin, h, constraints, false, end, constraint_forces_,
                                      profile);
    StepReport report;
    if (take_first(begin, h, constraints, report, profile))
        take_second(begin, h, constraints, end, report, profile);
    return report;
}

StepReport Sdirk2::repeat_step(const State& begin, double h, const ConstraintSet& constraints,
                               State& end, Profile& profile) {
    const bool again = !two_stages_; // the solution of two stages is another one
    two_stages_ = false;
    return solver_.take_one_stage(begin, h, constraints, again, end, constraint_forces_, profile);
}

// Finds X1 and V1, and from them where the second stage starts.
bool Sdirk2::take_first(const State& begin, double h, const ConstraintSet& constraints,
                        StepReport& report, Profile& profile) {
    const std::size_t n = begin.positions.size();
    ImplicitStage& stage = solver_.stage();
    const StageStart from = {begin.positions, begin.velocities, g * h};
    partial_.set_part(constraints, g, begin.positions, h);
    stage.start(from, begin.time + g * h, partial_);
    middle_.positions = begin.positions;
    middle_.velocities = begin.velocities;
    if (solver_.linearise_at() == LineariseAt::predicted)
        stage.place(from, middle_);
    if (!solver_.solve_stage(from, partial_, {0, false, true}, middle_, report, profile))
        return false;
    start_positions_.resize(n);
    start_velocities_.resize(n);
    for_particles(n, [&](std::size_t i) {
        start_positions_[i] = begin.positions[i] + ((1 - g) * h) * middle_.velocities[i];
        start_velocities_[i] =
            begin.velocities[i] + ((1 - g) / g) * (middle_.velocities[i] - begin.velocities[i]);
    });
    return true;
}

bool Sdirk2::take_second(const State& begin, double h, const ConstraintSet& constraints, State& end,
                         StepReport& report, Profile& profile) {
    ImplicitStage& stage = solver_.stage();
    const StageStart from = {start_positions_, start_velocities_, g * h};
    stage.start(from, begin.time + h, constraints);
    end = begin;
    end.velocities = middle_.velocities;
    stage.place(from, end);
    if (!solver_.solve_stage(from, constraints, {1}, end, report, profile))
        return false;
    end.time = begin.time + h;
    stage.find_constraint_forces(g * h, constraints, constraint_forces_);
    solver_.end_step(from, end, report, profile);
    return true;
}

} // namespace muslin
