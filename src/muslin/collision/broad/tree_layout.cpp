#include "muslin/collision/broad/tree_layout.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace muslin {

/// The axis along which the centres of a node spread furthest.
int TreeLayout::longest_axis(std::span<const Item> items) {
    std::int32_t least[3], most[3];
    for (int axis = 0; axis < 3; ++axis)
        least[axis] = most[axis] = items.front().centre[axis];
    for (const Item& item : items)
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

void TreeLayout::set_count(std::size_t count) {
    if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::logic_error("TreeLayout::build: more items than 32 bits can number");
    count_ = count;
    depth_ = 0;
    while (place(depth_, 1) + (count_ % (std::size_t{1} << depth_) != 0) >
           static_cast<std::size_t>(leaf_size_))
        ++depth_;
    chunk_level_ = std::clamp(depth_ - chunk_depth_, 0, most_chunks_log2);
    primitives_.resize(leaf_size_ * leaf_count());
    items_.resize(count_);
}

void TreeLayout::store(TreeShape& shape) const {
    shape.count = static_cast<int>(count_);
    shape.slots.clear();
    if (count_ > 0)
        shape.slots.assign(primitives_.begin(), primitives_.end());
}

void TreeLayout::recall(const TreeShape& shape) {
    require_history(shape.count >= 0, "a tree holds too few things");
    set_count(static_cast<std::size_t>(shape.count));
    if (shape.count == 0)
        return;
    require_history(shape.slots.size() == primitives_.size(), "a tree has another shape");
    std::vector<char> seen(count_, 0);
    for (const std::int32_t thing : shape.slots) {
        require_history(thing < shape.count && (thing < 0 || !seen[thing]),
                        "a tree holds other things");
        if (thing >= 0)
            seen[thing] = 1;
    }
    require_history(std::find(seen.begin(), seen.end(), 0) == seen.end(),
                    "a tree holds other things");
    std::copy(shape.slots.begin(), shape.slots.end(), primitives_.begin());
}

void TreeLayout::split_all() {
    if (count_ == 0)
        return;
    for (int level = 0; level < chunk_level_; ++level)
        parallel_for(std::size_t{1} << level, 1,
                     [&](std::size_t i, std::size_t) { split(level, i); });
    parallel_for(chunk_count(), 1,
                 [&](std::size_t i, std::size_t) { split_below(chunk_level_, i); });
}

/// Puts the smaller half of node i of a level before the larger one.
void TreeLayout::split(int level, std::size_t i) {
    const auto at = [&](int l, std::size_t j) {
        return items_.begin() + static_cast<std::ptrdiff_t>(place(l, j));
    };
    const auto begin = at(level, i), end = at(level, i + 1);
    if (end - begin < 2)
        return;
    const int axis = longest_axis(std::span<const Item>(begin, end));
    // Things with one centre are told apart by their numbers: the halves depend on nothing else.
    std::nth_element(begin, at(level + 1, 2 * i + 1), end, [axis](const Item& a, const Item& b) {
        return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                                : a.index < b.index;
    });
}

void TreeLayout::split_below(int level, std::size_t i) {
    if (level == depth_) {
        fill_leaf(i);
        return;
    }
    split(level, i);
    split_below(level + 1, 2 * i);
    split_below(level + 1, 2 * i + 1);
}

/// In the order of their numbers, which does not depend on how the library selects a median.
void TreeLayout::fill_leaf(std::size_t i) {
    const std::size_t begin = place(depth_, i), count = place(depth_, i + 1) - begin;
    std::int32_t* slots = &primitives_[leaf_size_ * i];
    std::fill(slots, slots + leaf_size_, -1);
    for (std::size_t slot = 0; slot < count; ++slot)
        slots[slot] = items_[begin + slot].index;
    std::sort(slots, slots + count);
}

} // namespace muslin
