#pragma once

#include "muslin/base/large_array.h"
#include "muslin/math/pack.h"
#include "muslin/math/vec.h"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// A block and its place, for the part of a matrix that changes from step to step.
struct BlockEntry {
    int row, column;
    Mat3 value;
};

/// A square sparse matrix of 3x3 blocks [BW98 2.3] in two parts.
///
/// The *pattern* part comes from the cloth's own elements. Its places are set once, and elements
/// add to them by slot number without a search. The *overlay* part comes from contacts and bonds:
/// it is set anew whenever they change, and costs only its own rows.
///
/// Rows hold all their blocks (both triangles of a symmetric matrix): a product then writes each
/// row once, in a fixed order, on any number of threads.
class BlockMatrix {
public:
    /// Sets the places of the pattern part: all diagonal blocks, and (i, j) and (j, i) for every
    /// pair given. Pairs may repeat. All blocks become zero; the overlay becomes empty.
    void set_pattern(int rows, std::span<const std::array<int, 2>> pairs);

    int rows() const { return rows_; }
    /// Differs whenever the pattern was set anew, between matrices too; 0 where it never was.
    std::uint64_t pattern() const { return pattern_; }
    int block_count() const { return static_cast<int>(columns_.size()); }

    /// The slot of block (row, column) of the pattern, or -1.
    int slot(int row, int column) const;

    /// The slots of a row are row_begin(row) to row_begin(row + 1), their columns increasing.
    int row_begin(int row) const { return row_begin_[row]; }
    int column(int slot) const { return columns_[slot]; }
    int diagonal_slot(int row) const { return diagonal_slot_[row]; }
    /// The nine numbers of the block at a slot, column by column; those of the next slot follow.
    double* values(int slot) { return values_.data() + std::size_t{9} * slot; }

    /// For tests: sets every block of the pattern to zero and its diagonal to diagonal[i] times the
    /// identity; the overlay becomes empty.
    void reset(std::span<const double> diagonal);

    /// Adds to the block at a slot. Blocks are stored column by column, nine numbers each.
    void add(int slot, const Mat3& value) {
        double* b = values_.data() + std::size_t{9} * slot;
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
                b[3 * c + r] += value.m[r][c];
    }
    /// Adds a block of a symmetric element, whose place is `slot`, to that of its two places that
    /// is above the diagonal: mirror_pairs() then sets the other one. Where both are one place, on
    /// the diagonal, adds it and its transpose.
    void add_pair(int slot, int mirrored, const Mat3& value) {
        if (slot <= mirrored)
            add(slot, value);
        if (slot >= mirrored)
            add(mirrored, transpose(value));
    }
    /// Adds four blocks at once: block l has the entries value.m[r][c][l] and goes to slots[l], for
    /// the first `lanes` of them.
    void add_packed(const int* slots, int lanes, const Mat3T<Pack4>& value);
    /// The same of add_pair.
    void add_pair_packed(const int* slots, const int* mirrored, int lanes,
                         const Mat3T<Pack4>& value);
    void add_diagonal(int row, const Mat3& value) { add(diagonal_slot_[row], value); }
    /// Once all elements have added their pairs: the blocks of the pattern below the diagonal
    /// become the transposes of those above it. After it, blocks may be added to the diagonal and
    /// to the overlay.
    void mirror_pairs();

    /// Replaces the overlay; entries in any order, those with the same place are summed in the
    /// order given. The caller gives both (i, j) and (j, i).
    void set_overlay(std::span<const BlockEntry> entries);
    /// Adds to the overlay, in the same way.
    void add_overlay(std::span<const BlockEntry> entries);

    Mat3 block(int row, int column) const; ///< for tests: both parts together; zero: there is none
    Mat3 diagonal_block(int row) const;    ///< for tests: both parts together
    /// Those of the rows [begin, end).
    void diagonal_blocks(int begin, int end, Mat3* out) const;

    /// For tests: calls body(column, block) for every block of a row, those of the pattern first.
    template <class Body>
    void for_each_block(int row, Body&& body) const {
        for (int k = row_begin_[row]; k < row_begin_[row + 1]; ++k)
            body(columns_[k], stored_block(k));
        if (overlay_rows_.empty())
            return;
        const int o = overlay_row(row);
        if (o < static_cast<int>(overlay_rows_.size()) && overlay_rows_[o] == row)
            for (int k = overlay_begin_[o]; k < overlay_begin_[o + 1]; ++k)
                body(overlay_columns_[k], overlay_values_[k]);
    }

    /// Calls body(row, column, block) for every block of the overlay, row by row.
    template <class Body>
    void for_each_overlay(Body&& body) const {
        for (std::size_t o = 0; o < overlay_rows_.size(); ++o)
            for (int k = overlay_begin_[o]; k < overlay_begin_[o + 1]; ++k)
                body(overlay_rows_[o], overlay_columns_[k], overlay_values_[k]);
    }
    /// The pattern part as it is stored: where rows begin, columns of blocks, nine numbers each.
    std::span<const int> row_begin() const { return row_begin_; }
    std::span<const int> columns() const { return columns_; }
    const double* values() const { return values_.data(); }

    /// For tests and benchmarks: y = A x.
    void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;
    /// y = A x for the rows [begin, end) alone: what a fused loop of the solver calls.
    void multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const;
    /// Adds the overlay's part of that to y.
    void add_overlay_product(int begin, int end, const Vec3* x, Vec3* y) const;

private:
    Mat3 stored_block(int slot) const {
        const double* b = values_.data() + std::size_t{9} * slot;
        return {{{b[0], b[3], b[6]}, {b[1], b[4], b[7]}, {b[2], b[5], b[8]}}};
    }
    Mat3 block_at(int slot, int row, int column) const;
    void append_overlay(std::vector<BlockEntry>& out) const;
    int overlay_row(int row) const; ///< index of the first overlay row that is >= row

    int rows_ = 0;
    std::uint64_t pattern_ = 0;
    std::vector<int> row_begin_;
    LargeArray<int> columns_;
    LargeArray<double> values_; ///< nine per block, and padding for the last vector load
    std::vector<int> diagonal_slot_;
    std::vector<int> mirrored_; ///< of blocks above the diagonal: the slot of (j, i); else -1

    std::vector<int> overlay_rows_;  ///< rows with overlay blocks, increasing
    std::vector<int> overlay_begin_; ///< per such row, into the two arrays below
    std::vector<int> overlay_columns_;
    std::vector<Mat3> overlay_values_;
    std::vector<BlockEntry> gathered_; ///< of several additions to the overlay
    struct OverlayPlace {
        int row, column, entry;
        auto operator<=>(const OverlayPlace&) const = default;
    };
    std::vector<OverlayPlace> overlay_order_; ///< of the entries given, kept for its memory
};

} // namespace muslin
