#pragma once

#include "muslin/base/large_array.h"
#include "muslin/linalg/block_matrix.h"

#include <array>

namespace muslin {

/// A copy of a matrix in two thirds of the memory, for products in a solve that need not be exact
/// to the last digit.
///
/// Blocks beside the diagonal are single precision and act on differences,
///     y_i = S_i x_i + sum over j of A_ij (x_j - x_i),   S_i = sum over all j of A_ij,
/// where differences and S are double. Forces within cloth are K times a difference and S is little
/// more than the mass, many thousand times smaller than K on a fine mesh: so their rounding is
/// relative to the forces themselves, and cloth that moves as a whole is as heavy as it was. Single
/// precision of A_ii x_i and A_ij x_j apart would lose the mass in the rounding of K.
///
/// Four rows are multiplied side by side. Rows with as many blocks go together, within ranges that
/// are the units of work of a solve.
class PackedMatrix {
public:
    static constexpr int rows_per_range = 64;

    /// Copies the pattern part; `a` is also asked for its overlay in every product.
    void set(const BlockMatrix& a);

    /// y = A x for the rows [begin, end), where begin is that of a range and end that of another,
    /// or the number of rows. x has one more vector that is read but does not count.
    void multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const;

private:
    static constexpr int lanes = 4;

    /// Four rows; the last group of a range repeats its last row.
    struct Group {
        int rows[lanes];
        int slots; ///< blocks of the longest row; shorter ones end with zeros
        int first; ///< slot, of those of all groups
    };
    /// Of four rows: entry e = 3 c + r of the blocks, at column c and row r.
    struct alignas(16) Slot {
        float value[9][lanes];
        int column[lanes];
    };
    struct alignas(32) Sums {
        double value[9][lanes];
    };

    void set_pattern(const BlockMatrix& a);
    void copy_group(const BlockMatrix& a, std::size_t group);
    void multiply_group(const Group& group, const Sums& sums, const Vec3* x, Vec3* y) const;

    const BlockMatrix* matrix_ = nullptr;
    std::uint64_t pattern_ = 0;
    LargeArray<Group> groups_;
    LargeArray<Sums> sums_; ///< of each group
    LargeArray<Slot> slots_;
    /// Where the blocks of each slot are in the matrix; -1 in those that fill up.
    LargeArray<std::array<int, lanes>> sources_;
};

} // namespace muslin
