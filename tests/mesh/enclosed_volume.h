#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>

namespace muslin::test {

/// The volume that a closed mesh with outward faces encloses [m^3]; negative when they face in.
inline double enclosed_volume(std::span<const Vec3> positions,
                              std::span<const std::array<int, 3>> triangles) {
    double sum = 0;
    for (const auto& t : triangles)
        sum += dot(positions[t[0]], cross(positions[t[1]], positions[t[2]]));
    return sum / 6;
}

} // namespace muslin::test
