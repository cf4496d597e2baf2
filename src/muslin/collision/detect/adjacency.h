#pragma once

#include "muslin/collision/detect/surfaces.h"

#include <span>
#include <vector>

namespace muslin {

/// Lists of numbers, one after the other in one array.
class Rows {
public:
    /// From (row, number) pairs in the order in which the numbers of a row are to lie.
    template <class Visit>
    void build(std::size_t rows, Visit&& for_each_pair);

    std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }
    std::span<const int> operator[](std::size_t row) const {
        return std::span(items_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
    }

private:
    std::vector<int> begin_, items_;
};

/// What lies at what on the surfaces: for walking from a feature to its neighbours.
struct Adjacency {
    explicit Adjacency(const Surfaces& surfaces);

    Rows point_edges, point_triangles, edge_triangles; ///< in increasing order
};

template <class Visit>
void Rows::build(std::size_t rows, Visit&& for_each_pair) {
    begin_.assign(rows + 1, 0);
    for_each_pair([&](int row, int) { ++begin_[row + 1]; });
    for (std::size_t i = 0; i < rows; ++i)
        begin_[i + 1] += begin_[i];
    items_.resize(begin_.back());
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for_each_pair([&](int row, int item) { items_[next[row]++] = item; });
}

} // namespace muslin
