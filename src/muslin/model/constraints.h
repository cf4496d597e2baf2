#pragma once

#include "muslin/linalg/filter.h"
#include "muslin/model/conditions.h"
#include "muslin/model/state.h"

#include <array>
#include <vector>

namespace muslin {

/// A particle held in one, two or three orthonormal directions over one step [BW98 5.1].
struct ParticleConstraint {
    int particle = 0;
    int count = 0;      ///< directions held
    Vec3 direction[3];  ///< orthonormal
    double velocity[3]; ///< to have along each at the end of the step [m/s]
    double position[3]; ///< coordinate to have along each at the end of the step [m]
    int source = -1;    ///< the pin it came from first, for reports
    /// Within the step, where it is known: the coordinate to have half-way [m], and the velocities
    /// of the path itself half-way and at the end [m/s] (`velocity` is the mean of the step).
    bool has_path = false;
    double middle[3] = {0, 0, 0};
    double middle_velocity[3] = {0, 0, 0};
    double end_velocity[3] = {0, 0, 0};
};

/// The constraints of one step in the order of particles, each particle once.
///
/// Several constraints on one particle are merged: a later one acts in the directions that the
/// earlier ones leave free.
class ConstraintSet {
public:
    void clear() { constraints_.clear(); }
    /// Whether what pins that move ask for within the step is found too: for integrators of higher
    /// order (Integrator::follows_paths).
    void keep_paths(bool keep) { keep_paths_ = keep; }
    /// Adds what `pin` asks of its particles over a step from `begin` of h seconds.
    void add_pin(const Pin& pin, int source, const State& begin, double h);
    void add(const ParticleConstraint& constraint) { constraints_.push_back(constraint); }
    /// The constraints of another set after a part of its step of h seconds from `begin`: held
    /// coordinates are on a straight way to their places.
    void set_part(const ConstraintSet& whole, double part, std::span<const Vec3> begin, double h);
    /// Sorts and merges; to be called once after the last add.
    void merge_by_particle();

    const std::vector<ParticleConstraint>& list() const { return constraints_; }

    /// S_i of the constrained particles [BW98 (13)].
    void make_filter(Filter& filter) const;
    /// z: the change of velocity along held directions; others are left as they are [BW98 (14)].
    void set_velocity_change(std::span<const Vec3> velocities, std::span<Vec3> z) const;
    /// y: what brings held coordinates exactly to their place, given the velocity they will have
    /// [BW98 (17)]; others are left as they are.
    void set_position_alteration(std::span<const Vec3> positions, double h,
                                 std::span<Vec3> y) const;

private:
    std::vector<ParticleConstraint> constraints_;
    // Kept for their memory: merge_by_particle() sorts by particle, then in the order of adding.
    std::vector<std::array<int, 2>> order_;
    std::vector<ParticleConstraint> sorted_;
    bool keep_paths_ = false;
};

} // namespace muslin
