#include "muslin/collision/broad/box_tree.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

constexpr std::size_t grain = 4096; // boxes per parallel range

/// The axis along which the centres of a node spread furthest.
template <class Items>
int longest_axis(const Items& items) {
    std::int32_t least[3], most[3];
    for (int axis = 0; axis < 3; ++axis)
        least[axis] = most[axis] = items.front().centre[axis];
    for (const auto& item : items)
        for (int axis = 0; axis < 3; ++axis) {
            least[axis] = std::min(least[axis], item.centre[axis]);
            most[axis] = std::max(most[axis], item.centre[axis]);
        }
    const auto extent = [&](int axis) {
        return detail::from_ordered(most[axis]) - detail::from_ordered(least[axis]);
    };
    const float x = extent(0), y = extent(1), z = extent(2);
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
}

} // namespace

void BoxTree::Leaf::set(int slot, const Box& box) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (int axis = 0; axis < 3; ++axis) {
        low[axis][slot] = box.is_empty() ? nan : box.low[axis];
        high[axis][slot] = box.is_empty() ? nan : box.high[axis];
    }
}

void BoxTree::build(std::span<const Box> boxes) {
    if (boxes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::logic_error("BoxTree::build: more boxes than 32 bits can number");
    count_ = boxes.size();
    depth_ = 0;
    while (place(depth_, 1) + (count_ % (std::size_t{1} << depth_) != 0) > leaf_size)
        ++depth_;
    chunk_level_ = std::clamp(depth_ - chunk_depth, 0, most_chunks_log2);
    const std::size_t leaves = std::size_t{1} << depth_;
    nodes_.resize(2 * leaves);
    leaves_.resize(leaves);
    primitives_.resize(leaf_size * leaves);
    items_.resize(count_);
    chunk_area_.resize(chunk_count());

    parallel_for(count_, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis)
                items_[i].centre[axis] =
                    detail::ordered(0.5f * boxes[i].low[axis] + 0.5f * boxes[i].high[axis]);
            items_[i].index = static_cast<std::int32_t>(i);
        }
    });
    if (count_ != 0) {
        for (int level = 0; level < chunk_level_; ++level)
            parallel_for(std::size_t{1} << level, 1,
                         [&](std::size_t i, std::size_t) { split(level, i); });
        parallel_for(chunk_count(), 1,
                     [&](std::size_t i, std::size_t) { split_below(chunk_level_, i); });
    }
    refit(boxes);
    built_area_ = area_;
}

/// Puts the smaller half of node i of a level before the larger one.
void BoxTree::split(int level, std::size_t i) {
    const auto at = [&](int l, std::size_t j) {
        return items_.begin() + static_cast<std::ptrdiff_t>(place(l, j));
    };
    const auto begin = at(level, i), end = at(level, i + 1);
    const int axis = longest_axis(std::span<const Item>(begin, end));
    // Boxes with one centre are told apart by their numbers: the halves depend on nothing else.
    std::nth_element(begin, at(level + 1, 2 * i + 1), end, [axis](const Item& a, const Item& b) {
        return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                                : a.index < b.index;
    });
}

void BoxTree::split_below(int level, std::size_t i) {
    if (level == depth_) {
        fill_leaf(i);
        return;
    }
    split(level, i);
    split_below(level + 1, 2 * i);
    split_below(level + 1, 2 * i + 1);
}

/// In the order of their numbers, which does not depend on how the library selects a median.
void BoxTree::fill_leaf(std::size_t i) {
    const std::size_t begin = place(depth_, i), count = place(depth_, i + 1) - begin;
    std::int32_t* slots = &primitives_[leaf_size * i];
    std::fill(slots, slots + leaf_size, -1);
    for (std::size_t slot = 0; slot < count; ++slot)
        slots[slot] = items_[begin + slot].index;
    std::sort(slots, slots + count);
}

void BoxTree::refit(std::span<const Box> boxes) {
    if (boxes.size() != count_)
        throw std::logic_error("BoxTree::refit: the number of boxes differs from that of build");
    const std::size_t chunks = chunk_count();
    area_ = parallel_sum<double>(chunks, 1, chunk_area_, [&](std::size_t chunk, std::size_t) {
        return refit_chunk(chunk, boxes);
    });
    for (std::size_t node = chunks; node > 1; --node)
        area_ += merge_children(static_cast<Node>(node - 1));
}

/// Refits all nodes below one of the chunks' level, and that one; the sum of their areas.
double BoxTree::refit_chunk(std::size_t chunk, std::span<const Box> boxes) {
    double area = 0;
    const int levels = depth_ - chunk_level_;
    for (std::size_t i = chunk << levels; i < (chunk + 1) << levels; ++i)
        area += refit_leaf(i, boxes);
    for (int level = depth_ - 1; level >= chunk_level_; --level) {
        const std::size_t nodes = std::size_t{1} << (level - chunk_level_);
        const std::size_t first = (std::size_t{1} << level) + chunk * nodes;
        for (std::size_t i = 0; i < nodes; ++i)
            area += merge_children(static_cast<Node>(first + i));
    }
    return area;
}

double BoxTree::refit_leaf(std::size_t i, std::span<const Box> boxes) {
    Box all = Box::empty();
    for (int slot = 0; slot < leaf_size; ++slot) {
        const std::int32_t index = primitives_[leaf_size * i + slot];
        const Box box = index < 0 ? Box::empty() : boxes[index];
        leaves_[i].set(slot, box);
        all.merge(box);
    }
    nodes_[first_leaf() + i] = all;
    return all.area();
}

double BoxTree::merge_children(Node node) {
    nodes_[node] = nodes_[2 * node];
    nodes_[node].merge(nodes_[2 * node + 1]);
    return nodes_[node].area();
}

} // namespace muslin
