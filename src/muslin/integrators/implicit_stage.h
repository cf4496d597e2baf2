#pragma once

#include "muslin/forces/row_assembly.h"
#include "muslin/integrators/integrator.h"
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
    };
    /// Linearises at `at`, solves and moves `at` to the solution. False where the matrix was not
    /// positive definite.
    [[nodiscard]] bool solve(const StageStart& from, const ConstraintSet& constraints,
                             const Solve& which, State& at, StepReport& report, Profile& profile);
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
    bool has_contact() const;
    const Filter& filter() const { return filter_; }
    std::span<const Vec3> alteration() const { return alteration_; }
    const BlockMatrix& matrix() const { return matrix_; }
    const RowAssembly& rows() const { return rows_; }
    std::span<const Vec3> right_side() const { return right_side_; }

private:
    void assemble(const StageStart& from, const State& at, const Solve& which);
    void add(std::span<LinearisedForce* const> parts, const Kinematics& at,
             const Linearisation& step);
    PcgSettings pcg_settings(const StageStart& from, const Solve& which) const;
    /// The largest changes that the last solve made to a patch, over what it may be off by: of its
    /// mean velocity, and of the root mean square over its particles.
    struct Change {
        double mean = 0, all = 0;
        void operator+=(const Change& other);
    };
    Change judge_patches(const StageStart& from, const State& at);
    double damp_swing();
    void add_change(double part, const StageStart& from, State& at) const;
    void take_part(double part, const StageStart& from, State& at);

    const Model& model_;
    const std::vector<std::unique_ptr<Force>>& forces_;
    ImplicitSettings settings_;
    BlockMatrix matrix_;
    RowAssembly rows_; ///< of the forces that record their elements
    /// The others, by what they can do.
    struct Others {
        std::vector<LinearisedForce*> plain, adaptive;
        std::vector<AdaptiveForce*> adapting; ///< the adaptive ones
        bool add_pairs = false;               ///< between particles: the matrix must be finished
    };
    Others others_;
    std::vector<AlteredPositions*> altering_;
    Pcg pcg_;
    Filter filter_;
    std::vector<Vec3> alteration_, displacement_, right_side_, change_;
    std::vector<Vec3> product_, last_change_;
    double first_residual_ = 0; ///< of the first solve of the step
    double changed_ = 0;        ///< by the stage's last solve, over the accuracy; before it, 0
    /// Per patch: what its mean may be off by at the end of the stage [m/s^2], and the error of an
    /// accurate solve [m/s].
    std::vector<double> open_, errors_;
    bool accurate_ = false; ///< whether the next solve is one with which the stage may end
    double taken_ = 1;      ///< the part of the last solve's change that was taken
    /// Of a patch: the square of its change, and the part of the one before that this takes back.
    struct Swing {
        double change, taken_back;
        bool operator<(const Swing& other) const { return change < other.change; }
    };
    std::vector<Swing> swings_; ///< scratch, kept for its memory
};

/// What implicit schemes have in common: stages that are solved, and how a step ends.
class ImplicitIntegrator : public Integrator {
public:
    const ImplicitStage& stage() const { return stage_; }
    void limit_solves(int most) override { most_solves_ = most; }

protected:
    ImplicitIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                       ImplicitSettings settings)
        : Integrator(model, std::move(forces)), settings_(settings),
          stage_(model, forces_, settings) {}

    /// Backward Euler: one stage from the start of the step to its end. `again`: it starts from
    /// the last solution, which `end` comes in with.
    StepReport take_one_stage(const State& begin, double h, const ConstraintSet& constraints,
                              bool again, State& end, Profile& profile);
    /// Solves a stage until it has converged, or as often as the settings allow. `which` is its
    /// first solve. False where that failed.
    [[nodiscard]] bool solve_stage(const StageStart& from, const ConstraintSet& constraints,
                                   ImplicitStage::Solve which, State& at, StepReport& report,
                                   Profile& profile);
    /// Ends a step whose last stage started `from`: velocity modifiers, and the judge of numbers.
    void finish(const StageStart& from, State& end, StepReport& report, Profile& profile);

    ImplicitSettings settings_;
    ImplicitStage stage_;

private:
    int most_solves_ = std::numeric_limits<int>::max();
    std::vector<Vec3> places_; ///< from which the last velocities move what is not held
};

} // namespace muslin
