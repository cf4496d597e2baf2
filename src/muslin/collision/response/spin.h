#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/forces/force.h"
#include "muslin/math/vec.h"
#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// Keeps the angular momentum of free cloth.
///
/// Backward Euler loses some: with x1 = x0 + h v1 and whatever forces act at x1, a step ends with
///     sum m x1 x v1 = sum m x0 x v0 + h (torque at x1) + h sum m v1 x v0,
/// which takes the part h w^2 a second of what turns at the rate w. Layers that slide on each other
/// within a step are pushed along a normal that no longer passes through both points, and a stage
/// that ends before it has converged leaves a torque, too. What is missing at the end of a step, or
/// too much, is given back as a rigid rotation about the centre of mass: it neither stretches cloth
/// nor moves layers that touch against each other.
///
/// What is pinned, pulled, bonded or touches a body is left alone.
class Spin {
public:
    explicit Spin(const Model& model);

    /// Begins with a step that ends there, in which nothing is known to touch. What is pulled or
    /// bonded at its end is held.
    void start(const std::vector<Pull>& pulls, const State& end);
    void join(int a, int b) { join_pieces(piece_[a], piece_[b]); } ///< two particles touch
    void hold(int a) { held_[piece_[a]] = 1; }
    /// All cloth that takes part in a contact touches; with a body it is held.
    void touch(const Contact& contact);
    /// Adds the rotations to the velocities of `end`, to which a step of h seconds led.
    void restore(const State& begin, double h, std::span<const std::unique_ptr<Force>> forces,
                 State& end);

private:
    /// Pieces that touch each other.
    struct Group {
        double mass = 0;
        Vec3 centre[2] = {}, velocity[2] = {}; ///< at the start and the end [m], [m/s]
        Mat3 inertia = Mat3::zero();           ///< at the end [kg m^2]
        Vec3 missing = {0, 0, 0};              ///< angular momentum [kg m^2/s]
        Vec3 rate = {0, 0, 0};                 ///< of the rotation that gives it back [rad/s]
    };

    int root(int piece) const;
    void join_pieces(int a, int b);
    bool spread_holds();
    void find_groups(const State& begin, double h, const State& end);

    const Model& model_;
    std::vector<int> piece_;         ///< of each particle: what triangles, links and seams connect
    std::vector<int> parent_;        ///< per piece; that of a group's first piece is itself
    std::vector<std::uint8_t> held_; ///< per piece
    std::vector<Group> groups_;      ///< per piece: those of first pieces are used
    std::vector<Vec3> outer_;        ///< forces from outside at the end of the step [N]
};

} // namespace muslin
