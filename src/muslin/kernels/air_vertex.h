#pragma once

#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

/// Air on one mass point [Bayraktar07 (3), (4)]: -C_dis v + C_wind [n . (air - v)] n.
template <class T>
struct AirVertexResponse {
    Vec3T<T> force; ///< [N]
    /// -d force / d v = viscous 1 + dashpot dashpot^T [N s/m]; the dashpot is along n.
    Vec3T<T> dashpot;
};

/// `viscous` and `wind` are C_dis and C_wind [N s/m], n a unit vector or zero, `air` the velocity
/// of the air [m/s]. The derivative by position, of n and of a wind that differs from place to
/// place, is left out of what the solver gets (declared: it is unsymmetric and small).
template <class T>
MUSLIN_HD inline AirVertexResponse<T> air_on_vertex(const Vec3T<T>& v, const Vec3T<T>& n,
                                                    const Vec3T<T>& air, const T& viscous,
                                                    const T& wind) {
    return {(wind * dot(n, air - v)) * n - viscous * v, std::sqrt(wind) * n};
}

} // namespace muslin
