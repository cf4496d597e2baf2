#pragma once

#include "muslin/forces/row_assembly.h"
#include "muslin/integrators/integrator.h"
#include "muslin/linalg/pcg.h"

namespace muslin {

/// Where the forces are linearised first.
enum class LineariseAt {
    start,     ///< x0, as in the paper: a turning cloth is slowed by the stretch that a straight
               ///< step along a curve leaves behind, in proportion to h^2 k
    predicted, ///< x0 + h v0 + y: that stretch is seen and taken out within the step
};

/// How the linear systems of an implicit step are solved, and how often.
struct ImplicitSettings {
    PcgSettings pcg;
    /// Stop by the error of the acceleration that a solve stands for, as a root mean square over
    /// any patch of cloth [m/s^2] (PcgAccuracy); 0: by the tolerance of `pcg`.
    double accuracy = 0;
    int newton_iterations = 1; ///< linear solves per step; 1 is the paper's
    LineariseAt linearise_at = LineariseAt::start;
};

/// Where a stage starts, and how far it goes.
struct StageStart {
    std::span<const Vec3> positions;  ///< x_s [m]
    std::span<const Vec3> velocities; ///< v_s [m/s]
    double h = 0;                     ///< of the stage [s]
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

    struct Solve {
        int iteration = 0;  ///< of the step
        bool last = false;  ///< of the step
        bool first = false; ///< of the step: residuals of later ones are measured by its own
        /// The first solve of a stage that is taken again: only forces that learn have changed.
        bool again = false;
    };
    /// Linearises at `at`, solves and moves `at` to the solution. False where the matrix was not
    /// positive definite.
    [[nodiscard]] bool solve(const StageStart& from, const ConstraintSet& constraints,
                             const Solve& which, State& at, StepReport& report, Profile& profile);
    /// Whether the next solve keeps what it takes to be taken again.
    void keep_for_repeat(bool keep) { keeps_ = keep && learns_; }

    /// The force by which each constraint held its particle in the last solve [N]: the residual
    /// over h [BW98 5.4]. (The paper calls the residual itself the force; it is an impulse, as its
    /// unit shows.)
    void find_constraint_forces(double h, const ConstraintSet& constraints, std::vector<Vec3>& out);
    bool learns() const { return learns_; }
    /// Whether a force that learns has something to do in the step at hand.
    bool has_contact() const;
    const Filter& filter() const { return filter_; }
    std::span<const Vec3> alteration() const { return alteration_; }
    const BlockMatrix& matrix() const { return matrix_; }
    const RowAssembly& rows() const { return rows_; }
    std::span<const Vec3> right_side() const { return right_side_; }

private:
    void assemble(const StageStart& from, const State& at, const Solve& which);
    void add(bool learning, const Kinematics& at, const Linearisation& step);
    PcgSettings pcg_settings(const StageStart& from, const Solve& which) const;

    const Model& model_;
    const std::vector<std::unique_ptr<Force>>& forces_;
    ImplicitSettings settings_;
    BlockMatrix matrix_;
    RowAssembly rows_;              ///< of the forces that record their elements
    std::vector<Force*> others_;    ///< those that do not
    bool others_add_pairs_ = false; ///< between particles: the matrix must be finished
    Pcg pcg_;
    Filter filter_;
    std::vector<Vec3> alteration_, displacement_, right_side_, change_;
    std::vector<Vec3> product_;
    /// Of a solve that may be taken again: what came of forces that do not learn, and its solution.
    struct Kept {
        BlockMatrix::Blocks matrix;
        std::vector<Vec3> right_side, change;
    };
    Kept kept_;
    double first_residual_ = 0; ///< of the first solve of the step
    bool keeps_ = false;
    bool learns_; ///< whether a force does
};

/// What implicit schemes have in common: stages that are solved, and how a step ends.
class ImplicitIntegrator : public Integrator {
public:
    const ImplicitStage& stage() const { return stage_; }

protected:
    ImplicitIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                       ImplicitSettings settings)
        : Integrator(model, std::move(forces)), settings_(settings),
          stage_(model, forces_, settings) {}

    /// Backward Euler: one stage from the start of the step to its end. `again`: what forces that
    /// do not learn gave the first solve is kept, and its solution is where the first solve begins.
    StepReport take_one_stage(const State& begin, double h, const ConstraintSet& constraints,
                              bool again, State& end, Profile& profile);
    /// Ends a step whose last stage started `from`: velocity modifiers, and the judge of numbers.
    void finish(const StageStart& from, State& end, StepReport& report, Profile& profile);

    ImplicitSettings settings_;
    ImplicitStage stage_;

private:
    std::vector<Vec3> places_; ///< from which the last velocities move what is not held
};

} // namespace muslin
