#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <array>

namespace muslin {

/// A strong damped spring between a vertex and a triangle, or two edges, of cloth [BW98 6], from
/// the condition C = n . sum w_i x_i - thickness, which is to be zero, by (7), (8) and (11); and a
/// drag on sliding. Normal and weights are those of the start of the step: their own derivatives
/// are left out, as they are indefinite and go with C, which is a fraction of a millimetre.
template <class T>
struct ContactSpringT {
    std::array<int, 4> points; ///< particles
    std::array<T, 4> weights;  ///< sum to zero: no net force
    Vec3T<T> normal;           ///< to the side where the first feature belongs, unit length
    T thickness;               ///< [m]
    T stiffness;               ///< k [N/m]
    T damping;                 ///< k_d [N s/m]
    T drag;                    ///< tangential [N s/m]
};
using ContactSpring = ContactSpringT<double>;

/// Force on the first feature [N]; `gap` is the difference of the places in contact [m], `slip`
/// that of their velocities [m/s]. Particle i gets its weight of it.
template <class T>
MUSLIN_HD inline Vec3T<T> contact_spring_force(const ContactSpringT<T>& s, const Vec3T<T>& gap,
                                               const Vec3T<T>& slip) {
    const T condition = dot(s.normal, gap) - s.thickness, rate = dot(s.normal, slip);
    const Vec3T<T> along = slip - rate * s.normal;
    return -(s.stiffness * condition + s.damping * rate) * s.normal - s.drag * along;
}

/// -d(force)/d(gap), symmetric and positive semi-definite [N/m].
template <class T>
MUSLIN_HD inline Mat3T<T> contact_spring_stiffness(const ContactSpringT<T>& s) {
    return s.stiffness * outer(s.normal, s.normal);
}

/// -d(force)/d(slip), symmetric and positive semi-definite [N s/m].
template <class T>
MUSLIN_HD inline Mat3T<T> contact_spring_damping(const ContactSpringT<T>& s) {
    return Mat3T<T>::diagonal(s.drag) + (s.damping - s.drag) * outer(s.normal, s.normal);
}

/// k C^2 / 2 [J].
template <class T>
MUSLIN_HD inline T contact_spring_energy(const ContactSpringT<T>& s, const Vec3T<T>& gap) {
    const T condition = dot(s.normal, gap) - s.thickness;
    return T(0.5) * s.stiffness * condition * condition;
}

} // namespace muslin
