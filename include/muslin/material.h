#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muslin::api {

/// A fabric: one that is known, with some numbers changed. What is not given is that of `base`;
/// docs/materials.md says what each number does. u is the weft direction of the pattern, v the
/// warp.
struct Material {
    /// A built-in fabric (material_names()) or a file, .toml or .json; empty: no base, and then at
    /// least density, stretch_u, stretch_v, shear, bend_u, bend_v and thickness must be given.
    std::string base = "cotton";
    std::optional<double> density = {};         ///< [kg/m^2]
    std::optional<double> stretch_u = {};       ///< tensile stiffness along u [N/m]
    std::optional<double> stretch_v = {};       ///< along v [N/m]
    std::optional<double> shear = {};           ///< in-plane shear stiffness [N/m]
    std::optional<double> bend_u = {};          ///< flexural rigidity, curvature along u [N m]
    std::optional<double> bend_v = {};          ///< curvature along v [N m]
    std::optional<double> stretch_damping = {}; ///< [N s/m]
    std::optional<double> shear_damping = {};   ///< [N s/m]
    std::optional<double> bend_damping = {};    ///< [N m s]
    std::optional<double> thickness = {};       ///< [m]
    std::optional<double> friction = {};        ///< Coulomb coefficient
    /// Any other number of `material` in docs/scene-format.md, by its key and in its unit.
    std::map<std::string, double> others = {};
};

/// The numbers of a built-in fabric or a material file, by key [the key's unit]; those that mean
/// "never" or "not given" are left out. Throws InputError and FileError.
std::map<std::string, double> material_numbers(const std::string& name_or_path);

/// The names of the built-in fabrics.
std::vector<std::string> material_names();

} // namespace muslin::api
