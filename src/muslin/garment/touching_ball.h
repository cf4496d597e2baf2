#pragma once

#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

/// Makes the ball that touches a surface in p from within, of the given diameter [m], so small that
/// it does not hold the point q of the surface. `d` is p - q [m], `normal` the unit normal in p,
/// outward. Neighbours on a curved surface lie a little inward too; only what faces p bounds it.
inline void shrink_ball(const Vec3& d, const Vec3& normal, double& diameter) {
    const double inward = dot(normal, d), squared = dot(d, d);
    if (inward > 0.5 * std::sqrt(squared) && squared < diameter * inward)
        diameter = squared / inward;
}

} // namespace muslin
