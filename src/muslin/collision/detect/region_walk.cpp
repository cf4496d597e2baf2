#include "muslin/collision/detect/region_walk.h"

#include <algorithm>
#include <numeric>

namespace muslin {

Vec3 FeatureNormals::triangle(int triangle, std::span<const Vec3> at) const {
    const auto [a, b, c] = surfaces_.triangles[triangle];
    const Vec3 n = cross(at[b] - at[a], at[c] - at[a]);
    const double size = norm(n);
    return size > 0 ? (1 / size) * n : Vec3{0, 0, 0};
}

Vec3 FeatureNormals::mean(std::span<const int> triangles, std::span<const Vec3> at) const {
    Vec3 sum = {0, 0, 0};
    for (const int t : triangles)
        sum += triangle(t, at);
    return triangles.empty() ? sum : (1 / static_cast<double>(triangles.size())) * sum;
}

RegionWalk::RegionWalk(const Surfaces& surfaces, const Adjacency& adjacency)
    : surfaces_(surfaces), adjacency_(adjacency), itself_(surfaces.point_count()),
      head_(surfaces.point_count(), -1), marked_(surfaces.point_count(), 0) {
    std::iota(itself_.begin(), itself_.end(), 0);
}

RegionWalk::Ends RegionWalk::ends(const NearPair& pair) const {
    const auto point = [&](int p) { return std::span(itself_).subspan(p, 1); };
    const auto edge = [&](int e) { return std::span<const int>(surfaces_.edges[e]); };
    switch (pair.kind) {
    case ProximityKind::vertex_triangle:
        return {point(pair.first), std::span<const int>(surfaces_.triangles[pair.second])};
    case ProximityKind::edge_edge:
        return {edge(pair.first), edge(pair.second)};
    case ProximityKind::vertex_edge:
        return {point(pair.first), edge(pair.second)};
    case ProximityKind::vertex_vertex:
        break;
    }
    return {point(pair.first), point(pair.second)};
}

RegionWalk::Ends RegionWalk::ends(int node) const {
    const int pairs = static_cast<int>(pairs_.size());
    if (node < pairs)
        return ends(pairs_[node]);
    const auto [edge, triangle] = crossing_[node - pairs];
    return {std::span<const int>(surfaces_.edges[edge]),
            std::span<const int>(surfaces_.triangles[triangle])};
}

void RegionWalk::begin(std::span<const NearPair> pairs, std::span<const Interference> crossing) {
    pairs_ = pairs;
    crossing_ = crossing;
    const std::size_t nodes = pairs.size() + crossing.size();
    reached_.assign(nodes, 0);
    entries_.clear();
    for (std::size_t k = 0; k < nodes; ++k)
        add(static_cast<int>(k));
}

void RegionWalk::add(int node) {
    const Ends of_node = ends(node);
    for (int end = 0; end < 2; ++end)
        for (const int p : of_node[end]) {
            entries_.push_back({p, node, end, head_[p]});
            head_[p] = static_cast<int>(entries_.size()) - 1;
        }
}

void RegionWalk::end() {
    for (const Entry& e : entries_)
        head_[e.point] = -1;
}

template <class Visit>
void RegionWalk::for_ring(std::span<const int> points, Visit&& visit) const {
    for (const int p : points) {
        visit(p);
        for (const int e : adjacency_.point_edges[p]) {
            const auto [a, b] = surfaces_.edges[e];
            visit(a == p ? b : a);
        }
    }
}

std::span<const RegionWalk::Member> RegionWalk::collect(int seed, int rings) {
    region_.clear();
    ring_.clear();
    if (reached_[seed])
        return {};
    const auto reach = [&](int node, bool swapped, int ring) {
        reached_[node] = 1;
        region_.push_back({node, swapped});
        ring_.push_back(ring);
    };
    reach(seed, false, 0);
    for (std::size_t k = 0; k < region_.size(); ++k) {
        if (ring_[k] == rings)
            continue;
        const Member member = region_[k];
        const Ends mine = ends(member.node);
        ++mark_;
        for_ring(mine[1], [&](int p) { marked_[p] = mark_; });
        for (const int p : mine[0])
            for (int e = head_[p]; e >= 0; e = entries_[e].next) {
                const int other = entries_[e].node;
                if (reached_[other])
                    continue;
                const std::span<const int> far = ends(other)[1 - entries_[e].end];
                if (std::any_of(far.begin(), far.end(), [&](int q) { return marked_[q] == mark_; }))
                    reach(other, member.swapped != (entries_[e].end == 1), ring_[k] + 1);
            }
    }
    return region_;
}

} // namespace muslin
