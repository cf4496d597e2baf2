#pragma once

// A strip over the upper half of a rod: when it begins to slide, and how fast it does.

#include "referee/protocols/scenes.h"

namespace muslin::referee {

struct RodStrip {
    double radius = 0.05;         ///< of the rod [m]
    double edge = 0.005;          ///< of the strip's mesh along it [m]
    double width = 0.02;          ///< of the strip [m]
    double near = 0.1, far = 0.1; ///< what hangs on either side [m]
    double density = 0.15;        ///< [kg/m^2]
    double mu = 0.4;
    double near_mass = 0, far_mass = 0; ///< hung on the ends [kg]
    /// A pull on the near end that balances what hangs, held for this time and taken away evenly
    /// over three times as long [s]; 0: none. A strip that is laid down all at once slides by a
    /// few millimetres before it bears on the rod, which is as much as a load near the critical one
    /// slides it.
    double balanced = 0;
    double fps = 30;

    /// Of the strip's middle surface [m].
    double arc_radius() const { return radius + 0.5 * cotton_thickness; }
    double length() const;
    double radius_over_edge() const { return radius / edge; }
};

SceneDescription describe(const RodStrip& strip);

/// The simulation with its strip laid round the rod, stretched as its end loads stretch it.
std::unique_ptr<Simulation> lay_over_rod(const RodStrip& strip);

/// How far the strip has slid to the far side at the end of each frame [m]: half the sum of what
/// one end rose and the other fell. Ends early where it has slid by `enough`.
std::vector<double> slide_over_rod(const RodStrip& strip, double seconds, double enough);

/// The least ratio at which `make(ratio)` slides by `enough` [m] within `seconds`, by bisection of
/// its logarithm between `low` and `high`; `high` where it never does, `low` where it always does.
double slip_ratio(const std::function<RodStrip(double)>& make, double low, double high,
                  int bisections, double seconds, double enough);

} // namespace muslin::referee
