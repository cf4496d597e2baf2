#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

namespace muslin {

// A spring from a particle to a point, which pulls no harder than a limit [N].

/// The stiffness with which a pull at this offset from its point acts [N/m]: below its own where
/// the force has reached its limit. There the exact derivative has nothing along the offset; what
/// is added keeps the matrix positive definite and a step from overshooting.
template <class T>
MUSLIN_HD inline T secant_stiffness(const Vec3T<T>& offset, const T& stiffness, const T& limit) {
    const T distance = norm(offset);
    return stiffness * distance > limit ? limit / distance : stiffness;
}

/// [J].
template <class T>
MUSLIN_HD inline T pull_energy(const Vec3T<T>& offset, const T& stiffness, const T& limit) {
    const T distance = norm(offset), half(0.5);
    return stiffness * distance > limit ? limit * (distance - half * limit / stiffness)
                                        : half * stiffness * dot(offset, offset);
}

} // namespace muslin
