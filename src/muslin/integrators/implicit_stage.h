#pragma once

#include "muslin/integrators/integrator.h"
#include "muslin/integrators/stage_convergence.h"
#include "muslin/integrators/stage_system.h"
#include "muslin/linalg/pcg.h"
#include "muslin/model/choices.h"

namespace muslin {

/// How the linear systems of an implicit step are solved, and how often.
struct ImplicitSettings {
    PcgSettings pcg;
    /// Stop by the error of the acceleration that a solve stands for, as a root mean square over
    /// any patch of cloth [m/s^2] (PcgAccuracy); 0: by the tolerance of `pcg`.
    double accuracy = 0;
    /// Linear solves per stage; 1 is the paper's. Where an accuracy is asked for, the most of them:
    /// a stage is solved until a solve changes it by less than the accuracy.
    int newton_iterations = 1;
    LineariseAt linearise_at = LineariseAt::start;
};

/// The implicit equation that every implicit scheme solves once or several times a step:
///     M (v - v_s) = h f(x_s + h v + y, v),
/// where y moves constrained particles to where they belong [BW98 (17)]. The force is linearised at
/// (x^, v^), which gives
///     A dv = h (f(x^, v^) - K d) - M (v^ - v_s),   A = M + h D + h^2 K,
///     d = x_s + h v^ + y - x^,                      K = -df/dx, D = -df/dv.
class ImplicitStage {
public:
    ImplicitStage(const Model& model, const std::vector<std::unique_ptr<Force>>& forces,
                  const ImplicitSettings& settings);

    /// Sets S, y and the time for which forces are taken.
    void start(const StageStart& from, double end_time, const ConstraintSet& constraints);
    /// Moves the positions of `at` to x_s + h v + y for its velocities.
    void place(const StageStart& from, State& at) const;

    /// Linearises at `at`, solves and moves `at` to the solution. False where the matrix was not
    /// positive definite.
    [[nodiscard]] bool solve(const StageStart& from, const ConstraintSet& constraints,
                             const StageSolve& which, State& at, StepReport& report,
                             Profile& profile);
    /// Whether the last solve may end the stage: it was accurate, and changed velocities by no more
    /// than that leaves open. If it may and only a part of it was taken, moves `at` to the whole of
    /// it. If not, sets how accurate the next one is. Never without an accuracy.
    bool has_converged(const StageStart& from, State& at);
    /// The next solve is the first of a stage: nothing is known of others.
    void start_solves();

    /// The force by which each constraint held its particle in the last solve [N]: the residual
    /// over h [BW98 5.4]. (The paper calls the residual itself the force; it is an impulse, as its
    /// unit shows.)
    void find_constraint_forces(double h, const ConstraintSet& constraints, std::vector<Vec3>& out);
    /// Whether an adaptive force has something to do in the step at hand.
    bool has_contact() const { return system_.has_contact(); }
    const Filter& filter() const { return filter_; }
    std::span<const Vec3> alteration() const { return alteration_; }
    const StageSystem& system() const { return system_; }

private:
    PcgSettings pcg_settings(const StageStart& from, const StageSolve& which) const;
    void add_change(double part, const StageStart& from, State& at) const;
    void take_part(double part, const StageStart& from, State& at);

    const Model& model_;
    const std::vector<std::unique_ptr<Force>>& forces_;
    ImplicitSettings settings_;
    StageSystem system_;
    std::vector<AlteredPositions*> altering_;
    Filter filter_;
    Pcg pcg_;
    StageConvergence convergence_;
    std::vector<Vec3> alteration_, change_; ///< y; dv, or the part of it that was taken
    double taken_ = 1;                      ///< the part of the last solve's change that was taken
    double first_residual_ = 0;             ///< of the first solve of the step
};

} // namespace muslin
