#pragma once

#include "muslin/base/large_array.h"
#include "muslin/linalg/block_matrix.h"

namespace muslin {

/// A copy of a matrix in half the memory, for products in a solve that need not be exact to the
/// last digit.
///
/// Blocks beside the diagonal are single precision and act on differences,
///     y_i = S_i x_i + sum over j of A_ij (x_j - x_i),   S_i = sum over all j of A_ij,
/// where differences and S are double. Forces within cloth are K times a difference and S is little
/// more than the mass, many thousand times smaller than K on a fine mesh: so their rounding is
/// relative to the forces themselves, and cloth that moves as a whole is as heavy as it was. Single
/// precision of A_ii x_i and A_ij x_j apart would lose the mass in the rounding of K.
class PackedMatrix {
public:
    /// Copies the pattern part; `a` is also asked for its overlay in every product, and for its
    /// pattern.
    void set(const BlockMatrix& a);

    /// y = A x for the rows [begin, end). x has one more vector that is read but does not count.
    void multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const;

private:
    const BlockMatrix* matrix_ = nullptr;
    std::uint64_t pattern_ = 0;
    LargeArray<int> begin_, columns_; ///< of blocks beside the diagonal
    LargeArray<float> values_;        ///< column by column, nine each
    LargeArray<Mat3> sums_;           ///< S, transposed: a row here is a column there
};

} // namespace muslin
