#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"
#include "muslin/math/vec.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {

/// What a thread does in compression when it is longer than it can stay straight. Between two
/// vertices a real thread buckles at Euler's load, P = pi^2 D / l^2 a width, and then gives way at
/// P / 2 a unit of shortening [Timoshenko and Gere, Theory of Elastic Stability, 2.7]. A mesh of
/// edges l cannot show these buckles. A thread that stays straight at any load has to be paid for
/// by the whole triangle, which locks: the sheet then drapes like cardboard.
///
/// With the strain e < 0 and the critical strain c = P / k the tension is
///     t = s e + (k - s) e / (1 - e / c),   s = P / 2,
/// which has the slope k at rest, tends to Euler's load and ends with the slope s; it is smooth,
/// always rises with e, and is the linear law where the mesh resolves what buckles (c >> |e|).
///
/// Slack of more than a tenth of a thread is a fold that the mesh itself should show. From there on
/// the thread resists with a part of its stiffness, as the sides of a closed buckle would, so that
/// no triangle collapses.
template <class T>
struct ThreadBuckling {
    T critical; ///< c
    T after;    ///< s [N/m]
    T closed;   ///< added to s where buckles are closed [N/m]
};
constexpr double closed_buckle = 0.1; ///< the shortening at which they are
constexpr double closed_part = 0.05;  ///< of the thread's stiffness

/// The parameters of a thread of stiffness k [N/m] and flexural rigidity D [N m] between vertices
/// that are `length` [m] apart.
template <class T>
MUSLIN_HD inline ThreadBuckling<T> thread_buckling(const T& stiffness, const T& rigidity,
                                                   const T& length) {
    const T pi = std::numbers::pi_v<T>, load = pi * pi * rigidity / (length * length);
    // Cloth without bending stiffness still has its triangles to keep.
    const T least = T(1e-6);
    return {std::max(load / stiffness, least), std::min(T(0.5) * load, stiffness),
            T(closed_part) * stiffness};
}

template <class T>
struct ThreadTension {
    T tension; ///< [N/m]
    /// What is handed to the solver as d tension / d strain [N/m]: the secant to rest, of a thread
    /// that buckles no sooner than asked for.
    T handed;
};

/// Of a thread at a strain, stretched or compressed. `least` is the strain at which the handed
/// stiffness buckles at the soonest: that of a thread that has buckled is next to nothing, and a
/// first solve by it would end far beyond rest, where the thread is stiff again.
template <class T>
MUSLIN_HD inline ThreadTension<T> thread_tension(const T& strain, const T& stiffness,
                                                 const ThreadBuckling<T>& p, const T& least) {
    const T zero(0), one(1);
    const T short_by = maximum(-strain, zero);
    const T beyond = stiffness - p.after, straight = one / (one + short_by / p.critical);
    const T secant = p.after + beyond * straight; // stretched, the stiffness
    const T handed = p.after + beyond / (one + short_by / maximum(p.critical, least));
    const T closed = maximum(short_by - T(closed_buckle), zero);
    return {secant * strain - p.closed * closed, handed + select(closed > zero, p.closed, zero)};
}

/// Energy a pattern area [J/m^2].
template <class T>
MUSLIN_HD inline T thread_energy(const T& strain, const T& stiffness, const ThreadBuckling<T>& p) {
    const T half(0.5);
    if (strain >= 0)
        return half * stiffness * strain * strain;
    const T y = -strain / p.critical;
    // The integral of y / (1 + y); the series where its two terms cancel.
    const T integral = y < series_end<T>() ? y * y * (half - y / 3) : y - std::log1p(y);
    const T closed = std::max(-strain - T(closed_buckle), T(0));
    return half * p.after * strain * strain + half * p.closed * closed * closed +
           (stiffness - p.after) * p.critical * p.critical * integral;
}

} // namespace muslin
