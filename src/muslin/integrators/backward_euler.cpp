#include "muslin/integrators/backward_euler.h"

namespace muslin {

BackwardEuler::BackwardEuler(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                             ImplicitSettings settings)
    : ImplicitIntegrator(model, std::move(forces), settings) {}

StepReport BackwardEuler::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                    State& end, Profile& profile) {
    return take_one_stage(begin, h, constraints, false, end, profile);
}

StepReport BackwardEuler::repeat_step(const State& begin, double h,
                                      const ConstraintSet& constraints, State& end,
                                      Profile& profile) {
    return take_one_stage(begin, h, constraints, true, end, profile);
}

} // namespace muslin
