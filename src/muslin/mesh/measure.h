#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace muslin {

// What a deformed cloth is judged by. Positions must be finite. Every result is the same for any
// number of threads.

/// Lengths of edges over their rest lengths.
struct EdgeStretch {
    double min = 1;
    double max = 1;
    double p99 = 1; ///< 99 % of the edges are stretched to this or less
};
/// `rest_lengths` [m] goes with `edges`, all above zero. No edges: all ones.
EdgeStretch edge_stretch(std::span<const Vec3> positions, std::span<const std::array<int, 2>> edges,
                         std::span<const double> rest_lengths);

/// The lengths of edges [m].
std::vector<double> edge_lengths(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 2>> edges);

/// The edges of a mesh and how long they are in the pattern [m]: the mean of both sides, which
/// differ where panels of unequal length are sewn together.
struct PatternEdges {
    std::vector<std::array<int, 2>> edges; ///< smaller vertex first, sorted
    std::vector<double> lengths;
};
PatternEdges pattern_edges(std::span<const std::array<int, 3>> triangles,
                           std::span<const std::array<Vec2, 3>> material);

/// By how much a triangle is stretched along its most and least stretched directions: the singular
/// values of the 3x2 deformation gradient from material to space. 1 is unstretched.
struct PrincipalStretch {
    double min = 1;
    double max = 1;
};
/// From the corners' places in space and on the pattern (either orientation, but with an area).
PrincipalStretch principal_stretch(const std::array<Vec3, 3>& x, const std::array<Vec2, 3>& u);
/// One per triangle.
std::vector<PrincipalStretch> principal_stretches(std::span<const Vec3> positions,
                                                  std::span<const std::array<int, 3>> triangles,
                                                  std::span<const std::array<Vec2, 3>> material);
/// The least and the greatest over all triangles.
PrincipalStretch extreme_stretch(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 3>> triangles,
                                 std::span<const std::array<Vec2, 3>> material);

/// Triangles and the positions that they refer to.
struct TriangleView {
    std::span<const Vec3> positions;
    std::span<const std::array<int, 3>> triangles;
};

// Intersections are decided exactly for the positions as they are stored, and touching counts: the
// number is zero only if no two triangles have a point in common that they should not. A triangle
// without area counts by its edges.
//
// Triangles that share an edge are passed over; those that share one vertex count when they meet
// elsewhere as well. Sharing goes by index: where a mesh holds the same place twice (the two sides
// of a sewn seam), pass triangles whose indices are merged.

/// The number of pairs of triangles that intersect.
std::size_t count_self_intersections(std::span<const Vec3> positions,
                                     std::span<const std::array<int, 3>> triangles);
/// The number of pairs, one of each mesh, that intersect (cloth against body).
std::size_t count_intersections_between(const TriangleView& a, const TriangleView& b);

/// The pairs themselves, ascending; the smaller triangle first.
std::vector<std::array<int, 2>>
find_self_intersections(std::span<const Vec3> positions,
                        std::span<const std::array<int, 3>> triangles);
/// The pairs themselves (triangle of a, triangle of b), ascending.
std::vector<std::array<int, 2>> find_intersections_between(const TriangleView& a,
                                                           const TriangleView& b);

} // namespace muslin
