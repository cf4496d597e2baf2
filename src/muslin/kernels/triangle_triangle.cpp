#include "muslin/kernels/triangle_triangle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace muslin {
namespace {

Vec3 absolute(const Vec3& a) {
    return {std::abs(a.x), std::abs(a.y), std::abs(a.z)};
}

/// The plane of three points; tells on which side of it others are.
class Plane {
public:
    Plane(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a), b_(b), c_(c) {
        const Vec3 u = b - a, v = c - a;
        normal_ = cross(u, v);
        const Vec3 p = absolute(u), q = absolute(v);
        size_ = {p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x};
    }

    /// +1 above, from where the points run counter-clockwise, -1 below, 0 on it.
    int side(const Vec3& p, bool& exact) const {
        const Vec3 w = p - a_;
        const double height = dot(normal_, w), size = dot(size_, absolute(w));
        // The sum has the shape for which [Shewchuk 1997] has bound A, (7 + 56 eps) eps of what its
        // terms add up to, eps being half of the machine epsilon. Fused operations round less
        // often. What is too small for its bound to be a normal number is left to exact arithmetic.
        constexpr double tiny = 1e-280;
        const double bound = 4 * std::numeric_limits<double>::epsilon() * size + tiny;
        if (height > bound)
            return 1;
        if (height < -bound)
            return -1;
        if (size == 0)
            return 0; // every term is
        exact = true;
        return -orient3d(a_, b_, c_, p);
    }

private:
    const Vec3 &a_, &b_, &c_;
    Vec3 normal_, size_;
};

/// The sides of a plane that the corners of a triangle are on.
struct Sides {
    Sides(const Plane& plane, const Corners& t, bool& exact)
        : of{plane.side(*t[0], exact), plane.side(*t[1], exact), plane.side(*t[2], exact)} {}

    bool is_off() const { return of[0] != 0 && of[0] == of[1] && of[0] == of[2]; }
    bool is_on() const { return of[0] == 0 && of[1] == 0 && of[2] == 0; }

    /// The corner that has a side to itself (the plane counts as one of the sides), and whether
    /// the others are below it (+1) or above (-1). Not for what is on the plane or off it.
    std::pair<int, int> apex() const {
        for (int k = 0; k < 3; ++k) {
            const int others[2] = {of[(k + 1) % 3], of[(k + 2) % 3]};
            for (int s : {1, -1})
                if ((s * of[k] > 0 && s * others[0] <= 0 && s * others[1] <= 0) ||
                    (of[k] == 0 && s * others[0] < 0 && s * others[1] < 0))
                    return {k, s};
        }
        return {0, 1};
    }

    int of[3];
};

/// The interval in which a triangle cuts the common line of two planes: its ends lie on the edges
/// from the apex to `low` and to `high`.
struct Interval {
    const Vec3 *apex, *low, *high;

    /// `forward`: the end on the edge to the next corner is the lower one.
    Interval(const Corners& t, int k, bool forward)
        : apex(t[k]), low(t[(k + (forward ? 1 : 2)) % 3]), high(t[(k + (forward ? 2 : 1)) % 3]) {}
};

/// Of triangles that reach both sides of each other's planes. The line has the direction
/// N_a x N_b of the normals. With i the end on the edge a0 a1 and k that on b0 b1,
///     det(k - i, a1 - a0, b1 - b0) = -(k - i) (N_a . (b1 - b0)) (N_b . (a1 - a0)),
/// and the products on the right have the signs of the apexes: the orientation of two edges tells
/// which end comes first, and never vanishes otherwise than with k - i.
bool intervals_overlap(const Corners& a, const Sides& a_sides, const Corners& b,
                       const Sides& b_sides, bool& exact) {
    const auto [i, a_up] = a_sides.apex();
    const auto [k, b_up] = b_sides.apex();
    const Interval in_a(a, i, a_up < 0), in_b(b, k, b_up > 0);
    const int up = a_up * b_up;
    // +1: the end on the edge of b comes before that on the edge of a; -1: after it.
    const auto order = [&](const Vec3& a_end, const Vec3& b_end) {
        return -up * Plane(*in_a.apex, a_end, *in_b.apex).side(b_end, exact);
    };
    return order(*in_a.low, *in_b.high) <= 0 && order(*in_a.high, *in_b.low) >= 0;
}

// ------------------------------------------------------------------- in one plane, on one line

/// The hull of the corners of a triangle: three points, or the two ends of the segment that it is.
struct Hull {
    explicit Hull(const Corners& t) : points{*t[0], *t[1], *t[2]}, axis(area_axis()) {
        if (axis >= 0)
            return;
        const auto before = [](const Vec3& p, const Vec3& q) {
            return p.x != q.x ? p.x < q.x : (p.y != q.y ? p.y < q.y : p.z < q.z);
        };
        std::sort(points, points + 3, before); // along their line
        points[1] = points[2];
    }
    bool has_area() const { return axis >= 0; }
    int corners() const { return has_area() ? 3 : 2; }

