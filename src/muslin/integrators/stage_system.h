#pragma once

#include "muslin/forces/row_assembly.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/model/constraints.h"
#include "muslin/model/model.h"

#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// Where a stage starts, and how far it goes.
struct StageStart {
    std::span<const Vec3> positions;  ///< x_s [m]
    std::span<const Vec3> velocities; ///< v_s [m/s]
    double h = 0;                     ///< of the stage [s]
};

/// Which solve of a step one is.
struct StageSolve {
    int iteration = 0;  ///< of the step
    bool last = false;  ///< of the step
    bool first = false; ///< of the step: residuals of later ones are measured by its own
};

/// The linear system of a solve of ImplicitStage, A dv = b, put together from all forces: those
/// that record their elements by rows, the others one after the other.
class StageSystem {
public:
    StageSystem(const Model& model, const std::vector<std::unique_ptr<Force>>& forces);

    /// Sets A and b, linearised at `at`. `alteration`: y.
    void assemble(const StageStart& from, std::span<const Vec3> alteration, const State& at,
                  const StageSolve& which);
    const BlockMatrix& matrix() const { return matrix_; }
    const RowAssembly& rows() const { return rows_; }
    std::span<const Vec3> right_side() const { return right_side_; }
    /// The residual that a solution dv leaves in the rows of constraints, over h [N].
    void find_constraint_forces(double h, std::span<const Vec3> change,
                                const ConstraintSet& constraints, std::vector<Vec3>& out);

    /// Whether an adaptive force has something to do in the step at hand.
    bool has_contact() const;
    /// Tells adaptive forces the solution.
    void update(const Kinematics& at);
    /// Whether adaptive forces are settled, where patches may be off by `open` [m/s^2].
    bool forces_have_converged(std::span<const double> open) const;

private:
    void add(std::span<LinearisedForce* const> parts, const Kinematics& at,
             const Linearisation& step);

    const Model& model_;
    BlockMatrix matrix_;
    RowAssembly rows_;                               ///< of the forces that record their elements
    std::vector<LinearisedForce*> plain_, adaptive_; ///< the others
    std::vector<AdaptiveForce*> adapting_;           ///< the adaptive ones, as such
    /// Whether the plain ones are between particles: the matrix must be finished after them.
    bool add_pairs_ = false;
    std::vector<Vec3> displacement_, right_side_, product_;
};

} // namespace muslin
