#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/linalg/filter.h"
#include "muslin/linalg/symmetric_block.h"
#include "muslin/math/pack.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// The part of a preconditioner that a diagonal cannot see: motions in which whole patches of cloth
/// move together, at every scale from a few neighbours to the whole sheet.
///
/// Rows of a matrix are gathered into patches (a row and its neighbours, about a dozen), patches
/// into larger ones, and so on. P_l takes translations of the patches of level l to the level
/// below, blurred over the neighbours by fixed weights, so that a patch fades into the next one:
/// smoothed aggregation [Tamstorf15] with the weights of the pattern alone. The correction is
///     sum over levels l >= 1 of  Q_l D_l^-1 Q_l^T,   Q_l = S P_1 ... P_l,
/// with S the filter and D_l the diagonal blocks of Q_l^T A Q_l: all of it on the last level. It
/// costs no product with A; one iteration of block Jacobi passes news between neighbours only.
///
/// What the overlay adds to A, contacts that come and go, has no places in the coarse matrices but
/// on their diagonals, and everywhere on the last level. There it is all of Q_l^T overlay Q_l,
/// blurred as the rest: a patch that reaches a stiff contact beyond its rim and does not know of it
/// would be moved far too much.
class Multilevel {
public:
    Multilevel();
    ~Multilevel();

    /// The levels for a pattern, made anew if it is not the one of the last call.
    void set_pattern(const BlockMatrix& a);

    /// What the pattern part is taken for.
    enum class Keep {
        nothing, ///< all is set anew
        pattern, ///< blocks of the pattern are those of the last call, or nearly: they are kept
    };
    /// Sets D_l for a matrix. False where one is not positive definite.
    [[nodiscard]] bool set(const BlockMatrix& a, const Filter& filter, Keep keep = Keep::nothing);

    int level_count() const { return static_cast<int>(levels_.size()); }
    // For tests: P_1 is that of level 0 here.
    int rows(int level) const { return levels_[level].rows; }
    double weight(int level, int row, int patch) const;
    bool is_exact() const { return exact_; } ///< whether all of the last level is in its D

    /// Finds the correction of a filtered vector r, of as many vectors as the matrix has rows and
    /// one more that is read but does not count; returns r . correction.
    double correct(const Vec3* r);
    /// The same with the last level alone, where all of it is solved: what is left of r has nothing
    /// that moves the largest patches, and so all momentum.
    void correct_last(const Vec3* r);
    /// direction = s + beta direction + what correct() found, before its last filter, for the rows
    /// [begin, end). Both vectors have one more row that is read.
    void turn(std::size_t begin, std::size_t end, double beta, const Vec3* s,
              Vec3* direction) const;
    /// What correct() found of one row, before its last filter.
    Vec3 correction(std::size_t row) const {
        if (levels_.empty())
            return {0, 0, 0};
        const Pack4::Native m = moved(levels_.front(), row);
        return {m[0], m[1], m[2]};
    }

private:
    /// How a row moves with the patches of the level above it: with four of them at most.
    struct Blend {
        int patch[4];
        double weight[4];
    };
    /// The other way round: for each patch, its rows and their weights.
    struct Members {
        std::vector<int> begin, row;
        std::vector<double> weight;
    };
    /// Places of blocks, row by row; values column by column, nine each.
    struct Rows {
        std::span<const int> begin, column;
        const double* value;
    };
    /// A level above the matrix, and what takes the one below to it.
    struct Level {
        int rows = 0;
        LargeArray<Blend> blend; ///< of each row of the level below
        Members members;
        std::vector<int> begin, column; ///< the places of P^T A P
        std::vector<int> diagonal;      ///< the slot of each row's diagonal block
        LargeArray<double> value;       ///< nine a block; without the overlay
        std::vector<Mat3> overlay;      ///< what it adds to the diagonal blocks
        // Of A P, with A the level below: where its rows begin, its blocks, and where each product
        // of a block of A and a weight goes, in the order of the sums, with the first of each row.
        std::vector<int> half_begin;
        LargeArray<double> half;
        std::vector<std::uint16_t> half_slot; ///< counted from where its row begins
        std::vector<std::size_t> half_slot_begin;
        // Where each product of a member's weight and a block of A P goes.
        std::vector<int> slot;
        std::vector<std::size_t> slot_begin;
        LargeArray<SymmetricBlock> inverse; ///< of the diagonal blocks
        LargeArray<Pack4> force, motion;    ///< three lanes are used
    };
    using Graph = std::vector<std::vector<int>>; ///< the neighbours of each row

    void add_level(Graph& graph, std::span<const int> begin, std::span<const int> column);
    static void blend_patches(const Graph& graph, const std::vector<int>& patch, Level& level);
    static void list_members(Level& level);
    static void place_half(std::span<const int> begin, std::span<const int> column, Level& level,
                           std::vector<int>& half_column);
    static void place_rest(const std::vector<int>& half_column, Level& level);

    void multiply_half(const Rows& a, Level& level, const Filter* filter);
    void multiply_rest(Level& level);
    void add_overlay(const BlockMatrix& a, const Filter& filter);
    int reach_of(int row);
    Mat3 filtered_block(const Filter& filter, int i, int j, Mat3 block) const;
    void spread_last();
    [[nodiscard]] bool invert_diagonal(Level& level);
    [[nodiscard]] bool invert_last();
    void gather_all(const Vec3* r);
    template <class Below>
    void gather(Level& level, Below&& below);
    double scale(Level& level, const Level* above);
    double solve_last();
    // How a row of the level below moves. Inlined: it is the inner loop of every iteration.
    [[gnu::always_inline]] static Pack4::Native moved(const Level& level, std::size_t row) {
        const Blend& b = level.blend[row];
        return (b.weight[0] * level.motion[b.patch[0]].v +
                b.weight[1] * level.motion[b.patch[1]].v) +
               (b.weight[2] * level.motion[b.patch[2]].v +
                b.weight[3] * level.motion[b.patch[3]].v);
    }

    std::uint64_t pattern_ = 0;
    std::vector<Level> levels_;
    bool exact_ = false; ///< whether the last level is solved exactly
    struct Exact;        ///< its whole matrix and factors
    std::unique_ptr<Exact> last_;
    std::vector<int> constraint_; ///< of each row: its place in the filter, or -1
    /// With which patches of all levels a row of the overlay moves.
    struct Share {
        int patch;
        double weight;
    };
    std::vector<int> reach_;       ///< of each row: its place among those reached, or -1
    std::vector<int> reached_;     ///< rows
    std::vector<int> share_begin_; ///< by place and level, and the end
    std::vector<Share> shares_;
    Partials<double> partials_;
};

} // namespace muslin
