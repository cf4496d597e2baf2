#pragma once

#include "muslin/math/vec.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/topology.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// A quantity over the vertices of a cloth, that pictures colour and exports carry.
enum class Field { stretch, shear, bending, speed, contact, seam, tension, ease };

inline constexpr std::array all_fields = {Field::stretch, Field::shear,   Field::bending,
                                          Field::speed,   Field::contact, Field::seam,
                                          Field::tension, Field::ease};

struct FieldInfo {
    std::string_view name;  ///< as users type it and files store it
    std::string_view label; ///< of a legend
    std::string_view unit;
    double low, high; ///< of the colour scale, unless a user asks for another
};

const FieldInfo& info(Field field);
std::optional<Field> field_by_name(std::string_view name);
std::string field_names(); ///< "stretch, shear, ..."

// Each function gives one number per vertex. A vertex shows the mean of its triangles, weighted by
// their area on the pattern; a vertex in no triangle shows zero. Results are the same for any
// number of threads.

/// The largest principal stretch less one [%].
void stretch_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const std::array<Vec2, 3>> material, std::vector<double>& out);

/// By how much the angle between warp and weft differs from a right one [degrees].
void shear_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                 std::span<const std::array<Vec2, 3>> material, std::vector<double>& out);

/// The larger of the two principal curvatures, by magnitude [1/m]: from the curvature tensor of the
/// angles between triangles [Cohen-Steiner, Morvan: Restricted Delaunay triangulations and normal
/// cycle, 2003]. 1/radius on a cylinder that is meshed along its axis. `hinges`: those of the
/// triangles (mesh/topology.h), which stay the same while the cloth moves.
void bending_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const Hinge> hinges, std::vector<double>& out);

/// The mean speed over `dt` [m/s].
void speed_field(std::span<const Vec3> before, std::span<const Vec3> after, double dt,
                 std::vector<double>& out);

/// The distance to the nearest of the bodies [mm], below zero inside one.
void ease_field(std::span<const Vec3> positions, std::span<const TriangleView> bodies,
                std::vector<double>& out);

/// The share of each vertex in the pattern's area [m^2]: a third of its triangles'.
std::vector<double> vertex_areas(std::size_t vertices,
                                 std::span<const std::array<int, 3>> triangles,
                                 std::span<const std::array<Vec2, 3>> material);

} // namespace muslin
