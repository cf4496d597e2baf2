#pragma once

#include "muslin/kernels/in_plane.h"
#include "muslin/math/pack.h"

namespace muslin {

/// Stretch along one pattern direction [BW98 4.2]: C = sqrt(area) (|w| - b), E = k/2 C^2.
///
/// The paper prints C = area (|w| - b). Its energy then grows with the square of the area, and
/// the same fabric becomes softer as the mesh is refined; with sqrt(area) k is the tensile
/// stiffness of the fabric in N/m on any mesh (tests/kernels/stretch_bw_test.cpp).
template <class T>
struct StretchParameters {
    T area;      ///< [m^2]
    T stiffness; ///< k [N/m]
    T damping;   ///< k_d [N s/m]
    T rest;      ///< b, the stretch at which the force is zero
};

/// Tension [N/m] of the direction: k (|w| - b) + k_d d|w|/dt [BW98 (7), (11)].
template <class T>
struct StretchState {
    Vec3T<T> direction; ///< w / |w|
    T length;           ///< |w|
    T tension;
};

template <class T>
MUSLIN_HD inline StretchState<T> stretch_state(const Vec3T<T>& w, const Vec3T<T>& rate,
                                               const StretchParameters<T>& p) {
    const T one(1), tiny = T(1e-12);
    const T length = maximum(norm(w), tiny);
    const Vec3T<T> n = (one / length) * w;
    return {n, length, p.stiffness * (length - p.rest) + p.damping * dot(n, rate)};
}

/// Energy [J].
template <class T>
MUSLIN_HD inline T stretch_energy(const Vec3T<T>& w, const StretchParameters<T>& p) {
    const T c = norm(w) - p.rest;
    return T(0.5) * p.stiffness * p.area * c * c;
}

/// One direction's force and the matrices handed to the solver, by their values along and across n:
///   stiffness = area [k n n^T + max(0, tension / |w|) (I - n n^T)]   (positive semi-definite)
///   damping   = area k_d n n^T.
/// Declared differences from the exact Jacobian (stretch_exact_stiffness):
///   1. where the tension is negative its transverse part is left out (it would make the matrix
///      indefinite: a compressed thread wants to buckle);
///   2. the unsymmetric part of (12), area k_d n ((I - n n^T) rate / |w|)^T, is left out
///   [BW98 4.5].
template <class T>
struct StretchResponse {
    Vec3T<T> direction; ///< n
    T pull;             ///< the force is -pull n [N m]
    T along, across;    ///< of the stiffness [N m]
    T damping;          ///< along n [N m s]
};

template <class T>
MUSLIN_HD inline StretchResponse<T> stretch_response(const Vec3T<T>& w, const Vec3T<T>& rate,
                                                     const StretchParameters<T>& p) {
    const T zero(0);
    const StretchState<T> s = stretch_state(w, rate, p);
    return {s.direction, p.area * s.tension, p.area * p.stiffness,
            p.area * maximum(s.tension / s.length, zero), p.area * p.damping};
}

/// For tests: adds the force and the matrices, written out.
template <class T>
MUSLIN_HD inline void add_stretch(const Vec3T<T>& w, const Vec3T<T>& rate,
                                  const StretchParameters<T>& p, Vec3T<T>& force,
                                  Mat3T<T>& stiffness, Mat3T<T>& damping) {
    const StretchResponse<T> s = stretch_response(w, rate, p);
    const Mat3T<T> nn = outer(s.direction, s.direction);
    force -= s.pull * s.direction;
    stiffness += Mat3T<T>::diagonal(s.across) + (s.along - s.across) * nn;
    damping += s.damping * nn;
}

/// For tests: minus d force / d w, all terms.
template <class T>
MUSLIN_HD inline Mat3T<T> stretch_exact_stiffness(const Vec3T<T>& w, const Vec3T<T>& rate,
                                                  const StretchParameters<T>& p) {
    const StretchState<T> s = stretch_state(w, rate, p);
    const Vec3T<T> n = s.direction;
    const Vec3T<T> rate_across = rate - dot(rate, n) * n;
    const Mat3T<T> nn = outer(n, n);
    return (p.area * p.stiffness) * nn +
           (p.area * s.tension / s.length) * (Mat3T<T>::identity() - nn) +
           (p.area * p.damping / s.length) * outer(n, rate_across);
}

} // namespace muslin
