#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/kernels/contact_element.h"
#include "muslin/math/vec.h"

#include <span>

namespace muslin {

/// What the particles of a contact add to the difference of a quantity; bodies are not in `a`.
inline Vec3 cloth_difference(const Contact& c, std::span<const Vec3> a) {
    Vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; ++k)
        if (c.points[k] < static_cast<int>(a.size()))
            sum += c.weights[k] * a[c.points[k]];
    return sum;
}

/// A contact in the implicit step (kernels/contact_element.h) with the points that it acts on.
struct ContactElement {
    using Start = ContactStart<double>;
    using Plane = ContactPlane<double>;
    using Pressure = PressureState<double>;
    using Friction = FrictionState<double>;

    Contact contact; ///< its normal is that of the surface at the start of the step
    Start start;
    Plane plane;
    Pressure pressure;
    Friction friction;

    /// Of the first feature against the second, of velocities of the particles [m/s].
    Vec3 relative_velocity(std::span<const Vec3> velocities) const {
        return cloth_difference(contact, velocities) + start.body_velocity;
    }
    double gap_ahead(const Vec3& relative_velocity, double h) const {
        return muslin::gap_ahead(plane, relative_velocity, h);
    }
    /// Moves the plane to where the layers slide. Not inline, as is the next: every caller gets the
    /// same rounding.
    void follow_surface(const Vec3& relative_velocity, double h);
    /// The normal force that counts for friction.
    double lasting_force(double gap, double parting, double h) const;
    /// On the first feature [N].
    Vec3 force(const Vec3& relative_velocity, double h) const {
        return contact_force(plane, pressure, friction, relative_velocity, h);
    }
    /// h^2 K + h D of the first feature against the second.
    Mat3 matrix(double h) const { return contact_matrix(plane, pressure, friction, h); }
};

} // namespace muslin
