#pragma once

#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

/// The linear map of one triangle from pattern to space, w(u, v): its derivatives w_u, w_v, and
/// their rates of change in time [BW98 (9)].
template <class T>
struct Deformation {
    Vec3T<T> w_u, w_v;       ///< dimensionless
    Vec3T<T> rate_u, rate_v; ///< [1/s]
};

/// What in-plane conditions add up to, in the space of (w_u, w_v). A vertex i of the triangle
/// enters by two numbers, w_u = sum a_i x_i and w_v = sum b_i x_i, so the force on it is
/// a_i force_u + b_i force_v, and the block (i, j) of a Jacobian is
/// a_i a_j (uu) + a_i b_j (uv) + b_i a_j (uv)^T + b_i b_j (vv).
template <class T>
struct InPlaneResponse {
    Vec3T<T> force_u, force_v;                         ///< [N m]
    Mat3T<T> stiffness_uu, stiffness_uv, stiffness_vv; ///< minus d force / d w, made PSD [N m]
    Mat3T<T> damping_uu, damping_uv, damping_vv;       ///< minus d force / d rate [N m s]

    MUSLIN_HD static InPlaneResponse zero() {
        const Vec3T<T> o = {T(0), T(0), T(0)};
        const Mat3T<T> m = Mat3T<T>::zero();
        return {o, o, m, m, m, m, m, m};
    }
};

/// The rest shape of a triangle: pattern area [m^2] and the weights a_i, b_i [1/m] by which its
/// corners enter w_u and w_v.
template <class T>
struct TriangleRestT {
    T area = 0;
    T a[3] = {0, 0, 0};
    T b[3] = {0, 0, 0};
};
using TriangleRest = TriangleRestT<double>;

/// The rest shape from the pattern coordinates of the three corners. The area is positive for
/// either orientation; zero area gives infinite weights and must be rejected before.
template <class T>
MUSLIN_HD inline TriangleRestT<T> triangle_rest(const Vec2T<T>& p0, const Vec2T<T>& p1,
                                                const Vec2T<T>& p2) {
    const Vec2T<T> d1 = p1 - p0, d2 = p2 - p0;
    const T det = cross(d1, d2);
    TriangleRestT<T> rest;
    rest.area = T(0.5) * std::abs(det);
    rest.a[1] = d2.y / det;
    rest.a[2] = -d1.y / det;
    rest.b[1] = -d2.x / det;
    rest.b[2] = d1.x / det;
    rest.a[0] = -(rest.a[1] + rest.a[2]);
    rest.b[0] = -(rest.b[1] + rest.b[2]);
    return rest;
}

} // namespace muslin
