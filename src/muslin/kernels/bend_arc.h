#pragma once

#include "muslin/kernels/bend_bridson.h"

#include <algorithm>
#include <cmath>

namespace muslin {

/// Bending of a hinge by the curvature of an arc [Volino95 3.3, fig. 2]. The arc is tangent to both
/// triangles at the distance L from the edge, so its curvature is K = tan(theta/2) / L, and
///     moment = D |e| (K - K_0) + k_d dtheta/dt = 2 k (t - t_0) + k_d dtheta/dt,
/// with t = L K = tan(theta/2) and the hinge's k = D |e|^2 / (A1 + A2) of bend_bw.h.
///
/// L is half the mean height of the two triangles: the longest that fits, since each triangle lies
/// at three hinges whose arcs share it. The sheet then has the rigidity D; with the whole height it
/// would have half of it. Radii far below the size of the triangles are reached as theta grows.
///
/// Beyond a limit of K the tangent would grow without bound. From there on t goes on as its
/// tangent at the limit: still the steeper the sharper the fold, finite where the triangles meet.
template <class T>
struct ArcParameters {
    T stiffness; ///< k [N m]
    T rest;      ///< t_0
    T limit;     ///< of t
};

/// t and its derivative by theta.
template <class T>
struct ArcTangent {
    T value, slope;
};

template <class T>
MUSLIN_HD inline ArcTangent<T> arc_tangent(const HalfAngle<T>& half, const T& limit) {
    using std::atan2;
    const T one(1), two(2), zero(0), point5(0.5), tiny = tiny_length<T>();
    // Compared as products: the cosine may be nothing.
    const T sine = select(half.sine < zero, -half.sine, half.sine);
    const auto beyond = sine > limit * half.cosine;
    const T plain = half.sine / maximum(half.cosine, tiny);
    ArcTangent<T> t = {plain, point5 * (one + plain * plain)};
    if (!any_lane(beyond))
        return t;
    const T steepest = point5 * (one + limit * limit);
    const T excess = two * (atan2(sine, half.cosine) - atan2(limit, one));
    const T sign = select(half.sine < zero, -one, one);
    t.value = select(beyond, sign * (limit + steepest * excess), plain);
    t.slope = select(beyond, steepest, t.slope);
    return t;
}

/// The elastic moment [N m] and its derivative by theta, which is never negative.
template <class T>
MUSLIN_HD inline HalfAngleMoment<T> arc_moment(const HalfAngle<T>& half,
                                               const ArcParameters<T>& p) {
    const ArcTangent<T> t = arc_tangent(half, p.limit);
    const T two(2);
    return {two * p.stiffness * (t.value - p.rest), two * p.stiffness * t.slope};
}

/// The angle [rad] at which t has the value `tangent`.
template <class T>
MUSLIN_HD inline T arc_angle(const T& tangent, const T& limit) {
    const T size = std::abs(tangent);
    if (size <= limit)
        return 2 * std::atan(tangent);
    return std::copysign(2 * std::atan(limit) + (size - limit) / (T(0.5) * (1 + limit * limit)),
                         tangent);
}

/// Energy [J] over that of the rest angle; `angle` [rad].
template <class T>
MUSLIN_HD inline T arc_energy(const T& angle, const ArcParameters<T>& p) {
    // The integral of t from zero: -2 ln cos(theta/2), then a parabola.
    const auto integral = [&](const T& theta) {
        const T end = 2 * std::atan(p.limit), inside = std::min(std::abs(theta), end);
        const T sine = std::sin(T(0.5) * inside), excess = std::abs(theta) - inside;
        return -std::log1p(-sine * sine) +
               excess * (p.limit + T(0.25) * (1 + p.limit * p.limit) * excess);
    };
    const T rest = arc_angle(p.rest, p.limit);
    return 2 * p.stiffness * (integral(angle) - integral(rest) - p.rest * (angle - rest));
}

} // namespace muslin
