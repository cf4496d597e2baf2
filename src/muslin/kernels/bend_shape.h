#pragma once

#include "muslin/kernels/bend_bw.h"

#include <cmath>

namespace muslin {

// Bending of a sheet by the angles of its hinges [docs/forces/bend_shape.md]: an element has a
// moment that depends on its own angle and, where angles are coupled, on those of others. Its
// moment is known when these are called; what they add is the rest of an implicit step.

/// The angle less that at rest [rad].
template <class T>
MUSLIN_HD inline T hinge_bend(const HingeState<T>& s, const T& rest) {
    using std::atan2;
    return atan2(s.scaled_sine, s.scaled_cosine) - rest;
}

/// What an element hands to the solver: the forces -moment g_i, and h^2 K + h D = scale g_i g_j^T,
/// with g the gradients of the angle.
template <class T>
struct HingeSystem {
    T moment; ///< [N m]
    T scale;  ///< [N m s^2]
};

/// For a step of h [s]. The moments of the angle, of its rate and of the turn by the displacement
/// so far are `elastic`, `drag` and `turned` [N m], the latter by the stiffness `handed` that the
/// solver is told, not below that of the element with its couplings [N m]; `damping` is the
/// derivative of `drag` by the rate [N m s].
template <class T>
MUSLIN_HD inline HingeSystem<T> hinge_system(const T& elastic, const T& drag, const T& turned,
                                             const T& damping, const T& handed, const T& h) {
    return {elastic + drag + turned, h * (h * handed + damping)};
}

/// Where the apex of a second triangle comes to lie when that is turned about the shared edge into
/// the plane of the first; its own pattern may be another panel's. Places of patterns [m].
template <class T>
MUSLIN_HD inline Vec2T<T> lay_flat(const Vec2T<T>& start, const Vec2T<T>& end, const Vec2T<T>& apex,
                                   const Vec2T<T>& own_start, const Vec2T<T>& own_end,
                                   const Vec2T<T>& own_apex) {
    const Vec2T<T> edge = end - start, other = own_end - own_start, way = own_apex - own_start;
    const T along = dot(way, other) / norm(other);
    const T across = std::abs(cross(other, way)) / norm(other);
    const T side = T(cross(edge, apex - start) > 0 ? -1 : 1);
    const Vec2T<T> unit = (1 / norm(edge)) * edge, normal = {-unit.y, unit.x};
    return start + along * unit + (side * across) * normal;
}

/// The curvature (k_uu, k_vv, k_uv) [1/m] of a triangle of an area [m^2] by the angle of its side
/// `e` [m], in the pattern: l n n^T / (2 A) for a radian.
template <class T>
MUSLIN_HD inline Vec3T<T> curvature_by_angle(const Vec2T<T>& e, const T& area) {
    const T scale = 1 / (2 * area * norm(e));
    return {scale * e.y * e.y, scale * e.x * e.x, -scale * e.x * e.y};
}

/// A triangle's stiffness by the angles of its sides [N m] where side `free` bears no moment, which
/// is the natural condition of an edge: that angle is the one which makes the energy least.
template <class T>
MUSLIN_HD inline Mat3T<T> without_moment(const Mat3T<T>& stiffness, int free) {
    Mat3T<T> out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out(i, j) = i == free || j == free || stiffness(free, free) <= 0
                            ? T(0)
                            : stiffness(i, j) -
                                  stiffness(i, free) * stiffness(free, j) / stiffness(free, free);
    return out;
}

} // namespace muslin
