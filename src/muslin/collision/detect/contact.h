#pragma once

#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/kernels/continuous.h"
#include "muslin/kernels/distance.h"
#include "muslin/math/vec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace muslin {

/// Two features that meet, reduced to what a response needs: a point of each, written as weights of
/// the four points of the pair, and the direction between them.
///
/// A vertex against a face has points {v, f0, f1, f2} and weights {1, -b0, -b1, -b2}; two edges
/// have {a0, a1, b0, b1} and {1 - s, s, -(1 - t), -t}. The weights sum to zero, so that an impulse
/// w_i n on each point keeps the momentum.
struct Contact {
    std::array<int, 4> points;
    std::array<double, 4> weights;
    Vec3 normal;       ///< from the second feature to the first, unit length
    double thickness;  ///< the gap that the features are to keep [m]
    double friction;   ///< Coulomb
    int first, second; ///< the features: see FeaturePair
    bool edges;        ///< two edges, or a vertex and a face

    /// One number per pair, for sorting and for looking a pair up.
    std::uint64_t key() const {
        return std::uint64_t(edges) << 63 | std::uint64_t(std::uint32_t(first)) << 31 |
               std::uint32_t(second);
    }
    /// Sum of w_i a_i: the difference of a quantity between the two points in contact.
    Vec3 difference(std::span<const Vec3> a) const {
        Vec3 d = weights[0] * a[points[0]];
        for (int k = 1; k < 4; ++k)
            d += weights[k] * a[points[k]];
        return d;
    }
    double gap(std::span<const Vec3> positions) const { return dot(normal, difference(positions)); }
};

/// A contact of the pair with its thickness and friction; weights and normal are still to be set.
Contact make_contact(const Surfaces& surfaces, FeaturePair pair, bool edges);

/// The same of candidate k, vertices and faces first.
inline Contact make_contact(const Surfaces& surfaces, const Candidates& candidates, std::size_t k) {
    const std::size_t faces = candidates.vertex_face.size();
    return k < faces ? make_contact(surfaces, candidates.vertex_face[k], false)
                     : make_contact(surfaces, candidates.edge_edge[k - faces], true);
}

/// Whether all points of a pair are marked; `marks` has one per point, or is empty and marks none.
inline bool all_marked(const Contact& contact, std::span<const std::uint8_t> marks) {
    if (marks.empty())
        return false;
    for (const int p : contact.points)
        if (!marks[p])
            return false;
    return true;
}

/// Sets weights and normal from the closest points at `positions`. True if both lie in the inside
/// of their features and apart: of the features around a close place, just one pair or two then
/// stand for it.
bool set_closest(Contact& contact, std::span<const Vec3> positions, double& distance);

/// Whether the pair keeps, along a direction of any length, a gap of `at_begin` [m] at the begin of
/// a straight motion and of `at_end` at its end, and so what lies evenly between them on the way:
/// then it is at least as far apart.
bool keeps_gap(const Contact& contact, const Vec3& direction, std::span<const Vec3> begin,
               std::span<const Vec3> end, double at_begin, double at_end);
/// The direction between the middles of the features in the middle of the motion, times two: along
/// it, most pairs that stay apart show it.
Vec3 between_middles(const Contact& contact, std::span<const Vec3> begin,
                     std::span<const Vec3> end);

/// Whether the pair meets on the way from `begin` to `end`; never misses (kernels/continuous.h).
std::optional<Impact> find_impact(const Contact& contact, std::span<const Vec3> begin,
                                  std::span<const Vec3> end);
/// Sets weights and normal from the place where the pair meets.
void set_impact(Contact& contact, const Impact& impact, std::span<const Vec3> begin,
                std::span<const Vec3> end);

} // namespace muslin
