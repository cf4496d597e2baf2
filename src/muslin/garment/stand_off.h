#pragma once

#include "muslin/pattern/pattern.h"

#include <span>

namespace muslin {

/// Moves every panel outward along its outer side until what lies behind it is at least `clearance`
/// [m] behind; a wrapped one is made as much wider. `obstacles` are points of bodies, and of
/// garments that are worn below, in the frame of the pattern; those farther in front of a panel
/// than `reach` [m] are not taken to be behind it: an arm before the chest. Says by how much the
/// panel that moved most did [m].
double stand_off(Pattern& pattern, std::span<const Vec3> obstacles, double clearance,
                 double reach = 0.15);

} // namespace muslin
