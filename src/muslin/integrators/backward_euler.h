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

struct BackwardEulerSettings {
    PcgSettings pcg;
    int newton_iterations = 1; ///< linear solves per step; 1 is the paper's
    LineariseAt linearise_at = LineariseAt::start;
};

/// The implicit step of [BW98 3, 5, 6.2].
///
/// Backward Euler asks for v with M (v - v0) = h f(x0 + h v + y, v), where y moves constrained
/// particles to where they belong (17). The force is linearised at (x^, v^), which gives
///     A dv = h (f(x^, v^) - K d) - M (v^ - v0),   A = M + h D + h^2 K,
///     d = x0 + h v^ + y - x^,                      K = -df/dx, D = -df/dv.
/// With LineariseAt::start the first solve linearises at (x0, v0): this is equation (18), and with
/// one solve the paper's method. Further solves, linearised at the last iterate, are Newton's.
class BackwardEuler final : public Integrator {
public:
    BackwardEuler(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                  BackwardEulerSettings settings);

    /// The constraint forces are the residual of the solve over h [BW98 5.4]. (The paper calls the
    /// residual itself the force; it is an impulse, as its unit shows.)
    [[nodiscard]] StepReport step(const State& begin, double h, const ConstraintSet& constraints,
                                  State& end, Profile& profile) override;

    /// What forces that do not learn gave the first solve is kept, and its solution is where the
    /// first solve begins now.
    [[nodiscard]] StepReport repeat(const State& begin, double h, const ConstraintSet& constraints,
                                    State& end, Profile& profile) override;

    const BlockMatrix& matrix() const { return matrix_; }
    /// Of the forces that are assembled together, by rows.
    const RowAssembly& rows() const { return rows_; }
    std::span<const Vec3> right_side() const { return right_side_; }

private:
    StepReport take(const State& begin, double h, const ConstraintSet& constraints, bool again,
                    State& end, Profile& profile);
    void assemble(const State& begin, double h, const State& at, int iteration, bool again);
    void add(bool learning, const Kinematics& at, const Linearisation& step);
    void find_constraint_forces(double h, const ConstraintSet& constraints);

    BackwardEulerSettings settings_;
    BlockMatrix matrix_;
    RowAssembly rows_;              ///< of the forces that record their elements
    std::vector<Force*> others_;    ///< those that do not
    bool others_add_pairs_ = false; ///< between particles: the matrix must be finished
    Pcg pcg_;
    Filter filter_;
    std::vector<Vec3> alteration_, displacement_, right_side_, change_;
    std::vector<Vec3> product_;
    /// Of the first solve of the step, to take it again: what came of forces that do not learn, its
    /// solution, and the residual that solves are measured by.
    struct First {
        BlockMatrix::Blocks matrix;
        std::vector<Vec3> right_side, change;
        double residual = 0;
    };
    First first_;
    bool learns_; ///< whether a force does
};

} // namespace muslin
