#pragma once

#include "muslin/forces/force.h"

namespace muslin {

/// A force that keeps cloth from stretching, which step control watches.
class InPlaneForce : public Force {
public:
    /// The largest change of the stretch of any thread or edge, as a part of its rest length,
    /// between two sets of positions: the sign of an unstable step [BW98 7]. Infinite if any
    /// position is not finite.
    virtual double largest_stretch_change(std::span<const Vec3> from,
                                          std::span<const Vec3> to) const = 0;
};

} // namespace muslin
