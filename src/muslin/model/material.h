#pragma once

#include "muslin/base/enum_names.h"
#include "muslin/model/potential.h"

#include <limits>
#include <string>

namespace muslin {

/// What the factor of (5) divides a spring's length by [Bayraktar07].
enum class ElongationLaw { allowed, rest };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<ElongationLaw> = {"allowed", "rest"};

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
    /// By how much sharp folds resist more, and fast ones: see kernels/bend_bridson.h. Only that
    /// law of bending knows them.
    double bend_stiffening = 0;
    double bend_rate_stiffening = 0; ///< [s]
    double thickness = 4e-4;         ///< [m]
    double friction = 0.3;           ///< Coulomb coefficient

    // The isotropic sheet of [Volino95 3.1, 3.3, 3.4]: strain_rosette and bend_volino know it.
    double young = 0;       ///< E [Pa]; 0: E T is the mean of stretch_u and stretch_v
    double poisson = 0.3;   ///< nu, from 0 to below 0.5
    double bend_factor = 0; ///< D'; 0: D' D is the mean of bend_u and bend_v
    /// Young's modulus in compression, and in extension up to `soft_extension`, as a part of E.
    double compression_stiffness = 0.1;
    double soft_extension = 0;  ///< strain
    double curvature_limit = 0; ///< [1/m]; 0: see forces/bend_volino.h
    /// Elastic strain and curvature [1/m] beyond which the rest shape gives way, and the time in
    /// which it returns [s].
    double yield_stretch = std::numeric_limits<double>::infinity();
    double yield_bend = std::numeric_limits<double>::infinity();
    double relaxation_time = std::numeric_limits<double>::infinity();

    // The springs of [Bayraktar07 2] and [Ohta95]: mass_spring and flexion_springs know them.
    double spring_structural =
        0;                     ///< [N/m] of each; 0: from stretch_u, stretch_v (forces/springs.h)
    double spring_shear = 0;   ///< [N/m]; 0: from shear
    double spring_flexion = 0; ///< [N/m]; 0: from bend_u, bend_v
    double spring_damping = 0; ///< k_d [N s/m] of each; 0: from stretch_damping, shear_damping
    /// Elongation from which a spring is stiffer [Bayraktar07 (5)]; infinite: never.
    double elongation_limit = std::numeric_limits<double>::infinity();
    /// Whether its constant then grows as the length over the allowed one (the paper's text), or
    /// over the rest length (its formula).
    ElongationLaw elongation_law = ElongationLaw::allowed;
    Potential potential; ///< of structural and shear springs
};

/// E T [N/m], the stiffness of the isotropic sheet.
inline double sheet_stiffness(const Material& m) {
    return m.young > 0 ? m.young * m.thickness : 0.5 * (m.stretch_u + m.stretch_v);
}

/// D of a solid sheet, E T^3 / (12 (1 - nu^2)) [N m]. Woven cloth is far softer [Volino95 (5)].
inline double solid_rigidity(const Material& m) {
    return sheet_stiffness(m) * m.thickness * m.thickness / (12 * (1 - m.poisson * m.poisson));
}

/// D' D [N m], the flexural rigidity of the isotropic sheet.
inline double sheet_rigidity(const Material& m) {
    return m.bend_factor > 0 ? m.bend_factor * solid_rigidity(m) : 0.5 * (m.bend_u + m.bend_v);
}

} // namespace muslin
