#pragma once

#include "muslin/linalg/block_matrix.h"
#include "muslin/linalg/filter.h"

#include <span>
#include <vector>

namespace muslin {

/// The part of a two-level preconditioner that a diagonal cannot see: motions in which whole
/// patches of cloth move together. Rows are cut into groups of consecutive ones (particles are
/// numbered along a space-filling curve, so a group is a patch), Z holds the translations of each
/// group in the directions that the filter leaves free, and the correction is Z (Z^T A Z)^-1 Z^T.
///
/// A block-Jacobi sweep passes news between neighbours only; with this, a force at one end of a
/// sheet is felt at the other in one iteration.
class CoarseCorrection {
public:
    /// Sets Z^T A Z and inverts it, for groups of `rows_per_group` rows. False if it is not
    /// positive definite.
    [[nodiscard]] bool set(const BlockMatrix& a, const Filter& filter, int rows_per_group);

    int groups() const { return groups_; }
    /// z = (Z^T A Z)^-1 sums, where sums[g] is the sum of a filtered vector over group g.
    void apply(std::span<const Vec3> sums, std::span<Vec3> z) const;

private:
    void assemble(const BlockMatrix& a, const Filter& filter, int rows_per_group);
    [[nodiscard]] bool invert();

    int groups_ = 0;
    std::vector<double> matrix_;  ///< 3 groups x 3 groups, row by row; then its inverse
    std::vector<int> constraint_; ///< of each row: its place in the filter, or -1
};

} // namespace muslin
