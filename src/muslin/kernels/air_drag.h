#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"
#include "muslin/math/vec.h"

namespace muslin {

/// Air drag of one triangle, along its normal alone [BW98 4.4]. With the area vector A n and the
/// speed s of the triangle's middle against the air, along n, the pressure against the motion is
/// linear s + quadratic |s| s; each corner takes a third of the force.
template <class T>
struct AirDragParameters {
    T linear;    ///< [N s/m^3]
    T quadratic; ///< half the air's density times the drag coefficient [kg/m^3]
};

template <class T>
struct AirDragResponse {
    Vec3T<T> force;  ///< on each corner [N]
    Vec3T<T> normal; ///< unit
    T damping;       ///< -d force_i / d v_j = damping n n^T for every pair of corners [N s/m]
};

/// The derivative by position is left out of what the solver gets (declared: it is unsymmetric and
/// small; air_drag_exact_stiffness has it). `wind` is the velocity of the air [m/s].
template <class T>
MUSLIN_HD inline AirDragResponse<T> air_drag(const Vec3T<T> (&x)[3], const Vec3T<T> (&v)[3],
                                             const Vec3T<T>& wind, const AirDragParameters<T>& p) {
    const T half(0.5), third = T(1.0 / 3.0), tiny = tiny_length<T>(), one(1);
    const Vec3T<T> area_vector = half * cross(x[1] - x[0], x[2] - x[0]);
    const T area = maximum(norm(area_vector), tiny);
    const Vec3T<T> n = (one / area) * area_vector;
    const T speed = dot(n, third * (v[0] + v[1] + v[2]) - wind);
    const T magnitude = maximum(speed, -speed);
    AirDragResponse<T> out;
    out.force = (-third * area * (p.linear + p.quadratic * magnitude) * speed) * n;
    out.normal = n;
    out.damping = third * third * area * (p.linear + T(2) * p.quadratic * magnitude);
    return out;
}

/// For tests: minus d force_i / d x_j for j = 0, 1, 2 (the same for every corner i), all terms.
template <class T>
struct AirDragStiffness {
    Mat3T<T> block[3];
};
template <class T>
MUSLIN_HD inline AirDragStiffness<T>
air_drag_exact_stiffness(const Vec3T<T> (&x)[3], const Vec3T<T> (&v)[3], const Vec3T<T>& wind,
                         const AirDragParameters<T>& p) {
    const T half(0.5), third = T(1.0 / 3.0);
    const Vec3T<T> a = half * cross(x[1] - x[0], x[2] - x[0]);
    const Vec3T<T> flow = third * (v[0] + v[1] + v[2]) - wind;
    const T area = norm(a), s = dot(a, flow); // s is the speed times the area
    const T magnitude = s < 0 ? -s : s;
    // force = -(1/3) [linear s / |a| + quadratic s |s| / |a|^2] a.
    const T scale = (p.linear * s / area + p.quadratic * s * magnitude / (area * area)) / 3;
    const Vec3T<T> slope =
        third * ((p.linear / area + 2 * p.quadratic * magnitude / (area * area)) * flow -
                 (p.linear * s / (area * area * area) +
                  2 * p.quadratic * s * magnitude / (area * area * area * area)) *
                     a);
    const Mat3T<T> by_area = Mat3T<T>::diagonal(scale) + outer(a, slope);
    const Vec3T<T> opposite[3] = {x[1] - x[2], x[2] - x[0], x[0] - x[1]};
    AirDragStiffness<T> out;
    for (int j = 0; j < 3; ++j)
        out.block[j] = by_area * (-half * cross_matrix(opposite[j]));
    return out;
}

} // namespace muslin
