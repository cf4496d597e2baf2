#pragma once

#include <array>
#include <filesystem>

namespace muslin {

/// A fabric in the numbers of Wang, Ramamoorthi, O'Brien: Data-Driven Elastic Models for Cloth,
/// ACM Trans. Graph. 30(4), 2011, as its file holds them. What they mean: model/measured_fabric.h.
struct MeasuredFabric {
    double density = 0; ///< [kg/m^2]
    /// c11, c12, c22, c33 [N/m]: near rest, then at a strain of 1/6 whose direction is at 0, 22.5,
    /// 45, 67.5 and 90 degrees to u.
    std::array<std::array<double, 4>, 6> stretching = {};
    /// [N m]: of folds along 0, 45 and 90 degrees to u, each at the curvatures 0, 10, 20, 30, 40/m.
    std::array<std::array<double, 5>, 3> bending = {};
};

/// Reads a .json with `density`, `stretching` (6 x 4) and `bending` (3 x 5); other keys are left
/// alone. Throws FileError, or InputError that names the key: of a wrong count, of a number that is
/// not finite, of a density, of a stiffness near rest or along its own thread, or of a rigidity
/// near rest that is not above zero. (Coefficients beyond rest were fitted freely and may be
/// negative.)
MeasuredFabric read_fabric(const std::filesystem::path& file);

/// Whether a .json file is a fabric rather than a pattern or anything else: by its keys. False
/// where it cannot be read.
bool is_fabric(const std::filesystem::path& file);

} // namespace muslin
