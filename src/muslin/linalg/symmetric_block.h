#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/vec.h"

#include <array>

namespace muslin {

/// A symmetric 3x3 matrix: xx, yy, zz, yz, xz, xy.
using SymmetricBlock = std::array<double, 6>;

inline Vec3 multiply(const SymmetricBlock& p, const Vec3& r) {
    return {p[0] * r.x + p[5] * r.y + p[4] * r.z, p[5] * r.x + p[1] * r.y + p[3] * r.z,
            p[4] * r.x + p[3] * r.y + p[2] * r.z};
}

/// Four of them side by side: entry by entry, as above, each for four rows.
using SymmetricBlock4 = std::array<Pack4, 6>;

/// Four vectors, component by component.
struct Columns4 {
    Pack4::Native x, y, z;
};

/// Of and to four vectors that lie one after the other.
inline Columns4 load_columns(const double* v) {
    // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3
    const Pack4::Native a = load4(v).v, b = load4(v + 4).v, c = load4(v + 8).v;
    const Pack4::Native xy = __builtin_shufflevector(a, b, 0, 1, 6, 7); // x0 y0 x2 y2
    const Pack4::Native zx = __builtin_shufflevector(a, c, 2, 3, 4, 5); // z0 x1 z2 x3
    const Pack4::Native yz = __builtin_shufflevector(b, c, 0, 1, 6, 7); // y1 z1 y3 z3
    return {__builtin_shufflevector(xy, zx, 0, 5, 2, 7),
            __builtin_shufflevector(xy, yz, 1, 4, 3, 6),
            __builtin_shufflevector(zx, yz, 0, 5, 2, 7)};
}
inline void store_columns(const Columns4& v, double* out) {
    const Pack4::Native xy = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6); // x0 y0 x2 y2
    const Pack4::Native zx = __builtin_shufflevector(v.z, v.x, 0, 5, 2, 7); // z0 x1 z2 x3
    const Pack4::Native yz = __builtin_shufflevector(v.y, v.z, 1, 5, 3, 7); // y1 z1 y3 z3
    const Pack4::Native a = __builtin_shufflevector(xy, zx, 0, 1, 4, 5);
    const Pack4::Native b = __builtin_shufflevector(yz, xy, 0, 1, 6, 7);
    const Pack4::Native c = __builtin_shufflevector(zx, yz, 2, 3, 6, 7);
    store4(a, out);
    store4(b, out + 4);
    store4(c, out + 8);
}

inline Columns4 multiply(const SymmetricBlock4& p, const Columns4& r) {
    return {p[0].v * r.x + p[5].v * r.y + p[4].v * r.z, p[5].v * r.x + p[1].v * r.y + p[3].v * r.z,
            p[4].v * r.x + p[3].v * r.y + p[2].v * r.z};
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
