// The longest step of MixedIntegrator.
#include "muslin/integrators/mixed_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

double MixedStability::longest_step(double rate) const {
    for (Force* force : forces_)
        rate += added_eigenvalue(*force);
    return rate > 0 ? safety_ * 2 / std::sqrt(rate) : std::numeric_limits<double>::infinity();
}

double MixedStability::find(const State& begin) {
    vibrations_.restart(begin);
    global_rate_ = vibrations_.fastest(30);
    damping_rate_ = vibrations_.fastest_damping(12);
    since_bound_ = 0;
    last_bound_ = longest_step(std::max(global_rate_, safety_ * safety_ * vibrations_.bound(8)));
    return last_bound_;
}

double MixedStability::follow(const State& begin) {
    constexpr int every = 4; // steps; growth of what is not stable is small in so few
    if (++since_bound_ < every)
        return last_bound_;
    since_bound_ = 0;
    vibrations_.move_to(begin);
    last_bound_ = longest_step(std::max(global_rate_, safety_ * safety_ * vibrations_.bound(2)));
    return last_bound_;
}

} // namespace muslin
