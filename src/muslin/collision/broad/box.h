#pragma once

#include "muslin/math/vec.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace muslin {

namespace detail {

/// An integer that sorts as the float does. The two zeros are neighbours, infinities are the ends
/// of the finite numbers, and numbers that are not any are beyond them: a total order.
inline std::int32_t ordered(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return bits ^ ((bits >> 31) & 0x7fffffff);
}
inline float from_ordered(std::int32_t key) {
    return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

} // namespace detail

/// The largest float not above x, and the smallest not below it. Conversion keeps the sign of what
/// it rounds to zero, so a step of the key never stays between the zeros.
inline float round_down(double x) {
    const float nearest = static_cast<float>(x);
    const std::int32_t step = static_cast<double>(nearest) > x ? 1 : 0;
    return detail::from_ordered(detail::ordered(nearest) - step);
}
inline float round_up(double x) {
    const float nearest = static_cast<float>(x);
    const std::int32_t step = static_cast<double>(nearest) < x ? 1 : 0;
    return detail::from_ordered(detail::ordered(nearest) + step);
}

/// A box along the axes, closed: boxes that touch overlap. Its sides are floats rounded outward, so
/// it holds the points it was made of although it takes half their memory. The fourth lane is 0 in
/// a box of something and an empty interval in the empty box, which therefore overlaps nothing, not
/// even an infinite box.
struct alignas(16) Box {
    float low[4], high[4]; ///< [m]

    static Box empty() {
        constexpr float inf = std::numeric_limits<float>::infinity();
        return {{inf, inf, inf, inf}, {-inf, -inf, -inf, -inf}};
    }

    /// The box of some points; rounds once, so it costs less than adding them one by one.
    template <class... Points>
    static Box around(const Vec3& first, const Vec3& second, const Points&... others) {
        Vec3 least = first, most = first;
        const auto include = [&](const Vec3& p) {
            least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
            most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
        };
        include(second);
        (include(others), ...);
        return {{round_down(least.x), round_down(least.y), round_down(least.z), 0},
                {round_up(most.x), round_up(most.y), round_up(most.z), 0}};
    }
    static Box around(const Vec3& point) { return around(point, point); }

    bool is_empty() const { return !(low[3] <= high[3]); }

    void add(const Vec3& p) { merge(around(p)); }

    void merge(const Box& b) {
        for (int i = 0; i < 4; ++i) {
            low[i] = std::min(low[i], b.low[i]);
            high[i] = std::max(high[i], b.high[i]);
        }
    }

    /// Moves every side outward by `distance` >= 0 [m], or further by a rounding.
    void grow(double distance) {
        for (int i = 0; i < 3; ++i) {
            low[i] = -sum_up(-static_cast<double>(low[i]), distance);
            high[i] = sum_up(static_cast<double>(high[i]), distance);
        }
    }

    bool overlaps(const Box& b) const {
#if defined(__SSE2__)
        const __m128 below = _mm_cmple_ps(_mm_load_ps(low), _mm_load_ps(b.high));
        const __m128 above = _mm_cmple_ps(_mm_load_ps(b.low), _mm_load_ps(high));
        return _mm_movemask_ps(_mm_and_ps(below, above)) == 0xf;
#else
        bool all = true;
        for (int i = 0; i < 4; ++i)
            all = all && low[i] <= b.high[i] && b.low[i] <= high[i];
        return all;
#endif
    }

    /// Surface area [m^2]; 0 for the empty box.
    double area() const {
        if (is_empty())
            return 0;
        const double x = side(0), y = side(1), z = side(2);
        return 2 * (x * y + y * z + z * x);
    }
    /// Length of the side along an axis [m].
    double side(int axis) const {
        return static_cast<double>(high[axis]) - static_cast<double>(low[axis]);
    }

private:
    /// The smallest float not below a + b. The sum of two doubles is rounded before the float is;
    /// what that first rounding left out (Knuth's two-sum) decides where it fell on a float.
    static float sum_up(double a, double b) {
        const double sum = a + b, part = sum - a;
        const double left_out = (a - (sum - part)) + (b - part);
        const float up = round_up(sum);
        const bool short_of_it = static_cast<double>(up) == sum && left_out > 0;
        return detail::from_ordered(detail::ordered(up) + (short_of_it ? 1 : 0));
    }
};

} // namespace muslin
