#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/model/state.h"

#include <span>
#include <vector>

namespace muslin {

/// Where all points are in a step whose end is to be corrected, in the order of Surfaces. Bodies
/// are placed by whoever has them.
struct CorrectedPoints {
    std::vector<Vec3> begin, end; ///< [m]
    std::vector<Vec3> velocities; ///< at the end [m/s]

    explicit CorrectedPoints(const Surfaces& surfaces);

    /// Particles where a state has them, at the start or at the end of the step.
    void start(const State& state);
    void propose(std::span<const Vec3> positions, std::span<const Vec3> velocities);
    /// The velocities at which bodies go from `begin` to `end` within h seconds.
    void move_bodies(std::size_t particles, double h);
    /// The largest of these speeds, from begin to end alone [m/s].
    double largest_body_speed(std::size_t particles, double h) const;
    /// Hands the particles back.
    void hand_over(std::span<Vec3> positions, std::span<Vec3> velocities) const;
};

/// The largest norm of some vectors.
double largest_norm(std::span<const Vec3> vectors);

} // namespace muslin
