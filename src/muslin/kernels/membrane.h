#pragma once

#include "muslin/base/host_device.h"
#include "muslin/kernels/in_plane_blocks.h"
#include "muslin/kernels/thread_buckling.h"

namespace muslin {

/// Stretch and shear of a triangle [BW98 4.2, 4.3], its threads limited and buckling. Threads that
/// are longer than the limit times their rest length resist what exceeds it ten times as much
/// again, as woven cloth does once its crimp is pulled out; threads that buckle give way in
/// compression (thread_buckling.h).
template <class T>
struct Membrane {
    T area;                                   ///< [m^2]
    T a[3], b[3];                             ///< weights of the corners: see in_plane.h [1/m]
    T stretch_u, stretch_v, shear;            ///< [N/m]
    T stretch_damping, shear_damping;         ///< [N s/m]
    T rest_u, rest_v;                         ///< stretches at rest
    ThreadBuckling<T> buckling_u, buckling_v; ///< where threads buckle
};

/// What all triangles have in common.
template <class T>
struct MembraneLaw {
    bool buckles;
    bool is_limited;
    T longest; ///< the stretch from which the limit acts, of one at rest
    T least;   ///< of thread_tension: the strain at which the handed stiffness buckles
};

inline constexpr double limit_stiffening = 10;

/// Of the triangle with these corners [m] and velocities [m/s].
template <class T>
MUSLIN_HD MUSLIN_ALWAYS_INLINE Deformation<T>
membrane_deformation(const Membrane<T>& m, const Vec3T<T> (&x)[3], const Vec3T<T> (&v)[3]) {
    Deformation<T> d;
    const Vec3T<T> x1 = x[1] - x[0], x2 = x[2] - x[0];
    d.w_u = m.a[1] * x1 + m.a[2] * x2;
    d.w_v = m.b[1] * x1 + m.b[2] * x2;
    const Vec3T<T> v1 = v[1] - v[0], v2 = v[2] - v[0];
    d.rate_u = m.a[1] * v1 + m.a[2] * v2;
    d.rate_v = m.b[1] * v1 + m.b[2] * v2;
    return d;
}

/// The stretch condition beyond the limit; no stiffness in lanes that have not reached it.
template <class T>
struct StretchExcess {
    bool any = false;
    StretchParameters<T> parameters;
};

template <class T>
MUSLIN_HD MUSLIN_ALWAYS_INLINE StretchExcess<T> stretch_excess(const T& area, const Vec3T<T>& w,
                                                               const T& stiffness, const T& rest,
                                                               const MembraneLaw<T>& law) {
    StretchExcess<T> out;
    if (!law.is_limited)
        return out;
    const T most = law.longest * rest;
    const auto beyond = norm(w) > most;
    out.any = any_lane(beyond);
    out.parameters = {area, select(beyond, T(limit_stiffening) * stiffness, T(0)), T(0), most};
    return out;
}

/// Puts the law of threads that buckle in the place of the linear one.
template <class T>
MUSLIN_HD MUSLIN_ALWAYS_INLINE void buckle(const T& area, const Vec3T<T>& w, const T& stiffness,
                                           const T& rest, const ThreadBuckling<T>& p,
                                           const T& least, StretchResponse<T>& out) {
    const T strain = norm(w) - rest;
    const ThreadTension<T> law = thread_tension(strain, stiffness, p, least);
    out.pull = out.pull + area * (law.tension - stiffness * strain);
    out.along = area * law.handed;
}

/// Adds what a thread resists beyond its limit.
template <class T>
MUSLIN_HD MUSLIN_ALWAYS_INLINE void add_excess(const Vec3T<T>& w, const Vec3T<T>& rate,
                                               const StretchExcess<T>& beyond,
                                               StretchResponse<T>& to) {
    if (!beyond.any)
        return;
    const StretchResponse<T> more = stretch_response(w, rate, beyond.parameters);
    to.pull = to.pull + more.pull;
    to.along = to.along + more.along;
    to.across = to.across + more.across;
}

/// Without the limits of threads, which add_excess adds.
template <class T>
MUSLIN_HD MUSLIN_ALWAYS_INLINE InPlaneDirections<T>
membrane_response(const Membrane<T>& m, const Deformation<T>& d, const MembraneLaw<T>& law) {
    InPlaneDirections<T> r = {
        stretch_response(d.w_u, d.rate_u, {m.area, m.stretch_u, m.stretch_damping, m.rest_u}),
        stretch_response(d.w_v, d.rate_v, {m.area, m.stretch_v, m.stretch_damping, m.rest_v}),
        shear_response(d, {m.area, m.shear, m.shear_damping})};
    if (law.buckles) {
        buckle(m.area, d.w_u, m.stretch_u, m.rest_u, m.buckling_u, law.least, r.u);
        buckle(m.area, d.w_v, m.stretch_v, m.rest_v, m.buckling_v, law.least, r.v);
    }
    return r;
}

} // namespace muslin
