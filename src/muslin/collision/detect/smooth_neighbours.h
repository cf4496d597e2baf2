#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/smooth_windows.h"
#include "muslin/collision/detect/surfaces.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Triangles that need not be paired, nor leaves of the tree over them: neighbours in cloth that is
/// smooth between them (SmoothWindows).
class SmoothNeighbours {
public:
    /// `pattern`: the corners of each cloth triangle, `edge`: the length of most edges [m].
    SmoothNeighbours(const Surfaces& surfaces, std::span<const std::array<Vec2, 3>> pattern,
                     double edge);

    void set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, const BoxTree& cloth);
    /// The same begin, other ends (SmoothWindows::move_ends).
    void move_ends(std::span<const Vec3> end, std::vector<int>& roughened) {
        windows_.move_ends(end, roughened);
    }

    bool hold(int a, int b) const { return windows_.hold(a, b); }
    bool hold_leaves(std::size_t i, std::size_t j) const {
        SmoothWindows::Range both = leaf_ranges_[i];
        both.merge(leaf_ranges_[j]);
        return windows_.hold(both);
    }

private:
    void place_leaves(const BoxTree& cloth);

    SmoothWindows windows_;
    std::vector<SmoothWindows::Range> leaf_ranges_; ///< of the leaves of the tree
    std::size_t leaf_builds_ = 0;                   ///< of the tree that leaf_ranges_ are of
};

} // namespace muslin
