#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/kernels/contact_spring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct ClothContactSettings {
    /// Of the springs, per area [Pa/m]: woven cloth yields about 0.1 mm to 1 kPa. A hundredth of it
    /// gives way where folds are forced together.
    double stiffness = 1e7;
    /// Damping over stiffness [s].
    double damping_time = 0.005;
    /// Sliding speed at which the drag is friction times the spring's force [m/s].
    double slip_speed = 0.1;
    /// How fast position alteration moves crossed places apart, at most [m/s]: a smaller step is to
    /// change less, or a rejected one could not be mended.
    double recovery = 1;
};

/// Contact of cloth with cloth by springs [BW98 2.4, 6, 6.2]. Pairs that are closer than their
/// thickness, that would cross if they went on as they do, or that have crossed since they were
/// last seen apart, are pushed to the side where they belong. Pairs that have crossed are also
/// moved there by position alteration. A spring stays until it would pull, as a constraint on a
/// body does: layers at rest move by less than the weight of a step lets them fall.
class ClothContact {
public:
    ClothContact(const Surfaces& surfaces, Detector& detector, ClothContactSettings settings);

    /// Finds the springs of a step of h seconds in which all points go from `begin` to `end` by
    /// themselves.
    void sense(std::span<const Vec3> begin, std::span<const Vec3> end, double h,
               const Mobility& mobility, const ClothMemory& memory);
    std::span<const ContactSpring> springs() const { return springs_; }
    /// y of the particles [m] [BW98 (17)].
    std::span<const Vec3> alteration() const { return alteration_; }

    /// Writes what the next step is to remember of this one, which went from `begin` to `end`.
    /// Returns how many pairs it has made cross.
    int follow(std::span<const Vec3> begin, std::span<const Vec3> end, ClothMemory& memory);

private:
    struct Found {
        std::uint64_t key;
        ContactSpring spring;
    };
    void find(std::span<const Vec3> begin, std::span<const Vec3> end,
              std::span<const std::uint64_t> pushing);
    bool set_crossed(Contact& contact, std::span<const Vec3> begin, double side) const;
    bool set_near(Contact& contact, std::span<const Vec3> begin, std::span<const Vec3> end,
                  bool pushing) const;
    ContactSpring make_spring(const Contact& contact, std::span<const Vec3> begin) const;
    void alter(std::span<const Vec3> begin, double h, const Mobility& mobility);

    const Surfaces& surfaces_;
    Detector& detector_;
    ClothContactSettings settings_;
    double margin_ = 0; ///< of the search [m]
    Candidates candidates_;
    std::vector<std::vector<Found>> found_;
    std::vector<std::vector<CrossedPair>> crossing_;
    std::vector<ContactSpring> springs_;     ///< those of crossed pairs first
    std::vector<std::uint64_t> keys_;        ///< of their pairs
    std::vector<CrossedPair> still_crossed_; ///< one for each of these
    std::vector<int> crowding_;
    std::vector<Vec3> alteration_;
};

} // namespace muslin
