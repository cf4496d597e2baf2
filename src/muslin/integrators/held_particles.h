#pragma once

#include "muslin/linalg/filter.h"
#include "muslin/model/constraints.h"

#include <vector>

namespace muslin {

/// The particles that constraints hold in a step, the directions that are left to them, and what
/// forces gave them.
class HeldParticles {
public:
    explicit HeldParticles(std::size_t particles) : index_(particles, -1) {}

    /// Begins a step: no impulses yet.
    void start(const ConstraintSet& constraints) {
        for (const int p : filter_.particles)
            index_[p] = -1;
        constraints.make_filter(filter_);
        for (std::size_t k = 0; k < filter_.particles.size(); ++k)
            index_[filter_.particles[k]] = static_cast<int>(k);
        impulses_.assign(filter_.particles.size(), Vec3{0, 0, 0});
    }

    bool holds(int particle) const { return index_[particle] >= 0; }
    /// On the directions in which a held particle is free.
    const Mat3& projection(int particle) const { return filter_.projection[index_[particle]]; }
    /// A force acted on a held particle for so long [N, s].
    void add_impulse(int particle, double interval, const Vec3& force) {
        impulses_[index_[particle]] += interval * force;
    }
    /// Of the forces on the k-th held particle [N s].
    const Vec3& impulse(std::size_t k) const { return impulses_[k]; }
    const Filter& filter() const { return filter_; }

private:
    Filter filter_;
    std::vector<int> index_;     ///< of each particle in the filter, or -1
    std::vector<Vec3> impulses_; ///< in the order of the filter
};

} // namespace muslin
