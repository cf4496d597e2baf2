#pragma once

// Energy without input: kinetic, elastic and of weight together never rises.

#include "referee/protocols/scenes.h"

namespace muslin::referee {

/// How much the energy rose over its least so far, of what there was above rest at the start.
struct EnergyRise {
    double part = 0;
    double above_rest = 0; ///< at the start [J]
};

/// A strip of `gamma` that stands on its clamp, bent by a load of `alpha` D / L^2 at its tip; then
/// the load is gone. It touches nothing. Above 7.84 it does not stand by itself: at rest it is
/// bent, too.
EnergyRise release_strip(double gamma, double alpha, double fps, double seconds);

/// A sheet of 0.3 m dropped by 0.1 m on a level plane, or on a ball of 0.1 m.
enum class Ground { plane, ball };
EnergyRise drop_sheet(Ground ground, int vertices, double fps, double seconds);
SceneDescription describe_drop(Ground ground, int vertices, double fps);

} // namespace muslin::referee
