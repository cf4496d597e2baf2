#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// A flat polygon in well-shaped triangles of like size.
struct OutlineMesh {
    std::vector<Vec2> points;                  ///< the outline's first, in turn, from corner 0
    std::vector<std::array<int, 3>> triangles; ///< counter-clockwise
    std::vector<int> corners;                  ///< the vertex of each corner of the polygon
    int outline = 0;                           ///< how many points lie on the outline
};

/// Meshes a simple polygon, its corners counter-clockwise, with edges of about `edge`. Every side
/// is cut evenly, so that sides of the same length get the same vertices and can be sewn. The same
/// polygon gives the same mesh on every machine. Throws InputError with the key "edge" where the
/// edges are too long for the polygon's details.
OutlineMesh mesh_outline(std::span<const Vec2> corners, double edge);

/// How far a point is from the nearest of a segment.
double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b);

} // namespace muslin
