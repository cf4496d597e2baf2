#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// The vertices of a closed surface moved inward by `amount` [m], where it is thin by less: by no
/// more than half the radius of the largest ball that touches the surface there from within. Limbs
/// part, and fingers stay. The same for any number of threads.
std::vector<Vec3> slim_body(std::span<const Vec3> positions,
                            std::span<const std::array<int, 3>> triangles, double amount);

} // namespace muslin
