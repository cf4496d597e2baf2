#pragma once

#include "muslin/integrators/loops.h"

#include <span>
#include <vector>

namespace muslin {

/// Damping inside the cloth that would ask for shorter steps than its stiffness does, reduced by
/// one factor for all: the forces inside the cloth are given velocities that are slower by it.
class ReducedDamping {
public:
    /// What is left of the damping: 1 unless it is reduced.
    double scale() const { return scale_; }
    void set_scale(double scale) { scale_ = scale; }

    /// The velocities that forces inside the cloth are to see, valid until the next call.
    std::span<const Vec3> slowed(std::span<const Vec3> v) {
        if (scale_ == 1)
            return v;
        slowed_.resize(v.size());
        for_particles(v.size(), [&](std::size_t i) { slowed_[i] = scale_ * v[i]; });
        return slowed_;
    }

private:
    double scale_ = 1;
    std::vector<Vec3> slowed_;
};

} // namespace muslin
