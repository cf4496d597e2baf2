#pragma once

#include "muslin/integrators/vibrations.h"

#include <vector>

namespace muslin {

/// The longest step for which the elastic forces of MixedIntegrator are stable: 2 / omega of the
/// fastest vibration, less a margin. Damping does not limit it.
class MixedStability {
public:
    /// `safety`: the part of the limit that a step may take.
    MixedStability(const Model& model, std::vector<Force*> forces, double safety)
        : forces_(forces), safety_(safety), vibrations_(model, std::move(forces)) {}

    /// Found anew, with nothing remembered [s].
    double find(const State& begin);
    /// The same a step later: looked at again after some steps.
    double follow(const State& begin);
    /// The fastest rate of damping, as last found anew: the largest of M^-1 D [1/s].
    double damping_rate() const { return damping_rate_; }

private:
    double longest_step(double rate) const;

    std::vector<Force*> forces_;
    double safety_;
    Vibrations vibrations_;
    double global_rate_ = 0; ///< omega^2 by power iteration [1/s^2]
    double damping_rate_ = 0;
    int since_bound_ = 0;   ///< steps since the bound was found
    double last_bound_ = 0; ///< [s]
};

} // namespace muslin
