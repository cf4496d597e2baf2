#pragma once

#include "muslin/collision/response/contact_element.h"

#include <span>

namespace muslin {

/// Coulomb's law, contact by contact, for the normal force of the last solve. What slides has the
/// friction that goes with that force, against its way; what does not, a drag so strong that it
/// creeps by the slip speed at most.
///
/// Of what is slow, one cannot tell without a solve whether it slides. The drag that gives
/// Coulomb's friction at the speed found so far never overshoots, but it takes many solves to set
/// in motion what is loaded a little more than friction holds. So a contact that a solve has sped
/// up slides on from there, until a solve turns it round; the next time it takes twice as many
/// solves in a row.
struct ContactFriction {
    /// The speed at which a contact that sticks creeps under the most that friction holds [m/s].
    double slip_speed = 1e-4;
    /// How much more firmly than it is pushed a contact that sticks is held at the most: an impact
    /// presses hard for a step, and what it would hold still all at once is torn.
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

/// What friction had in the last solve and Coulomb's law does not allow [N]: all of it where it
/// drives what it should oppose, and what holds a contact more firmly than the normal force does.
Vec3 unbalanced_friction(const ContactElement& element, const Vec3& relative_velocity);

} // namespace muslin
