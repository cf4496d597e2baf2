#pragma once

#include "muslin/kernels/distance.h"
#include "muslin/mesh/predicates.h"

#include <algorithm>
#include <array>
#include <optional>

namespace muslin {

// Whether an edge and a triangle interpenetrate. The decision is exact for the positions as they
// are stored, and touching counts: it is made on the host. Where they meet is computed with
// rounding.

/// Whether the closed segment p q and the closed triangle a b c have a point in common. A triangle
/// without area has none with anything: the triangles beside it and its edges speak for it.
inline bool segment_crosses_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                     const Vec3& c) {
    for (int axis = 0; axis < 3; ++axis) {
        if (std::max(p[axis], q[axis]) < std::min({a[axis], b[axis], c[axis]}) ||
            std::min(p[axis], q[axis]) > std::max({a[axis], b[axis], c[axis]}))
            return false;
    }
    return segment_meets_triangle(p, q, a, b, c);
}

/// Where a segment and a triangle meet; where one lies in the plane of the other, one place of
/// many.
struct Crossing {
    double along; ///< from p (0) to q (1)
    Vec3 weights; ///< of a, b and c; not negative, sum 1
};

inline std::optional<Crossing> find_crossing(const Vec3& p, const Vec3& q, const Vec3& a,
                                             const Vec3& b, const Vec3& c) {
    if (!segment_crosses_triangle(p, q, a, b, c))
        return std::nullopt;
    const Vec3 normal = cross(b - a, c - a);
    const double p_height = dot(p - a, normal), q_height = dot(q - a, normal);
    // Of the places where the segment reaches the plane, comes closest to an edge or ends, the one
    // nearest to the triangle: that serves all cases, and rounding in one of them is made up for by
    // another.
    std::array<double, 6> places = {0,
                                    1,
                                    p_height / (p_height - q_height),
                                    edge_edge_distance(p, q, a, b).s,
                                    edge_edge_distance(p, q, b, c).s,
                                    edge_edge_distance(p, q, c, a).s};
    VertexFaceDistance best = {HUGE_VAL, {1, 0, 0}, FaceRegion::vertex0};
    double along = 0;
    for (const double place : places) {
        if (!(place >= 0 && place <= 1))
            continue; // no number where both heights are zero
        const VertexFaceDistance d = vertex_face_distance(p + place * (q - p), a, b, c);
        if (d.squared < best.squared) {
            best = d;
            along = place;
        }
    }
    return Crossing{along, best.weights};
}

} // namespace muslin
