#pragma once

#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/motion_bound.h"
#include "muslin/collision/detect/oriented_contact.h"
#include "muslin/collision/response/impact_zones.h"
#include "muslin/collision/spheres/spread_contact.h"

#include <span>
#include <vector>

namespace muslin {

struct BodySweepSettings {
    /// Whether points of cloth against standing triangles by [Ohta95 (4)] are all that is tested.
    bool points_alone = false;
    ImpactZoneSettings zones;
    int updates_aimed = 24; ///< searches are to come this many steps apart
};

/// Cloth against bodies by what meets on the way of a step [Ohta95, Collision detection]: points of
/// cloth and triangles of bodies, and beyond the paper points of bodies and triangles of cloth, and
/// edges, all of them moving, by a test that misses nothing (kernels/continuous.h).
///
/// Pairs that can meet are listed with a margin and searched again when a point has left it; the
/// contacts found do not depend on when that was.
class BodySweep {
public:
    BodySweep(const Surfaces& surfaces, const BodySweepSettings& settings);

    /// Appends the contacts of the way from `begin` to `end` (all points; `begin` must stay where
    /// it is in memory): what is near and what would meet.
    void append(std::span<const Vec3> begin, std::span<const Vec3> end,
                std::vector<Oriented<SpreadContact>>& out);

    /// The last line: changes `end` until no cloth meets a body on the way. Of points alone:
    /// changes nothing.
    ImpactZones::Report stop(std::span<const Vec3> begin, std::span<const Vec3> solved,
                             const Mobility& mobility, std::span<Vec3> end);
    /// See ImpactZones::freeze.
    ImpactZones::Report freeze(std::span<const Vec3> begin, const Mobility& mobility,
                               std::span<Vec3> end) {
        return zones_.freeze(begin, mobility, end);
    }

    long updates() const { return updates_; }
    long searches() const { return searches_; }

private:
    void update(std::span<const Vec3> begin, std::span<const Vec3> end);
    void choose_margin(double moved);
    double largest_way(std::span<const Vec3> begin, std::span<const Vec3> end);
    bool touches(Contact& contact, std::span<const Vec3> begin, std::span<const Vec3> end,
                 double way) const;
    bool sweeps_into(Contact& contact, std::span<const Vec3> begin,
                     std::span<const Vec3> end) const;

    const Surfaces& surfaces_;
    BodySweepSettings settings_;
    Detector detector_;
    Candidates candidates_;
    ImpactZones zones_;
    MotionBound motion_;
    MotionBound step_; ///< of one step
    double margin_, largest_ = 0;
    long updates_ = 0, searches_ = 0, since_search_ = 0;
    std::vector<std::vector<Contact>> found_;
};

} // namespace muslin
