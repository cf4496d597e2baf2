#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <cmath>

namespace muslin {

// Where two triangles touch when one of them moves along a direction. Seen along the direction both
// are triangles of a plane, and where these overlap the one is some way above or below the other.
// That way is linear over the overlap, so that its largest value is at a corner of it: at a corner
// of one of the triangles, or where two edges cross.

using TrianglePoints = std::array<Vec3, 3>;

/// A corner of the overlap.
struct Meeting {
    enum class Kind { corner_of_first, corner_of_second, edges };
    Kind kind;
    int first, second; ///< the corner, or the edges: k joins corners k and k + 1; -1: the face
    Vec3 first_weights, second_weights; ///< of the corners of either triangle: the two points
    double way; ///< that the first has to go along the direction to touch there [m]
};

namespace meetings_detail {

// Corners and edges that just miss each other count: what is shared by neighbours in a mesh must
// not fall between them.
constexpr double slack = 1e-9;

struct Seen {
    std::array<Vec2, 3> at;
    std::array<double, 3> height;
};

inline Seen seen_along(const TrianglePoints& t, const Vec3& origin, const Vec3& direction,
                       const Vec3& across, const Vec3& aside) {
    Seen seen;
    for (int k = 0; k < 3; ++k) {
        const Vec3 d = t[k] - origin;
        seen.at[k] = {dot(d, across), dot(d, aside)};
        seen.height[k] = dot(d, direction);
    }
    return seen;
}

/// The weights of a place in a triangle of the plane; false where it is outside, or the triangle is
/// seen edge-on.
inline bool place_in(const Seen& t, const Vec2& p, Vec3& weights) {
    const double area = cross(t.at[1] - t.at[0], t.at[2] - t.at[0]);
    const Vec2 e = t.at[1] - t.at[0], f = t.at[2] - t.at[0];
    if (!(std::abs(area) > 1e-9 * (dot(e, e) + dot(f, f))))
        return false;
    weights.y = cross(p - t.at[0], f) / area;
    weights.z = cross(e, p - t.at[0]) / area;
    weights.x = 1 - weights.y - weights.z;
    return weights.x >= -slack && weights.y >= -slack && weights.z >= -slack;
}

inline double height_at(const Seen& t, const Vec3& w) {
    return w.x * t.height[0] + w.y * t.height[1] + w.z * t.height[2];
}

inline Vec3 corner_weights(int k) {
    return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

inline Vec3 edge_weights(int k, double s) {
    Vec3 w = {0, 0, 0};
    w[k] = 1 - s;
    w[(k + 1) % 3] = s;
    return w;
}

} // namespace meetings_detail

/// Calls visit(Meeting) for every corner of the overlap of two triangles seen along a unit
/// direction: at most 15, some of them at the same place; none where the triangles do not overlap.
template <class Visit>
void visit_meetings(const TrianglePoints& first, const TrianglePoints& second,
                    const Vec3& direction, Visit&& visit) {
    using namespace meetings_detail;
    const Vec3 helper = std::abs(direction.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = normalized(cross(direction, helper)), aside = cross(direction, across);
    const Seen a = seen_along(first, first[0], direction, across, aside);
    const Seen b = seen_along(second, first[0], direction, across, aside);
    Vec3 w;
    for (int k = 0; k < 3; ++k) {
        if (place_in(b, a.at[k], w))
            visit(Meeting{Meeting::Kind::corner_of_first, k, -1, corner_weights(k), w,
                          height_at(b, w) - a.height[k]});
        if (place_in(a, b.at[k], w))
            visit(Meeting{Meeting::Kind::corner_of_second, -1, k, w, corner_weights(k),
                          b.height[k] - height_at(a, w)});
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const Vec2 u = a.at[(i + 1) % 3] - a.at[i], v = b.at[(j + 1) % 3] - b.at[j];
            const Vec2 between = b.at[j] - a.at[i];
            const double det = cross(u, v);
            if (!(det * det > 1e-18 * dot(u, u) * dot(v, v)))
                continue; // parallel: their ends are corners of the overlap
            const double s = cross(between, v) / det, t = cross(between, u) / det;
            if (!(s >= -slack && s <= 1 + slack && t >= -slack && t <= 1 + slack))
                continue;
            const Vec3 ws = edge_weights(i, s), wt = edge_weights(j, t);
            visit(Meeting{Meeting::Kind::edges, i, j, ws, wt, height_at(b, wt) - height_at(a, ws)});
        }
}

/// How far the first triangle has to go along a unit direction until it has passed the second [m];
/// minus infinity where it never meets it.
inline double way_past(const TrianglePoints& first, const TrianglePoints& second,
                       const Vec3& direction) {
    double way = -HUGE_VAL;
    visit_meetings(first, second, direction,
                   [&](const Meeting& m) { way = m.way > way ? m.way : way; });
    return way;
}

} // namespace muslin
