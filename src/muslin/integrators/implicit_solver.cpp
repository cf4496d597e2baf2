#include "muslin/integrators/implicit_solver.h"

#include <algorithm>

namespace muslin {

bool ImplicitSolver::solve_stage(const StageStart& from, const ConstraintSet& constraints,
                                 StageSolve which, State& at, StepReport& report,
                                 Profile& profile) {
    const int most = std::min(settings_.newton_iterations, most_solves_);
    stage_.start_solves();
    for (int k = 0; k < most; ++k, ++which.iteration) {
        which.last = k + 1 == most;
        if (!stage_.solve(from, constraints, which, at, report, profile)) {
            if (k == 0)
                return false;
            // A refining solve that breaks down leaves the last solution in place: the step control
            // judges it, and names torn cloth as such.
            report.status = StepReport::Status::ok;
            break;
        }
        if (stage_.has_converged(from, at))
            return true;
        which.first = false;
    }
    if (settings_.accuracy > 0)
        ++report.unconverged;
    return true;
}

StepReport ImplicitSolver::take_one_stage(const State& begin, double h,
                                          const ConstraintSet& constraints, bool again, State& end,
                                          std::vector<Vec3>& constraint_forces, Profile& profile) {
    const StageStart from = {begin.positions, begin.velocities, h};
    stage_.start(from, begin.time + h, constraints);
    StageSolve first;
    if (again) { // a later solve of the same stage
        first.iteration = 1;
    } else {
        end = begin;
        first.first = true;
    }
    if (again || settings_.linearise_at == LineariseAt::predicted)
        stage_.place(from, end);
    StepReport report;
    if (!solve_stage(from, constraints, first, end, report, profile))
        return report;
    end.time = begin.time + h;
    stage_.find_constraint_forces(h, constraints, constraint_forces);
    end_step(from, end, report, profile);
    return report;
}

void ImplicitSolver::end_step(const StageStart& from, State& end, StepReport& report,
                              Profile& profile) {
    if (!modifiers_.empty()) {
        const std::size_t n = end.positions.size();
        places_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            places_[i] = from.positions[i] + stage_.alteration()[i];
        report.sweeps +=
            modifiers_.modify(places_, from.h, stage_.filter(), end.velocities, profile);
        for (std::size_t i = 0; i < n; ++i)
            end.positions[i] = places_[i] + from.h * end.velocities[i];
    }
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
}

} // namespace muslin
