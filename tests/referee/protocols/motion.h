#pragma once

// Free motion without air: a hanging sheet that swings in one of its modes, a plate that swings as
// a pendulum, a fall.

#include "referee/protocols/closed_forms.h"
#include "referee/protocols/scenes.h"

namespace muslin::referee {

/// A sheet of cotton, 0.5 m, that hangs from its upper edge and is released at rest from the shape
/// of a mode.
struct HangingSheet {
    int mode = 1;
    Mesh mesh = Mesh::irregular;
    int vertices = 2602;
    double fps = 30;
    double periods = 3;

    static constexpr double length = 0.5;      // [m]
    static constexpr double density = 0.15;    // of cotton [kg/m^2]
    static constexpr double rigidity = 9.8e-6; // along its warp, which hangs [N m]
    static constexpr double stretch = 9000;    // the same [N/m]

    std::string name() const;
};

/// The mode by theory.
HangingMode theory_of(const HangingSheet& sheet);

/// What a vibration keeps of its amplitude in a period, and its frequency.
struct Vibration {
    double kept = 0;
    double frequency = 0; ///< [Hz]
};

/// Fits e^(-c t) (a cos(w t) + b sin(w t)) + d by least squares to samples at even times; `near` is
/// about the frequency [Hz].
Vibration fit_vibration(const std::vector<double>& samples, double interval, double near);

/// Measures the part of the mode in the motion frame by frame, and fits it.
Vibration vibrate(const HangingSheet& sheet);

/// Protocol D3: a stiff plate of 0.5 m hinged along one edge, released level.
struct Pendulum {
    double period = 0; ///< four times the time to the first passage of the vertical [s]
    /// Of the energy above rest, where the plate first turns round and where it is back.
    double kept_half = 0, kept = 0;
    double rise = 0; ///< of the energy over its least so far, part of the first
};
constexpr double pendulum_length = 0.5; // [m]
Pendulum swing_plate(double fps);

/// How far a sheet falls in `seconds` [m], and how long that took in whole frames.
struct Fall {
    double way = 0, time = 0;
};
Fall fall(double fps, double seconds);

} // namespace muslin::referee
