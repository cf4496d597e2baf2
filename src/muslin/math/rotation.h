#pragma once

#include "muslin/math/vec.h"

#include <numbers>

namespace muslin {

/// The rotation by `angles` [degrees] about x, then y, then z.
inline Mat3 rotation_degrees(const Vec3& angles) {
    constexpr double degree = std::numbers::pi / 180.0;
    const double cx = std::cos(degree * angles.x), sx = std::sin(degree * angles.x);
    const double cy = std::cos(degree * angles.y), sy = std::sin(degree * angles.y);
    const double cz = std::cos(degree * angles.z), sz = std::sin(degree * angles.z);
    const Mat3 rx = {{{1, 0, 0}, {0, cx, -sx}, {0, sx, cx}}};
    const Mat3 ry = {{{cy, 0, sy}, {0, 1, 0}, {-sy, 0, cy}}};
    const Mat3 rz = {{{cz, -sz, 0}, {sz, cz, 0}, {0, 0, 1}}};
    return rz * ry * rx;
}

} // namespace muslin
