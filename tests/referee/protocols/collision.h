#pragma once

// Protocol C5: two sheets collide in empty space.

#include "referee/protocols/scenes.h"

namespace muslin::referee {

struct Collision {
    double friction = 0.3;
    int vertices = 2602; ///< of each sheet, 0.3 m wide
    double fps = 30;

    std::string name() const;
};
SceneDescription describe(const Collision& collision);

struct Collided {
    double linear = 0, angular = 0; ///< largest change of momentum, relative
    double rise = 0; ///< of kinetic and elastic energy over its least so far, part of the first
};
Collided collide(const Collision& collision, double seconds);

} // namespace muslin::referee
