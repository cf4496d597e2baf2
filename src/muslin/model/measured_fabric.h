#pragma once

#include "muslin/io/fabric_file.h"
#include "muslin/model/material.h"

#include <functional>
#include <string>

namespace muslin {

// From a fabric as it was measured (docs/fabrics.md) to the linear one that forces know.

/// A symmetric tensor of the pattern: Green's strain, or the second Piola-Kirchhoff stress that
/// goes with it [N/m].
struct PatternTensor {
    double uu = 0, vv = 0, uv = 0;
};

using StressLaw = std::function<PatternTensor(const PatternTensor& green_strain)>;

/// The stress of the measured model, piecewise linear in the largest principal strain and its
/// direction, read as ARCSim reads the data: between the coefficients near rest and those at a
/// strain of 1/6, none below zero, and twice the result applied to Green's strain:
///   S_uu = 2 c11 G_uu + 2 c12 G_vv, S_vv = 2 c22 G_vv + 2 c12 G_uu, S_uv = 2 c33 G_uv.
PatternTensor measured_stress(const MeasuredFabric& fabric, const PatternTensor& green_strain);

/// That of stretch_bw and shear_bw at rest stretches 1 and below any strain limit:
///   S_uu = k_u (|w_u| - 1) / |w_u|, S_vv likewise, S_uv = 2 k_shear G_uv.
PatternTensor linear_stress(const Material& material, const PatternTensor& green_strain);

/// Force per rest width [N/m] of a strip cut at `angle` [rad] to u, longer by `strain`, its sides
/// free: across them and along them there is no stress.
double pull_strip(const StressLaw& law, double angle, double strain);

/// Flexural rigidity D [N m] of the measured model against a curvature [1/m] along a direction at
/// `angle` [rad] to u. Its hinges run along the folds, across that direction, and one of
/// coefficient k bends a strip as D = k/4 does.
double measured_rigidity(const MeasuredFabric& fabric, double angle, double curvature);

/// The strain at which our fabric pulls along u and along v with the force of the measured one.
inline constexpr double fitted_strain = 0.05;

/// What forces know of a measured fabric: stretch_u, stretch_v from strips at fitted_strain, shear
/// and bending near rest. The data has no thickness and friction: see docs/fabrics.md. Damping is
/// left to the caller.
Material material_of(const MeasuredFabric& fabric, const std::string& name);

} // namespace muslin
