#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Unit normals of the vertices: the mean of the triangles around each, weighted by area. A
/// vertex without area around it gets the vertical.
std::vector<Vec3> vertex_normals(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 3>> triangles);
/// The same into an array that is kept from frame to frame.
void vertex_normals(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                    std::vector<Vec3>& normals);

} // namespace muslin
