// Which triangles intersect: a tree of boxes finds the candidates, exact predicates decide.
#include "muslin/base/parallel.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/predicates.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace muslin {
namespace {

using Triangle = std::array<int, 3>;
using Pair = std::array<int, 2>;

constexpr std::size_t grain = 256; // triangles per parallel range

struct Box {
    Vec3 low, high;

    bool overlaps(const Box& b) const {
        return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
               low.z <= b.high.z && b.low.z <= high.z;
    }
    void include(const Box& b) {
        low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
        high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
    }
    static Box empty() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {{inf, inf, inf}, {-inf, -inf, -inf}};
    }
};

Box box_of(const TriangleView& mesh, const Triangle& t) {
    Box box = Box::empty();
    for (const int v : t) {
        assert(is_finite(mesh.positions[v]));
        box.include({mesh.positions[v], mesh.positions[v]});
    }
    return box;
}

/// A tree of boxes over triangles, its nodes stored in the order of a walk that goes down first: a
/// query runs forward over them and jumps past what it does not touch.
class BoxTree {
public:
    explicit BoxTree(const TriangleView& mesh) {
        std::vector<Item> items;
        items.reserve(mesh.triangles.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const Box box = box_of(mesh, mesh.triangles[t]);
            items.push_back({box, box.low + box.high, static_cast<int>(t)});
        }
        if (!items.empty())
            build(items, 0, static_cast<int>(items.size()));
        triangle_.reserve(items.size());
        box_.reserve(items.size());
        for (const Item& item : items) {
            triangle_.push_back(item.triangle);
            box_.push_back(item.box);
        }
    }

    /// The triangle at each place of the tree, and its box. Neighbours in the tree are neighbours
    /// in space, so queries in this order find warm caches.
    int triangle(std::size_t place) const { return triangle_[place]; }
    const Box& box(std::size_t place) const { return box_[place]; }

    /// Calls visit(place) for the places from `first` on whose boxes overlap.
    template <class Visit>
    void query(const Box& box, int first, Visit&& visit) const {
        for (std::size_t i = 0; i < nodes_.size();) {
            const Node& node = nodes_[i];
            if (node.end <= first || !node.box.overlaps(box)) {
                i = node.next;
                continue;
            }
            if (node.next == i + 1)
                for (int place = std::max(first, node.begin); place < node.end; ++place)
                    if (box_[place].overlaps(box))
                        visit(static_cast<std::size_t>(place));
            ++i;
        }
    }

private:
    struct Item {
        Box box;
        Vec3 centre; ///< twice that of the box
        int triangle;
    };
    struct Node {
        Box box;
        int begin, end;   ///< places below it
        std::size_t next; ///< the node after all of those below it
    };
    static constexpr int leaf_size = 4;

    /// Halves the triangles along the longest side of their centres' box.
    void build(std::vector<Item>& items, int begin, int end) {
        const std::size_t self = nodes_.size();
        Box all = Box::empty(), centres = Box::empty();
        for (int i = begin; i < end; ++i) {
            all.include(items[i].box);
            centres.include({items[i].centre, items[i].centre});
        }
        nodes_.push_back({all, begin, end, 0});
        if (end - begin > leaf_size) {
            const int middle = (begin + end) / 2, axis = longest_axis(centres);
            const auto at = items.begin();
            std::nth_element(at + begin, at + middle, at + end,
                             [axis](const Item& a, const Item& b) {
                                 const double ca = a.centre[axis], cb = b.centre[axis];
                                 return ca < cb || (ca == cb && a.triangle < b.triangle);
                             });
            build(items, begin, middle);
            build(items, middle, end);
        }
        nodes_[self].next = nodes_.size();
    }

    static int longest_axis(const Box& box) {
        const Vec3 size = box.high - box.low;
        return size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    }

    std::vector<int> triangle_;
    std::vector<Box> box_;
    std::vector<Node> nodes_;
};

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
