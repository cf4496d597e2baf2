#pragma once

#include "muslin/math/vec.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

/// A ball, closed: balls that touch overlap. Its radius is rounded up by more than the rounding of
/// a comparison, so that balls around things that have a point in common always overlap. The radius
/// of the empty ball is no number: it overlaps nothing.
struct Sphere {
    Vec3 centre;   ///< [m]
    double radius; ///< [m]

    static Sphere empty() { return {{0, 0, 0}, std::numeric_limits<double>::quiet_NaN()}; }
    bool is_empty() const { return !(radius >= 0); }

    /// The ball of two points.
    static Sphere around(const Vec3& a, const Vec3& b) {
        const Vec3 middle = 0.5 * (a + b);
        return {middle, outward(std::max(norm(a - middle), norm(b - middle)))};
    }

    /// The leaf of [Bayraktar07 4]: centred at the middle of the longest edge. The paper's radius,
    /// that edge, is up to twice what is needed, the distance of the farthest corner; half the edge
    /// would be too small for an acute triangle.
    static Sphere around(const Vec3& a, const Vec3& b, const Vec3& c) {
        const double ab = dot(b - a, b - a), bc = dot(c - b, c - b), ca = dot(a - c, a - c);
        const Vec3 middle = 0.5 * (ab >= bc && ab >= ca ? a + b : (bc >= ca ? b + c : c + a));
        return {middle, outward(std::max({norm(a - middle), norm(b - middle), norm(c - middle)}))};
    }

    /// The smallest ball that holds two, but for rounding. The rule of [Bayraktar07 4], a radius
    /// of the distance between the centres, holds them only where they do not overlap: two
    /// triangles of a square have one centre.
    static Sphere around(const Sphere& a, const Sphere& b) {
        if (a.is_empty() || b.is_empty())
            return a.is_empty() ? b : a;
        const Vec3 way = b.centre - a.centre;
        const double distance = norm(way);
        if (outward(distance + b.radius) <= a.radius)
            return a;
        if (outward(distance + a.radius) <= b.radius)
            return b;
        const double part =
            distance > 0 ? std::clamp(0.5 + (b.radius - a.radius) / (2 * distance), 0.0, 1.0) : 0.5;
        const Vec3 middle = a.centre + part * way;
        return {middle, outward(std::max(norm(a.centre - middle) + a.radius,
                                         norm(b.centre - middle) + b.radius))};
    }

    bool overlaps(const Sphere& other) const {
        const Vec3 way = other.centre - centre;
        const double reach = radius + other.radius;
        return dot(way, way) <= reach * reach;
    }

private:
    /// More than a distance can have lost by rounding, and enough that its square is not lost.
    static double outward(double radius) {
        constexpr double eps = std::numeric_limits<double>::epsilon();
        return radius * (1 + 16 * eps) + 1e-140;
    }
};

} // namespace muslin
