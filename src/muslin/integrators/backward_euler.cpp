#include "muslin/integrators/backward_euler.h"

namespace muslin {

BackwardEuler::BackwardEuler(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                             ImplicitSettings settings)
    : Integrator(model, std::move(forces)), solver_(model, forces_, modifiers_, settings) {}

StepReport BackwardEuler::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                    State& end, Profile& profile) {
    return solver_.take_one_stage(begin, h, constraints, false, end, constraint_forces_, profile);
}

StepReport BackwardEuler::repeat_step(const State& begin, double h,
                                      const ConstraintSet& constraints, State& end,
                                      Profile& profile) {
    return solver_.take_one_stage(begin, h, constraints, true, end, constraint_forces_, profile);
}

} // namespace muslin
