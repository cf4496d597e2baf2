#include "muslin/collision/sides/merged_sides.h"

#include "muslin/collision/detect/proximity.h"

#include <algorithm>

namespace muslin {
namespace {

/// The new numbers of features; -1: one with a particle that others have joined.
///
/// Particles that stay alone keep their order (model/merge.h), and so do the edges between them:
/// which of a pair is the first, and which way its reference direction goes, does not change.
class FeatureNumbers {
public:
    FeatureNumbers(const Surfaces& before, const Surfaces& after, const ParticleMap& map)
        : before_(before), after_(after), map_(map), joined_(map.to.size(), 0) {
        for (const auto& group : map.groups())
            for (const int p : group)
                joined_[p] = 1;
    }
    int point(int p) const {
        if (before_.is_cloth(p))
            return joined_[p] ? -1 : map_.to[p];
        return p - before_.particle_count() + after_.particle_count();
    }
    int edge(int e) const {
        if (e >= before_.cloth_edge_count())
            return e - before_.cloth_edge_count() + after_.cloth_edge_count();
        const std::array<int, 2> ends = {point(before_.edges[e][0]), point(before_.edges[e][1])};
        if (ends[0] < 0 || ends[1] < 0)
            return -1;
        const auto last = after_.edges.begin() + after_.cloth_edge_count();
        return static_cast<int>(std::lower_bound(after_.edges.begin(), last, ends) -
                                after_.edges.begin());
    }
    int triangle(int t) const {
        const auto& corners = before_.triangles[t];
        return std::all_of(corners.begin(), corners.end(), [&](int p) { return point(p) >= 0; })
                   ? t
                   : -1;
    }

private:
    const Surfaces &before_, &after_;
    const ParticleMap& map_;
    std::vector<char> joined_; ///< per particle
};

} // namespace

void merge_sides(const Surfaces& before, const Surfaces& after, const ParticleMap& map,
                 std::vector<RememberedSide>& sides) {
    const FeatureNumbers numbers(before, after, map);
    const auto renumber = [&](RememberedSide& side) {
        Proximity pair;
        pair.kind = static_cast<ProximityKind>(side.pair >> 62);
        const int first = static_cast<int>(side.pair >> 31 & 0x7fffffff);
        const int second = static_cast<int>(side.pair & 0x7fffffff);
        pair.contact.first =
            pair.kind == ProximityKind::edge_edge ? numbers.edge(first) : numbers.point(first);
        pair.contact.second = pair.kind == ProximityKind::vertex_triangle ? numbers.triangle(second)
                              : pair.kind == ProximityKind::vertex_vertex ? numbers.point(second)
                                                                          : numbers.edge(second);
        side.pair = pair.pair();
        return pair.contact.first >= 0 && pair.contact.second >= 0;
    };
    std::vector<RememberedSide> kept;
    for (RememberedSide side : sides)
        if (renumber(side))
            kept.push_back(side);
    sides = std::move(kept);
}

} // namespace muslin
