#include "muslin/mesh/predicates.h"

#include <algorithm>
#include <limits>

namespace muslin {
namespace {

int sign(double x) {
    return (x > 0) - (x < 0);
}

/// The sum of doubles without rounding, kept as non-overlapping terms of growing size
/// [Shewchuk 1997, Grow-Expansion]. `volatile` keeps the compiler from contracting a rounded
/// product with the addition that follows it.
template <int Capacity>
class ExactSum {
public:
    void add(double x) {
        int kept = 0;
        for (int i = 0; i < size_; ++i) {
            const double sum = x + terms_[i];
            const double back = sum - x;
            const double lost = (x - (sum - back)) + (terms_[i] - back);
            if (lost != 0)
                terms_[kept++] = lost;
            x = sum;
        }
        if (x != 0)
            terms_[kept++] = x;
        size_ = kept;
    }
    /// Adds x * y.
    void add_product(double x, double y) {
        const volatile double product = x * y; // see above
        add(std::fma(x, y, -product));
        add(product);
    }
    /// Adds x * y * z.
    void add_product(double x, double y, double z) {
        const volatile double product = x * y;
        add_product(std::fma(x, y, -product), z);
        add_product(product, z);
    }
    int sign_of() const { return size_ == 0 ? 0 : sign(terms_[size_ - 1]); }

private:
    std::array<double, Capacity> terms_;
    int size_ = 0;
};

template <class Sum>
void add_determinant(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c) {
    sum.add_product(a.x, b.y, c.z);
    sum.add_product(-a.x, b.z, c.y);
    sum.add_product(a.y, b.z, c.x);
    sum.add_product(-a.y, b.x, c.z);
    sum.add_product(a.z, b.x, c.y);
    sum.add_product(-a.z, b.y, c.x);
}

int orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    ExactSum<97> sum; // 24 products of 4 terms each
    add_determinant(sum, a, b, c);
    add_determinant(sum, b, a, d);
    add_determinant(sum, a, c, d);
    add_determinant(sum, c, b, d);
    return sum.sign_of();
}

/// The sign where rounding in the precision of Real cannot have changed it; else `unsure`.
constexpr int unsure = 2;

template <class Real>
int orient3d_rounded(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Real adx = Real(a.x) - d.x, ady = Real(a.y) - d.y, adz = Real(a.z) - d.z;
    const Real bdx = Real(b.x) - d.x, bdy = Real(b.y) - d.y, bdz = Real(b.z) - d.z;
    const Real cdx = Real(c.x) - d.x, cdy = Real(c.y) - d.y, cdz = Real(c.z) - d.z;
    const Real bcx = bdx * cdy, cbx = cdx * bdy, cax = cdx * ady;
    const Real acx = adx * cdy, abx = adx * bdy, bax = bdx * ady;
    const Real det = adz * (bcx - cbx) + bdz * (cax - acx) + cdz * (abx - bax);
    using std::abs;
    const Real size = (abs(bcx) + abs(cbx)) * abs(adz) + (abs(cax) + abs(acx)) * abs(bdz) +
                      (abs(abx) + abs(bax)) * abs(cdz);
    // [Shewchuk 1997, bound A] is (7 + 56 eps) eps, eps being half of the machine epsilon.
    const Real bound = Real(4) * std::numeric_limits<Real>::epsilon() * size;
    if (det > bound)
        return 1;
    if (det < -bound)
        return -1;
    return size == 0 ? 0 : unsure;
}

template <class Real>
int orient2d_rounded(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Real left = (Real(a.x) - c.x) * (Real(b.y) - c.y);
    const Real right = (Real(a.y) - c.y) * (Real(b.x) - c.x);
    using std::abs;
    const Real size = abs(left) + abs(right);
    const Real bound = Real(2) * std::numeric_limits<Real>::epsilon() * size;
    if (left - right > bound)
        return 1;
    if (left - right < -bound)
        return -1;
    return size == 0 ? 0 : unsure;
}

int orient2d_exact(const Vec2& a, const Vec2& b, const Vec2& c) {
    ExactSum<13> sum; // 6 products of 2 terms each
    sum.add_product(a.x, b.y);
    sum.add_product(-a.y, b.x);
    sum.add_product(b.x, c.y);
    sum.add_product(-b.y, c.x);
    sum.add_product(c.x, a.y);
    sum.add_product(-c.y, a.x);
    return sum.sign_of();
}

// Below: where things lie in one plane, seen along a coordinate axis that shows the triangle's
// area.

Vec2 along_axis(const Vec3& p, int axis) {
    return axis == 0 ? Vec2{p.y, p.z} : (axis == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y});
}

