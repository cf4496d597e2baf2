#pragma once

#include "muslin/integrators/reduced_damping.h"
#include "muslin/integrators/vibrations.h"

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// Whether a force is of the cloth itself: a sum over elements.
inline bool is_inside_cloth(Force& force) {
    return force.capabilities().elements != nullptr;
}

/// The longest step for which RungeKutta is stable: 2.61 / omega and 2.61 / lambda of the fastest
/// vibration and damping, less a margin.
class RungeKuttaStability {
public:
    /// `safety`: the part of the limit that a step may take.
    RungeKuttaStability(const Model& model, std::span<const std::unique_ptr<Force>> forces,
                        double safety);

    /// Found anew, with nothing remembered [s]. Sets how much of the damping inside the cloth is
    /// left; all of it unless `limit_damping`.
    double find(const State& begin, bool limit_damping, ReducedDamping& damping);
    /// The same a step later: looked at again after some steps.
    double follow(const State& begin);

private:
    double stable_step(double rate) const;

    std::vector<Force*> forces_;
    double safety_;
    Vibrations all_, inside_, outside_; ///< all forces; those of the cloth; all others
    // As the frame began.
    double global_rate_ = 0;  ///< omega^2 by power iteration [1/s^2]
    double damping_rate_ = 0; ///< of what is left of the damping [1/s]
    int since_bound_ = 0;     ///< steps since the bound was found
    double step_ = std::numeric_limits<double>::infinity(); ///< [s]
};

/// The step that the error of the last one lets expect to be accurate.
class AccurateStep {
public:
    void forget();
    /// Takes the error of a step of h seconds [m]. Whether it is no larger than the largest.
    bool judge(double h, double error, double largest_error);
    double length() const { return length_; } ///< [s]

private:
    double length_ = std::numeric_limits<double>::infinity();
    bool refused_ = false; ///< the last step was
};

} // namespace muslin
