#pragma once

#include "muslin/collision/broad/tree_layout.h"

#include <bit>
#include <cstdint>
#include <span>

namespace muslin {

/// A balanced binary tree over boxes that tells which of them overlap. Its shape, that of
/// TreeLayout, depends on the number of boxes alone; a leaf has the coordinates of its boxes side
/// by side for one comparison of eight.
///
/// Boxes that move a little keep the tree: refit() follows them. It stays right however far they
/// move, but inflation() tells when a new tree would be worth its price.
class BoxTree {
public:
    /// O(n log n). Reuses its memory where that suffices.
    void build(std::span<const Box> boxes);

    /// The same boxes, moved. O(n), without allocation. Their number must be that of build().
    void refit(std::span<const Box> boxes);

    /// The same boxes moved, or others: refits, and builds anew what is of another size or has
    /// become loose.
    void follow(std::span<const Box> boxes) {
        constexpr double loose = 2;
        if (boxes.size() == size())
            refit(boxes);
        if (boxes.size() != size() || inflation() > loose)
            build(boxes);
    }

    /// What tells later trees from others: which boxes share a leaf, and how tight the nodes were.
    /// A tree that has recalled a shape must follow() its boxes before it is used. Throws
    /// HistoryError for what is the shape of no tree.
    void store(TreeShape& shape) const;
    void recall(const TreeShape& shape);

    std::size_t size() const { return layout_.size(); }
    /// The box of everything; empty where there is nothing.
    Box bounds() const { return size() == 0 ? Box::empty() : nodes_[1]; }
    /// The summed surface area of the nodes over that at build: how much more often a random query
    /// must look into a node.
    double inflation() const { return area_ == built_area_ ? 1.0 : area_ / built_area_; }

    /// The visitors below run in this many chunks, a number that depends on size() alone. Calls of
    /// a chunk come one after the other in an order that depends on the boxes alone; calls of
    /// different chunks may come at the same time. Results kept per chunk and joined in the order
    /// of chunks are the same for any number of threads.
    std::size_t chunk_count() const { return layout_.chunk_count(); }

    /// Calls visit(chunk, i, j), i < j, once for each pair of boxes that overlap.
    template <class Visit>
    void visit_self_pairs(Visit&& visit) const {
        visit_self_pairs(visit, [](std::size_t, std::size_t) { return false; });
    }
    /// The same without the pairs of leaves, numbered from 0, that leave_out(i, j) is true for, and
    /// those within a leaf if leave_out(i, i).
    template <class Visit, class LeaveOut>
    void visit_self_pairs(Visit&& visit, LeaveOut&& leave_out) const;

    /// How often the leaves have been filled anew, and what is in them: -1 in slots that are left.
    std::size_t builds() const { return builds_; }
    std::size_t leaf_count() const { return layout_.leaf_count(); }
    std::span<const std::int32_t> leaf(std::size_t i) const { return layout_.leaf(i); }

    /// Calls visit(chunk, i, j) once for each box i of this tree and j of the other that overlap.
    /// The work is split by the chunks of this tree: let it be the larger one.
    template <class Visit>
    void visit_pairs(const BoxTree& other, Visit&& visit) const;

private:
    static constexpr int leaf_size = 8;
    /// Eight leaves in a chunk: enough work to be worth handing over.
    static constexpr int chunk_depth = 3;

    using Lanes = float __attribute__((vector_size(4 * leaf_size)));
    using Mask = std::int32_t __attribute__((vector_size(4 * leaf_size)));

    /// Up to eight boxes. A slot without a box, or with an empty one, holds NaN, which is neither
    /// below nor above anything.
    struct alignas(4 * leaf_size) Leaf {
        Lanes low[3], high[3];

        void set(int slot, const Box& box);
        /// Bits of the slots whose boxes overlap the one between `least` and `most`.
        unsigned overlaps(const float (&least)[3], const float (&most)[3]) const;
        unsigned overlaps(const Box& box) const;
        unsigned overlaps(const Leaf& other, int slot) const;
    };

    using Node = TreeLayout::Node;

    const Leaf& boxes_of(Node node) const { return leaves_[node - layout_.first_leaf()]; }
    int primitive(Node node, int slot) const {
        return layout_.leaf(node - layout_.first_leaf())[slot];
    }

