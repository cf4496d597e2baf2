#pragma once

#include "muslin/base/host_device.h"

namespace muslin {

/// How a joint pulls at its width r, which is the root of the sum of the squares of the distances
/// d_i of its particles from their middle: k r up to the limit F, and F from there on. The particle
/// i gets -(pull / r) d_i, which adds up to nothing, has no moment, and is at most F.
template <class T>
struct SeamPull {
    T secant; ///< pull / r [N/m]
    T energy; ///< [J]
};

template <class T>
MUSLIN_HD inline SeamPull<T> seam_pull(const T& width, const T& stiffness, const T& limit) {
    if (stiffness * width <= limit)
        return {stiffness, T(0.5) * stiffness * width * width};
    return {limit / width, limit * (width - T(0.5) * limit / stiffness)};
}

/// How much of the damping is that of all differences of velocity, and not only of the change of
/// the width: all within `near`, less beyond. Far apart two particles may turn about each other
/// freely, as angular momentum wants it; near they must not orbit.
template <class T>
MUSLIN_HD inline T seam_grip(const T& width, const T& near) {
    return width <= near ? T(1) : near * near / (width * width);
}

} // namespace muslin
