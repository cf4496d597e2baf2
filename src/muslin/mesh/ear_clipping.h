#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Cuts a polygon, given counter-clockwise, into n - 2 counter-clockwise triangles of its corners'
/// indices. A simple polygon is covered exactly once; for one that crosses itself or has no area
/// the triangles are as good as can be had, and never fewer.
std::vector<std::array<int, 3>> cut_polygon(std::span<const Vec2> polygon);

} // namespace muslin
