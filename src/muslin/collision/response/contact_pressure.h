#pragma once

#include "muslin/kernels/contact_pressure.h"

namespace muslin {

/// The law of kernels/contact_pressure.h on the host: compiled once, so that every caller gets the
/// same rounding.
struct PressureLaw {
    double softness = 200; ///< the pressure that presses two layers to half their thickness [Pa]

    using Layers = PressedLayers<double>;
    using Tangent = PressureTangent<double>;

    /// The gap to which a normal force [N] presses the layers [m].
    double gap_under(double force, const Layers& of) const;
    /// What is stored at a gap [J].
    double energy(double gap, const Layers& of) const;
    /// The force near a gap [m].
    Tangent tangent(double gap, const Layers& of) const;
};

} // namespace muslin
