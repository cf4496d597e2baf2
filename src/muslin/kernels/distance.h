#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"
#include "muslin/mesh/face_region.h"

#include <cmath>
#include <type_traits>

namespace muslin {

// Closest points of a vertex and a triangle, and of two edges. Any finite input is allowed: a
// triangle may be a segment or a point, an edge a point, edges may be parallel or in one line. The
// answer is always a pair of points of the two (weights from 0 to 1), and they are the closest up
// to rounding: the distance is too long by 1e-12 of the size of the input at most, and by far less
// where nothing is thin. (Differences are taken to be 0 or between 1e-70 and 1e70 m. The
// figures are those of double; in float it is 1e-5, and 1e-8 to 1e8 m.)

template <class T>
struct VertexFaceDistanceT {
    T squared;        ///< [m^2]
    Vec3T<T> weights; ///< of the face's corners; not negative, sum 1
    FaceRegion region;
};
using VertexFaceDistance = VertexFaceDistanceT<double>;

template <class T>
struct EdgeEdgeDistanceT {
    T squared;                   ///< [m^2]
    T s, t;                      ///< along the first and the second edge, from 0 to 1
    bool s_interior, t_interior; ///< not clamped to an end
};
using EdgeEdgeDistance = EdgeEdgeDistanceT<double>;

/// Where along the edge a b it is closest to p: 0 at a, 1 at b.
template <class T>
MUSLIN_HD inline T closest_on_edge(const Vec3T<T>& p, const Vec3T<T>& a, const Vec3T<T>& b) {
    const Vec3T<T> ab = b - a;
    const T along = dot(p - a, ab), length = dot(ab, ab);
    // Also the answer for an edge without length: both sides of the first test are zero.
    if (!(along > 0))
        return 0;
    return along < length ? along / length : 1;
}

namespace distance_detail {

// The squared sine below which a direction computed by a cross product has lost too many digits to
// be trusted alone: about the root of the machine epsilon.
template <class T>
MUSLIN_HD inline T thin() {
    return T(std::is_same_v<T, float> ? 3e-4 : 1e-8);
}

template <class T>
MUSLIN_HD inline FaceRegion region_of(const Vec3T<T>& w) {
    return static_cast<FaceRegion>((w.x > 0 ? 1 : 0) + (w.y > 0 ? 2 : 0) + (w.z > 0 ? 4 : 0));
}

template <class T>
MUSLIN_HD inline void keep_nearer(VertexFaceDistanceT<T>& best, const Vec3T<T>& offset,
                                  const Vec3T<T>& weights) {
    const T squared = dot(offset, offset);
    if (squared < best.squared)
        best = {squared, weights, region_of(weights)};
}

template <class T>
MUSLIN_HD inline bool is_inside(T s) {
    return s > 0 && s < 1;
}

template <class T>
MUSLIN_HD inline void keep_nearer(EdgeEdgeDistanceT<T>& best, const Vec3T<T>& between,
                                  const Vec3T<T>& u, const Vec3T<T>& v, T s, T t) {
    const Vec3T<T> offset = between + t * v - s * u;
    const T squared = dot(offset, offset);
    if (squared < best.squared)
        best = {squared, s, t, is_inside(s), is_inside(t)};
}

template <class T>
MUSLIN_HD inline T clamp01(T x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

/// x / y clamped to [0, 1], for y >= 0; 0 where both are 0.
template <class T>
MUSLIN_HD inline T ratio01(T x, T y) {
    if (!(x > 0))
        return 0;
    return x < y ? x / y : 1;
}

} // namespace distance_detail

template <class T>
MUSLIN_HD inline VertexFaceDistanceT<T> vertex_face_distance(const Vec3T<T>& p, const Vec3T<T>& a,
                                                             const Vec3T<T>& b, const Vec3T<T>& c) {
    using namespace distance_detail;
    const Vec3T<T> ap = a - p, bp = b - p, cp = c - p;
    const Vec3T<T> ab = b - a, bc = c - b, ca = a - c;
    const Vec3T<T> n = cross(ab, -ca);
    const T area = dot(n, n); // squared, times four
    const T b_weight = dot(cross(ap, ca), n), c_weight = dot(cross(ap, ab), n);
    const T a_weight = area - b_weight - c_weight;
    VertexFaceDistanceT<T> best = {T(HUGE_VAL), {1, 0, 0}, FaceRegion::vertex0};
    if (a_weight > 0 && b_weight > 0 && c_weight > 0) {
        const T scale = T(1) / area;
        const Vec3T<T> weights = {scale * a_weight, scale * b_weight, scale * c_weight};
        keep_nearer(best, weights.x * ap + weights.y * bp + weights.z * cp, weights);
        const bool is_thin = area <= thin<T>() * dot(ab, ab) * dot(ca, ca);
        if (!is_thin && best.region == FaceRegion::interior)
            return best;
    }
    // Outside, or the face is so thin that rounding may have decided wrongly: its edges then carry
    // the closest point, to within rounding.
    const T ab_at = closest_on_edge(p, a, b), bc_at = closest_on_edge(p, b, c),
            ca_at = closest_on_edge(p, c, a);
    keep_nearer(best, ap + ab_at * ab, {1 - ab_at, ab_at, 0});
    keep_nearer(best, bp + bc_at * bc, {0, 1 - bc_at, bc_at});
    keep_nearer(best, cp + ca_at * ca, {ca_at, 0, 1 - ca_at});
    return best;
}

/// Of the edges a0 a1 and b0 b1.
template <class T>
MUSLIN_HD inline EdgeEdgeDistanceT<T> edge_edge_distance(const Vec3T<T>& a0, const Vec3T<T>& a1,
                                                         const Vec3T<T>& b0, const Vec3T<T>& b1) {
    using namespace distance_detail;
    const Vec3T<T> u = a1 - a0, v = b1 - b0, between = b0 - a0;
    const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const T ub = dot(u, between), vb = dot(v, between);
    const T det = uu * vv - uv * uv;
    EdgeEdgeDistanceT<T> best = {T(HUGE_VAL), 0, 0, false, false};
    if (det > thin<T>() * uu * vv) {
        // s minimises over the line of b; clamping, then following with t, and with s again where t
        // was clamped, ends at the minimum of this convex function [Ericson 2005, 5.1.9].
        T s = clamp01((ub * vv - uv * vb) / det);
        T t = (s * uv - vb) / vv;
        if (!(t >= 0 && t <= 1)) {
            t = clamp01(t);
            s = ratio01(ub + t * uv, uu);
        }
        keep_nearer(best, between, u, v, s, t);
        return best;
    }
    // Nearly parallel, or an edge without length: an end of one of them is closest, unless they
    // still cross between the ends. Cross products keep the digits that `det` has lost.
    keep_nearer(best, between, u, v, ratio01(ub, uu), T(0));
    keep_nearer(best, between, u, v, ratio01(ub + uv, uu), T(1));
    keep_nearer(best, between, u, v, T(0), ratio01(-vb, vv));
    keep_nearer(best, between, u, v, T(1), ratio01(uv - vb, vv));
    const Vec3T<T> normal = cross(u, v);
    const T area = dot(normal, normal);
    if (area > 0) {
        const T s = clamp01(dot(cross(between, v), normal) / area);
        keep_nearer(best, between, u, v, s, ratio01(s * uv - vb, vv));
    }
    return best;
}

} // namespace muslin
