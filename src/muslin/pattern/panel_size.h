#pragma once

#include "muslin/pattern/panel_outline.h"

#include <span>
#include <vector>

namespace muslin {

/// The integer lattice on which a panel is meshed, and how long edges are to be where. Lengths are
/// in units of the lattice.
class PanelSize {
public:
    PanelSize(const PanelOutline& outline, double length);

    LatticePoint to(const Vec2& metres) const;
    Vec2 from(LatticePoint p) const { return low_ + Vec2{unit_ * p.x, unit_ * p.y}; }
    double target() const { return target_; }
    double unit() const { return unit_; } ///< [m]
    /// Of the panel's box.
    Vec2 extent() const { return {size_.x / unit_, size_.y / unit_}; }
    /// The outline's points.
    const std::vector<LatticePoint>& points() const { return points_; }

    /// How long edges are to be at a place: the target, but near pieces of the outline that are
    /// longer or shorter about as long as those; it changes by `grading` per length at most.
    double at(const Vec2& p) const;
    static constexpr double grading = 0.3;

    /// Whether a place keeps `part` of the wanted length from the outline, and stays out of the
    /// circles over its pieces.
    bool is_clear(const Vec2& p, double wanted, double part) const;

private:
    struct Segment {
        Vec2 a, b;
        double length;
    };
    /// Segments by the cells of a grid that they reach.
    struct Grid {
        std::vector<int> begin, items;
    };
    static constexpr double reach_limit = 8; ///< of a piece's influence, in targets

    Grid sort_into_cells(std::span<const int> segments, std::span<const double> reaches) const;
    std::span<const int> in_cell(const Grid& grid, const Vec2& p) const;

    Vec2 low_, size_;
    double unit_ = 0, target_ = 0, cell_ = 0;
    int columns_ = 1, rows_ = 1;
    std::vector<LatticePoint> points_;
    std::vector<Segment> segments_;
    Grid all_, odd_; ///< all pieces; those whose length is not the target
};

inline Vec2 to_vec(LatticePoint p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y)};
}
inline LatticePoint to_lattice(const Vec2& p) {
    return {static_cast<std::int32_t>(std::lround(p.x)),
            static_cast<std::int32_t>(std::lround(p.y))};
}

} // namespace muslin
