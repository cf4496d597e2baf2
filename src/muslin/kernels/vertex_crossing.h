#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <optional>
#include <span>

namespace muslin {

/// Where a point passed through a triangle on the straight ways of a step.
struct VertexCrossing {
    double time;     ///< of the step: 0 at its begin, 1 at its end
    Vec3 weights;    ///< of the triangle's corners
    bool from_front; ///< of the triangle: the side from where it is counter-clockwise
};

/// Whether a point is on the other side of a triangle at the end of a step and passed through it on
/// the way; with the time at which its height above the plane would be zero were it linear.
inline std::optional<VertexCrossing> find_vertex_crossing(int point,
                                                          const std::array<int, 3>& triangle,
                                                          std::span<const Vec3> begin,
                                                          std::span<const Vec3> end) {
    // A place this far outside of a triangle, as weights, still counts: what passes between two
    // triangles that share an edge passes one of them.
    constexpr double slack = 1e-9;
    const auto& [a, b, c] = triangle;
    const auto volume = [&](std::span<const Vec3> x) {
        return dot(cross(x[b] - x[a], x[c] - x[a]), x[point] - x[a]);
    };
    const double before = volume(begin), after = volume(end);
    // On the plane at the begin: it comes from the side that it does not go to. On it at the end:
    // it has not passed.
    if (!(before >= 0 && after < 0) && !(before <= 0 && after > 0))
        return {};
    const double time = before / (before - after);
    const auto at = [&](int p) { return begin[p] + time * (end[p] - begin[p]); };
    const Vec3 origin = at(a), e = at(b) - origin, f = at(c) - origin, d = at(point) - origin;
    const Vec3 n = cross(e, f);
    const double area = dot(n, n);
    if (!(area > 0))
        return {};
    Vec3 w = {0, dot(cross(d, f), n) / area, dot(cross(e, d), n) / area};
    w.x = 1 - w.y - w.z;
    if (!(w.x >= -slack && w.y >= -slack && w.z >= -slack))
        return {};
    return VertexCrossing{time, w, after < 0};
}

} // namespace muslin
