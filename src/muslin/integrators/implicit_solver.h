#pragma once

#include "muslin/integrators/implicit_stage.h"

#include <limits>
#include <vector>

namespace muslin {

/// What implicit integrators do with their stages: solve one until it has converged, take a step of
/// one stage, end a step.
class ImplicitSolver {
public:
    /// Forces and modifiers are those of the integrator, which has this.
    ImplicitSolver(const Model& model, const std::vector<std::unique_ptr<Force>>& forces,
                   const VelocityModifiers& modifiers, const ImplicitSettings& settings)
        : modifiers_(modifiers), settings_(settings), stage_(model, forces, settings) {}

    ImplicitStage& stage() { return stage_; }
    const ImplicitStage& stage() const { return stage_; }
    LineariseAt linearise_at() const { return settings_.linearise_at; }
    /// From the next step on, no stage takes more linear solves than this.
    void limit_solves(int most) { most_solves_ = most; }

    /// Solves a stage until it has converged, or as often as the settings allow. `which` is its
    /// first solve. False where that failed.
    [[nodiscard]] bool solve_stage(const StageStart& from, const ConstraintSet& constraints,
                                   StageSolve which, State& at, StepReport& report,
                                   Profile& profile);
    /// Backward Euler: one stage from the start of the step to its end. `again`: it starts from
    /// the last solution, which `end` comes in with. Writes the forces of constraints.
    StepReport take_one_stage(const State& begin, double h, const ConstraintSet& constraints,
                              bool again, State& end, std::vector<Vec3>& constraint_forces,
                              Profile& profile);
    /// Ends a step whose last stage started `from`: velocity modifiers, and the judge of numbers.
    void end_step(const StageStart& from, State& end, StepReport& report, Profile& profile);

private:
    const VelocityModifiers& modifiers_;
    ImplicitSettings settings_;
    ImplicitStage stage_;
    int most_solves_ = std::numeric_limits<int>::max();
    std::vector<Vec3> places_; ///< from which the last velocities move what is not held
};

} // namespace muslin
