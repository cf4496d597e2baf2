#pragma once

#include "muslin/integrators/euler_cromer_settings.h"
#include "muslin/integrators/kick_forces.h"
#include "muslin/integrators/vibrations.h"
#include "muslin/model/conditions.h"

#include <span>
#include <vector>

namespace muslin {

/// The longest step of EulerCromer, and that of each vertex: by how fast it can vibrate and be
/// damped there, and by its acceleration against the length of its edges.
class EulerCromerStability {
public:
    /// The forces must outlive it. `shortest_edges`: of each particle [m].
    EulerCromerStability(const Model& model, const EulerCromerSettings& settings,
                         const std::vector<std::unique_ptr<Force>>& forces,
                         const KickForces& kick_forces, std::span<const double> shortest_edges);

    /// Finds all steps anew, as a frame begins, and how much of the damping is left.
    void find(const Conditions& conditions, const State& begin, ReducedDamping& reduced);
    /// The same a step later: looked at again after some steps. Whether that was now.
    bool follow(const Conditions& conditions, const State& begin, ReducedDamping& reduced);

    /// The longest step of each vertex [s]; empty before they were asked for.
    std::span<const double> vertex_steps() const { return limits_; }
    /// The longest step as a whole, local rates counted in [s].
    double step() const { return outer_; }

private:
    /// Squared angular frequency [1/s^2] and rate of damping [1/s], or factors of them.
    struct Rates {
        double vibration, damping;
    };
    void find_limits(const Conditions& conditions, const State& begin, bool fresh,
                     ReducedDamping& reduced);
    double stable_step(double rate, double damping) const;
    void find_pinned(const Conditions& conditions, double time);
    double others_limit(const State& begin, bool fresh);

    const Model& model_;
    EulerCromerSettings settings_;
    std::vector<Force*> forces_, other_forces_; ///< all; those that are no sums over elements
    const LocalRates& rates_;
    std::span<const double> shortest_edges_;
    Vibrations all_, others_;
    std::vector<double> limits_; ///< of each particle [s]; empty before they were asked for
    std::vector<char> pinned_;
    Rates fastest_ = {0, 0}; ///< of the whole, as the frame began
    Rates scale_ = {1, 1};   ///< of the bounds of single particles
    double outer_ = 0;       ///< the step that is asked for [s]
    int since_limits_ = 0;   ///< steps since the limits were found
};

} // namespace muslin
