#pragma once

#include "muslin/kernels/continuous.h"
#include "muslin/kernels/distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace muslin {

// A vertex and a face, {v, f0, f1, f2}, or two edges, {a0, a1, b0, b1}, reduced to a point of each,
// as weights of the four points that sum to zero.

template <class T>
using PairCorners = std::array<Vec3T<T>, 4>;

/// The closest points of a pair.
template <class T>
struct ClosestPair {
    std::array<T, 4> weights;
    T distance;    ///< [m]
    bool interior; ///< both lie in the inside of their features
};

template <class T>
MUSLIN_HD inline ClosestPair<T> closest_pair(const PairCorners<T>& x, bool edges) {
    if (edges) {
        const EdgeEdgeDistanceT<T> d = edge_edge_distance(x[0], x[1], x[2], x[3]);
        return {{1 - d.s, d.s, d.t - 1, -d.t}, std::sqrt(d.squared), d.s_interior && d.t_interior};
    }
    const VertexFaceDistanceT<T> d = vertex_face_distance(x[0], x[1], x[2], x[3]);
    return {{1, -d.weights.x, -d.weights.y, -d.weights.z},
            std::sqrt(d.squared),
            d.region == FaceRegion::interior};
}

/// The gap of a pair along a direction of any length [m times that length]: negative where their
/// projections overlap.
template <class T>
MUSLIN_HD inline T gap_along(const PairCorners<T>& x, bool edges, const Vec3T<T>& direction) {
    const T first = dot(direction, x[0]), second = dot(direction, x[1]);
    const T last = std::max(dot(direction, x[2]), dot(direction, x[3]));
    return edges ? std::min(first, second) - last : first - std::max(second, last);
}

/// From the middle of the second feature to that of the first [m].
template <class T>
MUSLIN_HD inline Vec3T<T> between_middles(const PairCorners<T>& x, bool edges) {
    return edges ? T(0.5) * (x[0] + x[1] - x[2] - x[3]) : x[0] - T(1.0 / 3) * (x[1] + x[2] + x[3]);
}

/// Of the points that meet.
template <class T>
MUSLIN_HD inline std::array<T, 4> impact_weights(const ImpactT<T>& impact, bool edges) {
    if (edges)
        return {1 - impact.a, impact.a, impact.b - 1, -impact.b};
    return {1, impact.a + impact.b - 1, -impact.a, -impact.b};
}

/// The sum of w_i a_i: the difference of a quantity between the two points.
template <class T>
MUSLIN_HD inline Vec3T<T> pair_difference(const std::array<T, 4>& weights,
                                          const PairCorners<T>& a) {
    Vec3T<T> d = weights[0] * a[0];
    for (int k = 1; k < 4; ++k)
        d += weights[k] * a[k];
    return d;
}

/// Below these parts of a thickness, and of the lengths of two edges, a difference and a cross
/// product have no direction that rounding leaves alone.
template <class T>
struct ShortParts {
    double apart = 1e-9, approach = 1e-12, across = 1e-6;
};
template <>
struct ShortParts<float> {
    float apart = 1e-5F, approach = 1e-6F, across = 1e-4F;
};

/// The unit vector along `d`; none where `d` is too short to have a direction.
template <class T>
MUSLIN_HD inline std::optional<Vec3T<T>> direction_of(const Vec3T<T>& d, const T& shortest) {
    const T length = norm(d);
    if (!(length > shortest))
        return {};
    return (1 / length) * d;
}

/// The unit normal of a pair that meets at a time of a motion from `begin` to `end`: across both
/// features, to the side from where the first comes. `apart` and `approach` are pair_difference of
/// `begin`, and by how much that of `end` is less [m].
template <class T>
MUSLIN_HD inline Vec3T<T> impact_normal(const PairCorners<T>& begin, const PairCorners<T>& end,
                                        bool edges, const T& time, const Vec3T<T>& apart,
                                        const Vec3T<T>& approach, const T& thickness) {
    const ShortParts<T> shortest;
    PairCorners<T> x;
    for (int k = 0; k < 4; ++k)
        x[k] = begin[k] + time * (end[k] - begin[k]);
    const Vec3T<T> u = edges ? x[1] - x[0] : x[2] - x[1];
    const Vec3T<T> v = edges ? x[3] - x[2] : x[3] - x[1];
    const Vec3T<T> across = cross(u, v);
    // Features are on their right side at the start; where the start lies in their plane they come
    // from where the motion points.
    if (const auto n = direction_of(across, shortest.across * norm(u) * norm(v))) {
        const T side = dot(*n, apart), coming = dot(*n, approach);
        const bool clear = std::abs(side) > T(1e-3) * norm(apart) || coming == 0;
        return (clear ? side : coming) >= 0 ? *n : -*n;
    }
    if (const auto n = direction_of(apart, shortest.apart * thickness))
        return *n; // parallel edges, a face without area
    if (const auto n = direction_of(approach, shortest.approach * thickness))
        return *n;
    return {0, 1, 0}; // no distance, no motion: any direction separates
}

} // namespace muslin
