#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/vec.h"

#include <span>

namespace muslin {

// Between arrays of vectors and packs of four.

inline Vec3T<Pack4> gather(std::span<const Vec3> values, const int (&index)[4]) {
    const Vec3 &a = values[index[0]], &b = values[index[1]], &c = values[index[2]],
               &d = values[index[3]];
    return {Pack4::Native{a.x, b.x, c.x, d.x}, Pack4::Native{a.y, b.y, c.y, d.y},
            Pack4::Native{a.z, b.z, c.z, d.z}};
}

inline void scatter_add(const Vec3T<Pack4>& value, const int (&index)[4], int lanes,
                        std::span<Vec3> out) {
    for (int l = 0; l < lanes; ++l)
        out[index[l]] += Vec3{value.x[l], value.y[l], value.z[l]};
}

/// Writes four records of N numbers, one after the other; entry k has the k-th of each. Returns
/// where the next ones go.
template <int N>
inline double* store_records(const Pack4 (&entry)[N], double* out) {
    static_assert(N % 4 == 0);
    for (int k = 0; k < N; k += 4) {
        Pack4 a = entry[k], b = entry[k + 1], c = entry[k + 2], d = entry[k + 3];
        transpose4(a, b, c, d);
        store4(a, out + k);
        store4(b, out + N + k);
        store4(c, out + 2 * N + k);
        store4(d, out + 3 * N + k);
    }
    return out + 4 * N;
}

inline double sum_lanes(const Pack4& value, int lanes) {
    double sum = 0;
    for (int l = 0; l < lanes; ++l)
        sum += value[l];
    return sum;
}

} // namespace muslin
