#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/detect/smooth_neighbours.h"
#include "muslin/collision/detect/swept_boxes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// The cloth triangles that must be looked at again where the ends of a motion change: of which a
/// point has left the margin, or that have been left out as smooth and are not any more.
class StrayTriangles {
public:
    /// Finds them, and gives those that have left the margin new boxes. `smooth`: may be null.
    /// Returns how many.
    std::size_t find(const Surfaces& surfaces, std::span<const Vec3> end, SweptBoxes& boxes,
                     SmoothNeighbours* smooth);
    bool contain(int triangle) const { return is_stray_[triangle]; }

    /// Over their boxes.
    const BoxTree& build_tree(std::span<const Box> triangle_boxes);
    /// The triangle of the i-th box of the tree.
    int operator[](int i) const { return list_[i]; }

private:
    std::vector<std::uint8_t> strayed_points_; ///< per particle
    std::vector<std::uint8_t> is_stray_;       ///< per triangle
    std::vector<int> list_;
    std::vector<int> roughened_; ///< not smooth any more
    std::vector<Box> boxes_;
    BoxTree tree_;
};

} // namespace muslin
