#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// A mesh whose vertices are doubled along its sharp edges, so that smooth normals do not round
/// a box into a cushion.
struct CreaseSplit {
    std::vector<int> source;                   ///< the original vertex of each vertex
    std::vector<std::array<int, 3>> triangles; ///< over the new vertices, in the original order
};

/// Splits where two triangles meet at more than `degrees`.
CreaseSplit split_creases(std::span<const Vec3> positions,
                          std::span<const std::array<int, 3>> triangles, double degrees);

} // namespace muslin
