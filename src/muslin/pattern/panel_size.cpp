#include "muslin/pattern/panel_size.h"

#include "muslin/pattern/outline_mesh.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

/// A panel fills at most this part of the lattice, so that a box around it has room.
constexpr double extent_limit = 1 << 27;
constexpr double fineness = 1 << 23; // units per edge
constexpr double odd_from = 0.1;     // pieces that differ so much from the target count as odd

} // namespace

PanelSize::PanelSize(const PanelOutline& outline, double length) {
    low_ = outline.points()[0];
    Vec2 high = low_;
    for (const Vec2& p : outline.points()) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    size_ = high - low_;
    unit_ = std::max(length / fineness, std::max(size_.x, size_.y) / extent_limit);
    target_ = length / unit_;
    for (const Vec2& p : outline.points())
        points_.push_back(to(p));
    std::vector<int> every, odd;
    std::vector<double> clearances, influences;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const Vec2 a = to_vec(points_[i]), b = to_vec(points_[outline.pieces()[i].next]);
        const double l = norm(b - a);
        segments_.push_back({a, b, l});
        every.push_back(static_cast<int>(i));
        clearances.push_back(std::max(target_, l));
        if (std::abs(l - target_) > odd_from * target_) {
            odd.push_back(static_cast<int>(i));
            influences.push_back(std::min(std::abs(l - target_) / grading, reach_limit * target_));
        }
    }
    const Vec2 box = extent();
    cell_ = std::max({target_, box.x / 2000, box.y / 2000});
    columns_ = static_cast<int>(box.x / cell_) + 1;
    rows_ = static_cast<int>(box.y / cell_) + 1;
    all_ = sort_into_cells(every, clearances);
    odd_ = sort_into_cells(odd, influences);
}

LatticePoint PanelSize::to(const Vec2& p) const {
    return to_lattice({(p.x - low_.x) / unit_, (p.y - low_.y) / unit_});
}

PanelSize::Grid PanelSize::sort_into_cells(std::span<const int> segments,
                                           std::span<const double> reaches) const {
    Grid grid;
    grid.begin.assign(static_cast<std::size_t>(columns_) * rows_ + 1, 0);
    const auto visit = [&](auto&& act) {
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const Segment& s = segments_[segments[i]];
            const auto cell = [&](double x, int count) {
                return std::clamp(static_cast<int>(std::floor(x / cell_)), 0, count - 1);
            };
            const int x0 = cell(std::min(s.a.x, s.b.x) - reaches[i], columns_);
            const int x1 = cell(std::max(s.a.x, s.b.x) + reaches[i], columns_);
            const int y0 = cell(std::min(s.a.y, s.b.y) - reaches[i], rows_);
            const int y1 = cell(std::max(s.a.y, s.b.y) + reaches[i], rows_);
            for (int y = y0; y <= y1; ++y)
                for (int x = x0; x <= x1; ++x)
                    act(y * columns_ + x, segments[i]);
        }
    };
    visit([&](int c, int) { ++grid.begin[c + 1]; });
    for (std::size_t c = 1; c < grid.begin.size(); ++c)
        grid.begin[c] += grid.begin[c - 1];
    grid.items.resize(grid.begin.back());
    std::vector<int> next(grid.begin.begin(), grid.begin.end() - 1);
    visit([&](int c, int segment) { grid.items[next[c]++] = segment; });
    return grid;
}

std::span<const int> PanelSize::in_cell(const Grid& grid, const Vec2& p) const {
    const int x = std::clamp(static_cast<int>(std::floor(p.x / cell_)), 0, columns_ - 1);
    const int y = std::clamp(static_cast<int>(std::floor(p.y / cell_)), 0, rows_ - 1);
    const int c = y * columns_ + x;
    return std::span(grid.items).subspan(grid.begin[c], grid.begin[c + 1] - grid.begin[c]);
}

double PanelSize::at(const Vec2& p) const {
    double most = target_, least = HUGE_VAL;
    for (const int i : in_cell(odd_, p)) {
        const Segment& s = segments_[i];
        const double way = grading * distance_to_segment(p, s.a, s.b);
        most = std::max(most, s.length - way);
        least = std::min(least, s.length + way);
    }
    return std::min(most, least);
}

bool PanelSize::is_clear(const Vec2& p, double wanted, double part) const {
    for (const int i : in_cell(all_, p)) {
        const Segment& s = segments_[i];
        if (distance_to_segment(p, s.a, s.b) < part * wanted)
            return false;
        if (dot(p - s.a, p - s.b) < 0.1 * s.length * s.length)
            return false;
    }
    return true;
}

} // namespace muslin
