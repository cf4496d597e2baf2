#pragma once

#include "muslin/base/host_device.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace muslin {

// Scalar helpers with one spelling for a float, a double and a Pack4, so that a kernel written once
// on a scalar type T runs on one element or on four.

MUSLIN_HD inline double select(bool condition, double a, double b) {
    return condition ? a : b;
}
MUSLIN_HD inline double maximum(double a, double b) {
    return a > b ? a : b;
}
MUSLIN_HD inline double minimum(double a, double b) {
    return a < b ? a : b;
}
MUSLIN_HD inline float select(bool condition, float a, float b) {
    return condition ? a : b;
}
MUSLIN_HD inline float maximum(float a, float b) {
    return a > b ? a : b;
}
MUSLIN_HD inline float minimum(float a, float b) {
    return a < b ? a : b;
}
/// Whether a comparison holds in any lane.
MUSLIN_HD inline bool any_lane(bool mask) {
    return mask;
}

#ifndef __CUDACC__

/// Four doubles that compute side by side: element kernels take four elements at a time.
struct Pack4 {
    using Native = double __attribute__((vector_size(32)));
    using Mask = long long __attribute__((vector_size(32)));
    static constexpr int lanes = 4;

    Native v;

    Pack4() = default;
    Pack4(Native native) : v(native) {}
    Pack4(double s) : v{s, s, s, s} {}

    double operator[](int lane) const { return v[lane]; }
    void set(int lane, double value) { v[lane] = value; }
};

/// Four numbers anywhere in memory.
using Unaligned4 = double __attribute__((vector_size(32), aligned(8), may_alias));
inline Pack4 load4(const double* from) {
    return Pack4::Native(*reinterpret_cast<const Unaligned4*>(from));
}
inline void store4(const Pack4& a, double* to) {
    *reinterpret_cast<Unaligned4*>(to) = a.v;
}

inline Pack4 operator+(const Pack4& a, const Pack4& b) {
    return a.v + b.v;
}
inline Pack4 operator-(const Pack4& a, const Pack4& b) {
    return a.v - b.v;
}
inline Pack4 operator*(const Pack4& a, const Pack4& b) {
    return a.v * b.v;
}
inline Pack4 operator/(const Pack4& a, const Pack4& b) {
    return a.v / b.v;
}
inline Pack4 operator-(const Pack4& a) {
    return -a.v;
}
inline Pack4::Mask operator<(const Pack4& a, const Pack4& b) {
    return a.v < b.v;
}
inline Pack4::Mask operator>(const Pack4& a, const Pack4& b) {
    return a.v > b.v;
}

inline bool any_lane(const Pack4::Mask& mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}
inline Pack4 select(const Pack4::Mask& condition, const Pack4& a, const Pack4& b) {
    return condition ? a.v : b.v;
}
inline Pack4 maximum(const Pack4& a, const Pack4& b) {
    return a.v > b.v ? a.v : b.v;
}
inline Pack4 minimum(const Pack4& a, const Pack4& b) {
    return a.v < b.v ? a.v : b.v;
}

inline Pack4 sqrt(const Pack4& a) {
#if defined(__AVX2__)
    return static_cast<Pack4::Native>(_mm256_sqrt_pd(static_cast<__m256d>(a.v)));
#else
    return Pack4::Native{std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]),
                         std::sqrt(a.v[3])};
#endif
}
inline Pack4 abs(const Pack4& a) {
    return maximum(a, -a);
}
inline Pack4 atan2(const Pack4& y, const Pack4& x) {
    return Pack4::Native{std::atan2(y.v[0], x.v[0]), std::atan2(y.v[1], x.v[1]),
                         std::atan2(y.v[2], x.v[2]), std::atan2(y.v[3], x.v[3])};
}

/// Copies numbers that will not be read soon, without a place in the cache for them.
inline void copy_past_cache(const double* from, std::size_t count, double* to) {
    std::size_t k = 0;
#if defined(__AVX2__)
    for (; k < count && reinterpret_cast<std::uintptr_t>(to + k) % 32 != 0; ++k)
        to[k] = from[k];
    for (; k + 4 <= count; k += 4)
        _mm256_stream_pd(to + k, _mm256_loadu_pd(from + k));
    _mm_sfence();
#endif
    std::copy(from + k, from + count, to + k);
}

/// Of the 4x4 matrix with these rows.
inline void transpose4(Pack4& a, Pack4& b, Pack4& c, Pack4& d) {
    const Pack4::Native ab_even = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6);
    const Pack4::Native ab_odd = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
    const Pack4::Native cd_even = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6);
    const Pack4::Native cd_odd = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
    a.v = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    b.v = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    c.v = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    d.v = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

#endif // __CUDACC__

} // namespace muslin
