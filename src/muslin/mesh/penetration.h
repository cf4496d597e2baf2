#pragma once

#include "muslin/mesh/measure.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

// How deep points are inside a closed surface. Which are inside is decided exactly for the
// positions as they are stored, by the winding number: a surface that crosses itself, as the limbs
// of a body do, encloses whatever it winds around. A point on the surface is not inside.

/// Whether a surface bounds a volume: each edge is run along as often one way as the other.
/// Vertices at the same place count as one, so that a mesh cut along texture seams is closed.
bool is_closed(const TriangleView& surface);

/// The points inside a surface. The depth is the distance to the nearest triangle; within the
/// overlap of parts that cross, this may be one that the union of the parts has swallowed.
struct Penetration {
    std::size_t inside = 0;      ///< how many points
    int deepest = -1;            ///< the first of the deepest ones, -1 where none is inside
    double depth = 0;            ///< of that one [m]
    std::size_t passed_over = 0; ///< points inside that do not count
};

/// The surface must be closed. Points whose nearest triangle is one of `passed` (one place for each
/// triangle, or none) are passed over. The same result for any number of threads.
Penetration find_penetration(std::span<const Vec3> points, const TriangleView& surface,
                             std::span<const std::uint8_t> passed = {});

/// The triangle that is nearest to each point, -1 where none is within `reach` [m].
std::vector<int> nearest_triangles(std::span<const Vec3> points, const TriangleView& surface,
                                   double reach);

/// Which of the points are inside, ascending.
std::vector<int> find_inside(std::span<const Vec3> points, const TriangleView& surface);

/// The distance of each point to the nearest triangle [m], below zero inside a surface that is
/// closed. The same result for any number of threads.
std::vector<double> surface_distances(std::span<const Vec3> points, const TriangleView& surface);

/// One number for all vertices at a place, from 0 on.
std::vector<int> weld_places(std::span<const Vec3> positions);

} // namespace muslin
