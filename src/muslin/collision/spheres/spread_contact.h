#pragma once

#include "muslin/collision/detect/contact.h"

#include <array>
#include <span>

namespace muslin {

/// A contact between two points that may each lie anywhere in a triangle: the middles of two
/// spheres [Ohta95, Collision detection]. As Contact, with up to three points on each side; points
/// without weight repeat another.
struct SpreadContact {
    std::array<int, 6> points;
    std::array<double, 6> weights; ///< sum zero: positive on the first side, negative on the second
    Vec3 normal;                   ///< from the second side to the first, unit length
    double thickness;              ///< the distance to keep [m]
    double friction;               ///< Coulomb

    Vec3 difference(std::span<const Vec3> a) const {
        Vec3 d = weights[0] * a[points[0]];
        for (int k = 1; k < 6; ++k)
            d += weights[k] * a[points[k]];
        return d;
    }
    double gap(std::span<const Vec3> positions) const { return dot(normal, difference(positions)); }
};

inline SpreadContact spread(const Contact& c) {
    const auto& p = c.points;
    const auto& w = c.weights;
    return {{p[0], p[1], p[2], p[3], p[0], p[0]},
            {w[0], w[1], w[2], w[3], 0, 0},
            c.normal,
            c.thickness,
            c.friction};
}

} // namespace muslin
