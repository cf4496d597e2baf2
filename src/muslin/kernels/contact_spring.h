#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <array>

namespace muslin {

/// A strong damped spring between a vertex and a triangle, or two edges, of cloth [BW98 6], from
/// the condition C = n . sum w_i x_i - thickness, which is to be zero, by (7), (8) and (11); and a
/// drag on sliding. Normal and weights are those of the begin of the step: their own derivatives
/// are left out, as they are indefinite and go with C, which is a fraction of a millimetre.
struct ContactSpring {
    std::array<int, 4> points;     ///< particles
    std::array<double, 4> weights; ///< sum to zero: no net force
    Vec3 normal;                   ///< to the side where the first feature belongs, unit length
    double thickness;              ///< [m]
    double stiffness;              ///< k [N/m]
    double damping;                ///< k_d [N s/m]
    double drag;                   ///< tangential [N s/m]
};

/// Force on the first feature [N]; `gap` is the difference of the places in contact [m], `slip`
/// that of their velocities [m/s]. Particle i gets its weight of it.
MUSLIN_HD inline Vec3 contact_spring_force(const ContactSpring& s, const Vec3& gap,
                                           const Vec3& slip) {
    const double condition = dot(s.normal, gap) - s.thickness, rate = dot(s.normal, slip);
    const Vec3 along = slip - rate * s.normal;
    return -(s.stiffness * condition + s.damping * rate) * s.normal - s.drag * along;
}

/// -d(force)/d(gap), symmetric and positive semi-definite [N/m].
MUSLIN_HD inline Mat3 contact_spring_stiffness(const ContactSpring& s) {
    return s.stiffness * outer(s.normal, s.normal);
}

/// -d(force)/d(slip), symmetric and positive semi-definite [N s/m].
MUSLIN_HD inline Mat3 contact_spring_damping(const ContactSpring& s) {
    return Mat3::diagonal(s.drag) + (s.damping - s.drag) * outer(s.normal, s.normal);
}

/// k C^2 / 2 [J].
MUSLIN_HD inline double contact_spring_energy(const ContactSpring& s, const Vec3& gap) {
    const double condition = dot(s.normal, gap) - s.thickness;
    return 0.5 * s.stiffness * condition * condition;
}

} // namespace muslin
