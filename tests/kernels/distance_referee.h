#pragma once

#include "muslin/math/vec.h"

#include <algorithm>
#include <array>
#include <cmath>

// Slow referees for closest points and for motions, which share nothing with what they judge: the
// distance is a convex function of two parameters, and its minimum is found by search.

namespace muslin::test {

using Real = long double;
using Real3 = Vec3T<Real>;
using Corners4 = std::array<Vec3, 4>;

inline Real3 widened(const Vec3& a) {
    return {Real(a.x), Real(a.y), Real(a.z)};
}

/// The minimum of a convex function over [low, high].
template <class Function>
Real convex_minimum(Real low, Real high, int rounds, Function&& f) {
    constexpr Real golden = 0.6180339887498948482L;
    Real left = high - golden * (high - low), right = low + golden * (high - low);
    Real f_left = f(left), f_right = f(right);
    Real best = std::min({f_left, f_right, f(low), f(high)});
    for (int i = 0; i < rounds; ++i) {
        if (f_left < f_right) {
            high = right;
            right = left;
            f_right = f_left;
            left = high - golden * (high - low);
            f_left = f(left);
            best = std::min(best, f_left);
        } else {
            low = left;
            left = right;
            f_left = f_right;
            right = low + golden * (high - low);
            f_right = f(right);
            best = std::min(best, f_right);
        }
    }
    return best;
}

/// The distance between the corners {v, f0, f1, f2}; `rounds` of golden section (0.618 each).
inline Real slow_vertex_face(const std::array<Real3, 4>& x, int rounds) {
    const Real3 o = x[1] - x[0], u = x[2] - x[1], v = x[3] - x[1];
    return convex_minimum(0, 1, rounds, [&](Real a) {
        return convex_minimum(0, 1 - a, rounds, [&](Real b) { return norm(o + a * u + b * v); });
    });
}

/// The distance between the edges {a0, a1}, {b0, b1}.
inline Real slow_edge_edge(const std::array<Real3, 4>& x, int rounds) {
    const Real3 o = x[2] - x[0], u = x[1] - x[0], v = x[3] - x[2];
    return convex_minimum(0, 1, rounds, [&](Real s) {
        return convex_minimum(0, 1, rounds, [&](Real t) { return norm(o + t * v - s * u); });
    });
}

inline std::array<Real3, 4> widened(const Corners4& x) {
    return {widened(x[0]), widened(x[1]), widened(x[2]), widened(x[3])};
}

/// Where the corners are at a time.
inline std::array<Real3, 4> at_time(const Corners4& begin, const Corners4& end, Real time) {
    std::array<Real3, 4> x;
    for (int i = 0; i < 4; ++i)
        x[i] = widened(begin[i]) + time * (widened(end[i]) - widened(begin[i]));
    return x;
}

} // namespace muslin::test
