#pragma once

#include "muslin/integrators/damping_solve.h"
#include "muslin/integrators/integrator.h"
#include "muslin/integrators/mixed_step.h"

namespace muslin {

/// The three schemes of [Bridson03 3]: elastic forces explicit, damping implicit.
enum class MixedScheme {
    /// Leapfrog for positions, trapezoidal rule for velocities: second order, but the velocity in
    /// mid-step may overshoot where damping is strong.
    leapfrog_trapezoidal,
    /// Central Newmark, the implicit half step first: no overshoot, second order for steps of equal
    /// length alone. (The last line of the scheme as printed takes a(x^{n+1}, v^{n+1}) and calls
    /// it explicit; it must be v^{n+1/2}: tests/integrators/mixed_test.cpp.)
    central_newmark,
    /// The paper's choice: the mid-step velocity of the second with the trapezoidal rule of the
    /// first, at the price of one more solve; second order for any steps.
    variable_step,
};

struct MixedSettings {
    MixedScheme scheme = MixedScheme::variable_step;
    double tolerance = 1e-3; ///< of a solve, |r| / |r_0|
    int max_iterations = 200;
    double safety = 0.8; ///< of the explicit stability limit
    /// Half a step times the fastest rate of damping from which on damping is implicit in both
    /// halves of the step of `variable_step`: of first order in what is damped away within a step.
    double stiff_damping = 4;
};

/// Advances by one of the mixed schemes. Forces that are not linear in the velocity are linearised
/// about the velocity at the start of the half step.
class MixedIntegrator final : public Integrator {
public:
    MixedIntegrator(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                    const MixedSettings& settings);

    [[nodiscard]] StepReport take_step(const State& begin, double h,
                                       const ConstraintSet& constraints, State& end,
                                       Profile& profile) override;

    /// Of elastic forces: 2 / omega of the fastest vibration, less a margin. Damping does not limit
    /// the step. Power iteration finds vibrations of the whole; one of a few particles, which it
    /// takes long to see, shows in a bound from how stiffly each particle is held.
    double find_longest_step(const State& begin) override { return stability_.find(begin); }
    /// By the bound alone: what folds sharply grows stiff within a few steps.
    double follow_longest_step(const State& begin) override { return stability_.follow(begin); }

private:
    void forces_at(double time, std::span<const Vec3> x, std::span<const Vec3> v,
                   std::vector<Vec3>& f);
    void accelerate(double h, std::span<const Vec3> from, std::vector<Vec3>& to) const;
    void accelerate_implicitly(double time, double h, std::span<const Vec3> x,
                               std::span<const Vec3> from, std::vector<Vec3>& to,
                               StepReport& report, Profile& profile);
    bool damping_is_stiff(double half) const;

    MixedSettings settings_;
    DampingSolve damping_;
    MixedStability stability_;
    Filter filter_;
    /// Forces as last computed; the velocity that moves positions; that after the explicit half.
    std::vector<Vec3> force_, middle_, half_;
};

} // namespace muslin
