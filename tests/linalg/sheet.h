#pragma once

#include "muslin/linalg/block_matrix.h"
#include "muslin/linalg/filter.h"

#include <Eigen/Dense>

#include <array>
#include <vector>

namespace muslin::test {

/// A square sheet of masses, each joined to its four neighbours by springs of stiffness 1.
inline BlockMatrix sheet_of_springs(int side, double mass) {
    std::vector<std::array<int, 2>> pairs;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            if (x + 1 < side)
                pairs.push_back({y * side + x, y * side + x + 1});
            if (y + 1 < side)
                pairs.push_back({y * side + x, (y + 1) * side + x});
        }
    BlockMatrix a;
    a.set_pattern(side * side, pairs);
    a.reset(std::vector<double>(static_cast<std::size_t>(side) * side, mass));
    for (const auto& [i, j] : pairs) {
        a.add(a.slot(i, j), Mat3::diagonal(-1));
        a.add(a.slot(j, i), Mat3::diagonal(-1));
        a.add_diagonal(i, Mat3::diagonal(1));
        a.add_diagonal(j, Mat3::diagonal(1));
    }
    return a;
}

/// S of a filter as a whole matrix.
inline Eigen::MatrixXd projection(const Filter& filter, int rows) {
    Eigen::MatrixXd s = Eigen::MatrixXd::Identity(3 * rows, 3 * rows);
    for (std::size_t k = 0; k < filter.particles.size(); ++k)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                s(3 * filter.particles[k] + r, 3 * filter.particles[k] + c) =
                    filter.projection[k](r, c);
    return s;
}

} // namespace muslin::test
