#pragma once

#include "muslin/collision/response/contact_element.h"
#include "muslin/kernels/contact_friction.h"

#include <span>

namespace muslin {

/// Coulomb's law, contact by contact, by kernels/contact_friction.h: compiled once, so that every
/// caller gets the same rounding.
struct ContactFriction {
    /// The speed at which a contact that sticks creeps under the most that friction holds [m/s].
    double slip_speed = 1e-4;
    /// How much more firmly than it is pushed a contact that sticks is held at the most.
    double stick = 10;

    /// What an element is told of the next solve.
    struct Solve {
        double h;        ///< of the step [s]
        bool last;       ///< no solve can follow: nothing is set sliding any more
        double crowding; ///< of the particle of the element (ContactElements::crowding)
    };
    /// Sets the friction of an element, where it acts, by the velocities of particles [m/s].
    void choose(ContactElement& element, std::span<const Vec3> velocities,
                const Solve& solve) const;

private:
    bool slides_on(const ContactElement& element, const Vec3& slip, const Solve& solve) const;
};

/// What friction had in the last solve and Coulomb's law does not allow [N].
Vec3 unbalanced_friction(const ContactElement& element, const Vec3& relative_velocity);

} // namespace muslin
