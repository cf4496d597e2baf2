#pragma once

#include "muslin/collision/detect/contact.h"
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

/// A contact in the implicit step: a spring across, n k (target - gap), and friction along.
struct ContactElement {
    /// Known when the step starts.
    struct Start {
        int particle = -1;      ///< the first of the cloth that takes part
        double side = 1;        ///< 1 if that belongs to the first feature, -1 to the second
        double area;            ///< that the contact stands for [m^2]
        double mass;            ///< that the contact has to move [kg]
        double gap;             ///< [m]
        Vec3 offset;            ///< of the first feature along the second [m]
        Mat3 curvature;         ///< of the body: how the normal turns with a slide [1/m]
        Vec3 body_velocity;     ///< what bodies add to the difference of velocities [m/s]
        double closing = 0;     ///< speed at which the layers approach [m/s]
        bool is_impact = false; ///< impact zones met it: stiff enough to stop it in every solve
    };
    /// The plane that the layers touch along.
    struct Plane {
        Vec3 normal;      ///< where the layers are at the end of the last solve, unit length
        double still_gap; ///< the gap ahead if nothing moved, linearised there [m]
    };
    struct Pressure {
        double target;    ///< the gap at which the force is zero, linearised [m]
        double stiffness; ///< k [N/m]
        /// Normal, that lasts, of the last solve; before the first, of the last step [N].
        double force = 0;
        double borne = 0;     ///< the normal force that the last solve gave by its tangent [N]
        double gap;           ///< after the last solve; before the first, at the start [m]
        bool is_new = true;   ///< no solve has had it yet
        bool acts = false;    ///< in the solve at hand
        bool begins = false;  ///< did not act in the one before
        bool presses = false; ///< after the last solve
    };
    struct Friction {
        double limit = 0;     ///< the most that friction holds [N]
        double drag = 0;      ///< on slip, where it slides across its way alone [N s/m]
        Vec3 way = {0, 0, 0}; ///< of a contact that slides: unit length, else zero
        double slip = 0;      ///< speed by which the drag was chosen [m/s]
        int sped_up = 0;      ///< solves in a row, where it does not slide
        int patience = 1;     ///< how many of them set it sliding

        bool slides() const { return dot(way, way) > 0; }
    };

    Contact contact; ///< its normal is that of the surface at the start of the step
    Start start;
    Plane plane;
    Pressure pressure;
    Friction friction;

    /// Of the first feature against the second, of velocities of the particles [m/s].
    Vec3 relative_velocity(std::span<const Vec3> velocities) const {
        return cloth_difference(contact, velocities) + start.body_velocity;
    }
    /// The gap at the end of the step if the layers move against each other like this from its
    /// start on [m].
    double gap_ahead(const Vec3& relative_velocity, double h) const {
        return plane.still_gap + h * dot(plane.normal, relative_velocity);
    }
    /// Sets the tangent to the body's surface, to second order, at the place to which the layers
    /// slide: a plane that stays as it was at the start of the step brakes what slides round a
    /// curve.
    void follow_surface(const Vec3& relative_velocity, double h);
    /// The normal force that counts for friction, after a solve with this gap ahead [m], in which
    /// the layers part at a speed [m/s]. Layers that are pressed in too far are pushed out by more,
    /// at a speed that is taken from them again when the step ends (stop_parting).
    double lasting_force(double gap, double parting, double h) const;
    /// On the first feature [N].
    Vec3 force(const Vec3& relative_velocity, double h) const {
        const double gap = gap_ahead(relative_velocity, h);
        const Vec3 slip = tangential(relative_velocity, plane.normal);
        return (pressure.stiffness * (pressure.target - gap)) * plane.normal -
               friction.drag * tangential(slip, friction.way) - friction.limit * friction.way;
    }
    /// h^2 K + h D of the first feature against the second.
    Mat3 matrix(double h) const {
        const Vec3& n = plane.normal;
        const double across = h * h * pressure.stiffness;
        const double along = h * friction.drag;
        return Mat3::diagonal(along) + (across - along) * outer(n, n) -
               along * outer(friction.way, friction.way);
    }
};

} // namespace muslin
