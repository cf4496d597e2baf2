#pragma once

#include <cstddef>

namespace muslin {

struct UntangleSettings {
    int max_iterations = 400; ///< to get apart what crosses
    int gap_iterations = 60;  ///< and then to widen gaps to the thickness
    /// The length of an edge stays within this share of what it was.
    double max_strain = 0.1;
    bool always_widen = false; ///< gaps, even where nothing crossed
};

struct UntangleReport {
    // Of edges that pass through triangles, and of the contours that they lie on.
    std::size_t crossings_before = 0, crossings = 0;
    std::size_t contours_before = 0, contours = 0;
    std::size_t inside_before = 0, inside = 0; ///< points of cloth in closed bodies
    std::size_t near = 0;                      ///< pairs that are nearer than their thickness
    int iterations = 0;
    std::size_t moved = 0;                  ///< points
    double largest_move = 0, mean_move = 0; ///< the mean is that of the points that moved [m]
    /// The worst of an edge that changed its length: |length / that before - 1|.
    double strain = 0;

    bool clear() const { return crossings == 0 && inside == 0; }
};

} // namespace muslin
