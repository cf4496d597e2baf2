#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_zones.h"

namespace muslin {

/// Says in the report that impacts were left.
void report_unresolved(const ImpactZones::Report& zones, ContactReport& report);
/// Says in the report which pairs meet although what can be stopped stands still.
void report_released(const Surfaces& surfaces, const ImpactZones::Report& frozen,
                     ContactReport& report);

} // namespace muslin
