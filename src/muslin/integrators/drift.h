#pragma once

#include "muslin/model/state.h"

#include <cstddef>
#include <vector>

namespace muslin {

/// Moves positions through a step by the velocities between its kicks: each particle only when it
/// is looked at, by all of the time since it was last moved. Time counts in units.
class Drift {
public:
    void start(std::size_t particles, double unit) {
        moved_to_.assign(particles, 0);
        unit_ = unit;
    }
    /// How many units of the step have passed.
    void set_now(int units) { now_ = units; }
    void bring_to_now(int particle, State& at) {
        const int units = now_ - moved_to_[particle];
        at.positions[particle] += (units * unit_) * at.velocities[particle];
        moved_to_[particle] = now_;
    }

private:
    std::vector<int> moved_to_; ///< units, of each particle
    int now_ = 0;
    double unit_ = 0; ///< [s]
};

} // namespace muslin
