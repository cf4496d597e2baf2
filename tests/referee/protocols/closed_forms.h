#pragma once

// What theory says of the referee's scenes. Nothing here knows the simulator.

#include <functional>
#include <vector>

namespace muslin::referee {

/// How far a rigid sheet slides down a slope under Coulomb friction in `time` [s], dropped from
/// `height` [m] above the plane, measured along its normal. While it falls it moves freely along
/// the slope; where it lands, friction takes mu times the normal momentum, or all there is.
double coulomb_slide(double angle, double mu, double height, double time, double g);

/// How far it slides on a level plane from a `speed` [m/s] until it stops, dropped from `height`.
double coulomb_stop(double speed, double mu, double height, double g);

/// The load that a strip over half a rod holds on one side at most, per that on the other:
/// e^(mu wrap), with `wrap` in radians.
double capstan_ratio(double mu, double wrap);

/// The tension [N/m] at which a strip with weight, over the upper half of a rod, begins to slide,
/// where it leaves the rod on the far side; `near` is the tension on the near side [N/m], `radius`
/// that of the strip [m], `weight` its own per area [N/m^2]. Solves
///     dT/ds = weight cos(phi) + mu (T / radius + weight sin(phi)),
/// phi = s / radius from the horizontal of the near side.
double heavy_capstan(double mu, double near, double radius, double weight);

/// The same where both sides hang free and are `hanging` [m] long together: the ratio of the
/// lengths, far over near, at which the strip begins to slide.
double heavy_capstan_lengths(double mu, double hanging, double radius);

/// How far a strip without friction slides over half a rod in `time`; `near` and `far` hang [m].
double frictionless_slide(double near, double far, double radius, double time, double g);

/// The n-th positive zero of the Bessel function J0, from 1.
double bessel_j0_zero(int n);

/// A mode of a heavy sheet that hangs from a hinge along its upper edge.
struct HangingMode {
    double omega = 0;                    ///< [rad/s]
    std::function<double(double)> shape; ///< of the height over the free end, over L; 1 there
    std::function<double(double)> slope; ///< its derivative by that height over L
};

/// The first modes of a sheet of length L [m], weight per area rho_A g and rigidity D, by the
/// Rayleigh-Ritz method on polynomials. With D = 0 they are J0(2 omega sqrt(x / g)), with
/// omega = j_{0,n} / 2 sqrt(g / L).
std::vector<HangingMode> hanging_modes(int count, double length, double density, double rigidity,
                                       double g);

/// Period of a thin plate of length L that swings about its edge from an angle [rad] to either
/// side.
double plate_period(double length, double angle, double g);

} // namespace muslin::referee
