#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <array>
#include <cmath>
#include <type_traits>

namespace muslin {

// Where two triangles touch when one of them moves along a direction. Seen along the direction both
// are triangles of a plane, and where these overlap the one is some way above or below the other.
// That way is linear over the overlap, so that its largest value is at a corner of it: at a corner
// of one of the triangles, or where two edges cross.

template <class T>
using TrianglePointsT = std::array<Vec3T<T>, 3>;
using TrianglePoints = TrianglePointsT<double>;

/// A corner of the overlap.
enum class MeetingKind { corner_of_first, corner_of_second, edges };
template <class T>
struct MeetingT {
    using Kind = MeetingKind;
    Kind kind;
    int first, second; ///< the corner, or the edges: k joins corners k and k + 1; -1: the face
    Vec3T<T> first_weights, second_weights; ///< of the corners of either triangle: the two points
    T way; ///< that the first has to go along the direction to touch there [m]
};
using Meeting = MeetingT<double>;

namespace meetings_detail {

// Corners and edges that just miss each other count: what is shared by neighbours in a mesh must
// not fall between them.
template <class T>
MUSLIN_HD inline T slack() {
    return T(std::is_same_v<T, float> ? 1e-5 : 1e-9);
}

/// The squared sine below which two directions are parallel.
template <class T>
MUSLIN_HD inline T parallel() {
    return T(std::is_same_v<T, float> ? 1e-10 : 1e-18);
}

template <class T>
struct Seen {
    std::array<Vec2T<T>, 3> at;
    std::array<T, 3> height;
};

template <class T>
MUSLIN_HD inline Seen<T> seen_along(const TrianglePointsT<T>& t, const Vec3T<T>& origin,
                                    const Vec3T<T>& direction, const Vec3T<T>& across,
                                    const Vec3T<T>& aside) {
    Seen<T> seen;
    for (int k = 0; k < 3; ++k) {
        const Vec3T<T> d = t[k] - origin;
        seen.at[k] = {dot(d, across), dot(d, aside)};
        seen.height[k] = dot(d, direction);
    }
    return seen;
}

/// The weights of a place in a triangle of the plane; false where it is outside, or the triangle is
/// seen edge-on.
template <class T>
MUSLIN_HD inline bool place_in(const Seen<T>& t, const Vec2T<T>& p, Vec3T<T>& weights) {
    const T area = cross(t.at[1] - t.at[0], t.at[2] - t.at[0]);
    const Vec2T<T> e = t.at[1] - t.at[0], f = t.at[2] - t.at[0];
    if (!(std::abs(area) > slack<T>() * (dot(e, e) + dot(f, f))))
        return false;
    weights.y = cross(p - t.at[0], f) / area;
    weights.z = cross(e, p - t.at[0]) / area;
    weights.x = 1 - weights.y - weights.z;
    return weights.x >= -slack<T>() && weights.y >= -slack<T>() && weights.z >= -slack<T>();
}

template <class T>
MUSLIN_HD inline T height_at(const Seen<T>& t, const Vec3T<T>& w) {
    return w.x * t.height[0] + w.y * t.height[1] + w.z * t.height[2];
}

template <class T>
MUSLIN_HD inline Vec3T<T> corner_weights(int k) {
    return {T(k == 0), T(k == 1), T(k == 2)};
}

template <class T>
MUSLIN_HD inline Vec3T<T> edge_weights(int k, T s) {
    Vec3T<T> w = {0, 0, 0};
    w[k] = 1 - s;
    w[(k + 1) % 3] = s;
    return w;
}

} // namespace meetings_detail

/// Calls visit(Meeting) for every corner of the overlap of two triangles seen along a unit
/// direction: at most 15, some of them at the same place; none where the triangles do not overlap.
template <class T, class Visit>
MUSLIN_HD inline void visit_meetings(const TrianglePointsT<T>& first,
                                     const TrianglePointsT<T>& second, const Vec3T<T>& direction,
                                     Visit&& visit) {
    using namespace meetings_detail;
    const Vec3T<T> helper = std::abs(direction.x) < T(0.6) ? Vec3T<T>{1, 0, 0} : Vec3T<T>{0, 1, 0};
    const Vec3T<T> across = normalized(cross(direction, helper)), aside = cross(direction, across);
    const Seen<T> a = seen_along(first, first[0], direction, across, aside);
    const Seen<T> b = seen_along(second, first[0], direction, across, aside);
    Vec3T<T> w;
    for (int k = 0; k < 3; ++k) {
        if (place_in(b, a.at[k], w))
            visit(MeetingT<T>{MeetingKind::corner_of_first, k, -1, corner_weights<T>(k), w,
                              height_at(b, w) - a.height[k]});
        if (place_in(a, b.at[k], w))
            visit(MeetingT<T>{MeetingKind::corner_of_second, -1, k, w, corner_weights<T>(k),
                              b.height[k] - height_at(a, w)});
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const Vec2T<T> u = a.at[(i + 1) % 3] - a.at[i], v = b.at[(j + 1) % 3] - b.at[j];
            const Vec2T<T> between = b.at[j] - a.at[i];
            const T det = cross(u, v);
            if (!(det * det > parallel<T>() * dot(u, u) * dot(v, v)))
                continue; // parallel: their ends are corners of the overlap
            const T s = cross(between, v) / det, t = cross(between, u) / det;
            if (!(s >= -slack<T>() && s <= 1 + slack<T>() && t >= -slack<T>() &&
                  t <= 1 + slack<T>()))
                continue;
            const Vec3T<T> ws = edge_weights(i, s), wt = edge_weights(j, t);
            visit(
                MeetingT<T>{MeetingKind::edges, i, j, ws, wt, height_at(b, wt) - height_at(a, ws)});
        }
}

/// How far the first triangle has to go along a unit direction until it has passed the second [m];
/// minus infinity where it never meets it.
template <class T>
MUSLIN_HD inline T way_past(const TrianglePointsT<T>& first, const TrianglePointsT<T>& second,
                            const Vec3T<T>& direction) {
    T way = -T(HUGE_VAL);
    visit_meetings(first, second, direction,
                   [&](const MeetingT<T>& m) { way = m.way > way ? m.way : way; });
    return way;
}

} // namespace muslin
