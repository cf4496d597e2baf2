#pragma once

#include "muslin/math/vec.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

// Whether two triangles intersect, in integers and from first principles: two convex sets have a
// point in common where the differences of their points hold the origin. The differences of two
// triangles are the hull of nine points, and a point of a hull lies in a simplex of its corners
// with no more than four of them [Caratheodory]. So all simplices of the nine points are looked at.
// Planes, intervals, coplanar or degenerate triangles are no cases of it.

namespace muslin::test {

using TrianglePoints = std::array<Vec3, 3>;

template <class Integer>
class OriginInHull {
public:
    using Point = std::array<Integer, 3>;

    explicit OriginInHull(const std::array<Point, 9>& points) : points_(points) {}

    bool holds() {
        for (int i = 0; i < 9; ++i)
            for (int j = i + 1; j < 9; ++j) {
                cross_[i][j] = cross(points_[i], points_[j]);
                if (on_segment(i, j))
                    return true;
            }
        for (int i = 0; i < 9; ++i)
            for (int j = i + 1; j < 9; ++j)
                for (int k = j + 1; k < 9; ++k) {
                    sign_[i][j][k] = sign(dot(cross_[i][j], points_[k]));
                    if (sign_[i][j][k] == 0 && in_triangle(i, j, k))
                        return true;
                }
        for (int i = 0; i < 9; ++i)
            for (int j = i + 1; j < 9; ++j)
                for (int k = j + 1; k < 9; ++k)
                    for (int l = k + 1; l < 9; ++l)
                        if (in_tetrahedron(i, j, k, l))
                            return true;
        return false;
    }

private:
    static int sign(const Integer& x) { return (x > 0) - (x < 0); }
    static Integer dot(const Point& a, const Point& b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    static Point cross(const Point& a, const Point& b) {
        return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    }
    static Point minus(const Point& a, const Point& b) {
        return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    }
    static bool is_zero(const Point& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

    /// Points included.
    bool on_segment(int i, int j) const {
        return is_zero(cross_[i][j]) && dot(points_[i], points_[j]) <= 0;
    }
    /// Of three points in one plane with the origin.
    bool in_triangle(int i, int j, int k) const {
        const Point &p = points_[i], &q = points_[j], &r = points_[k];
        const Point normal = cross(minus(q, p), minus(r, p));
        return !is_zero(normal) && dot(cross(p, q), normal) >= 0 && dot(cross(q, r), normal) >= 0 &&
               dot(cross(r, p), normal) >= 0;
    }
    /// The weights of the corners by Cramer's rule; their sum is the volume.
    bool in_tetrahedron(int i, int j, int k, int l) const {
        const int weights[] = {sign_[j][k][l], -sign_[i][k][l], sign_[i][j][l], -sign_[i][j][k]};
        bool positive = false, negative = false;
        for (int w : weights) {
            positive = positive || w > 0;
            negative = negative || w < 0;
        }
        return positive != negative;
    }

    const std::array<Point, 9>& points_;
    Point cross_[9][9];
    int sign_[9][9][9];
};

namespace detail {

/// mantissa * 2^exponent, the mantissa odd or zero.
struct Number {
    explicit Number(double x) {
        int e = 0;
        mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &e), 53));
        const int zeros =
            mantissa == 0 ? 0 : std::countr_zero(static_cast<std::uint64_t>(mantissa));
        mantissa >>= zeros;
        exponent = e - 53 + zeros;
    }
    int bits() const {
        return 64 - std::countl_zero(static_cast<std::uint64_t>(std::abs(mantissa)));
    }
    std::int64_t mantissa;
    int exponent;
};

template <class Integer>
bool meet_in_integers(const TrianglePoints& a, const TrianglePoints& b, int least) {
    const auto scaled = [&](double x) {
        const Number n(x);
        Integer value = n.mantissa;
        return n.mantissa == 0 ? value : Integer(value << (n.exponent - least));
    };
    std::array<std::array<Integer, 3>, 9> differences;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                differences[3 * i + j][k] = scaled(a[i][k]) - scaled(b[j][k]);
    return OriginInHull<Integer>(differences).holds();
}

__extension__ typedef __int128 Wide;
template <unsigned bits>
using Large = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<bits, bits, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

} // namespace detail

/// Exact for all finite coordinates whose sizes are within 2^900 of each other.
inline bool exact_triangles_meet(const TrianglePoints& a, const TrianglePoints& b) {
    int least = 10000, most = -10000;
    for (const TrianglePoints* t : {&a, &b})
        for (const Vec3& p : *t)
            for (int k = 0; k < 3; ++k)
                if (p[k] != 0) {
                    const detail::Number n(p[k]);
                    least = std::min(least, n.exponent);
                    most = std::max(most, n.exponent + n.bits());
                }
    if (least > most)
        return true; // all are at the origin
    // Products of up to four differences, of which twelve are added: 4 (bits + 2) + 4.
    const int bits = most - least;
    if (bits <= 28)
        return detail::meet_in_integers<detail::Wide>(a, b, least);
    return bits <= 120 ? detail::meet_in_integers<detail::Large<512>>(a, b, least)
                       : detail::meet_in_integers<detail::Large<4096>>(a, b, least);
}

} // namespace muslin::test
