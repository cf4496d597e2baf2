#pragma once

#include "muslin/math/vec.h"

#include <span>
#include <vector>

namespace muslin {

/// The filter of the modified conjugate gradient method: S_i projects a vector of particle i on
/// the directions in which it is free [BW98 (13), 5.3]. Only constrained particles are listed.
struct Filter {
    std::vector<int> particles;   ///< constrained ones, increasing
    std::vector<Mat3> projection; ///< S_i of each

    void clear() {
        particles.clear();
        projection.clear();
    }
    /// a_i <- S_i a_i for the constrained particles in [begin, end).
    void apply(int begin, int end, Vec3* a) const;
    void apply(std::span<Vec3> a) const { apply(0, static_cast<int>(a.size()), a.data()); }
};

} // namespace muslin
