#pragma once

#include "muslin/forces/force.h"

#include <span>

namespace muslin {

/// A force that is a sum over elements of a few particles each, any of which can be evaluated
/// without the others: what an integrator needs that does not evaluate all of them in every step
/// [Volino95 3.2].
class ElementForce {
public:
    virtual ~ElementForce() = default;

    /// Particles of one element: 3 of a triangle, 4 of a hinge.
    virtual int corners() const = 0;
    /// The particles of all elements, `corners()` of each after the other.
    virtual std::span<const int> element_particles() const = 0;
    /// out[corners() e + k] = the force on corner k of element e [N], for each e of `elements`;
    /// the forces of an element add up to nothing, and so do their moments. Elements may be
    /// evaluated in parallel. The rest of `out` is left alone.
    virtual void corner_forces(std::span<const int> elements, const Kinematics& at,
                               std::span<Vec3> out) const = 0;
};

} // namespace muslin
