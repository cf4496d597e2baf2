#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

/// The place that a bond draws its particle to, and how it moves with the triangle's corners x_i:
///     t = sum w_i x_i + height n,   dt/dx_i = w_i I + (height / |N|) (e_i x n) n^T,
/// N = (x_1 - x_0) x (x_2 - x_0), n = N / |N|, e_i the edge opposite to corner i. It translates and
/// turns with the triangle and lies at the same place of it however it stretches.
template <class T>
struct StickTargetT {
    Vec3T<T> place;        ///< [m]
    Mat3T<T> by_corner[3]; ///< dt/dx_i
};
using StickTarget = StickTargetT<double>;

template <class T>
MUSLIN_HD inline StickTargetT<T> stick_target(const Vec3T<T> (&x)[3], const Vec3T<T>& weights,
                                              const T& height) {
    const Vec3T<T> area_vector = cross(x[1] - x[0], x[2] - x[0]);
    const T area = norm(area_vector);
    // A triangle without area has no normal: the place is then one of its plane's.
    const T scale = area > 0 ? 1 / area : 0;
    const Vec3T<T> n = scale * area_vector;
    StickTargetT<T> out;
    out.place = height * n;
    for (int i = 0; i < 3; ++i) {
        out.place += weights[i] * x[i];
        const Vec3T<T> edge = x[(i + 2) % 3] - x[(i + 1) % 3];
        out.by_corner[i] =
            Mat3T<T>::diagonal(weights[i]) + (height * scale) * outer(cross(edge, n), n);
    }
    return out;
}

/// Where a point is in the frame of a triangle.
template <class T>
struct StickOffsetT {
    Vec3T<T> weights; ///< of the corners, sum 1
    T height;         ///< along the normal [m]
};
using StickOffset = StickOffsetT<double>;

/// stick_target() of it is the point again; in a triangle without area, its first corner.
template <class T>
MUSLIN_HD inline StickOffsetT<T> stick_offset(const Vec3T<T> (&x)[3], const Vec3T<T>& point) {
    const Vec3T<T> u = x[1] - x[0], v = x[2] - x[0], d = point - x[0], normal = cross(u, v);
    const T squared = dot(normal, normal);
    if (!(squared > 0))
        return {{1, 0, 0}, 0};
    const T second = dot(cross(d, v), normal) / squared;
    const T third = dot(cross(u, d), normal) / squared;
    return {{1 - second - third, second, third}, dot(d, normal) / std::sqrt(squared)};
}

/// How the spring constant fades with the length d of a bond that breaks at D [Bridson03 6]:
/// phi = (1 - d^2 / D^2)^2, which is zero with its slope at D. Infinite D: no fading.
template <class T>
struct StickFadeT {
    T factor; ///< phi
    T slope;  ///< phi' / d: phi changes by it times d for each metre [1/m^2]
    T energy; ///< the integral of phi d from 0 to d [m^2]
};
using StickFade = StickFadeT<double>;

template <class T>
MUSLIN_HD inline StickFadeT<T> stick_fade(const T& squared_length, const T& break_distance) {
    if (std::isinf(break_distance))
        return {1, 0, T(0.5) * squared_length};
    const T squared = break_distance * break_distance;
    const T rest = squared_length < squared ? 1 - squared_length / squared : 0;
    return {rest * rest, -4 * rest / squared, squared / 6 * (1 - rest * rest * rest)};
}

/// What a bond does, with C = x - t the way from the target to the particle, C' its rate, tau the
/// interval, k stiffness and c damping with all factors. A spring without rest length between the
/// predicted places x + tau v and t + tau t' pulls with
///     f = -phi k (C + tau C') - phi c C' = -phi k C - phi (k tau + c) C':
/// the prediction is damping by k tau. C' is taken in the triangle's frame, against the place of
/// the frame where the particle is: so the two turn together freely, and what the triangle's
/// corners take, -(dt/dx_i)^T of each part with t its own place, keeps linear and angular momentum.
/// Where f does work, the energy k times StickFade::energy pays.
template <class T>
struct StickResponseT {
    Vec3T<T> elastic; ///< on the particle [N]
    T stiffness;      ///< for the solver: phi k [N/m]
    T damping;        ///< what C' is multiplied by [N s/m]
};
using StickResponse = StickResponseT<double>;

template <class T>
struct StickParametersT {
    T stiffness = 0;      ///< k [N/m]
    T damping = 0;        ///< k tau + c [N s/m]
    T break_distance = 0; ///< [m]
};
using StickParameters = StickParametersT<double>;

/// Declared: along C the exact stiffness is less by what fading takes, and negative beyond
/// D / sqrt(5). The solver gets the secant instead, which is never less and exact where C is zero:
/// a long step of a body would else throw the particle past it. The change of the damping with C
/// is left out too.
///
/// `fades_at` is the C that the fading is taken at.
template <class T>
MUSLIN_HD inline StickResponseT<T> stick_response(const Vec3T<T>& c, const Vec3T<T>& fades_at,
                                                  const StickParametersT<T>& p) {
    const T factor = stick_fade(dot(fades_at, fades_at), p.break_distance).factor;
    return {(-factor * p.stiffness) * c, factor * p.stiffness, factor * p.damping};
}

} // namespace muslin
