#pragma once

#include "muslin/mesh/box_tree.h"

#include <array>

namespace muslin {

/// The point of a triangle that is nearest to a place, by the weights of its corners.
struct ClosestPoint {
    std::array<double, 3> weight;
    Vec3 point;
    double squared_distance; ///< from the place [m^2]
};

/// By the region of the triangle's plane that the place is seen in [Ericson 2005, 5.1.5]. A
/// triangle without area counts by its edges.
inline ClosestPoint closest_point(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto at = [&](double u, double v, double w) {
        const Vec3 q = u * a + v * b + w * c, d = p - q;
        return ClosestPoint{{u, v, w}, q, dot(d, d)};
    };
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return at(1, 0, 0);
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return at(0, 1, 0);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) {
        const double v = d1 / (d1 - d3);
        return at(1 - v, v, 0);
    }
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return at(0, 0, 1);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) {
        const double w = d2 / (d2 - d6);
        return at(1 - w, 0, w);
    }
    const double va = d3 * d6 - d5 * d4, along = d4 - d3, back = d5 - d6;
    if (va <= 0 && along >= 0 && back >= 0 && along + back > 0) {
        const double w = along / (along + back);
        return at(0, 1 - w, w);
    }
    const double sum = va + vb + vc;
    return at(va / sum, vb / sum, vc / sum);
}

inline ClosestPoint closest_point(const Vec3& p, const TriangleView& surface, int triangle) {
    const auto& t = surface.triangles[triangle];
    return closest_point(p, surface.positions[t[0]], surface.positions[t[1]],
                         surface.positions[t[2]]);
}

/// The nearest triangle of a surface, exactly. `guess`, which may be near, becomes that triangle;
/// a surface of no triangles has none.
inline ClosestPoint closest_point(const Vec3& p, const TriangleView& surface,
                                  const judging::BoxTree& tree, int& guess) {
    ClosestPoint best = closest_point(p, surface, guess);
    double bound = best.squared_distance;
    tree.approach(p, bound, [&](int t, double& limit) {
        const ClosestPoint found = closest_point(p, surface, t);
        if (found.squared_distance < limit) {
            best = found;
            limit = found.squared_distance;
            guess = t;
        }
    });
    return best;
}

} // namespace muslin
