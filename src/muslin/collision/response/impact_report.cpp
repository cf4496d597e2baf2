#include "muslin/collision/response/impact_report.h"

#include <fmt/format.h>

namespace muslin {

void report_unresolved(const ImpactZones::Report& zones, ContactReport& report) {
    report.resolved = false;
    report.reason =
        fmt::format("{} impacts were left after {} rounds", zones.impacts, zones.rounds);
}

void report_released(const Surfaces& surfaces, const ImpactZones::Report& frozen,
                     ContactReport& report) {
    const auto say = [&](int first, int second) {
        report.released.push_back(fmt::format("{}, triangle {} and {}, triangle {}",
                                              surfaces.owner_of_triangle(first), first,
                                              surfaces.owner_of_triangle(second), second));
    };
    for (const FeaturePair& pair : frozen.unresolved_vertex_face)
        say(surfaces.triangle_of_point(pair.first), pair.second);
    for (const FeaturePair& pair : frozen.unresolved_edge_edge)
        say(surfaces.triangle_of_edge(pair.first), surfaces.triangle_of_edge(pair.second));
}

} // namespace muslin
