#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/surfaces.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

// Every pair of features of a scene, one after the other: the slow referee of whatever finds pairs
// by trees. It knows nothing of owners and trees; a pair is left out only if it shares a point, if
// both are of bodies, or if one coordinate alone keeps it apart on the whole way.

namespace muslin::test {

/// {edges, first, second}: comparable, and unique to a pair.
using PairKey = std::array<int, 3>;

inline Contact contact_of(const Surfaces& surfaces, const PairKey& pair) {
    return make_contact(surfaces, {pair[1], pair[2]}, pair[0] != 0);
}

inline std::vector<PairKey> keys_of(const Candidates& candidates) {
    std::vector<PairKey> keys;
    for (const FeaturePair& p : candidates.vertex_face)
        keys.push_back({0, p.first, p.second});
    for (const FeaturePair& p : candidates.edge_edge)
        keys.push_back({1, std::min(p.first, p.second), std::max(p.first, p.second)});
    return keys;
}

struct SweptBox {
    Vec3 low, high;
};

inline bool overlap(const SweptBox& a, const SweptBox& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

class AllPairs {
public:
    explicit AllPairs(const Surfaces& surfaces) : surfaces_(surfaces) {}

    /// Calls found(key) for every pair that boxes around the whole way, grown by `reach` [m] on
    /// each side, do not tell apart.
    template <class Found>
    void visit(std::span<const Vec3> begin, std::span<const Vec3> end, double reach,
               Found&& found) const {
        const auto boxes_of = [&](const auto& features) {
            std::vector<SweptBox> boxes;
            for (const auto& feature : features)
                boxes.push_back(box_of(std::span(feature), begin, end, reach));
            return boxes;
        };
        std::vector<std::array<int, 1>> points(surfaces_.point_count());
        for (int i = 0; i < surfaces_.point_count(); ++i)
            points[i] = {i};
        const auto point_boxes = boxes_of(points), edge_boxes = boxes_of(surfaces_.edges),
                   face_boxes = boxes_of(surfaces_.triangles);
        visit_overlaps(point_boxes, face_boxes, [&](int v, int f) {
            if (may_meet(std::span(points[v]), std::span(surfaces_.triangles[f])))
                found(PairKey{0, v, f});
        });
        visit_overlaps(edge_boxes, edge_boxes, [&](int e, int f) {
            if (e < f && may_meet(std::span(surfaces_.edges[e]), std::span(surfaces_.edges[f])))
                found(PairKey{1, e, f});
        });
    }

    /// The pairs that come closer than their thickness plus `more` [m] at any time, in order.
    std::vector<PairKey> near_pairs(std::span<const Vec3> begin, std::span<const Vec3> end,
                                    double more) const {
        double thickest = 0;
        for (double half : surfaces_.half_thickness)
            thickest = std::max(thickest, half);
        std::vector<PairKey> near;
        visit(begin, end, thickest + more / 2, [&](const PairKey& key) {
            const Contact c = contact_of(surfaces_, key);
            if (comes_within(c, begin, end, c.thickness + more))
                near.push_back(key);
        });
        std::sort(near.begin(), near.end());
        return near;
    }

    /// Whether the features come closer than `distance` [m] on their way. What passes at just that
    /// distance counts as apart: rounding decides it.
    static bool comes_within(const Contact& c, std::span<const Vec3> begin,
                             std::span<const Vec3> end, double distance) {
        ContinuousSettings settings;
        settings.separation = (1 - 1e-6) * distance;
        settings.tolerance = settings.resolution = 1e-7 * distance;
        std::array<Vec3, 4> x0, x1;
        for (int k = 0; k < 4; ++k) {
            x0[k] = begin[c.points[k]];
            x1[k] = end[c.points[k]];
        }
        return (c.edges ? edge_edge_impact(x0, x1, settings) : vertex_face_impact(x0, x1, settings))
            .has_value();
    }

    /// One of the two belongs to cloth, and they have no point in common.
    bool may_meet(std::span<const int> a, std::span<const int> b) const {
        if (!surfaces_.is_cloth(a[0]) && !surfaces_.is_cloth(b[0]))
            return false;
        return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) == a.end();
    }

    static SweptBox box_of(std::span<const int> points, std::span<const Vec3> begin,
                           std::span<const Vec3> end, double reach) {
        SweptBox box = {begin[points[0]], begin[points[0]]};
        for (int p : points)
            for (const Vec3& x : {begin[p], end[p]})
                for (int k = 0; k < 3; ++k) {
                    box.low[k] = std::min(box.low[k], x[k]);
                    box.high[k] = std::max(box.high[k], x[k]);
                }
        for (int k = 0; k < 3; ++k) {
            box.low[k] -= reach;
            box.high[k] += reach;
        }
        return box;
    }

private:
    // Every one of `a` with every one of `b`, less those that x alone tells apart.
    template <class Found>
    static void visit_overlaps(const std::vector<SweptBox>& a, const std::vector<SweptBox>& b,
                               Found&& found) {
        std::vector<std::pair<double, int>> order; // by the lower end
        double widest = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            order.push_back({b[j].low.x, static_cast<int>(j)});
            widest = std::max(widest, b[j].high.x - b[j].low.x);
        }
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double from = a[i].low.x - 1.001 * widest;
            for (auto at = std::lower_bound(order.begin(), order.end(), std::pair{from, -1});
                 at != order.end() && at->first <= a[i].high.x; ++at)
                if (overlap(a[i], b[at->second]))
                    found(static_cast<int>(i), at->second);
        }
    }

    const Surfaces& surfaces_;
};

} // namespace muslin::test
