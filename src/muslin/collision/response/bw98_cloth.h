#pragma once

#include "muslin/collision/contact.h"
#include "muslin/collision/detector.h"
#include "muslin/collision/response/contact_spring.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/surfaces.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct ClothContactSettings {
    /// Of the springs, per area [Pa/m]: a layer's own weight (1.5 Pa) presses it in by 15 um.
    double stiffness = 1e5;
    /// Damping over stiffness [s].
    double damping_time = 0.005;
    /// Sliding speed at which the drag is friction times the spring's force [m/s].
    double slip_speed = 0.1;
    /// The furthest that position alteration moves two crossed places apart in a step [m].
    double largest_jump = 0.01;
};

/// A pair of features that went through each other and is not back yet.
struct CrossedPair {
    std::uint64_t key; ///< Contact::key()
    FeaturePair pair;
    bool edges;
    double side; ///< +1 where the first feature belongs on the side of the normal, cross(u, v) of
                 ///< the face's sides or of the two edges; -1 on the other
};

/// Contact of cloth with cloth by springs [BW98 2.4, 6, 6.2]. Pairs that are closer than their
/// thickness, that would cross if they went on as they do, or that have crossed since they were
/// last seen apart, are pushed to the side where they belong. Pairs that have crossed are also
/// moved there by position alteration.
class ClothContact {
public:
    ClothContact(const Surfaces& surfaces, Detector& detector, ClothContactSettings settings)
        : surfaces_(surfaces), detector_(detector), settings_(settings) {}

    /// Finds the springs of a step in which all points go from `begin` to `end` by themselves.
    /// `crossed` is in the order of its keys.
    void sense(std::span<const Vec3> begin, std::span<const Vec3> end, const Mobility& mobility,
               std::span<const CrossedPair> crossed);
    std::span<const ContactSpring> springs() const { return springs_; }
    /// y of the particles [m] [BW98 (17)].
    std::span<const Vec3> alteration() const { return alteration_; }

    /// Writes the pairs that are on their wrong sides after a step from `begin` to `end`, and
    /// returns how many of them the step has made so.
    int follow(std::span<const Vec3> begin, std::span<const Vec3> end,
               std::vector<CrossedPair>& crossed);

private:
    void find(std::span<const Vec3> begin, std::span<const Vec3> end);
    bool set_crossed(Contact& contact, std::span<const Vec3> begin, double side) const;
    bool set_near(Contact& contact, std::span<const Vec3> begin, std::span<const Vec3> end) const;
    ContactSpring make_spring(const Contact& contact, std::span<const Vec3> begin) const;
    void alter(std::span<const Vec3> begin, const Mobility& mobility);
    Contact candidate(std::size_t k) const;

    const Surfaces& surfaces_;
    Detector& detector_;
    ClothContactSettings settings_;
    Candidates candidates_;
    std::vector<std::vector<ContactSpring>> found_;
    std::vector<std::vector<CrossedPair>> crossing_;
    std::vector<ContactSpring> springs_;     ///< those of crossed pairs first
    std::vector<CrossedPair> still_crossed_; ///< one for each of these
    std::vector<int> crowding_;
    std::vector<Vec3> alteration_;
};

} // namespace muslin
