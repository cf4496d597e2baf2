// Which triangles intersect: a tree of boxes finds the candidates, exact predicates decide.
#include "muslin/base/parallel.h"
#include "muslin/mesh/box_tree.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/predicates.h"

#include <algorithm>

namespace muslin {
namespace {

using judging::Box;
using judging::box_of;
using judging::BoxTree;
using Triangle = std::array<int, 3>;
using Pair = std::array<int, 2>;

constexpr std::size_t grain = 256; // triangles per parallel range

/// The corners in their cyclic order from corner `first`.
Corners corners_of(const TriangleView& mesh, const Triangle& t, int first = 0) {
    return {&mesh.positions[t[first]], &mesh.positions[t[(first + 1) % 3]],
            &mesh.positions[t[(first + 2) % 3]]};
}

bool intersect_in_one_mesh(const TriangleView& mesh, const Triangle& a, const Triangle& b) {
    int shared = 0, in_a = 0, in_b = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (a[i] != b[j])
                continue;
            ++shared;
            in_a = i;
            in_b = j;
        }
    }
    if (shared > 1)
        return false;
    if (shared == 1)
        return triangles_meet_beyond_corner(corners_of(mesh, a, in_a), corners_of(mesh, b, in_b));
    return triangles_meet(corners_of(mesh, a), corners_of(mesh, b));
}

/// Calls found(range, pair) for every intersecting pair of one mesh; calls of one range come from
/// one thread, in an order that depends on the mesh alone.
template <class Found>
void visit_self_intersections(const TriangleView& mesh, Found&& found) {
    const BoxTree tree(mesh);
    parallel_for(mesh.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) {
            const int t = tree.triangle(place);
            const Triangle& corners = mesh.triangles[t];
            tree.query(tree.box(place), static_cast<int>(place) + 1, [&](std::size_t other) {
                const int u = tree.triangle(other);
                if (intersect_in_one_mesh(mesh, corners, mesh.triangles[u]))
                    found(begin / grain, Pair{std::min(t, u), std::max(t, u)});
            });
        }
    });
}

template <class Found>
void visit_intersections_between(const TriangleView& a, const TriangleView& b, Found&& found) {
    const BoxTree tree(b);
    parallel_for(a.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const Corners corners = corners_of(a, a.triangles[t]);
            tree.query(box_of(a, a.triangles[t]), 0, [&](std::size_t place) {
                const int u = tree.triangle(place);
                if (triangles_meet(corners, corners_of(b, b.triangles[u])))
                    found(begin / grain, Pair{static_cast<int>(t), u});
            });
        }
    });
}

std::size_t range_count(std::size_t triangles) {
    return (triangles + grain - 1) / grain;
}

/// Counts per parallel range: one writer each.
class Counter {
public:
    explicit Counter(std::size_t triangles) : ranges_(range_count(triangles)) {
        counts_.resize(ranges_);
    }
    void operator()(std::size_t range, const Pair&) { ++counts_[range]; }
    std::size_t total() const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < ranges_; ++i)
            sum += counts_[i];
        return sum;
    }

private:
    std::size_t ranges_;
    Partials<std::size_t> counts_;
};

class Collector {
public:
    explicit Collector(std::size_t triangles) : pairs_(range_count(triangles)) {}
    void operator()(std::size_t range, const Pair& pair) { pairs_[range].push_back(pair); }
    std::vector<Pair> sorted() const {
        std::vector<Pair> all;
        for (const auto& part : pairs_)
            all.insert(all.end(), part.begin(), part.end());
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    std::vector<std::vector<Pair>> pairs_;
};

} // namespace

std::size_t count_self_intersections(std::span<const Vec3> positions,
                                     std::span<const Triangle> triangles) {
    Counter counter(triangles.size());
    visit_self_intersections({positions, triangles}, counter);
    return counter.total();
}

std::vector<Pair> find_self_intersections(std::span<const Vec3> positions,
                                          std::span<const Triangle> triangles) {
    Collector collector(triangles.size());
    visit_self_intersections({positions, triangles}, collector);
    return collector.sorted();
}

std::size_t count_intersections_between(const TriangleView& a, const TriangleView& b) {
    Counter counter(a.triangles.size());
    visit_intersections_between(a, b, counter);
    return counter.total();
}

std::vector<Pair> find_intersections_between(const TriangleView& a, const TriangleView& b) {
    Collector collector(a.triangles.size());
    visit_intersections_between(a, b, collector);
    return collector.sorted();
}

} // namespace muslin
