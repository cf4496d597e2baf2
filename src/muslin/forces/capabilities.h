#pragma once

#include "muslin/forces/force.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <array>
#include <span>
#include <vector>

// What a force can do besides its energy and its force (ForceCapabilities).

namespace muslin {

/// What an implicit step of h seconds asks of a force at a linearisation point (x, v):
/// the force extrapolated by the displacement d, f(x, v) - K d, and the matrix h^2 K + h D with
/// K = -df/dx and D = -df/dv as handed to the solver: symmetric and positive semi-definite.
struct Linearisation {
    double h;                           ///< [s]
    std::span<const Vec3> displacement; ///< d [m]
    int iteration = 0;                  ///< which of the step's solves this is for
    bool last = false;                  ///< no solve of the stage can follow
};

/// A force that can be part of an implicit system.
class LinearisedForce {
public:
    virtual ~LinearisedForce() = default;

    /// Appends the pairs of particles between which the force has matrix blocks.
    virtual void append_pairs(std::vector<std::array<int, 2>>&) const {}
    /// Called once the matrix has its pattern: the force looks its slots up.
    virtual void bind(const BlockMatrix&) {}
    /// f += f(x, v) - K d and A += h^2 K + h D; of its blocks off the diagonal, at least those
    /// above it: BlockMatrix::mirror_pairs() is called after all forces that are not adaptive.
    /// Adaptive ones add to the diagonal and to the overlay alone.
    virtual void add_linearised(const Kinematics&, const Linearisation&, std::span<Vec3> f,
                                BlockMatrix& a) const = 0;
};

/// A force that moves particles in an implicit step besides their velocities [BW98 (17)].
class AlteredPositions {
public:
    virtual ~AlteredPositions() = default;
    /// y += the move of each particle [m].
    virtual void add_alteration(std::span<Vec3> y) const = 0;
};

/// Particles in a row, which lie together, whose accelerations are judged as one: as many as those
/// over which a solve estimates its error (PcgAccuracy).
constexpr std::size_t judged_together = 256;

/// A force that is found while an implicit step is solved: what contacts bear, and which of them
/// slide, follows from the solutions. It may be another one when a step is taken again
/// (Integrator::repeat).
class AdaptiveForce {
public:
    virtual ~AdaptiveForce() = default;

    /// Whether it does anything in the step at hand.
    virtual bool is_active() const = 0;
    /// Takes the solution of a solve. Force::add_force() then gives the force that the solve had
    /// there.
    virtual void update(const Kinematics& solution) = 0;
    /// Whether the last solution is one that a stage may end with. `open`: what the mean of each
    /// patch of `judged_together` particles in a row may be off by [m/s^2].
    virtual bool has_converged(std::span<const double> open) const = 0;
};

/// A force that depends on velocities, for integrators that treat damping alone implicitly, without
/// a matrix [Bridson03 3], or ask how fast it damps.
class DampedForce {
public:
    virtual ~DampedForce() = default;

    /// Keeps what the damping depends on besides the velocities that it is multiplied by.
    virtual void cache_damping(const Kinematics&) {}
    /// f -= D w with D = -df/dv of the last cache: symmetric and positive semi-definite, the same D
    /// that add_linearised hands to the solver.
    virtual void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const = 0;
};

/// Those of some forces that are damped.
inline std::vector<DampedForce*> damped_forces(std::span<Force* const> forces) {
    std::vector<DampedForce*> out;
    for (Force* force : forces)
        if (DampedForce* damped = force->capabilities().damped)
            out.push_back(damped);
    return out;
}

/// A force that may stiffen within a frame, by elements that come to be.
class StiffeningForce {
public:
    virtual ~StiffeningForce() = default;
    /// By how much the largest eigenvalue of M^-1 K may grow before it is looked for again: a bound
    /// [1/s^2].
    virtual double added_eigenvalue() const = 0;
};

/// The same of any force.
inline double added_eigenvalue(Force& force) {
    const StiffeningForce* stiffening = force.capabilities().stiffening;
    return stiffening ? stiffening->added_eigenvalue() : 0;
}

/// A force that depends on what the cloth went through, which is part of the State.
class HistoryForce {
public:
    virtual ~HistoryForce() = default;

    /// Takes the history of the state that the next steps begin from. Called whenever that state
    /// is a new one.
    virtual void recall(const State& begin) = 0;
    /// A step of h seconds was taken to `end`, whose history is still that of the step's begin:
    /// moves it on.
    virtual void remember(double h, State& end) const = 0;
};

/// A force that keeps cloth from stretching, which step control watches.
class StretchMeasure {
public:
    virtual ~StretchMeasure() = default;
    /// The largest change of the stretch of any thread or edge, as a part of its rest length,
    /// between two sets of positions: the sign of an unstable step [BW98 7]. Infinite if any
    /// position is not finite.
    virtual double largest_stretch_change(std::span<const Vec3> from,
                                          std::span<const Vec3> to) const = 0;
};

/// A force without a finite value at some positions: a formula of the user's, or one that grows
/// beyond all numbers.
class LimitedDomain {
public:
    virtual ~LimitedDomain() = default;
    virtual bool is_defined(std::span<const Vec3> positions) const = 0;
};

/// Appends the three pairs of every triangle: what a force on triangles needs.
inline void append_triangle_pairs(std::span<const std::array<int, 3>> triangles,
                                  std::vector<std::array<int, 2>>& pairs) {
    for (const auto& [i, j, k] : triangles)
        for (const auto& pair : {std::array{i, j}, std::array{j, k}, std::array{k, i}})
            pairs.push_back(pair);
}

} // namespace muslin