    Vec3 points[3];
    int axis; ///< along which the area shows; -1: it has none

private:
    int area_axis() const;
};

Vec2 along(int axis, const Vec3& p) {
    return axis == 0 ? Vec2{p.y, p.z} : (axis == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y});
}

int turn(int axis, const Vec3& a, const Vec3& b, const Vec3& c) {
    return orient2d(along(axis, a), along(axis, b), along(axis, c));
}

int Hull::area_axis() const {
    for (int k = 0; k < 3; ++k)
        if (turn(k, points[0], points[1], points[2]) != 0)
            return k;
    return -1;
}

/// Whether the line of an edge of p has p on one side or on it and q off it on the other.
bool an_edge_separates(const Hull& p, const Hull& q, int axis) {
    for (int k = 0; k < (p.has_area() ? 3 : 1); ++k) {
        const Vec3 &from = p.points[k], &to = p.points[(k + 1) % p.corners()];
        const int inside = p.has_area() ? turn(axis, from, to, p.points[(k + 2) % 3]) : 0;
        bool left = inside <= 0, right = inside >= 0; // where q would be apart from p
        for (int j = 0; j < q.corners(); ++j) {
            const int side = turn(axis, from, to, q.points[j]);
            left = left && side > 0;
            right = right && side < 0;
        }
        if (left || right)
            return true;
    }
    return false;
}

/// Of two hulls in one plane, at least one of them with an area, which shows along the axis. Convex
/// sets in a plane that do not meet are told apart by the line of an edge of one of them.
bool meet_in_plane(const Hull& p, const Hull& q, int axis) {
    return !an_edge_separates(p, q, axis) && !an_edge_separates(q, p, axis);
}

bool segment_meets(const Hull& segment, const Hull& t) {
    const Vec3 &p = segment.points[0], &q = segment.points[1];
    const auto side = [&](const Vec3& x) {
        return orient3d(t.points[0], t.points[1], t.points[2], x);
    };
    const int p_side = side(p), q_side = side(q);
    if (p_side * q_side > 0)
        return false;
    if (p_side == 0 && q_side == 0)
        return meet_in_plane(segment, t, t.axis);
    // Through the triangle where all of its edges pass on the same hand.
    bool left = true, right = true;
    for (int k = 0; k < 3; ++k) {
        const int hand = orient3d(p, q, t.points[k], t.points[(k + 1) % 3]);
        left = left && hand >= 0;
        right = right && hand <= 0;
    }
    return left || right;
}

bool boxes_meet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    for (int k = 0; k < 3; ++k)
        if (std::max(p[k], q[k]) < std::min(r[k], s[k]) ||
            std::max(r[k], s[k]) < std::min(p[k], q[k]))
            return false;
    return true;
}

bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    // On one line, boxes tell; and where they do not meet nothing does.
    if (!boxes_meet(p, q, r, s) || orient3d(p, q, r, s) != 0)
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        const int pr = turn(axis, p, q, r), ps = turn(axis, p, q, s);
        const int rp = turn(axis, r, s, p), rq = turn(axis, r, s, q);
        if (pr != 0 || ps != 0 || rp != 0 || rq != 0) // their plane is not seen edge-on
            return pr * ps <= 0 && rp * rq <= 0;
    }
    return true;
}

/// Of triangles in one plane, or of which at least one has no area.
bool flat_triangles_meet(const Corners& a, const Corners& b) {
    const Hull p(a), q(b);
    if (p.has_area() && q.has_area())
        return meet_in_plane(p, q, p.axis);
    if (p.has_area())
        return segment_meets(q, p);
    if (q.has_area())
        return segment_meets(p, q);
    return segments_meet(p.points[0], p.points[1], q.points[0], q.points[1]);
}

} // namespace

bool triangles_intersect(const Corners& a, const Corners& b, bool& exact) {
    const Sides a_sides(Plane(*b[0], *b[1], *b[2]), a, exact);
    if (a_sides.is_off())
        return false;
    // A triangle without area has every point on its plane.
    if (a_sides.is_on())
        return flat_triangles_meet(a, b);
    const Sides b_sides(Plane(*a[0], *a[1], *a[2]), b, exact);
    if (b_sides.is_off())
        return false;
    if (b_sides.is_on())
        return flat_triangles_meet(a, b);
    return intervals_overlap(a, a_sides, b, b_sides, exact);
}

} // namespace muslin
