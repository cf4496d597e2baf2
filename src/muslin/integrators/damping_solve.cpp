#include "muslin/integrators/damping_solve.h"

#include "muslin/integrators/loops.h"

#include <cmath>

namespace muslin {

void DampingSolve::linearise(const Kinematics& at) {
    for (DampedForce* force : damped_)
        force->cache_damping(at);
}

void DampingSolve::multiply(double h, std::span<const Vec3> w, std::vector<Vec3>& out) const {
    out.assign(w.size(), {0, 0, 0});
    for (const DampedForce* force : damped_)
        force->add_damping(w, out); // minus D w
    for_particles(w.size(), [&](std::size_t i) { out[i] = model_.mass[i] * w[i] - h * out[i]; });
}

// Plain conjugate gradients from zero; the filter keeps held directions at zero.
void DampingSolve::solve(double h, std::span<const Vec3> force, const Filter& filter,
                         StepReport& report) {
    ++report.solves;
    right_side_.resize(force.size());
    for_particles(force.size(), [&](std::size_t i) { right_side_[i] = h * force[i]; });
    change_.assign(right_side_.size(), {0, 0, 0});
    residual_ = right_side_;
    filter.apply(residual_);
    direction_ = residual_;
    double square = inner(residual_, residual_);
    const double enough = tolerance_ * tolerance_ * square;
    int iterations = 0;
    while (square > enough && iterations < max_iterations_) {
        multiply(h, direction_, product_);
        filter.apply(product_);
        const double curvature = inner(direction_, product_);
        if (curvature == 0) // what is left is too small to be squared
            break;
        if (!(curvature > 0)) {
            report.status = StepReport::Status::solver_failed;
            break;
        }
        const double alpha = square / curvature;
        for_particles(change_.size(), [&](std::size_t i) {
            change_[i] += alpha * direction_[i];
            residual_[i] -= alpha * product_[i];
        });
        const double next = inner(residual_, residual_);
        const double beta = next / square;
        for_particles(change_.size(),
                      [&](std::size_t i) { direction_[i] = residual_[i] + beta * direction_[i]; });
        square = next;
        ++iterations;
    }
    report.cg_iterations += iterations;
    report.cg_residual = enough > 0 ? tolerance_ * std::sqrt(square / enough) : 0;
}

void DampingSolve::find_constraint_forces(double h, const ConstraintSet& constraints,
                                          std::vector<Vec3>& out) {
    multiply(h, change_, product_);
    out.clear();
    for (const ParticleConstraint& c : constraints.list())
        out.push_back((1 / h) * (product_[c.particle] - right_side_[c.particle]));
}

} // namespace muslin
