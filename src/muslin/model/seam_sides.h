#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace muslin {

/// The two sides of a seam of a garment, as they are cut.
struct SeamSides {
    int cloth = 0; ///< the garment's
    /// Vertices of the cloth along either side, the first of one sewn to the first of the other.
    /// The tip of a dart is in neither.
    std::array<std::vector<int>, 2> vertices;
    std::array<double, 2> lengths = {}; ///< at rest, from vertex to vertex [m]

    /// By what part one side is longer than the other.
    double length_error() const {
        const auto [less, more] = std::minmax(lengths[0], lengths[1]);
        return less > 0 ? more / less - 1 : 0.0;
    }
    /// Whether so much that it is meant: ease or gathers, and no error of drafting or cutting.
    bool is_gathered() const { return length_error() > 0.05; }
};

} // namespace muslin
