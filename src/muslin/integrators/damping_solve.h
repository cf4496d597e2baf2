#pragma once

#include "muslin/integrators/integrator.h"

#include <span>
#include <vector>

namespace muslin {

/// Solves (M + h D) w = h f for the change w of velocities that forces f make in h seconds of
/// implicit damping, by conjugate gradients without matrix or preconditioner: of D it needs
/// DampedForce::add_damping alone.
class DampingSolve {
public:
    /// `tolerance`: |r| / |r_0| to stop at.
    DampingSolve(const Model& model, std::span<Force* const> forces, double tolerance,
                 int max_iterations)
        : model_(model), damped_(damped_forces(forces)), tolerance_(tolerance),
          max_iterations_(max_iterations) {}

    /// Takes D of a state.
    void linearise(const Kinematics& at);
    /// The solution is in change(); what the filter holds does not change.
    void solve(double h, std::span<const Vec3> force, const Filter& filter, StepReport& report);
    std::span<const Vec3> change() const { return change_; }
    /// What the last solve left in held directions, over its time: the force that keeps them [N].
    void find_constraint_forces(double h, const ConstraintSet& constraints, std::vector<Vec3>& out);

private:
    void multiply(double h, std::span<const Vec3> w, std::vector<Vec3>& out) const;

    const Model& model_;
    std::vector<DampedForce*> damped_;
    double tolerance_;
    int max_iterations_;
    std::vector<Vec3> change_, right_side_, residual_, direction_, product_;
};

} // namespace muslin
