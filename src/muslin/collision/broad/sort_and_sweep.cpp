#include "muslin/collision/broad/sort_and_sweep.h"

#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

constexpr std::size_t gather_grain = 4096; // boxes per parallel range

int widest_axis(std::span<const Box> boxes) {
    Box lows = Box::empty();
    for (const Box& box : boxes)
        if (!box.is_empty())
            for (int axis = 0; axis < 3; ++axis) {
                lows.low[axis] = std::min(lows.low[axis], box.low[axis]);
                lows.high[axis] = std::max(lows.high[axis], box.low[axis]);
            }
    const double x = lows.side(0), y = lows.side(1), z = lows.side(2);
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
}

} // namespace

void SortAndSweep::build(std::span<const Box> boxes) {
    if (boxes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::logic_error("SortAndSweep::build: more boxes than 32 bits can number");
    axis_ = widest_axis(boxes);
    order_.resize(boxes.size());
    sorted_.resize(boxes.size());
    reach_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        order_[i].index = static_cast<std::int32_t>(i);
    sort(boxes, false);
}

void SortAndSweep::refit(std::span<const Box> boxes) {
    if (boxes.size() != size())
        throw std::logic_error(
            "SortAndSweep::refit: the number of boxes differs from that of build");
    sort(boxes, true);
}

void SortAndSweep::sort(std::span<const Box> boxes, bool coherent) {
    parallel_for(size(), gather_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            order_[i].key = detail::ordered(boxes[order_[i].index].low[axis_]);
    });
    // Both ways end in the same order, as no two entries are equal.
    if (!coherent || !sort_by_insertion())
        std::sort(order_.begin(), order_.end());
    parallel_for(size(), gather_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sorted_[i] = boxes[order_[i].index];
    });
    float reach = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < size(); ++i) {
        reach = std::max(reach, sorted_[i].high[axis_]);
        reach_[i] = reach;
    }
}

/// False where the boxes moved so far that another method is better; they stay partly sorted.
bool SortAndSweep::sort_by_insertion() {
    std::size_t budget = 64 * size();
    for (std::size_t i = 1; i < size(); ++i) {
        const Entry entry = order_[i];
        std::size_t at = i;
        for (; at > 0 && entry < order_[at - 1]; --at)
            order_[at] = order_[at - 1];
        order_[at] = entry;
        if (i - at > budget)
            return false;
        budget -= i - at;
    }
    return true;
}

} // namespace muslin
