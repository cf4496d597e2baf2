#pragma once

#include "muslin/base/profile.h"
#include "muslin/math/vec.h"

#include <span>

namespace muslin {

/// Resolves collisions wherever an integrator evaluates forces, not only at the ends of its steps:
/// "each function evaluation involves ... checking for collisions and self-collisions, and
/// resolving any existing collisions" [Bayraktar07 2].
class EvaluationCorrector {
public:
    virtual ~EvaluationCorrector() = default;

    /// Changes positions [m] and velocities [m/s] of an evaluation at `time` [s]. Held particles
    /// are put back by the caller.
    virtual void correct(double time, std::span<Vec3> positions, std::span<Vec3> velocities,
                         Profile& profile) = 0;
};

} // namespace muslin
