#pragma once

#include "muslin/collision/broad/sphere.h"
#include "muslin/collision/broad/tree_layout.h"

#include <span>

namespace muslin {

/// A balanced binary tree of balls that tells which of those in its leaves overlap, one in each
/// [Bayraktar07 4]. Median splits (TreeLayout) say which leaves go together; the balls of the nodes
/// are made from the leaves upward, each the smallest that holds its two children.
///
/// refit() follows balls that moved or grew: "we only update the positions and dimensions of the
/// bounding volumes and do not modify the structure". It stays right however far they move.
class SphereTree {
public:
    /// O(n log n). Reuses its memory where that suffices.
    void build(std::span<const Sphere> spheres);

    /// The same balls, moved. O(n), without allocation. Their number must be that of build().
    void refit(std::span<const Sphere> spheres);

    std::size_t size() const { return layout_.size(); }
    /// A ball around everything; empty where there is nothing.
    Sphere bounds() const { return size() == 0 ? Sphere::empty() : nodes_[1]; }

    /// The nodes, for tests: the children of node i are 2i and 2i + 1, the root is 1.
    std::span<const Sphere> nodes() const { return nodes_; }

    /// As in BoxTree: the visitors below run in this many chunks, a number that depends on size()
    /// alone; calls of a chunk come one after the other in an order that depends on the balls
    /// alone.
    std::size_t chunk_count() const { return layout_.chunk_count(); }

    /// Calls visit(chunk, i, j), i < j, once for each pair of balls that overlap.
    template <class Visit>
    void visit_self_pairs(Visit&& visit) const;

    /// Calls visit(chunk, i, j) once for each ball i of this tree and j of the other that overlap.
    /// The work is split by the chunks of this tree: let it be the larger one.
    template <class Visit>
    void visit_pairs(const SphereTree& other, Visit&& visit) const;

private:
    using Node = TreeLayout::Node;

    int ball_of(Node leaf) const { return layout_.leaf(leaf - layout_.first_leaf())[0]; }

    TreeLayout layout_{1, 6};
    LargeArray<Sphere> nodes_; ///< nodes_[0] is unused
};

template <class Visit>
void SphereTree::visit_self_pairs(Visit&& visit) const {
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        const auto overlap = [&](Node a, Node b) { return nodes_[a].overlaps(nodes_[b]); };
        const auto found = [&](Node a, Node b) {
            const int i = ball_of(a), j = ball_of(b);
            visit(chunk, std::min(i, j), std::max(i, j));
        };
        const Node node = static_cast<Node>(chunks + chunk);
        for (Node later = node; later < 2 * chunks; ++later)
            walk_within(node, later, layout_, overlap, found, [](Node) {});
    });
}

template <class Visit>
void SphereTree::visit_pairs(const SphereTree& other, Visit&& visit) const {
    if (other.size() == 0)
        return;
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        walk_between(
            static_cast<Node>(chunks + chunk), layout_, 1, other.layout_,
            [&](Node a, Node b) { return nodes_[a].overlaps(other.nodes_[b]); },
            [&](Node a, Node b) { return nodes_[a].radius >= other.nodes_[b].radius; },
            [&](Node a, Node b) { visit(chunk, ball_of(a), other.ball_of(b)); });
    });
}

} // namespace muslin
