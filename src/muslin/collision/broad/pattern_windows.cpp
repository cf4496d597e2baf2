#include "muslin/collision/broad/pattern_windows.h"

#include "muslin/base/find_root.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace muslin {
namespace {

// Borders that lie in one line up to rounding are in one line; of the square of a cell.
constexpr double straight = 1e-7;
// A chart that fills less of its cells than this is not worth them.
constexpr int most_cells_per_triangle = 8;

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    return cross(b - a, c - a);
}

bool same(const Vec2& a, const Vec2& b) {
    return a.x == b.x && a.y == b.y;
}

} // namespace

PatternWindows::PatternWindows(const Surfaces& surfaces, Pattern pattern, double cell) {
    find_charts(surfaces, pattern);
    place_cells(pattern, cell);
    find_usable(pattern, cell);
    borders_ = {};
    border_triangle_ = {};
    bad_triangle_ = {};
}

void PatternWindows::find_charts(const Surfaces& surfaces, Pattern pattern) {
    const int count = surfaces.cloth_triangle_count();
    bad_triangle_.assign(count, 0);
    std::vector<int> root(count);
    std::iota(root.begin(), root.end(), 0);
    Rows sides; // 3 t + k, per edge
    sides.build(surfaces.cloth_edge_count(), [&](auto&& put) {
        for (int t = 0; t < count; ++t)
            for (int k = 0; k < 3; ++k)
                put(surfaces.triangle_edges[t][k], 3 * t + k);
    });
    const auto corner = [&](int side, int k) { return pattern[side / 3][(side % 3 + k) % 3]; };
    const auto add_border = [&](int side) {
        const Vec2 from = corner(side, 0), to = corner(side, 1);
        borders_.push_back({from, to, turn(from, to, corner(side, 2)) > 0 ? 1.0 : -1.0});
        border_triangle_.push_back(side / 3);
    };
    for (std::size_t e = 0; e < sides.size(); ++e) {
        const auto at = sides[e];
        if (at.size() == 2) {
            const int s = at[0], t = at[1];
            const bool turned =
                surfaces.triangles[s / 3][s % 3] != surfaces.triangles[t / 3][t % 3];
            const bool together =
                same(corner(s, 0), corner(t, turned)) && same(corner(s, 1), corner(t, !turned));
            if (together) {
                const Vec2 from = corner(s, 0), to = corner(s, 1);
                if (turn(from, to, corner(s, 2)) * turn(from, to, corner(t, 2)) >= 0)
                    bad_triangle_[s / 3] = bad_triangle_[t / 3] = 1;
                root[find_root(root, s / 3)] = find_root(root, t / 3);
                continue;
            }
        }
        for (int side : at)
            add_border(side);
    }
    ranges.resize(count);
    std::vector<int> chart_of(count, -1);
    for (int t = 0; t < count; ++t) {
        int& chart = chart_of[find_root(root, t)];
        if (chart < 0) {
            chart = static_cast<int>(charts.size());
            charts.emplace_back();
        }
        ranges[t].chart = chart;
        Chart& c = charts[chart];
        ++c.triangles;
        for (const Vec2& p : pattern[t]) {
            c.low = {std::min(c.low.x, p.x), std::min(c.low.y, p.y)};
            c.high = {std::max(c.high.x, p.x), std::max(c.high.y, p.y)};
        }
        const auto& [a, b, c3] = pattern[t];
        if (turn(a, b, c3) == 0)
            bad_triangle_[t] = 1;
    }
}

template <class Visit>
void PatternWindows::visit_cells(const Range& range, Visit&& visit) const {
    if (range.chart < 0)
        return;
    const Chart& chart = charts[range.chart];
    for (int j = range.low[1]; j <= range.high[1]; ++j)
        for (int i = range.low[0]; i <= range.high[0]; ++i)
            visit(chart.first_cell + j * chart.size[0] + i);
}

