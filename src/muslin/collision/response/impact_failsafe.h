#pragma once

#include "muslin/collision/response/contact_finder.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_zones.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/collision/response/tangles.h"

#include <span>
#include <vector>

namespace muslin {

/// The last line of a step: nothing crosses on the way to its end but what has no room. Impact
/// zones stop what meets; what they cannot keep apart in the last try stands still for the step,
/// and if it meets all the same its contacts are released (Tangles).
class ImpactFailsafe {
public:
    /// The pairs that can meet are those of the finder.
    ImpactFailsafe(const Surfaces& surfaces, ContactFinder& finder, Tangles& tangles,
                   const ImpactZoneSettings& settings);

    /// Changes points.end until nothing crosses on the way to it, or until that is given up.
    /// The report gets the number of impacts and the particle that was moved furthest.
    void stop_impacts(StepPoints& points, const Mobility& mobility, ContactReport& report);
    /// The contacts that impulses of the last call acted on.
    std::span<const Contact> impacts() const { return impacts_; }
    /// How far the last call moved a particle at most [m].
    double largest_move() const { return largest_move_; }
    /// Whether it left none.
    bool resolved() const { return zones_report_.resolved; }

    /// After it: true where the step can end like this. Impacts that are left make it shorter; in
    /// the last try the particles that have them stand still, and what meets all the same is
    /// released.
    bool accept_or_release(const ProposedStep& step, StepPoints& points, const Mobility& mobility,
                           ContactReport& report);

private:
    const Surfaces& surfaces_;
    Tangles& tangles_;
    ImpactZones zones_;
    ImpactZones::Report zones_report_;
    std::vector<Contact> impacts_;
    double largest_move_ = 0;
};

} // namespace muslin
