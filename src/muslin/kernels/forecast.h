#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

/// Interface forecasting [Bridson03 5.2]: what a solid makes of the velocity of one point of cloth.
/// The point is not moved to the surface. It gets the velocity with which it will be there, and a
/// point that is still outside is slowed before it is inside.

/// A place beside a solid.
template <class T>
struct ForecastSurfaceT {
    /// phi: to the isocontour that is to be kept, negative inside it [m]. For cloth that is half
    /// its thickness, plus the thickness of the body, out from the surface; the paper keeps the
    /// surface itself.
    T distance;
    Vec3T<T> normal;   ///< N, the way out, unit length
    Vec3T<T> velocity; ///< v, of the solid there [m/s]
    T friction;        ///< mu, Coulomb
};
using ForecastSurface = ForecastSurfaceT<double>;

template <class T>
struct ForecastT {
    Vec3T<T> velocity; ///< of the point from now on [m/s]
    /// The change of its normal velocity, outward positive [m/s]. It is negative where a point
    /// inside leaves faster than it should: what gets out is not thrown.
    T push = 0;
    bool met = false; ///< whether there is a collision; else the velocity is what it was
};
using Forecast = ForecastT<double>;

/// The most that friction slows `slip` [m/s] where the normal velocity changes by `change` [m/s]:
/// to rest if it can, else by mu times that change, as [Bridson02] has it.
template <class T>
MUSLIN_HD inline Vec3T<T> slowed_by_friction(const Vec3T<T>& slip, const T& friction,
                                             const T& change) {
    const T speed = std::sqrt(dot(slip, slip)), loss = friction * std::abs(change);
    return loss >= speed ? Vec3T<T>{0, 0, 0} : (1 - loss / speed) * slip;
}

/// `velocity` [m/s] is to carry the point on for `step` [s]. Where that takes it to a negative
/// phi_new = phi + step (v_p - v).N, it gets v_N - phi / relaxation along N, by which it is on the
/// isocontour after `relaxation` [s], at least the step. The rest of its velocity against the solid
/// is slowed by friction: sliding or, where there is enough of it, sticking.
template <class T>
MUSLIN_HD inline ForecastT<T> forecast(const Vec3T<T>& velocity, const ForecastSurfaceT<T>& at,
                                       const T& step, const T& relaxation) {
    const Vec3T<T> relative = velocity - at.velocity;
    const T approach = dot(relative, at.normal);
    if (at.distance + step * approach >= 0)
        return {velocity, 0, false};
    const T wanted = -at.distance / relaxation;
    const Vec3T<T> slip =
        slowed_by_friction(relative - approach * at.normal, at.friction, wanted - approach);
    return {at.velocity + wanted * at.normal + slip, wanted - approach, true};
}

/// A place inside two solids: the surface where it is as deep in one as in the other, on which
/// cloth that is caught between them stays [Bridson03 5.1, after Baraff, Witkin and Kass 2003].
template <class T>
struct PinchT {
    T across;          ///< from that surface, along the normal [m]
    Vec3T<T> normal;   ///< of that surface, to the side of one of the solids, unit length
    Vec3T<T> velocity; ///< the mean of the solids' [m/s]
    T depth;           ///< in the solid that it is less deep in [m]
    T friction;        ///< mu, Coulomb
};
using Pinch = PinchT<double>;

/// The velocity of a pinched point: to the surface between the solids within `relaxation` [s],
/// from either side. Both press on it as they would to get it out, which is what friction goes by.
template <class T>
MUSLIN_HD inline ForecastT<T> hold_pinched(const Vec3T<T>& velocity, const PinchT<T>& at,
                                           const T& step, const T& relaxation) {
    const Vec3T<T> relative = velocity - at.velocity;
    const T approach = dot(relative, at.normal), wanted = -at.across / relaxation;
    const T pressed = at.depth * step / (relaxation * relaxation);
    const Vec3T<T> slip = slowed_by_friction(relative - approach * at.normal, at.friction,
                                             std::abs(wanted - approach) + 2 * pressed);
    return {at.velocity + wanted * at.normal + slip, wanted - approach, true};
}

} // namespace muslin
