#pragma once

#include "muslin/integrators/implicit_solver.h"

namespace muslin {

/// The implicit step of [BW98 3, 5, 6.2]: one stage (implicit_stage.h) from the start of the step
/// to its end. With LineariseAt::start the first solve linearises at (x0, v0): this is equation
/// (18), and with one solve the paper's method. Further solves, linearised at the last iterate, are
/// Newton's.
class BackwardEuler final : public Integrator {
public:
    BackwardEuler(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                  ImplicitSettings settings);

    [[nodiscard]] StepReport take_step(const State& begin, double h,
                                       const ConstraintSet& constraints, State& end,
                                       Profile& profile) override;

    /// What forces that are not adaptive gave the first solve is kept, and its solution is where
    /// the first solve begins now.
    [[nodiscard]] StepReport repeat_step(const State& begin, double h,
                                         const ConstraintSet& constraints, State& end,
                                         Profile& profile) override;

    void limit_solves(int most) override { solver_.limit_solves(most); }
    const ImplicitStage& stage() const { return solver_.stage(); } ///< for tests and benchmarks

private:
    ImplicitSolver solver_;
};

} // namespace muslin
