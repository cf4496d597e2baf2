#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/vec.h"

namespace muslin {

/// A damped spring between two particles: E = k/2 (l - l_0)^2, damped along its own line.
template <class T>
struct SpringParameters {
    T stiffness; ///< k [N/m]
    T damping;   ///< k_d [N s/m]
    T rest;      ///< l_0 [m]
};

template <class T>
struct SpringState {
    Vec3T<T> direction; ///< unit, from a to b
    T length;           ///< [m]
};

template <class T>
MUSLIN_HD inline SpringState<T> spring_state(const Vec3T<T>& a, const Vec3T<T>& b) {
    const T one(1), tiny(1e-150);
    const Vec3T<T> d = b - a;
    const T length = maximum(norm(d), tiny);
    return {(one / length) * d, length};
}

/// Energy [J].
template <class T>
MUSLIN_HD inline T spring_energy(const SpringState<T>& s, const SpringParameters<T>& p) {
    const T stretch = s.length - p.rest;
    return T(0.5) * p.stiffness * stretch * stretch;
}

/// Pull of the spring on both ends [N], positive when it draws them together. `closing` is the
/// velocity of b less that of a [m/s].
template <class T>
MUSLIN_HD inline T spring_tension(const SpringState<T>& s, const Vec3T<T>& closing,
                                  const SpringParameters<T>& p) {
    return p.stiffness * (s.length - p.rest) + p.damping * dot(s.direction, closing);
}

/// minus d force_b / d x_b as handed to a solver, positive semi-definite:
///     k n n^T + max(0, elastic tension / l) (I - n n^T).
/// Left out: the transverse part of a compressed spring, which wants to buckle, and the derivative
/// of the damping by position, which is not symmetric.
template <class T>
MUSLIN_HD inline Mat3T<T> spring_stiffness(const SpringState<T>& s, const SpringParameters<T>& p) {
    const T zero(0);
    const T across = maximum(p.stiffness * (s.length - p.rest) / s.length, zero);
    return Mat3T<T>::diagonal(across) + (p.stiffness - across) * outer(s.direction, s.direction);
}

} // namespace muslin
