#include "muslin/base/parallel.h"
#include "muslin/collision/proximity_detector.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 256; // pairs of triangles per parallel range

// The points that carry the first and the second feature of a proximity.
std::span<const int> first_points(const Proximity& p) {
    return std::span(p.contact.points).first(p.kind == ProximityKind::edge_edge ? 2 : 1);
}
std::span<const int> second_points(const Proximity& p) {
    return std::span(p.contact.points).subspan(p.kind == ProximityKind::edge_edge ? 2 : 1);
}

} // namespace

// Adds the pairs of a triangle at one of the first points and one at the second whose boxes
// overlap, of which one is of cloth.
void ProximityDetector::add_around(std::span<const int> first, std::span<const int> second) {
    const auto around = [&](std::span<const int> points, std::vector<int>& out) {
        out.clear();
        for (int p : points)
            for (int t : adjacency_.point_triangles[p]) {
                if (boxed_[t] != follow_count_) {
                    boxed_[t] = follow_count_;
                    set_triangle_box(t);
                    for (int e : surfaces_.triangle_edges[t])
                        set_edge_box(e);
                    for (int corner : surfaces_.triangles[t])
                        set_point_box(corner);
                }
                out.push_back(t);
            }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    };
    around(first, first_around_);
    around(second, second_around_);
    const int cloth = surfaces_.cloth_triangle_count();
    for (int a : first_around_)
        for (int b : second_around_)
            if (a != b && (a < cloth || b < cloth) &&
                triangle_boxes_[a].overlaps(triangle_boxes_[b]))
                pairs_.push_back({std::min(a, b), std::max(a, b)});
}

void ProximityDetector::follow(std::span<const Vec3> positions, double margin,
                               std::vector<Proximity>& near, std::vector<Interference>& crossing) {
    at_ = positions;
    margin_ = margin;
    bodies_margin_ = -1; // boxes here are of other positions than the next search's
    point_boxes_.resize(surfaces_.point_count());
    edge_boxes_.resize(surfaces_.edges.size());
    triangle_boxes_.resize(surfaces_.triangles.size());
    boxed_.resize(surfaces_.triangles.size(), 0);
    ++follow_count_;
    pairs_.clear();
    for (const Proximity& p : near)
        add_around(first_points(p), second_points(p));
    for (const Interference& i : crossing)
        add_around(surfaces_.edges[i.edge], surfaces_.triangles[i.triangle]);
    const auto before = [](const TrianglePair& p, const TrianglePair& q) {
        return p.a != q.a ? p.a < q.a : p.b < q.b;
    };
    std::sort(pairs_.begin(), pairs_.end(), before);
    const auto same = [](const TrianglePair& p, const TrianglePair& q) {
        return p.a == q.a && p.b == q.b;
    };
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());

    clear_chunks((pairs_.size() + grain - 1) / grain);
    parallel_for(pairs_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            pair_triangles(pairs_[i].a, pairs_[i].b, chunks_[from / grain]);
    });
    candidates_.clear();
    work_ = {collect(candidates_), 0};
    evaluate(candidates_, positions, margin, near, crossing);
}

} // namespace muslin
