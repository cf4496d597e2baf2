#pragma once

#include <string>

namespace muslin {

/// A fabric. u is the weft direction of the pattern, v the warp direction.
struct Material {
    std::string name = "cotton";
    std::string source;         ///< where the numbers come from
    double density = 0.15;      ///< [kg/m^2]
    double stretch_u = 5000;    ///< tensile stiffness along u [N/m]
    double stretch_v = 5000;    ///< along v [N/m]
    double shear = 100;         ///< in-plane shear stiffness [N/m]
    double bend_u = 1e-5;       ///< flexural rigidity D against curvature along u [N m]
    double bend_v = 1e-5;       ///< against curvature along v [N m]
    double stretch_damping = 5; ///< [N s/m]
    double shear_damping = 0.1; ///< [N s/m]
    double bend_damping = 1e-7; ///< [N m s]
    /// By how much sharp folds resist more, and fast ones: see forces/bend_bridson.h. Only that law
    /// of bending knows them.
    double bend_stiffening = 0;
    double bend_rate_stiffening = 0; ///< [s]
    double thickness = 4e-4;         ///< [m]
    double friction = 0.3;           ///< Coulomb coefficient
};

} // namespace muslin
