#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>

namespace muslin {

/// What a triangle mesh amounts to, for people and for tests.
struct MeshQuality {
    int vertices = 0;
    int triangles = 0;
    int edges = 0;
    int boundary_edges = 0;
    int components = 0;   ///< connected pieces; a vertex in no triangle is a piece
    int euler = 0;        ///< vertices - edges + triangles: 1 for a sheet, 2 for a closed body
    double area = 0;      ///< [m^2]
    double min_angle = 0; ///< smallest corner of any triangle [degrees]
    double max_angle = 0; ///< largest corner of any triangle [degrees]
    double min_edge = 0;  ///< [m]
    double mean_edge = 0; ///< [m]
    double max_edge = 0;  ///< [m]
};

/// A mesh without triangles has zero for every measure.
MeshQuality measure_quality(std::span<const Vec3> positions,
                            std::span<const std::array<int, 3>> triangles);

/// The angles at the corners of the triangle a, b, c [rad]; zeros where an edge has no length.
std::array<double, 3> triangle_angles(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace muslin
