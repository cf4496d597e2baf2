#pragma once

#include "muslin/math/vec.h"

#include <span>
#include <vector>

namespace muslin {

/// A closed polygon in the plane, its inside on the left, that may keep clear of itself.
class GraphContour {
public:
    /// The corners, to be filled in order.
    std::vector<Vec2> corners;

    /// Whether edges without a common corner stay further apart than `distance` >= 0 [m] (so the
    /// polygon does not cross itself). If so, `notch` is the sine of the narrowest angle outside
    /// of it, at a corner that bends inward; 1 where all of these are right angles or wider.
    bool keeps_clear(double distance, double& notch);

private:
    struct Bounds {
        double low_x, low_y, high_x, high_y;
        bool overlaps(const Bounds& b) const {
            return low_x <= b.high_x && b.low_x <= high_x && low_y <= b.high_y && b.low_y <= high_y;
        }
    };
    bool notches(double& notch) const;
    bool clear(std::size_t edge, std::size_t other, double squared) const;

    std::vector<Bounds> edges_, groups_; ///< of edges, and of some edges in a row
};

} // namespace muslin
