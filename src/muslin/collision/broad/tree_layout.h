#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"
#include "muslin/model/state.h"

#include <array>
#include <cstdint>
#include <span>

namespace muslin {

/// The shape of a balanced binary tree over things with centres. A node is split at the median of
/// the centres along the longest side of their extent, so the shape depends on the number of things
/// alone and needs no pointers: the nodes of a level lie one after the other (node i has the
/// children 2i and 2i + 1, the root is 1), and so do the leaves.
class TreeLayout {
public:
    using Node = std::uint32_t;

    /// Things per leaf at most, and the levels between the leaves and the chunks.
    TreeLayout(int leaf_size, int chunk_depth) : leaf_size_(leaf_size), chunk_depth_(chunk_depth) {}

    /// O(n log n), n = count; centre(i) is an std::array<float, 3> [m].
    template <class Centre>
    void build(std::size_t count, Centre&& centre) {
        set_count(count);
        parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::array<float, 3> at = centre(i);
                for (int axis = 0; axis < 3; ++axis)
                    items_[i].centre[axis] = detail::ordered(at[axis]);
                items_[i].index = static_cast<std::int32_t>(i);
            }
        });
        split_all();
    }

    /// What is in which leaf. Throws HistoryError for what is the shape of no tree.
    void store(TreeShape& shape) const;
    void recall(const TreeShape& shape);

    std::size_t size() const { return count_; }
    int depth() const { return depth_; } ///< the root's level is 0, that of the leaves depth()
    int chunk_level() const { return chunk_level_; }
    std::size_t leaf_count() const { return std::size_t{1} << depth_; }
    std::size_t chunk_count() const { return count_ == 0 ? 0 : std::size_t{1} << chunk_level_; }
    Node first_leaf() const { return Node{1} << depth_; }
    bool is_leaf(Node node) const { return node >= first_leaf(); }
    /// The things of leaf i, in increasing order; -1 in the slots that are left.
    std::span<const std::int32_t> leaf(std::size_t i) const {
        return std::span<const std::int32_t>(primitives_).subspan(leaf_size_ * i, leaf_size_);
    }

    /// Calls merge(node) for the nodes above the leaves of a chunk, children first.
    template <class Merge>
    void visit_chunk_upward(std::size_t chunk, Merge&& merge) const {
        for (int level = depth_ - 1; level >= chunk_level_; --level) {
            const std::size_t nodes = std::size_t{1} << (level - chunk_level_);
            const std::size_t first = (std::size_t{1} << level) + chunk * nodes;
            for (std::size_t i = 0; i < nodes; ++i)
                merge(static_cast<Node>(first + i));
        }
    }

private:
    /// Few enough chunks that testing all pairs of them costs nothing.
    static constexpr int most_chunks_log2 = 8;
    static constexpr std::size_t grain = 4096; // things per parallel range

    /// Centres as keys, so that the order is total.
    struct Item {
        std::int32_t centre[3];
        std::int32_t index;
    };

    /// The first place of node i of a level, in the order of the leaves.
    std::size_t place(int level, std::size_t i) const { return (count_ * i) >> level; }

    void set_count(std::size_t count);
    void split_all();
    void split(int level, std::size_t i);
    void split_below(int level, std::size_t i);
    void fill_leaf(std::size_t i);
    static int longest_axis(std::span<const Item> items);

    int leaf_size_, chunk_depth_;
    std::size_t count_ = 0;
    int depth_ = 0, chunk_level_ = 0;
    LargeArray<std::int32_t> primitives_; ///< the thing in each slot of each leaf; -1: none
    LargeArray<Item> items_;
};

/// Pairs of nodes that wait for their turn: the children of a pair are at most four, of which
/// three wait at each level.
class WaitingNodes {
public:
    using Node = TreeLayout::Node;
    struct Pair {
        Node a, b;
    };
    bool any() const { return size_ != 0; }
    void push(Node a, Node b) { pairs_[size_++] = {a, b}; }
    Pair pop() { return pairs_[--size_]; }

private:
    Pair pairs_[128]; ///< not set: a visit often needs none
    int size_ = 0;
};

/// All pairs of one leaf below a and one below b, nodes of the same level of one tree, that
/// overlap; where they are the same node, each pair once: calls pair(leaf, leaf), or alone(leaf)
/// for a leaf and itself.
template <class Overlap, class FoundPair, class FoundOne>
void walk_within(TreeLayout::Node a, TreeLayout::Node b, const TreeLayout& tree, Overlap&& overlap,
                 FoundPair&& pair, FoundOne&& alone) {
    using Node = TreeLayout::Node;
    WaitingNodes waiting;
    const auto meet = [&](Node c, Node d) {
        if (!overlap(c, d))
            return;
        if (tree.is_leaf(c))
            pair(c, d);
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
        } else if (tree.is_leaf(c)) {
            alone(c);
        } else {
            waiting.push(2 * c, 2 * c);
            waiting.push(2 * c + 1, 2 * c + 1);
            meet(2 * c, 2 * c + 1);
        }
    }
}

/// All pairs of one leaf below a and one below b, nodes of two trees, that overlap; larger(c, d):
/// whether c is no smaller than d.
template <class Overlap, class Larger, class FoundPair>
void walk_between(TreeLayout::Node a, const TreeLayout& tree, TreeLayout::Node b,
                  const TreeLayout& other, Overlap&& overlap, Larger&& larger, FoundPair&& pair) {
    using Node = TreeLayout::Node;
    WaitingNodes waiting;
    const auto meet = [&](Node c, Node d) {
        if (!overlap(c, d))
            return;
        if (tree.is_leaf(c) && other.is_leaf(d))
            pair(c, d);
        else
            waiting.push(c, d);
    };
    meet(a, b);
    while (waiting.any()) {
        const auto [c, d] = waiting.pop();
        // Going down in the larger node makes the two alike in size soonest.
        if (other.is_leaf(d) || (!tree.is_leaf(c) && larger(c, d))) {
            meet(2 * c, d);
            meet(2 * c + 1, d);
        } else {
            meet(c, 2 * d);
            meet(c, 2 * d + 1);
        }
    }
}

} // namespace muslin
