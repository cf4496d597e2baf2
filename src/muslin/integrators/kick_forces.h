#pragma once

#include "muslin/integrators/integrator.h"
#include "muslin/integrators/local_rates.h"
#include "muslin/integrators/reduced_damping.h"

#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// One change of velocities.
struct Kick {
    static constexpr int everything = -1;
    int level;       ///< of the elements that act; `everything` where rates do not differ
    double interval; ///< that their impulse is for [s]
    double time;     ///< of its middle [s]
};

/// The forces of a kick: of the elements of its level, and of all other forces with the slowest.
class KickForces {
public:
    KickForces(const std::vector<std::unique_ptr<Force>>& forces, int particles);

    /// Finds which element forces depend on velocities at all: a matter of the material.
    void find_damped(const State& begin);
    /// Evaluates what a kick brings; `again`, only what depends on velocities, with other ones.
    void evaluate(const Kick& kick, const Kinematics& at, bool again, StepReport& report);
    /// On particle p, the k-th of those that the kick acts on [N].
    Vec3 on(const Kick& kick, std::size_t k, int p) const {
        return kick.level == Kick::everything ? sum_[p]
               : kick.level == 0              ? sum_[p] + rates_.force(0, k)
                                              : rates_.force(kick.level, k);
    }

    /// Those that are no sums over elements.
    std::vector<Force*> without_elements() const;
    LocalRates& rates() { return rates_; }
    const LocalRates& rates() const { return rates_; }
    ReducedDamping& damping() { return damping_; }
    const ReducedDamping& damping() const { return damping_; }

private:
    struct Item {
        Force* force;
        bool element; ///< a sum over elements
        bool damped;
        long elements;
    };
    std::vector<Item> items_;
    LocalRates rates_;
    ReducedDamping damping_;
    std::vector<Vec3> steady_, sum_; ///< of what does not depend on velocities; of all
};

} // namespace muslin
