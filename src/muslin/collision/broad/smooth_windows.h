#pragma once

#include "muslin/collision/broad/pattern_windows.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muslin {

/// Which neighbours in a cloth cannot meet in a motion, because the cloth between them is smooth.
/// In a fine mesh most features that are near each other are neighbours; boxes cannot leave them
/// out, for neighbours always touch.
///
/// Let D be the pattern in a usable window (PatternWindows), and F the 3 x 2 gradient of the map
/// from the pattern to space, constant in each triangle. If all F, at the begin and at the end of a
/// motion along straight lines, lie in a box with centre C and half diagonal r, they lie in it on
/// the way too, and for p, q in D
///
///     |x(p) - x(q)| >= (s - r) |p - q|,   s = the smaller singular value of C:
///
/// x(p) - x(q) is the integral of F (p - q) along the segment between them, which stays in D; C (p
/// - q) is at least s |p - q| long, and (F - C) (p - q) at most r |p - q|. So where s > r nothing
/// in the window meets: what the criterion of curvature says of a region without folds [Volino,
/// Magnenat-Thalmann 1994], with the pattern instead of a contour. Nor does such a window have two
/// layers that face each other.
class SmoothWindows {
public:
    using Range = PatternWindows::Range;

    /// `pattern`: the corners of each cloth triangle [m]. Cells are `cell` wide [m].
    SmoothWindows(const Surfaces& surfaces, std::span<const std::array<Vec2, 3>> pattern,
                  double cell);

    /// Finds the windows that are smooth in a motion; places per point of the surfaces.
    void set_motion(std::span<const Vec3> begin, std::span<const Vec3> end);
    /// The same begin, other ends. Windows that are not smooth any more are given up: `roughened`
    /// gets the triangles in them, some more than once. None becomes smooth.
    void move_ends(std::span<const Vec3> end, std::vector<int>& roughened);

    const Range& range(int triangle) const { return windows_.ranges[triangle]; }
    /// Whether features in the range that share no point stay apart.
    bool hold(const Range& range) const {
        const PatternWindows::Window window = windows_.window_around(range);
        return window.size != 0 && (smooth_[window.cell] >> window.size & 1);
    }
    bool hold(int a, int b) const {
        Range both = range(a);
        both.merge(range(b));
        return hold(both);
    }

private:
    /// Eight lanes: the six numbers of a gradient, and two that stay zero.
    using Lanes = float __attribute__((vector_size(32)));
    struct Spread { ///< of gradients
        Lanes low, high;
        void merge(const Spread& other) {
            low = low < other.low ? low : other.low;
            high = high > other.high ? high : other.high;
        }
    };
    static Spread nothing() {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        return {Lanes{} + infinity, Lanes{} - infinity};
    }
    struct Element {
        std::array<int, 3> points;
        float inverse[2][2]; ///< of the edges in the pattern [1/m]
    };

    Spread spread_of(const Element& element) const;
    void update_spreads();
    std::uint8_t smooth_windows(int cell, std::uint8_t among, float least) const;
    static float least_stretch(const Spread& spread);

    PatternWindows windows_;
    std::vector<Element> elements_;    ///< per triangle
    std::vector<std::uint8_t> smooth_; ///< per cell, as PatternWindows::usable
    std::span<const Vec3> begin_;
    std::vector<Vec3> end_; ///< that were looked at last
    /// Since then; per point, triangle and cell.
    std::vector<std::uint8_t> moved_, changed_, cell_changed_;
    std::vector<std::uint8_t> given_up_; ///< per cell, as smooth_
    std::vector<Spread> spreads_;        ///< per triangle
    std::vector<Spread> cell_spreads_;
};

} // namespace muslin
