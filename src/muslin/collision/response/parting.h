#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_elements.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/model/state.h"

namespace muslin {

/// Takes from layers that pushed each other apart the speed at which they part: what is too close
/// moves out without being thrown [BW98 6.2]. Changes the velocities of `end`, which has its final
/// positions.
void stop_parting(const ContactElements& elements, const StepPoints& points,
                  const Mobility& mobility, State& end);

} // namespace muslin
