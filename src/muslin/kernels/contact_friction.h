#pragma once

#include "muslin/kernels/contact_element.h"

#include <algorithm>

namespace muslin {

// Coulomb's law, contact by contact, for the normal force of the last solve. What slides has the
// friction that goes with that force, against its way; what does not, a drag so strong that it
// creeps by the slip speed at most.
//
// Of what is slow, one cannot tell without a solve whether it slides. The drag that gives Coulomb's
// friction at the speed found so far never overshoots, but it takes many solves to set in motion
// what is loaded a little more than friction holds. So a contact that a solve has sped up slides on
// from there, until a solve turns it round; the next time it takes twice as many solves in a row.

template <class T>
struct CoulombLaw {
    /// The speed at which a contact that sticks creeps under the most that friction holds [m/s].
    T slip_speed;
    /// How much more firmly than it is pushed a contact that sticks is held at the most: an impact
    /// presses hard for a step, and what it would hold still all at once is torn.
    T stick;
};

/// What friction is told of a contact and of the next solve.
template <class T>
struct FrictionSolve {
    T h;           ///< of the step [s]
    bool last;     ///< no solve can follow: nothing is set sliding any more
    T crowding;    ///< sum of the weights of the contacts at its particle
    T mass;        ///< that the contact has to move [kg]
    T coefficient; ///< mu, Coulomb
};

/// The speed [m/s] for which a drag is chosen: that at hand; or, where solve after solve slows the
/// contact down, the next of that sequence. Otherwise, what friction can only just hold would slow
/// down by a tenth per solve.
template <class T>
MUSLIN_HD inline T speed_ahead(const FrictionState<T>& friction, const T& speed) {
    return friction.slip > speed ? speed * speed / friction.slip : speed;
}

/// Whether a contact slides in the next solve; `slip` is its velocity along the plane [m/s].
template <class T>
MUSLIN_HD inline bool slides_on(const FrictionState<T>& friction, const PressureState<T>& pressure,
                                const Vec3T<T>& slip, const CoulombLaw<T>& law,
                                const FrictionSolve<T>& solve) {
    const T speed = norm(slip);
    if (solve.last || speed <= law.slip_speed)
        return false;
    if (pressure.begins) // friction cannot stop it in this step
        return speed * solve.mass > solve.h * solve.coefficient * pressure.force * solve.crowding;
    return friction.slides() ? dot(friction.way, slip) > 0 : friction.sped_up >= friction.patience;
}

/// Counts the solves in a row that sped a contact up, to this speed [m/s].
template <class T>
MUSLIN_HD inline void count_speeding(const PressureState<T>& pressure, const T& speed,
                                     FrictionState<T>& friction) {
    if (pressure.begins) {
        friction.sped_up = 0;
        friction.slip = speed;
    }
    friction.sped_up = speed > friction.slip ? friction.sped_up + 1 : 0;
}

/// Sets the friction of a contact that acts, and slides or not, with this velocity along the plane
/// and its length [m/s].
template <class T>
MUSLIN_HD inline void set_friction(const PressureState<T>& pressure, bool slides,
                                   const Vec3T<T>& slip, const T& speed, const CoulombLaw<T>& law,
                                   const FrictionSolve<T>& solve, FrictionState<T>& friction) {
    if (!slides && friction.slides()) {
        friction.patience *= 2;
        friction.sped_up = 0;
    }
    friction.way = slides ? (1 / speed) * slip : Vec3T<T>{0, 0, 0};
    friction.limit = solve.coefficient * pressure.force;
    friction.drag =
        std::min(friction.limit / std::max(speed_ahead(friction, speed), law.slip_speed),
                 law.stick * solve.h * pressure.stiffness);
    friction.slip = speed;
}

/// The friction of a contact that acts, for the next solve.
template <class T>
MUSLIN_HD inline void choose_friction(const PressureState<T>& pressure, const Vec3T<T>& slip,
                                      const CoulombLaw<T>& law, const FrictionSolve<T>& solve,
                                      FrictionState<T>& friction) {
    const T speed = norm(slip);
    count_speeding(pressure, speed, friction);
    set_friction(pressure, slides_on(friction, pressure, slip, law, solve), slip, speed, law, solve,
                 friction);
}

/// What friction had in the last solve and Coulomb's law does not allow [N]: all of it where it
/// drives what it should oppose, and what holds a contact more firmly than the normal force does.
/// `velocity` is that of the first feature against the second [m/s].
template <class T>
MUSLIN_HD inline Vec3T<T> unbalanced_friction(const FrictionState<T>& friction,
                                              const ContactPlane<T>& plane,
                                              const PressureState<T>& pressure,
                                              const T& coefficient, const Vec3T<T>& velocity) {
    if (friction.slides())
        return dot(friction.way, velocity) < 0 ? friction.limit * friction.way : Vec3T<T>{0, 0, 0};
    const Vec3T<T> slip = tangential(velocity, plane.normal);
    const T speed = norm(slip), beyond = friction.drag * speed - coefficient * pressure.force;
    return beyond > 0 ? (beyond / speed) * slip : Vec3T<T>{0, 0, 0};
}

} // namespace muslin
