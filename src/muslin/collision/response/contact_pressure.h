#pragma once

namespace muslin {

/// What is left of the thickness when pressure has done its most: below, impact zones act.
inline constexpr double thinnest_pressed = 0.05;

/// The law by which layers that are nearer than their thickness press on each other:
/// p = softness d / (1 - d) for the part d of the thickness that is pressed in, times the area that
/// a contact stands for. Cloth yields easily at first and then hardly at all.
struct PressureLaw {
    double softness = 200; ///< the pressure that presses two layers to half their thickness [Pa]

    /// Of a contact.
    struct Layers {
        double thickness; ///< [m]
        double area;      ///< that the contact stands for [m^2]
    };
    /// The force near a gap: stiffness (target - gap) [N].
    struct Tangent {
        double stiffness; ///< [N/m]
        double target;    ///< the gap at which the tangent is zero [m]
    };

    /// The gap to which a normal force [N] presses the layers [m].
    double gap_under(double force, const Layers& of) const;
    /// What is stored at a gap [J].
    double energy(double gap, const Layers& of) const;
    Tangent tangent(double gap, const Layers& of) const;
};

} // namespace muslin
