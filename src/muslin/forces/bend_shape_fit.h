#pragma once

#include "muslin/forces/bend.h"
#include "muslin/forces/bend_shape_elements.h"

namespace muslin {

/// How a cloth is to measure curvature so that it shows its fabric's rigidities, and what it shows
/// then, as a multiple of what is asked: the least and the greatest over directions of curvature.
///
/// Measured on a piece of its pattern that is bent to a paraboloid, with all vertices but those at
/// the rim where the forces on them are in balance: sampled shapes are stiffer by up to a third.
struct BendFit {
    ClothBending bending;
    BendCalibration shown;
};
BendFit fit_bending(const BendTopology& topology, int cloth);

/// What `bend_shape` shows of a cloth's rigidities.
BendCalibration bend_shape_calibration(const Model& model, int cloth);

} // namespace muslin
