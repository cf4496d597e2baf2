#pragma once

#include "muslin/integrators/drift.h"
#include "muslin/integrators/euler_cromer_step.h"
#include "muslin/integrators/held_particles.h"
#include "muslin/integrators/integrator.h"
#include "muslin/integrators/kick_forces.h"

namespace muslin {

/// The midpoint form of the Euler-Cromer method [Volino95 3.2]: half a step of motion, the change
/// of velocity by the forces there, half a step with the new velocity,
///     y = x + h/2 v,   v' = v + h a(y, v + h/2 a(y, v)),   x' = y + h/2 v'.
/// Of second order, with one evaluation of what does not depend on velocities and two of what does;
/// everything is explicit. Without damping the scheme is symplectic; momentum is kept.
///
/// The longest step is found for every vertex: by how fast it can vibrate and be damped there, and
/// by its acceleration against the length of its edges. With local rates a step is as long as the
/// slow parts of the cloth allow, and elements of the fast ones are evaluated 2, 4 or 8 times in
/// it, each time with the impulse of their own interval in its middle: each rate is the scheme
/// above, nested in the next slower one.
class EulerCromer final : public Integrator {
public:
    EulerCromer(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                const EulerCromerSettings& settings);

    [[nodiscard]] StepReport take_step(const State& begin, double h,
                                       const ConstraintSet& constraints, State& end,
                                       Profile& profile) override;

    double find_longest_step(const State& begin) override;
    double follow_longest_step(const State& begin) override;

    /// For tests and benchmarks: the longest step of each vertex [s], as last found.
    std::span<const double> vertex_steps() const { return stability_.vertex_steps(); }
    /// For tests: what the damping inside the cloth is multiplied by: 1 unless it is limited.
    double damping_scale() const { return kick_forces_.damping().scale(); }

private:
    int sort_elements(double h);
    void apply(const Kick& kick, State& end, StepReport& report);
    template <class Body>
    void for_kicked(const Kick& kick, const Body& body);
    void control(const Kick& kick, State& end, StepReport& report);
    void end_step(const State& begin, double h, const ConstraintSet& constraints, State& end,
                  StepReport& report, Profile& profile);
    void find_constraint_forces(const State& begin, double h, const State& end);

    EulerCromerSettings settings_;
    KickForces kick_forces_;
    StabilityControl control_;
    EulerCromerStability stability_;
    double sorted_for_ = 0; ///< step that the elements are sorted for [s]; 0: not by these limits
    HeldParticles held_;
    Drift drift_;
    std::vector<Vec3> middle_; ///< velocities in the middle of a kick
    Partials<double> not_finite_;
};

} // namespace muslin