/// Whether p, q, on the line of which r is known to lie, have r between them.
bool is_between(const Vec2& p, const Vec2& q, const Vec2& r) {
    return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) && std::min(p.y, q.y) <= r.y &&
           r.y <= std::max(p.y, q.y);
}

bool coplanar_segment_meets(const Vec3& p3, const Vec3& q3, const Vec3& a3, const Vec3& b3,
                            const Vec3& c3) {
    for (int axis = 0; axis < 3; ++axis) {
        const Vec2 a = along_axis(a3, axis), b = along_axis(b3, axis), c = along_axis(c3, axis);
        const int turn = orient2d(a, b, c);
        if (turn == 0)
            continue; // seen edge-on
        const Vec2 p = along_axis(p3, axis), q = along_axis(q3, axis);
        const bool p_inside = turn * orient2d(a, b, p) >= 0 && turn * orient2d(b, c, p) >= 0 &&
                              turn * orient2d(c, a, p) >= 0;
        return p_inside || segments_meet(p, q, a, b) || segments_meet(p, q, b, c) ||
               segments_meet(p, q, c, a);
    }
    return false; // no area
}

/// segment_meets_triangle with the sides of the triangle's plane that p and q are on.
bool segment_meets(const Vec3& p, const Vec3& q, int p_side, int q_side, const Corners& t) {
    if (p_side * q_side > 0)
        return false;
    if (p_side == 0 && q_side == 0)
        return coplanar_segment_meets(p, q, *t[0], *t[1], *t[2]);
    // The line p q pierces the triangle where all edges pass it on the same hand.
    const int first = orient3d(p, q, *t[0], *t[1]), second = orient3d(p, q, *t[1], *t[2]);
    if (first * second < 0)
        return false;
    const int third = orient3d(p, q, *t[2], *t[0]);
    return first * third >= 0 && second * third >= 0;
}

int side_of(const Corners& t, const Vec3& p) {
    return orient3d(*t[0], *t[1], *t[2], p);
}

/// The sides of t's plane that the corners of another triangle are on.
struct Sides {
    Sides(const Corners& t, const Corners& other)
        : side{side_of(t, *other[0]), side_of(t, *other[1]), side_of(t, *other[2])} {}
    bool all_off_one_side() const {
        return side[0] != 0 && side[0] == side[1] && side[0] == side[2];
    }
    std::array<int, 3> side;
};

bool any_edge_meets(const Corners& edges_of, const Sides& sides, const Corners& t) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (segment_meets(*edges_of[i], *edges_of[j], sides.side[i], sides.side[j], t))
            return true;
    }
    return false;
}

} // namespace

// A flat or gently curved cloth asks about near-coplanar points all the time, so the middle step
// matters: the long double of x86 settles most of them far faster than the exact sum. Where long
// double is no wider than double it is merely idle.

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    int result = orient3d_rounded<double>(a, b, c, d);
    if (result == unsure)
        result = orient3d_rounded<long double>(a, b, c, d);
    return result == unsure ? orient3d_exact(a, b, c, d) : result;
}

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
    int result = orient2d_rounded<double>(a, b, c);
    if (result == unsure)
        result = orient2d_rounded<long double>(a, b, c);
    return result == unsure ? orient2d_exact(a, b, c) : result;
}

bool segments_meet(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b) {
    const int pa = orient2d(p, q, a), pb = orient2d(p, q, b);
    const int ap = orient2d(a, b, p), aq = orient2d(a, b, q);
    if (pa * pb < 0 && ap * aq < 0)
        return true;
    return (pa == 0 && is_between(p, q, a)) || (pb == 0 && is_between(p, q, b)) ||
           (ap == 0 && is_between(a, b, p)) || (aq == 0 && is_between(a, b, q));
}

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                            const Vec3& c) {
    const Corners triangle = {&a, &b, &c};
    return segment_meets(p, q, side_of(triangle, p), side_of(triangle, q), triangle);
}

bool triangles_meet(const Corners& a, const Corners& b) {
    const Sides a_sides(b, a);
    if (a_sides.all_off_one_side())
        return false;
    const Sides b_sides(a, b);
    if (b_sides.all_off_one_side())
        return false;
    return any_edge_meets(a, a_sides, b) || any_edge_meets(b, b_sides, a);
}

bool triangles_meet_beyond_corner(const Corners& a, const Corners& b) {
    // What they share is convex and contains the corner; followed away from it, it leaves one of
    // the triangles first, through the edge opposite the corner.
    return segment_meets(*a[1], *a[2], side_of(b, *a[1]), side_of(b, *a[2]), b) ||
           segment_meets(*b[1], *b[2], side_of(a, *b[1]), side_of(a, *b[2]), a);
}

} // namespace muslin
