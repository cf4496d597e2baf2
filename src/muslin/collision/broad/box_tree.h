#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"

#include <bit>
#include <cstdint>
#include <span>

namespace muslin {

/// A balanced binary tree over boxes that tells which of them overlap. A node is split at the
/// median of its boxes' centres along the longest side of their extent, so the shape of the tree
/// depends on the number of boxes alone and needs no pointers: the nodes of a level lie one after
/// the other (node i has the children 2i and 2i + 1, the root is 1), and so do the leaves, each
/// with the coordinates of its boxes side by side for one comparison of eight.
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

    std::size_t size() const { return count_; }
    /// The box of everything; empty where there is nothing.
    Box bounds() const { return count_ == 0 ? Box::empty() : nodes_[1]; }
    /// The summed surface area of the nodes over that at build: how much more often a random query
    /// must look into a node.
    double inflation() const { return area_ == built_area_ ? 1.0 : area_ / built_area_; }

    /// The visitors below run in this many chunks, a number that depends on size() alone. Calls of
    /// a chunk come one after the other in an order that depends on the boxes alone; calls of
    /// different chunks may come at the same time. Results kept per chunk and joined in the order
    /// of chunks are the same for any number of threads.
    std::size_t chunk_count() const { return count_ == 0 ? 0 : std::size_t{1} << chunk_level_; }

    /// Calls visit(chunk, i, j), i < j, once for each pair of boxes that overlap.
    template <class Visit>
    void visit_self_pairs(Visit&& visit) const;

    /// Calls visit(chunk, i, j) once for each box i of this tree and j of the other that overlap.
    /// The work is split by the chunks of this tree: let it be the larger one.
    template <class Visit>
    void visit_pairs(const BoxTree& other, Visit&& visit) const;

private:
    static constexpr int leaf_size = 8;
    /// Leaves per chunk: enough work to be worth handing over, and few enough chunks that testing
    /// all pairs of them costs nothing.
    static constexpr int chunk_depth = 3, most_chunks_log2 = 8;

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

    /// A box during the build: twice its centre as keys, so that the order is total.
    struct Item {
        std::int32_t centre[3];
        std::int32_t index;
    };

    using Node = std::uint32_t;

    /// Pairs of nodes that wait for their turn: the children of a pair are at most four, of which
    /// three wait at each level.
    struct NodePair {
        Node a, b;
    };
    class Waiting {
    public:
        bool any() const { return size_ != 0; }
        void push(Node a, Node b) { pairs_[size_++] = {a, b}; }
        NodePair pop() { return pairs_[--size_]; }

    private:
        NodePair pairs_[128]; ///< not set: a visit often needs none
        int size_ = 0;
    };

    /// The first place of node i of a level, in the order of the leaves.
    std::size_t place(int level, std::size_t i) const { return (count_ * i) >> level; }
    Node first_leaf() const { return Node{1} << depth_; }
    bool is_leaf(Node node) const { return node >= first_leaf(); }
    const Leaf& leaf(Node node) const { return leaves_[node - first_leaf()]; }
    int primitive(Node node, int slot) const {
        return primitives_[leaf_size * (node - first_leaf()) + slot];
    }

    void split(int level, std::size_t i);
    void split_below(int level, std::size_t i);
    void fill_leaf(std::size_t i);
    double refit_leaf(std::size_t i, std::span<const Box> boxes);
    double refit_chunk(std::size_t chunk, std::span<const Box> boxes);
    double merge_children(Node node);

    template <class Found>
    void visit_leaf(Node node, Found&& found) const;
    template <class Found>
    void visit_leaf_pair(Node a, const BoxTree& other, Node b, Found&& found) const;
    template <class Found>
    void visit_below(Node a, Node b, Found&& found) const;
    template <class Found>
    void visit_below(Node a, const BoxTree& other, Node b, Found&& found) const;

