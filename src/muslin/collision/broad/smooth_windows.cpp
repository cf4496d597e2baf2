#include "muslin/collision/broad/smooth_windows.h"

#include "muslin/base/parallel.h"

#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 2048;

// s - r at the expected ends, and at the real ones: few windows of the first kind fail the second.
// Single precision is far finer than either.
constexpr float expected = 0.3f, proved = 0.02f;

} // namespace

SmoothWindows::SmoothWindows(const Surfaces& surfaces, std::span<const std::array<Vec2, 3>> pattern,
                             double cell)
    : windows_(surfaces, pattern, cell) {
    for (std::size_t t = 0; t < pattern.size(); ++t) {
        const auto& [a, b, c] = pattern[t];
        const Vec2 u = b - a, v = c - a;
        const double area = cross(u, v);
        Element element = {surfaces.triangles[t], {{0, 0}, {0, 0}}};
        if (area != 0) { // else its windows are not usable
            element.inverse[0][0] = static_cast<float>(v.y / area);
            element.inverse[0][1] = static_cast<float>(-v.x / area);
            element.inverse[1][0] = static_cast<float>(-u.y / area);
            element.inverse[1][1] = static_cast<float>(u.x / area);
        }
        elements_.push_back(element);
    }
    moved_.resize(surfaces.particle_count());
    changed_.resize(elements_.size());
    spreads_.resize(elements_.size());
    cell_spreads_.assign(windows_.cell_count(), nothing());
    cell_changed_.resize(windows_.cell_count());
    smooth_.resize(windows_.cell_count());
    given_up_.resize(windows_.cell_count());
}

SmoothWindows::Spread SmoothWindows::spread_of(const Element& element) const {
    const auto [a, b, c] = element.points;
    const auto gradient = [&](std::span<const Vec3> at) {
        const Vec3 u = at[b] - at[a], v = at[c] - at[a];
        const float x[] = {float(u.x), float(u.y), float(u.z)},
                    y[] = {float(v.x), float(v.y), float(v.z)};
        Lanes f = {};
        for (int k = 0; k < 3; ++k) {
            f[k] = x[k] * element.inverse[0][0] + y[k] * element.inverse[1][0];
            f[k + 3] = x[k] * element.inverse[0][1] + y[k] * element.inverse[1][1];
        }
        return f;
    };
    const Lanes first = gradient(begin_), last = gradient(end_);
    Spread out = {first, first};
    out.merge({last, last});
    return out;
}

// s - r of the class comment.
float SmoothWindows::least_stretch(const Spread& spread) {
    const Lanes middle = 0.5f * (spread.low + spread.high), all = spread.high - spread.low;
    const Lanes product = middle * middle, square = all * all;
    const float uu = product[0] + product[1] + product[2],
                vv = product[3] + product[4] + product[5];
    const float uv = middle[0] * middle[3] + middle[1] * middle[4] + middle[2] * middle[5];
    const float r =
        0.5f * std::sqrt(square[0] + square[1] + square[2] + square[3] + square[4] + square[5]);
    const float root = std::sqrt((uu - vv) * (uu - vv) + 4 * uv * uv);
    return std::sqrt(std::max(0.0f, 0.5f * (uu + vv - root))) - r;
}

// Of triangles with points that have moved, and of the cells with such triangles.
void SmoothWindows::update_spreads() {
    parallel_for(elements_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
            const auto [a, b, c] = elements_[t].points;
            changed_[t] = moved_[a] | moved_[b] | moved_[c];
            if (changed_[t])
                spreads_[t] = spread_of(elements_[t]);
        }
    });
    parallel_for(windows_.cell_count(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t cell = from; cell < to; ++cell) {
            const auto triangles = windows_.cell_triangles[cell];
            std::uint8_t changed = 0;
            for (int t : triangles)
                changed |= changed_[t];
            cell_changed_[cell] = changed;
            if (!changed)
                continue;
            Spread all = nothing();
            for (int t : triangles)
                all.merge(spreads_[t]);
            cell_spreads_[cell] = all;
        }
    });
}

// Of windows with their corner at a cell, those that are smooth. What proves a wide one proves
// those that it holds.
std::uint8_t SmoothWindows::smooth_windows(int cell, std::uint8_t among, float least) const {
    for (int size = PatternWindows::most; size >= PatternWindows::least; --size) {
        if (!(among >> size & 1))
            continue;
        Spread all = nothing();
        windows_.visit_window(cell, size, [&](int at) { all.merge(cell_spreads_[at]); });
        if (least_stretch(all) > least)
            return among & static_cast<std::uint8_t>((2u << size) - 1);
    }
    return 0;
}

void SmoothWindows::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end) {
    begin_ = begin;
    end_.assign(end.begin(), end.begin() + static_cast<std::ptrdiff_t>(moved_.size()));
    std::fill(moved_.begin(), moved_.end(), 1);
    update_spreads();
    parallel_for(windows_.cell_count(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t cell = from; cell < to; ++cell)
            smooth_[cell] = smooth_windows(static_cast<int>(cell), windows_.usable[cell], expected);
    });
}

void SmoothWindows::move_ends(std::span<const Vec3> end, std::vector<int>& roughened) {
    parallel_for(moved_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const Vec3 &a = end[i], &b = end_[i];
            moved_[i] = a.x != b.x || a.y != b.y || a.z != b.z;
            end_[i] = a;
        }
    });
    update_spreads();
    parallel_for(windows_.cell_count(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t cell = from; cell < to; ++cell) {
            given_up_[cell] = 0;
            const int corner = static_cast<int>(cell);
            std::uint8_t changed = 0;
            if (smooth_[cell])
                windows_.visit_window(corner, PatternWindows::most,
                                      [&](int at) { changed |= cell_changed_[at]; });
            if (!changed)
                continue;
            const std::uint8_t still = smooth_windows(corner, smooth_[cell], proved);
            given_up_[cell] = smooth_[cell] & static_cast<std::uint8_t>(~still);
            smooth_[cell] = still;
        }
    });
    for (std::size_t cell = 0; cell < windows_.cell_count(); ++cell)
        if (given_up_[cell])
            windows_.visit_window(static_cast<int>(cell), PatternWindows::most, [&](int at) {
                const auto triangles = windows_.cell_triangles[at];
                roughened.insert(roughened.end(), triangles.begin(), triangles.end());
            });
}

} // namespace muslin
