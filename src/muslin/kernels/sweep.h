#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <optional>

namespace muslin {

/// Where a moving point meets a triangle that stands still [Ohta95 (4)]:
/// P + (P' - P) t = P0 + (P1 - P0) u + (P2 - P0) v.
template <class T>
struct Sweep {
    T t;    ///< of the way, 0 to 1
    T u, v; ///< not negative, u + v at most 1
};

/// Solves (4); none where the point passes beside the triangle, stops short of it or moves in its
/// plane. "This method is not entirely sufficient, because the triangles are also in motion":
/// kernels/continuous.h has the test that also holds for those and that rounding cannot slip
/// through between two triangles.
template <class T>
MUSLIN_HD inline std::optional<Sweep<T>>
point_triangle_sweep(const Vec3T<T>& from, const Vec3T<T>& to, const Vec3T<T>& p0,
                     const Vec3T<T>& p1, const Vec3T<T>& p2) {
    const Vec3T<T> way = to - from, e1 = p1 - p0, e2 = p2 - p0, s = from - p0;
    const Vec3T<T> n = cross(e1, e2);
    const T determinant = -dot(way, n);
    if (determinant == 0)
        return {};
    const T t = dot(s, n) / determinant;
    const Vec3T<T> q = cross(s, way);
    const T u = dot(e2, q) / determinant, v = -dot(e1, q) / determinant;
    if (!(t >= 0 && t <= 1 && u >= 0 && v >= 0 && u + v <= 1))
        return {};
    return Sweep<T>{t, u, v};
}

} // namespace muslin
