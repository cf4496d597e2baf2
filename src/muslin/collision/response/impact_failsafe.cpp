#include "muslin/collision/response/impact_failsafe.h"

#include "muslin/collision/response/impact_report.h"

namespace muslin {

ImpactFailsafe::ImpactFailsafe(const Surfaces& surfaces, ContactFinder& finder, Tangles& tangles,
                               const ImpactZoneSettings& settings)
    : surfaces_(surfaces), tangles_(tangles),
      zones_(surfaces, finder.detector(), finder.candidates(), settings) {}

void ImpactFailsafe::stop_impacts(StepPoints& points, const Mobility& mobility,
                                  ContactReport& report) {
    zones_.set_ignored(tangles_.released_marks());
    zones_report_ = zones_.resolve(points.begin, points.solved, mobility, points.end);
    report.impacts = zones_report_.impacts;
    impacts_.clear();
    largest_move_ = 0;
    if (report.impacts == 0)
        return;
    zones_.append_impacts(impacts_);
    const StepPoints::Move largest = points.largest_move(surfaces_.particle_count());
    largest_move_ = largest.length;
    report.particle = largest.particle;
}

bool ImpactFailsafe::accept_or_release(const ProposedStep& step, StepPoints& points,
                                       const Mobility& mobility, ContactReport& report) {
    if (resolved())
        return true;
    if (!step.last_try) {
        report_unresolved(zones_report_, report);
        return false;
    }
    const ImpactZones::Report frozen = zones_.freeze(points.begin, mobility, points.end);
    report_released(surfaces_, frozen, report);
    for (const FeaturePair& pair : frozen.unresolved_vertex_face)
        tangles_.release(make_contact(surfaces_, pair, false).points);
    for (const FeaturePair& pair : frozen.unresolved_edge_edge)
        tangles_.release(make_contact(surfaces_, pair, true).points);
    return true;
}

} // namespace muslin
