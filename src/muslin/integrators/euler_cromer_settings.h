#pragma once

#include "muslin/integrators/stability_control.h"

namespace muslin {

struct EulerCromerSettings {
    double safety = 0.8; ///< of the stability limit
    /// The most that its acceleration may move a vertex in a step, as a part of its shortest edge.
    double acceleration_way = 0.1;
    bool local_rates = true;
    bool stability_control = true;
    /// Whether forces that depend on velocities are evaluated once more, with the velocity of
    /// mid-step. Without it damping is of first order.
    bool second_order_damping = true;
    /// Whether damping inside the cloth that would ask for shorter steps than its stiffness does is
    /// reduced until it does not, instead of shortening them.
    bool limit_damping = false;
    StabilityControlSettings control;
};

} // namespace muslin