    std::size_t count_ = 0;
    int depth_ = 0; ///< the root's level is 0, that of the leaves depth_
    int chunk_level_ = 0;
    LargeArray<Box> nodes_; ///< nodes_[0] is unused: children share a cache line
    LargeArray<Leaf> leaves_;
    LargeArray<std::int32_t> primitives_; ///< the box in each slot of each leaf; -1: none
    LargeArray<Item> items_;
    double area_ = 0, built_area_ = 0; ///< of all nodes [m^2]
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
    const Leaf& boxes = leaf(node);
    for (int a = 0; a + 1 < leaf_size && primitive(node, a + 1) >= 0; ++a) {
        unsigned hits = boxes.overlaps(boxes, a) & ~((2u << a) - 1);
        for (; hits != 0; hits &= hits - 1)
            found(primitive(node, a), primitive(node, std::countr_zero(hits)));
    }
}

template <class Found>
void BoxTree::visit_leaf_pair(Node a, const BoxTree& other, Node b, Found&& found) const {
    const Leaf &mine = leaf(a), &theirs = other.leaf(b);
    // Of leaves that touch only a few boxes reach into the other leaf.
    for (unsigned near = mine.overlaps(other.nodes_[b]); near != 0; near &= near - 1) {
        const int slot = std::countr_zero(near);
        for (unsigned hits = theirs.overlaps(mine, slot); hits != 0; hits &= hits - 1)
            found(primitive(a, slot), other.primitive(b, std::countr_zero(hits)));
    }
}

/// All pairs of one box below a and one below b, nodes of the same level of this tree; where they
/// are the same node, each pair once.
template <class Found>
void BoxTree::visit_below(Node a, Node b, Found&& found) const {
    Waiting waiting;
    const auto meet = [&](Node c, Node d) {
        if (!nodes_[c].overlaps(nodes_[d]))
            return;
        if (is_leaf(c))
            visit_leaf_pair(c, *this, d, found);
        else
            waiting.push(c, d);
    };
    if (a != b)
        meet(a, b);
    else
        waiting.push(a, a);
    while (waiting.any()) {
        const auto [c, d] = waiting.pop();
        if (c != d) {
            meet(2 * c, 2 * d);
            meet(2 * c, 2 * d + 1);
            meet(2 * c + 1, 2 * d);
            meet(2 * c + 1, 2 * d + 1);
        } else if (is_leaf(c)) {
            visit_leaf(c, found);
        } else {
            waiting.push(2 * c, 2 * c);
            waiting.push(2 * c + 1, 2 * c + 1);
            meet(2 * c, 2 * c + 1);
        }
    }
}

template <class Found>
void BoxTree::visit_below(Node a, const BoxTree& other, Node b, Found&& found) const {
    Waiting waiting;
    const auto meet = [&](Node c, Node d) {
        if (!nodes_[c].overlaps(other.nodes_[d]))
            return;
        if (is_leaf(c) && other.is_leaf(d))
            visit_leaf_pair(c, other, d, found);
        else
            waiting.push(c, d);
    };
    meet(a, b);
    while (waiting.any()) {
        const auto [c, d] = waiting.pop();
        // Going down in the larger node makes the two alike in size soonest.
        if (other.is_leaf(d) || (!is_leaf(c) && nodes_[c].area() >= other.nodes_[d].area())) {
            meet(2 * c, d);
            meet(2 * c + 1, d);
        } else {
            meet(c, 2 * d);
            meet(c, 2 * d + 1);
        }
    }
}

template <class Visit>
void BoxTree::visit_self_pairs(Visit&& visit) const {
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        const auto found = [&](int i, int j) { visit(chunk, std::min(i, j), std::max(i, j)); };
        const Node node = static_cast<Node>(chunks + chunk);
        visit_below(node, node, found);
        for (Node later = node + 1; later < 2 * chunks; ++later)
            if (nodes_[node].overlaps(nodes_[later]))
                visit_below(node, later, found);
    });
}

template <class Visit>
void BoxTree::visit_pairs(const BoxTree& other, Visit&& visit) const {
    if (other.size() == 0)
        return;
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        visit_below(static_cast<Node>(chunks + chunk), other, 1,
                    [&](int i, int j) { visit(chunk, i, j); });
    });
}

} // namespace muslin
