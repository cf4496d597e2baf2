#pragma once

#include "muslin/mesh/measure.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <limits>
#include <vector>

// The tree of the judges in this folder. Contact has its own, so that what is judged and what
// judges share no code.

namespace muslin::judging {

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
    /// From the box to a point, squared; 0 inside [m^2].
    double squared_distance(const Vec3& p) const {
        const auto gap = [](double from, double at, double to) {
            return std::max({from - at, 0.0, at - to});
        };
        const Vec3 d = {gap(low.x, p.x, high.x), gap(low.y, p.y, high.y), gap(low.z, p.z, high.z)};
        return dot(d, d);
    }
    static Box empty() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {{inf, inf, inf}, {-inf, -inf, -inf}};
    }
};

inline Box box_of(const TriangleView& mesh, const std::array<int, 3>& t) {
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

    /// Calls visit(triangle, bound) for triangles whose boxes are nearer to the point than `bound`,
    /// a squared distance [m^2] that visit lowers.
    template <class Visit>
    void approach(const Vec3& point, double& bound, Visit&& visit) const {
        for (std::size_t i = 0; i < nodes_.size();) {
            const Node& node = nodes_[i];
            if (node.box.squared_distance(point) >= bound) {
                i = node.next;
                continue;
            }
            if (node.next == i + 1)
                for (int place = node.begin; place < node.end; ++place)
                    if (box_[place].squared_distance(point) < bound)
                        visit(triangle_[place], bound);
            ++i;
        }
    }

    /// Of everything; empty() of nothing.
    Box bounds() const { return nodes_.empty() ? Box::empty() : nodes_[0].box; }

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

} // namespace muslin::judging
