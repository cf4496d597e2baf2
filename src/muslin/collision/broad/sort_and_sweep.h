#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace muslin {

/// Box culling that lives on coherence, after Baraff's thesis (Dynamic Simulation of
/// Non-penetrating Rigid Bodies, 1992), which Baraff and Witkin use [BW98 6]: the boxes stay sorted
/// by their lower sides along one axis, where what moves little between two calls is put right by a
/// few exchanges of neighbours, and a sweep over that order meets every pair that overlaps along
/// the axis. The same visitors as BoxTree, which is faster once many boxes share a place on the
/// axis: for tests and benchmarks, as its referee.
class SortAndSweep {
public:
    /// Chooses the axis along which the boxes spread furthest and sorts. O(n log n).
    void build(std::span<const Box> boxes);

    /// The same boxes, moved: sorts again, by insertion. O(n + exchanges), without allocation.
    /// Their number must be that of build().
    void refit(std::span<const Box> boxes);

    std::size_t size() const { return order_.size(); }
    int axis() const { return axis_; }

    /// As in BoxTree.
    std::size_t chunk_count() const { return (size() + grain - 1) / grain; }

    /// Calls visit(chunk, i, j), i < j, once for each pair of boxes that overlap.
    template <class Visit>
    void visit_self_pairs(Visit&& visit) const;

    /// Calls visit(chunk, i, j) once for each box i of this set and j of the other that overlap.
    template <class Visit>
    void visit_pairs(const SortAndSweep& other, Visit&& visit) const;

private:
    static constexpr std::size_t grain = 64; ///< boxes per chunk

    struct Entry {
        std::int32_t key; ///< of the lower side, ordered as it is
        std::int32_t index;
        bool operator<(const Entry& b) const {
            return key != b.key ? key < b.key : index < b.index;
        }
    };

    bool sort_by_insertion();
    void sort(std::span<const Box> boxes, bool coherent);

    int axis_ = 0;
    LargeArray<Entry> order_;
    LargeArray<Box> sorted_;  ///< the boxes in that order
    LargeArray<float> reach_; ///< the highest upper side up to each place
};

template <class Visit>
void SortAndSweep::visit_self_pairs(Visit&& visit) const {
    parallel_for(size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t a = begin; a < end; ++a) {
            const Box& box = sorted_[a];
            for (std::size_t b = a + 1; b < size() && sorted_[b].low[axis_] <= box.high[axis_]; ++b)
                if (box.overlaps(sorted_[b])) {
                    const auto [i, j] = std::minmax(order_[a].index, order_[b].index);
                    visit(begin / grain, int{i}, int{j});
                }
        }
    });
}

template <class Visit>
void SortAndSweep::visit_pairs(const SortAndSweep& other, Visit&& visit) const {
    const int axis = other.axis_;
    parallel_for(size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t a = begin; a < end; ++a) {
            const Box& box = sorted_[a];
            // Nothing before the first place that reaches up to this box overlaps it.
            const auto first =
                std::lower_bound(other.reach_.begin(), other.reach_.end(), box.low[axis]);
            for (auto b = static_cast<std::size_t>(first - other.reach_.begin());
                 b < other.size() && other.sorted_[b].low[axis] <= box.high[axis]; ++b)
                if (box.overlaps(other.sorted_[b]))
                    visit(begin / grain, int{order_[a].index}, int{other.order_[b].index});
        }
    });
}

} // namespace muslin
