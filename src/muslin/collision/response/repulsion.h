#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"

#include <span>

namespace muslin {

struct RepulsionSettings {
    /// Pressure by which layers closer than their thickness repel each other, per depth [Pa/m].
    double stiffness = 1e5;
    /// The part of the depth by which layers may part in one step.
    double pace = 0.1;
};

/// Changes the ends of a step of h seconds by impulses: layers that are near at its start stop
/// approaching, are pushed apart gently, and rub [Bridson02 7.2, 7.3]. The velocities are those of
/// the step, (end - begin) / h. Returns the number of contacts that pressed.
int repel(std::span<const Contact> contacts, const RepulsionSettings& settings,
          const Surfaces& surfaces, const Mobility& mobility, double h, StepPoints& points);

} // namespace muslin
