#pragma once

#include "muslin/linalg/filter.h"
#include "muslin/math/vec.h"

#include <span>

namespace muslin {

/// Changes velocities in the middle and at the end of a step before they move anything: what the
/// paper calls "modify v to limit strain, etc." [Bridson03 3].
class VelocityModifier {
public:
    virtual ~VelocityModifier() = default;

    /// `velocities` will carry `positions` on for h seconds. Directions that the filter holds stay
    /// as they are. Returns the number of sweeps it took.
    virtual int modify(std::span<const Vec3> positions, double h, const Filter& filter,
                       std::span<Vec3> velocities) = 0;
};

} // namespace muslin