    void make_room();
    double refit_leaf(std::size_t i, std::span<const Box> boxes);
    double refit_chunk(std::size_t chunk, std::span<const Box> boxes);
    double merge_children(Node node);

    template <class Found>
    void visit_leaf(Node node, Found&& found) const;
    template <class Found>
    void visit_leaf_pair(Node a, const BoxTree& other, Node b, Found&& found) const;

    TreeLayout layout_{leaf_size, chunk_depth};
    LargeArray<Box> nodes_; ///< nodes_[0] is unused: children share a cache line
    LargeArray<Leaf> leaves_;
    double area_ = 0, built_area_ = 0; ///< of all nodes [m^2]
    std::size_t builds_ = 0;
    Partials<double> chunk_area_;
};

inline unsigned BoxTree::Leaf::overlaps(const float (&least)[3], const float (&most)[3]) const {
    const Mask mask = (low[0] <= most[0]) & (low[1] <= most[1]) & (low[2] <= most[2]) &
                      (high[0] >= least[0]) & (high[1] >= least[1]) & (high[2] >= least[2]);
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(mask)));
#else
    unsigned bits = 0;
    for (int i = 0; i < leaf_size; ++i)
        bits |= mask[i] != 0 ? 1u << i : 0u;
    return bits;
#endif
}

inline unsigned BoxTree::Leaf::overlaps(const Box& box) const {
    return overlaps({box.low[0], box.low[1], box.low[2]}, {box.high[0], box.high[1], box.high[2]});
}

inline unsigned BoxTree::Leaf::overlaps(const Leaf& other, int slot) const {
    return overlaps({other.low[0][slot], other.low[1][slot], other.low[2][slot]},
                    {other.high[0][slot], other.high[1][slot], other.high[2][slot]});
}

template <class Found>
void BoxTree::visit_leaf(Node node, Found&& found) const {
    const Leaf& boxes = boxes_of(node);
    for (int a = 0; a + 1 < leaf_size && primitive(node, a + 1) >= 0; ++a) {
        unsigned hits = boxes.overlaps(boxes, a) & ~((2u << a) - 1);
        for (; hits != 0; hits &= hits - 1)
            found(primitive(node, a), primitive(node, std::countr_zero(hits)));
    }
}

template <class Found>
void BoxTree::visit_leaf_pair(Node a, const BoxTree& other, Node b, Found&& found) const {
    const Leaf &mine = boxes_of(a), &theirs = other.boxes_of(b);
    // Of leaves that touch only a few boxes reach into the other leaf.
    for (unsigned near = mine.overlaps(other.nodes_[b]); near != 0; near &= near - 1) {
        const int slot = std::countr_zero(near);
        for (unsigned hits = theirs.overlaps(mine, slot); hits != 0; hits &= hits - 1)
            found(primitive(a, slot), other.primitive(b, std::countr_zero(hits)));
    }
}

template <class Visit, class LeaveOut>
void BoxTree::visit_self_pairs(Visit&& visit, LeaveOut&& leave_out) const {
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        const auto overlap = [&](Node a, Node b) { return nodes_[a].overlaps(nodes_[b]); };
        const auto found = [&](int i, int j) { visit(chunk, std::min(i, j), std::max(i, j)); };
        const Node first = layout_.first_leaf();
        const auto pair = [&](Node a, Node b) {
            if (!leave_out(a - first, b - first))
                visit_leaf_pair(a, *this, b, found);
        };
        const auto alone = [&](Node a) {
            if (!leave_out(a - first, a - first))
                visit_leaf(a, found);
        };
        const Node node = static_cast<Node>(chunks + chunk);
        for (Node later = node; later < 2 * chunks; ++later)
            walk_within(node, later, layout_, overlap, pair, alone);
    });
}

template <class Visit>
void BoxTree::visit_pairs(const BoxTree& other, Visit&& visit) const {
    if (other.size() == 0)
        return;
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        const auto found = [&](int i, int j) { visit(chunk, i, j); };
        walk_between(
            static_cast<Node>(chunks + chunk), layout_, 1, other.layout_,
            [&](Node a, Node b) { return nodes_[a].overlaps(other.nodes_[b]); },
            [&](Node a, Node b) { return nodes_[a].area() >= other.nodes_[b].area(); },
            [&](Node a, Node b) { visit_leaf_pair(a, other, b, found); });
    });
}

} // namespace muslin
