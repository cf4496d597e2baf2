#pragma once

#include "muslin/math/vec.h"

#include <array>

namespace muslin {

/// A symmetric 3x3 matrix: xx, yy, zz, yz, xz, xy.
using SymmetricBlock = std::array<double, 6>;

inline Vec3 multiply(const SymmetricBlock& p, const Vec3& r) {
    return {p[0] * r.x + p[5] * r.y + p[4] * r.z, p[5] * r.x + p[1] * r.y + p[3] * r.z,
            p[4] * r.x + p[3] * r.y + p[2] * r.z};
}

inline SymmetricBlock inverse_of_symmetric(const Mat3& d) {
    const Mat3 inv = inverse(d);
    return {inv(0, 0), inv(1, 1), inv(2, 2), inv(1, 2), inv(0, 2), inv(0, 1)};
}

/// All leading minors are positive (Sylvester).
inline bool is_positive_definite(const Mat3& d) {
    return d(0, 0) > 0 && d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) > 0 && determinant(d) > 0;
}

} // namespace muslin
