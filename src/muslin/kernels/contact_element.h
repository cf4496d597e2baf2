#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <algorithm>

namespace muslin {

// A contact in the implicit step: a spring across, n k (target - gap), and friction along. Vectors
// are those of the first feature against the second.

/// Known when the step starts.
template <class T>
struct ContactStart {
    int particle = -1;      ///< the first of the cloth that takes part
    T side = 1;             ///< 1 if that belongs to the first feature, -1 to the second
    T area;                 ///< that the contact stands for [m^2]
    T mass;                 ///< that the contact has to move [kg]
    T gap;                  ///< [m]
    Vec3T<T> offset;        ///< of the first feature along the second [m]
    Mat3T<T> curvature;     ///< of the body: how the normal turns with a slide [1/m]
    Vec3T<T> body_velocity; ///< what bodies add to the difference of velocities [m/s]
    T closing = 0;          ///< speed at which the layers approach [m/s]
    bool is_impact = false; ///< impact zones met it: stiff enough to stop it in every solve
};

/// The plane that the layers touch along.
template <class T>
struct ContactPlane {
    Vec3T<T> normal; ///< where the layers are at the end of the last solve, unit length
    T still_gap;     ///< the gap ahead if nothing moved, linearised there [m]
};

template <class T>
struct PressureState {
    T target;    ///< the gap at which the force is zero, linearised [m]
    T stiffness; ///< k [N/m]
    /// Normal, that lasts, of the last solve; before the first, of the last step [N].
    T force = 0;
    T borne = 0;          ///< the normal force that the last solve gave by its tangent [N]
    T gap;                ///< after the last solve; before the first, at the start [m]
    bool is_new = true;   ///< no solve has had it yet
    bool acts = false;    ///< in the solve at hand
    bool begins = false;  ///< did not act in the one before
    bool presses = false; ///< after the last solve
};

template <class T>
struct FrictionState {
    T limit = 0;              ///< the most that friction holds [N]
    T drag = 0;               ///< on slip, where it slides across its way alone [N s/m]
    Vec3T<T> way = {0, 0, 0}; ///< of a contact that slides: unit length, else zero
    T slip = 0;               ///< speed by which the drag was chosen [m/s]
    int sped_up = 0;          ///< solves in a row, where it does not slide
    int patience = 1;         ///< how many of them set it sliding

    MUSLIN_HD bool slides() const { return dot(way, way) > 0; }
};

/// The gap at the end of a step of h [s] if the layers move against each other at this velocity
/// [m/s] from its start on [m].
template <class T>
MUSLIN_HD inline T gap_ahead(const ContactPlane<T>& plane, const Vec3T<T>& velocity, const T& h) {
    return plane.still_gap + h * dot(plane.normal, velocity);
}

/// Sets the tangent to the body's surface, to second order, at the place to which the layers slide
/// at this velocity [m/s] in a step of h [s]: a plane that stays as it was at the start of the step
/// brakes what slides round a curve. `normal` is that at the start.
template <class T>
MUSLIN_HD inline void follow_surface(const ContactStart<T>& start, const Vec3T<T>& normal,
                                     const Vec3T<T>& velocity, const T& h, ContactPlane<T>& plane) {
    const T largest_turn(0.5); // how far a normal is followed round a curve in one step [rad]
    Vec3T<T> slide = start.offset + h * tangential(velocity, normal);
    Vec3T<T> turn = start.curvature * slide;
    const T angle = norm(turn);
    if (angle == 0)
        return;
    if (angle > largest_turn) {
        slide *= largest_turn / angle;
        turn *= largest_turn / angle;
    }
    plane.normal = normalized(normal + turn);
    const T gap = start.gap + h * dot(normal, velocity) + T(0.5) * dot(slide, turn);
    plane.still_gap = gap - h * dot(plane.normal, velocity);
}

/// The normal force that counts for friction [N], after a solve with this gap ahead [m], in which
/// the layers, which have to move `mass` [kg], part at a speed [m/s]. Layers that are pressed in
/// too far are pushed out by more, at a speed that is taken from them again when the step of h [s]
/// ends.
template <class T>
MUSLIN_HD inline T lasting_force(const PressureState<T>& pressure, const T& mass, const T& gap,
                                 const T& parting, const T& h) {
    return std::max(T(0), pressure.stiffness * (pressure.target - gap) -
                              mass * std::max(T(0), parting) / h);
}

/// On the first feature [N], in a step of h [s].
template <class T>
MUSLIN_HD inline Vec3T<T>
contact_force(const ContactPlane<T>& plane, const PressureState<T>& pressure,
              const FrictionState<T>& friction, const Vec3T<T>& velocity, const T& h) {
    const T gap = gap_ahead(plane, velocity, h);
    const Vec3T<T> slip = tangential(velocity, plane.normal);
    return (pressure.stiffness * (pressure.target - gap)) * plane.normal -
           friction.drag * tangential(slip, friction.way) - friction.limit * friction.way;
}

/// h^2 K + h D of the first feature against the second [N s^2/m].
template <class T>
MUSLIN_HD inline Mat3T<T> contact_matrix(const ContactPlane<T>& plane,
                                         const PressureState<T>& pressure,
                                         const FrictionState<T>& friction, const T& h) {
    const Vec3T<T>& n = plane.normal;
    const T across = h * h * pressure.stiffness;
    const T along = h * friction.drag;
    return Mat3T<T>::diagonal(along) + (across - along) * outer(n, n) -
           along * outer(friction.way, friction.way);
}

} // namespace muslin
