#include "muslin/base/parallel.h"
#include "muslin/collision/detect/proximity_detector.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 256; // pairs of triangles per parallel range

} // namespace

void ProximityDetector::list_around() {
    std::vector<int> owners;
    follow_.owners_around.build(surfaces_.point_count(), [&](auto&& put) {
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
    if (follow_.boxed[t] == follow_.count)
        return;
    follow_.boxed[t] = follow_.count;
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
        return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ULL >> 20) &
               (follow_.slots.size() - 1);
    };
    if (follow_.slots.size() < 2 * (follow_.slots_used + 1)) { // half full: twice the room
        follow_.slots.assign(std::max<std::size_t>(1024, 2 * follow_.slots.size()),
                             {{-1, -1}, follow_.count - 1});
        for (const TrianglePair& p : follow_.pairs) {
            std::size_t i = home(p);
            while (follow_.slots[i].count == follow_.count)
                i = (i + 1) & (follow_.slots.size() - 1);
            follow_.slots[i] = {p, follow_.count};
        }
        follow_.slots_used =
            follow_.pairs.size(); // marks of points are lost, which costs time alone
    }
    std::size_t i = home(pair);
    for (; follow_.slots[i].count == follow_.count; i = (i + 1) & (follow_.slots.size() - 1))
        if (follow_.slots[i].pair.a == pair.a && follow_.slots[i].pair.b == pair.b)
            return false;
    follow_.slots[i] = {pair, follow_.count};
    ++follow_.slots_used;
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
            for (int b : follow_.owners_around[p]) {
                set_boxes_around(b);
                const TrianglePair pair = {std::min(a, b), std::max(a, b)};
                if (a != b && pair.a < cloth && boxes_.triangles[a].overlaps(boxes_.triangles[b]) &&
                    is_new(pair))
                    follow_.pairs.push_back(pair);
            }
        }
    }
}

void ProximityDetector::follow(std::span<const Vec3> positions, double margin,
                               std::vector<Proximity>& near, std::vector<Interference>& crossing) {
    search_.at = positions;
    search_.margin = margin;
    search_.bodies_margin = -1; // boxes here are of other positions than the next search's
    boxes_.points.resize(surfaces_.point_count());
    boxes_.edges.resize(surfaces_.edges.size());
    boxes_.triangles.resize(surfaces_.triangles.size());
    follow_.boxed.resize(surfaces_.triangles.size(), 0);
    if (follow_.owners_around.size() == 0)
        list_around();
    ++follow_.count;
    follow_.pairs.clear();
    follow_.slots_used = 0;
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

    clear_chunks((follow_.pairs.size() + grain - 1) / grain);
    parallel_for(follow_.pairs.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            pair_triangles(follow_.pairs[i].a, follow_.pairs[i].b, chunks_[from / grain]);
    });
    candidates_.clear();
    work_ = {collect(candidates_), 0};
    evaluate(candidates_, positions, margin, near, crossing);
}

} // namespace muslin