void PatternWindows::place_cells(Pattern pattern, double cell) {
    int cells = 0;
    for (std::size_t c = 0; c < charts.size(); ++c) {
        Chart& chart = charts[c];
        const double x = std::ceil((chart.high.x - chart.low.x) / cell) + 1,
                     y = std::ceil((chart.high.y - chart.low.y) / cell) + 1;
        chart.first_cell = cells;
        if (!(x * y <= 64.0 + most_cells_per_triangle * chart.triangles) ||
            !(std::max(x, y) < std::numeric_limits<std::int16_t>::max()))
            continue;
        chart.size[0] = static_cast<int>(x);
        chart.size[1] = static_cast<int>(y);
        cells += chart.size[0] * chart.size[1];
        cell_chart.resize(cells, static_cast<int>(c));
    }
    for (std::size_t t = 0; t < ranges.size(); ++t) {
        Range& range = ranges[t];
        const Chart& chart = charts[range.chart];
        if (chart.size[0] == 0) {
            range.chart = -1;
            continue;
        }
        const auto& [a, b, c] = pattern[t];
        const auto index = [&](double at, double low, int axis) {
            return static_cast<std::int16_t>(
                std::clamp(static_cast<int>((at - low) / cell), 0, chart.size[axis] - 1));
        };
        range.low[0] = index(std::min({a.x, b.x, c.x}), chart.low.x, 0);
        range.high[0] = index(std::max({a.x, b.x, c.x}), chart.low.x, 0);
        range.low[1] = index(std::min({a.y, b.y, c.y}), chart.low.y, 1);
        range.high[1] = index(std::max({a.y, b.y, c.y}), chart.low.y, 1);
    }
    usable.assign(cells, 0);
    cell_triangles.build(cells, [&](auto&& put) {
        for (std::size_t t = 0; t < ranges.size(); ++t)
            visit_cells(ranges[t], [&](int cell_of) { put(cell_of, static_cast<int>(t)); });
    });
}

// Cells with triangles that are bad or have their middle in another, and cells with a middle.
void PatternWindows::mark_faulty_cells(Pattern pattern, double cell,
                                       std::vector<std::uint8_t>& faulty,
                                       std::vector<std::uint8_t>& middles) const {
    const auto contains = [&](int t, const Vec2& p) {
        const auto& [a, b, c] = pattern[t];
        const double u = turn(a, b, p), v = turn(b, c, p), w = turn(c, a, p);
        return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
    };
    for (std::size_t t = 0; t < ranges.size(); ++t) {
        const Range& range = ranges[t];
        if (range.chart < 0)
            continue;
        const auto& [a, b, c] = pattern[t];
        const Vec2 middle = {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3};
        const Chart& chart = charts[range.chart];
        const int i = std::clamp(static_cast<int>((middle.x - chart.low.x) / cell),
                                 int(range.low[0]), int(range.high[0]));
        const int j = std::clamp(static_cast<int>((middle.y - chart.low.y) / cell),
                                 int(range.low[1]), int(range.high[1]));
        const int home = chart.first_cell + j * chart.size[0] + i;
        middles[home] = 1;
        bool bad = bad_triangle_[t] != 0;
        for (int other : cell_triangles[home])
            bad = bad || (other != static_cast<int>(t) && contains(other, middle));
        if (bad)
            visit_cells(range, [&](int at) { faulty[at] = 1; });
    }
}

void PatternWindows::find_usable(Pattern pattern, double cell) {
    std::vector<std::uint8_t> faulty(cell_count(), 0), middles(cell_count(), 0);
    mark_faulty_cells(pattern, cell, faulty, middles);
    Rows cell_borders;
    cell_borders.build(cell_count(), [&](auto&& put) {
        for (std::size_t b = 0; b < borders_.size(); ++b) // cells of its triangle: a few too many
            visit_cells(ranges[border_triangle_[b]], [&](int at) { put(at, static_cast<int>(b)); });
    });
    const double slack = straight * cell * cell;
    const auto is_inside = [&](const Border& border, int at) {
        for (int t : cell_triangles[at])
            for (const Vec2& p : pattern[t])
                if (border.side * turn(border.from, border.to, p) < -slack)
                    return false;
        return true;
    };
    for (std::size_t at = 0; at < cell_count(); ++at)
        for (int size = least; size <= most; ++size) {
            const int corner = static_cast<int>(at);
            bool good = true, any = false;
            visit_window(corner, size, [&](int c) {
                good = good && !faulty[c];
                any = any || middles[c];
            });
            if (!good || !any)
                break; // of wider ones too, or nothing is in them
            visit_window(corner, size, [&](int c) {
                for (int b : cell_borders[c])
                    if (good)
                        visit_window(corner, size,
                                     [&](int d) { good = good && is_inside(borders_[b], d); });
            });
            if (!good)
                break;
            usable[at] |= std::uint8_t(1 << size);
        }
}

} // namespace muslin
