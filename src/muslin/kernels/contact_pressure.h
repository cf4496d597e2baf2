#pragma once

#include "muslin/base/host_device.h"

#include <algorithm>
#include <cmath>

namespace muslin {

// The law by which layers that are nearer than their thickness press on each other:
// p = softness d / (1 - d) for the part d of the thickness that is pressed in, times the area that
// a contact stands for. Cloth yields easily at first and then hardly at all. `softness` is the
// pressure that presses two layers to half their thickness [Pa].

/// What is left of the thickness when pressure has done its most: below, impact zones act.
inline constexpr double thinnest_pressed = 0.05;

/// Two layers in contact.
template <class T>
struct PressedLayers {
    T thickness; ///< [m]
    T area;      ///< that the contact stands for [m^2]
};

/// The force near a gap: stiffness (target - gap) [N].
template <class T>
struct PressureTangent {
    T stiffness; ///< [N/m]
    T target;    ///< the gap at which the tangent is zero [m]
};

/// 1 - d at a gap [m].
template <class T>
MUSLIN_HD inline T part_left(const T& gap, const PressedLayers<T>& of) {
    return std::clamp(gap / of.thickness, T(thinnest_pressed), T(1));
}

/// The gap to which a normal force [N] presses the layers [m].
template <class T>
MUSLIN_HD inline T gap_under(const T& force, const PressedLayers<T>& of, const T& softness) {
    const T resting = softness * of.area;
    return of.thickness * resting / (resting + force);
}

/// What is stored at a gap [J].
template <class T>
MUSLIN_HD inline T pressure_energy(const T& gap, const PressedLayers<T>& of, const T& softness) {
    const T left = part_left(gap, of);
    return softness * of.area * of.thickness * (left - 1 - std::log(left));
}

template <class T>
MUSLIN_HD inline PressureTangent<T> pressure_tangent(const T& gap, const PressedLayers<T>& of,
                                                     const T& softness) {
    const T left = part_left(gap, of);
    const T pressure = softness * (1 - left) / left;
    const T stiffness = of.area * softness / (of.thickness * left * left);
    return {stiffness, of.thickness * left + of.area * pressure / stiffness};
}

} // namespace muslin
