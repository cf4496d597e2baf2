#pragma once

#include "muslin/pattern/panel_size.h"

#include <array>
#include <vector>

namespace muslin {

/// What is asked of the triangles of a panel: no angle below 25 degrees, with the exceptions at
/// sharp corners of the outline that docs/panels.md states.
class PanelJudge {
public:
    /// `first` is the mesh's vertex of the outline's first point.
    PanelJudge(const PanelOutline& outline, int first);

    /// The cotangent of the smallest angle that counts, as a part of the greatest allowed: above 1
    /// a triangle is too sharp.
    double sharpness(const std::array<int, 3>& corners,
                     const std::array<LatticePoint, 3>& places) const;

private:
    struct Corner {
        double allowed = 0; ///< the greatest cotangent of triangles between the legs
    };
    void find_uneven(const PanelOutline& outline);
    double allowed_between(const std::array<int, 3>& corners) const;

    int first_ = 0;
    std::vector<double> tip_;                ///< inner angle at each point of the outline [rad]
    std::vector<std::array<int, 2>> legs_;   ///< the sharp corners between whose legs a point lies
    std::vector<std::array<int, 2>> beside_; ///< the points before and after
    std::vector<Corner> corners_;
    std::vector<char>
        uneven_; ///< for each point, whether it ends a piece with far longer ones beside
};

/// The centre of the circle through three points.
Vec2 circumcentre(const Vec2& a, const Vec2& b, const Vec2& c);

/// Moves, adds and takes away inner vertices near triangles that are too sharp, each change only
/// where the sharpest triangle that it touches becomes blunter. Returns the inner triangles that
/// are too sharp still.
std::vector<int> repair(Delaunay& mesh, const PanelSize& size, const PanelJudge& judge,
                        int first_inner);

} // namespace muslin
