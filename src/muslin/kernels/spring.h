#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"
#include "muslin/math/vec.h"

#include <cmath>

namespace muslin {

// A connection between two particles stores an energy E(d) that depends on its length d alone. It
// pulls both ends together by E'(d) along its own line, damped along that line. What differs is E.

template <class T>
struct SpringState {
    Vec3T<T> direction; ///< unit, from a to b
    T length;           ///< [m]
};

template <class T>
MUSLIN_HD inline SpringState<T> spring_state(const Vec3T<T>& a, const Vec3T<T>& b) {
    const T one(1), tiny = tiny_length<T>();
    const Vec3T<T> d = b - a;
    const T length = maximum(norm(d), tiny);
    return {(one / length) * d, length};
}

/// E(d) [J], the pull E'(d) [N], positive when it draws the ends together, and E''(d) [N/m].
template <class T>
struct SpringPull {
    T energy, pull, slope;
};

/// A spring: E = k/2 (d - l)^2 [Bayraktar07 (2)].
template <class T>
MUSLIN_HD inline SpringPull<T> quadratic_spring(const T& d, const T& k, const T& l) {
    const T stretch = d - l;
    return {T(0.5) * k * stretch * stretch, k * stretch, k};
}

/// The same beyond the length d_a, where its constant is k d / c [Bayraktar07 (5)]. The pull is
/// k d (d - l) / c; the energy is what was stored up to d_a and its integral from there:
///     E = k/2 (d_a - l)^2 + k/c (d^3/3 - l d^2/2 - d_a^3/3 + l d_a^2/2).
/// c = d_a: the pull is continuous. c = l: it jumps at d_a by the factor d_a / l.
template <class T>
MUSLIN_HD inline SpringPull<T> elongated_spring(const T& d, const T& k, const T& l, const T& d_a,
                                                const T& c) {
    const auto integral = [&l](const T& x) { return x * x * (x / 3 - l / 2); };
    const T stretch = d_a - l;
    return {T(0.5) * k * stretch * stretch + k / c * (integral(d) - integral(d_a)),
            k / c * d * (d - l), k / c * (2 * d - l)};
}

/// The longer the stiffer [Ohta95]: E = k (l/b)^2 (e^(b s) - b s - 1), s = (d - l) / l. Near rest
/// it is the spring.
template <class T>
MUSLIN_HD inline SpringPull<T> exponential_spring(const T& d, const T& k, const T& l, const T& b) {
    const T x = b * (d - l) / l, grown = std::expm1(x), size = l / b;
    // Where the difference of the two cancels, the series has more digits.
    const T store = std::abs(x) < series_end<T>() ? x * x * (T(0.5) + x / 6) : grown - x;
    return {k * size * size * store, k * size * grown, k * (grown + 1)};
}

/// minus d force_b / d x_b as handed to a solver, positive semi-definite:
///     max(0, E'') n n^T + max(0, E' / d) (I - n n^T).
/// Left out: the transverse part of a compressed spring, which wants to buckle, and the derivative
/// of the damping by position, which is not symmetric.
template <class T>
MUSLIN_HD inline Mat3T<T> spring_stiffness(const SpringState<T>& s, const T& pull, const T& slope) {
    const T zero(0);
    const T across = maximum(pull / s.length, zero), along = maximum(slope, zero);
    return Mat3T<T>::diagonal(across) + (along - across) * outer(s.direction, s.direction);
}

} // namespace muslin
