#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

namespace muslin {

// Closest points of a vertex and a triangle, and of two edges. Any finite input is allowed: a
// triangle may be a segment or a point, an edge a point, edges may be parallel or in one line. The
// answer is always a pair of points of the two (weights from 0 to 1), and they are the closest up to
// rounding: the distance is too long by a small multiple of the rounding of the coordinates'
// differences at most. (Differences are taken to be 0 or between 1e-70 and 1e70 m.)

/// Which corners of a face carry the closest point: bit i is set where weight i is not zero.
enum class FaceRegion : unsigned char {
    vertex0 = 1,
    vertex1 = 2,
    edge01 = 3,
    vertex2 = 4,
    edge20 = 5,
    edge12 = 6,
    interior = 7,
};

struct VertexFaceDistance {
    double squared; ///< [m^2]
    Vec3 weights;   ///< of the face's corners; not negative, sum 1
    FaceRegion region;
};

struct EdgeEdgeDistance {
    double squared; ///< [m^2]
    double s, t;    ///< along the first and the second edge, from 0 to 1
    bool s_interior, t_interior; ///< not clamped to an end
};

/// Where along the edge a b it is closest to p: 0 at a, 1 at b.
MUSLIN_HD inline double closest_on_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 ab = b - a;
    const double along = dot(p - a, ab), length = dot(ab, ab);
    // Also the answer for an edge without length: both sides of the first test are zero.
    if (!(along > 0))
        return 0;
    return along < length ? along / length : 1;
}

namespace narrow_detail {

// The squared sine below which a direction computed by a cross product has lost too many digits to
// be trusted alone.
constexpr double thin = 1e-8;

MUSLIN_HD inline FaceRegion region_of(const Vec3& w) {
    return static_cast<FaceRegion>((w.x > 0 ? 1 : 0) + (w.y > 0 ? 2 : 0) + (w.z > 0 ? 4 : 0));
}

MUSLIN_HD inline void keep_nearer(VertexFaceDistance& best, const Vec3& offset,
                                  const Vec3& weights) {
    const double squared = dot(offset, offset);
    if (squared < best.squared)
        best = {squared, weights, region_of(weights)};
}

MUSLIN_HD inline void keep_nearer(EdgeEdgeDistance& best, const Vec3& between, const Vec3& u,
                                  const Vec3& v, double s, double t) {
    const Vec3 offset = between + t * v - s * u;
    const double squared = dot(offset, offset);
    if (squared < best.squared)
        best = {squared, s, t, s > 0 && s < 1, t > 0 && t < 1};
}

MUSLIN_HD inline double clamp01(double x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

/// x / y clamped to [0, 1], for y >= 0; 0 where y is 0.
MUSLIN_HD inline double ratio01(double x, double y) {
    if (!(x > 0))
        return 0;
    return x < y ? x / y : 1;
}

} // namespace narrow_detail

MUSLIN_HD inline VertexFaceDistance vertex_face_distance(const Vec3& p, const Vec3& a,
                                                         const Vec3& b, const Vec3& c) {
    using namespace narrow_detail;
    const Vec3 ap = a - p, bp = b - p, cp = c - p;
    const Vec3 ab = b - a, ac = c - a;
    const Vec3 n = cross(ab, ac);
    const double area = dot(n, n); // squared, times four
    const Vec3 w = {dot(cross(bp, cp), n), dot(cross(cp, ap), n), dot(cross(ap, bp), n)};
    VertexFaceDistance best = {HUGE_VAL, {1, 0, 0}, FaceRegion::vertex0};
    if (w.x > 0 && w.y > 0 && w.z > 0) {
        const double scale = 1 / (w.x + w.y + w.z);
        const Vec3 weights = scale * w;
        keep_nearer(best, weights.x * ap + weights.y * bp + weights.z * cp, weights);
        const bool is_thin = area <= thin * dot(ab, ab) * dot(ac, ac);
        if (!is_thin && best.region == FaceRegion::interior)
            return best;
    }
    // Outside, or the face is so thin that rounding may have decided wrongly: its edges then carry
    // the closest point, to within rounding.
    const double ab_at = closest_on_edge(p, a, b), bc_at = closest_on_edge(p, b, c),
                 ca_at = closest_on_edge(p, c, a);
    keep_nearer(best, ap + ab_at * ab, {1 - ab_at, ab_at, 0});
    keep_nearer(best, bp + bc_at * (c - b), {0, 1 - bc_at, bc_at});
    keep_nearer(best, cp + ca_at * (a - c), {ca_at, 0, 1 - ca_at});
    return best;
}

/// Of the edges a0 a1 and b0 b1.
MUSLIN_HD inline EdgeEdgeDistance edge_edge_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                                     const Vec3& b1) {
    using namespace narrow_detail;
    const Vec3 u = a1 - a0, v = b1 - b0, between = b0 - a0;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const double ub = dot(u, between), vb = dot(v, between);
    const double det = uu * vv - uv * uv;
    EdgeEdgeDistance best = {HUGE_VAL, 0, 0, false, false};
    if (det > thin * uu * vv) {
        // s minimises over the line of b; clamping, then following with t, and with s again where t
        // was clamped, ends at the minimum of this convex function [Ericson 2005, 5.1.9].
        double s = clamp01((ub * vv - uv * vb) / det);
        double t = (s * uv - vb) / vv;
        if (!(t >= 0 && t <= 1)) {
            t = clamp01(t);
            s = ratio01(ub + t * uv, uu);
        }
        keep_nearer(best, between, u, v, s, t);
        return best;
    }
    // Nearly parallel, or an edge without length: an end of one of them is closest, to within
    // rounding; but the lines may still cross between the ends.
    keep_nearer(best, between, u, v, ratio01(ub, uu), 0);
    keep_nearer(best, between, u, v, ratio01(ub + uv, uu), 1);
    keep_nearer(best, between, u, v, 0, ratio01(-vb, vv));
    keep_nearer(best, between, u, v, 1, ratio01(uv - vb, vv));
    if (det > 0) {
        const double s = clamp01((ub * vv - uv * vb) / det);
        keep_nearer(best, between, u, v, s, ratio01(s * uv - vb, vv));
    }
    return best;
}

} // namespace muslin
