#pragma once

#include "muslin/linalg/block_matrix.h"
#include "muslin/math/vec.h"
#include "muslin/model/model.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace muslin {

/// Where forces are evaluated.
struct Kinematics {
    std::span<const Vec3> positions;  ///< [m]
    std::span<const Vec3> velocities; ///< [m/s]
};

/// What an implicit step of h seconds asks of a force at a linearisation point (x, v):
/// the force extrapolated by the displacement d, f(x, v) - K d, and the matrix h^2 K + h D with
/// K = -df/dx and D = -df/dv as handed to the solver: symmetric and positive semi-definite.
struct Linearisation {
    double h;                           ///< [s]
    std::span<const Vec3> displacement; ///< d [m]
    int iteration = 0;                  ///< which of the step's solves this is for
    bool last = false;                  ///< no solve of the stage can follow
};

/// Particles in a row, which lie together, whose accelerations are judged as one: as many as those
/// over which a solve estimates its error (PcgAccuracy).
constexpr std::size_t judged_together = 256;

/// A force on particles. It holds no history of its own: what it computes follows from its
/// arguments, from the time it was last prepared for and from the history it was last told.
///
/// Every sum over elements has a fixed order that does not depend on the number of threads.
class Force {
public:
    virtual ~Force() = default;

    virtual std::string_view name() const = 0;

    /// Appends the pairs of particles between which the force has matrix blocks.
    virtual void append_pairs(std::vector<std::array<int, 2>>&) const {}
    /// Called once the matrix has its pattern: the force looks its slots up.
    virtual void bind(const BlockMatrix&) {}
    /// Sets the time [s] for which time-dependent parameters are taken.
    virtual void prepare(double) {}

    /// Takes the history of the state that the next steps begin from, where the force depends on
    /// what the cloth went through. Called whenever that state is a new one.
    virtual void recall(const State& /*begin*/) {}
    /// A step of h seconds was taken to `end`, whose history is still that of the step's begin:
    /// moves it on.
    virtual void remember(double /*h*/, State& /*end*/) const {}

    /// y += where contact moves particles in the step besides their velocities [m] [BW98 (17)].
    virtual void add_alteration(std::span<Vec3>) const {}

    /// Whether the force has a finite value at these positions. Only a formula of the user's, or
    /// one that grows beyond all numbers, does not.
    virtual bool is_defined(std::span<const Vec3>) const { return true; }
    /// Potential energy [J]; zero for forces that have none.
    virtual double energy(std::span<const Vec3>) const { return 0; }
    /// f += f(x, v) [N].
    virtual void add_force(const Kinematics&, std::span<Vec3> f) const = 0;
    /// f += f(x, v) - K d and A += h^2 K + h D; of its blocks off the diagonal, at least those
    /// above it: BlockMatrix::finish() is called after all forces that do not learn. What learns
    /// adds to the diagonal and to the overlay alone.
    virtual void add_linearised(const Kinematics&, const Linearisation&, std::span<Vec3> f,
                                BlockMatrix& a) const = 0;

    /// Whether something besides the cloth may exert it: it can move cloth as a whole, and turn it.
    virtual bool comes_from_outside() const { return false; }

    /// Whether the force may be another one when a step is taken again (Integrator::repeat).
    virtual bool learns() const { return false; }
    /// Whether it does anything in the step at hand, where the force learns.
    virtual bool acts() const { return false; }
    /// Told the solution of every solve, where the force learns; add_force() then gives the force
    /// that the solve had there.
    virtual void note_solution(const Kinematics&) {}
    /// Whether the last solution is one that a stage may end with, where the force learns. `open`:
    /// what the mean of each patch of `judged_together` particles in a row may be off by [m/s^2].
    virtual bool has_settled(std::span<const double> /*open*/) const { return true; }

    // For integrators that treat damping alone implicitly, without a matrix [Bridson03 3].
    /// Keeps what the damping depends on besides the velocities that it is multiplied by.
    virtual void cache_damping(const Kinematics&) {}
    /// f -= D w with D = -df/dv of the last cache: symmetric and positive semi-definite, the same D
    /// that add_linearised hands to the solver.
    virtual void add_damping(std::span<const Vec3> /*w*/, std::span<Vec3> /*f*/) const {}
    /// By how much the largest eigenvalue of M^-1 K may grow before it is looked for again, by
    /// elements that come to be: a bound [1/s^2].
    virtual double added_eigenvalue() const { return 0; }
};

/// Appends the three pairs of every triangle: what a force on triangles needs.
inline void append_triangle_pairs(std::span<const std::array<int, 3>> triangles,
                                  std::vector<std::array<int, 2>>& pairs) {
    for (const auto& [i, j, k] : triangles)
        for (const auto& pair : {std::array{i, j}, std::array{j, k}, std::array{k, i}})
            pairs.push_back(pair);
}

} // namespace muslin
