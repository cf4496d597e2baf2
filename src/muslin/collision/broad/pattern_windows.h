#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/math/vec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Square windows over the pattern of cloths. A chart is a part of the pattern that hangs together:
/// triangles with a common edge that lies at one place for both. It is covered by square cells, and
/// each cell is the lower corner of windows of two to four cells a side, cut off where the chart
/// ends.
///
/// A window is *usable* if the pattern in it is convex and lies once over each place. Convex: all
/// triangles that meet its cells are on the inner side of each border that meets them. (A segment
/// between two places of the pattern could then leave it by a border alone, and stays on the inner
/// side of all.) Once: no triangle has its middle in another. Where that holds in some places, it
/// holds in all of the window, for only at a border the number of layers could change.
struct PatternWindows {
    static constexpr int least = 2, most = 4; ///< cells along a window

    /// Where triangles are, in cells.
    struct Range {
        std::int32_t chart = -1;                        ///< -1: of several, or of one without cells
        std::int16_t low[2] = {0, 0}, high[2] = {0, 0}; ///< first and last cell

        void merge(const Range& other) {
            if (chart != other.chart)
                chart = -1;
            for (int k = 0; k < 2; ++k) {
                low[k] = std::min(low[k], other.low[k]);
                high[k] = std::max(high[k], other.high[k]);
            }
        }
    };
    struct Chart {
        int first_cell = 0;
        int size[2] = {0, 0};                                           ///< cells
        Vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL}; ///< [m]
        int triangles = 0;
    };

    /// `pattern`: the corners of each cloth triangle [m]. Cells are `cell` wide [m].
    PatternWindows(const Surfaces& surfaces, std::span<const std::array<Vec2, 3>> pattern,
                   double cell);

    std::size_t cell_count() const { return usable.size(); }
    /// Calls visit(cell) for the cells of the window of `size` cells a side whose corner is `cell`.
    template <class Visit>
    void visit_window(int cell, int size, Visit&& visit) const {
        const Chart& chart = charts[cell_chart[cell]];
        const int in_chart = cell - chart.first_cell;
        const int x = in_chart % chart.size[0], y = in_chart / chart.size[0];
        for (int j = y; j < std::min(y + size, chart.size[1]); ++j)
            for (int i = x; i < std::min(x + size, chart.size[0]); ++i)
                visit(chart.first_cell + j * chart.size[0] + i);
    }
    /// The corner and the size of the smallest window around a range; size 0 where there is none.
    struct Window {
        int cell = 0, size = 0;
    };
    Window window_around(const Range& range) const;

    std::vector<Chart> charts;
    std::vector<Range> ranges;        ///< per triangle
    std::vector<int> cell_chart;      ///< per cell
    Rows cell_triangles;              ///< whose boxes in the pattern meet the cell
    std::vector<std::uint8_t> usable; ///< per cell: bit k for the window of k cells a side

private:
    struct Border {
        Vec2 from, to;
        double side; ///< of the pattern: of the sign of cross(to - from, place - from)
    };
    using Pattern = std::span<const std::array<Vec2, 3>>;

    void find_charts(const Surfaces& surfaces, Pattern pattern);
    void place_cells(Pattern pattern, double cell);
    void mark_faulty_cells(Pattern pattern, double cell, std::vector<std::uint8_t>& faulty,
                           std::vector<std::uint8_t>& middles) const;
    void find_usable(Pattern pattern, double cell);
    template <class Visit>
    void visit_cells(const Range& range, Visit&& visit) const;

    // While it is made.
    std::vector<Border> borders_;
    std::vector<int> border_triangle_;       ///< per border
    std::vector<std::uint8_t> bad_triangle_; ///< without area, or folded over a neighbour
};

inline PatternWindows::Window PatternWindows::window_around(const Range& range) const {
    const int across = range.high[0] - range.low[0], along = range.high[1] - range.low[1];
    const int size = std::max({across + 1, along + 1, least});
    if (range.chart < 0 || size > most)
        return {};
    const Chart& chart = charts[range.chart];
    // In its middle, as far as the chart goes.
    const auto first = [&](int axis) {
        const int middle = (range.low[axis] + range.high[axis] + 1 - size) / 2;
        return std::clamp(middle, 0, std::max(0, chart.size[axis] - size));
    };
    return {chart.first_cell + first(1) * chart.size[0] + first(0), size};
}

} // namespace muslin
