#pragma once

#include "muslin/mesh/measure.h"

#include <span>
#include <vector>

namespace muslin {

/// A surface as it is at one moment.
struct MarkedSurface {
    TriangleView surface;
    bool is_body = false;
    std::vector<double> pinched; ///< empty, or more than zero where a vertex is held by two bodies
};

/// For each surface its triangles to mark, ascending: those of cloth that intersect cloth or a
/// body, or have a pinched corner. Bodies have none: their triangles may be as large as a wall, and
/// the place is seen on the cloth. Decided exactly (mesh/measure.h). Vertices of cloth at the very
/// same place are the two sides of a seam and count as one. Surfaces with a position that is not
/// finite are left out.
std::vector<std::vector<int>> find_marks(std::span<const MarkedSurface> surfaces);

} // namespace muslin
