#include "muslin/collision/broad/box_tree.h"

#include <array>
#include <limits>
#include <stdexcept>

namespace muslin {

void BoxTree::Leaf::set(int slot, const Box& box) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (int axis = 0; axis < 3; ++axis) {
        low[axis][slot] = box.is_empty() ? nan : box.low[axis];
        high[axis][slot] = box.is_empty() ? nan : box.high[axis];
    }
}

void BoxTree::build(std::span<const Box> boxes) {
    layout_.build(boxes.size(), [&](std::size_t i) {
        std::array<float, 3> centre;
        for (int axis = 0; axis < 3; ++axis)
            centre[axis] = 0.5f * boxes[i].low[axis] + 0.5f * boxes[i].high[axis];
        return centre;
    });
    make_room();
    refit(boxes);
    built_area_ = area_;
}

void BoxTree::make_room() {
    nodes_.resize(2 * layout_.leaf_count());
    leaves_.resize(layout_.leaf_count());
    chunk_area_.resize(chunk_count());
    ++builds_;
}

void BoxTree::store(TreeShape& shape) const {
    layout_.store(shape);
    shape.area = area_;
    shape.built_area = built_area_;
}

void BoxTree::recall(const TreeShape& shape) {
    layout_.recall(shape);
    area_ = shape.area;
    built_area_ = shape.built_area;
    make_room();
}

void BoxTree::refit(std::span<const Box> boxes) {
    if (boxes.size() != size())
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
    const int levels = layout_.depth() - layout_.chunk_level();
    for (std::size_t i = chunk << levels; i < (chunk + 1) << levels; ++i)
        area += refit_leaf(i, boxes);
    layout_.visit_chunk_upward(chunk, [&](Node node) { area += merge_children(node); });
    return area;
}

double BoxTree::refit_leaf(std::size_t i, std::span<const Box> boxes) {
    Box all = Box::empty();
    for (int slot = 0; slot < leaf_size; ++slot) {
        const std::int32_t index = layout_.leaf(i)[slot];
        const Box box = index < 0 ? Box::empty() : boxes[index];
        leaves_[i].set(slot, box);
        all.merge(box);
    }
    nodes_[layout_.first_leaf() + i] = all;
    return all.area();
}

double BoxTree::merge_children(Node node) {
    nodes_[node] = nodes_[2 * node];
    nodes_[node].merge(nodes_[2 * node + 1]);
    return nodes_[node].area();
}

} // namespace muslin
