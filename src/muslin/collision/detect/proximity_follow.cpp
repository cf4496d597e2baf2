#include "muslin/base/parallel.h"
#include "muslin/collision/detect/proximity_detector.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 256; // pairs of triangles per parallel range

} // namespace

void ProximityDetector::list_around() {
    std::vector<int> owners;
    owners_around_.build(surfaces_.point_count(), [&](auto&& put) {
        for (int p = 0; p < surfaces_.point_count(); ++p) {
            owners.clear();
            for (int t : adjacency_.point_triangles[p]) {
                owners.push_back(t);
                for (int k = 0; k < 3; ++k) {
                    owners.push_back(surfaces_.triangle_of_point(surfaces_.triangles[t][k]));
                    owners.push_back(surfaces_.triangle_of_edge(surfaces_.triangle_edges[t][k]));
                }
            }
            std::sort(owners.begin(), owners.end());
            owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
            for (int t : owners)
                put(p, t);
        }
    });
}

void ProximityDetector::set_boxes_around(int t) {
    if (boxed_[t] == follow_count_)
        return;
    boxed_[t] = follow_count_;
    set_triangle_box(t);
    for (int e : surfaces_.triangle_edges[t])
        set_edge_box(e);
    for (int p : surfaces_.triangles[t])
        set_point_box(p);
}

// Whether the pair has not come before in this follow(). A negative second number is a point.
bool ProximityDetector::is_new(const TrianglePair& pair) {
    const auto home = [&](const TrianglePair& p) {
        const std::uint64_t key = std::uint64_t(p.a) << 32 | std::uint32_t(p.b);
        return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ULL >> 20) & (slots_.size() - 1);
    };
    if (slots_.size() < 2 * (slots_used_ + 1)) { // half full: twice the room
        slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()),
                      {{-1, -1}, follow_count_ - 1});
        for (const TrianglePair& p : pairs_) {
            std::size_t i = home(p);
            while (slots_[i].follow_count == follow_count_)
                i = (i + 1) & (slots_.size() - 1);
            slots_[i] = {p, follow_count_};
        }
        slots_used_ = pairs_.size(); // marks of points are lost, which costs time alone
    }
    std::size_t i = home(pair);
    for (; slots_[i].follow_count == follow_count_; i = (i + 1) & (slots_.size() - 1))
        if (slots_[i].pair.a == pair.a && slots_[i].pair.b == pair.b)
            return false;
    slots_[i] = {pair, follow_count_};
    ++slots_used_;
    return true;
}

// The pairs of a triangle and one that owns something around points, if their boxes overlap and one
// of them is of cloth.
void ProximityDetector::add_pairs(std::span<const int> first, std::span<const int> around_second) {
    const int cloth = surfaces_.cloth_triangle_count();
    for (int a : first) {
        set_boxes_around(a);
        for (int p : around_second) {
            if (!is_new({a, -1 - p}))
                continue;
            for (int b : owners_around_[p]) {
                set_boxes_around(b);
                const TrianglePair pair = {std::min(a, b), std::max(a, b)};
                if (a != b && pair.a < cloth && triangle_boxes_[a].overlaps(triangle_boxes_[b]) &&
                    is_new(pair))
                    pairs_.push_back(pair);
            }
        }
    }
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
    if (owners_around_.size() == 0)
        list_around();
    ++follow_count_;
    pairs_.clear();
    slots_used_ = 0;
    // Each feature against what is around the other. Both sides slide in a step only where others
    // do too, and these find the rest.
    const auto add = [&](std::span<const int> first, std::span<const int> first_points,
                         std::span<const int> second, std::span<const int> second_points) {
        add_pairs(first, second_points);
        add_pairs(second, first_points);
    };
    const auto own = [&](bool is_edge, int feature) {
        return is_edge ? surfaces_.triangle_of_edge(feature) : surfaces_.triangle_of_point(feature);
    };
    for (const Proximity& p : near) {
        const bool edges = p.kind == ProximityKind::edge_edge;
        const std::span<const int> points = p.contact.points;
        const int first = own(edges, p.contact.first);
        const int second = p.kind == ProximityKind::vertex_triangle
                               ? p.contact.second
                               : own(p.kind != ProximityKind::vertex_vertex, p.contact.second);
        const std::size_t cut = edges ? 2 : 1;
        const std::size_t end = p.kind == ProximityKind::vertex_edge     ? 3
                                : p.kind == ProximityKind::vertex_vertex ? 2
                                                                         : 4;
        add({&first, 1}, points.first(cut), {&second, 1}, points.subspan(cut, end - cut));
    }
    for (const Interference& i : crossing) {
        const int first = surfaces_.triangle_of_edge(i.edge), second = i.triangle;
        add({&first, 1}, surfaces_.edges[i.edge], {&second, 1}, surfaces_.triangles[i.triangle]);
    }

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
