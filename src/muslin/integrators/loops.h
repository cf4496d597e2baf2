#pragma once

#include "muslin/base/parallel.h"
#include "muslin/math/vec.h"

#include <span>

namespace muslin {

/// What one range of a loop over particles has at most. Few enough that a small cloth is one range.
inline constexpr std::size_t particle_grain = 1024;

template <class Body>
void for_particles(std::size_t n, const Body& body) {
    parallel_for(n, particle_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            body(i);
    });
}

inline double inner(std::span<const Vec3> a, std::span<const Vec3> b) {
    return parallel_sum<double>(a.size(), particle_grain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += dot(a[i], b[i]);
        return sum;
    });
}

} // namespace muslin
