#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/linalg/filter.h"
#include "muslin/linalg/multilevel.h"
#include "muslin/linalg/packed_matrix.h"
#include "muslin/linalg/preconditioner.h"
#include "muslin/linalg/symmetric_block.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

/// The precision of products with the matrix.
enum class Precision {
    choose, ///< single where the tolerance leaves room for it
    single, ///< in the way of PackedMatrix
    double_,
};

/// Stops a solve by the error of its solution instead of by its residual.
///
/// For A >= M, as in an implicit step, the error e of x has |e|_M <= |e|_A. CG reduces |e|_A^2 in
/// iteration k by alpha_k r_k . P^-1 r_k exactly, so the sum of that over the last few iterations
/// estimates the error there was before them [Hestenes and Stiefel 1952; Strakos and Tichy 2002]:
/// no eigenvalue of P^-1 A needs to be known. A residual norm cannot do this: soft motions such as
/// sliding, swinging and bending hardly show in it, stiff contacts do.
///
/// The error is judged patch by patch (rows in sequence, which lie together), as a root mean square
/// over the rows, so that what moves elsewhere never loosens it.
struct PcgAccuracy {
    static constexpr std::size_t patch = 256; ///< rows
    std::span<const double> mass;             ///< M, one per row [kg]
    double error = 0; ///< the largest in any patch, in the unit of x; 0: not this rule
    /// Of the patch's own change of x: for motions that are themselves below `error`.
    double relative = 0.01;
    double least = 1e-3; ///< what counts as no error at all, as a part of `error`
    /// The error of each patch instead; `relative` is not used then. Empty: no.
    std::span<const double> errors;
    /// A patch may also be left with `error`, and with this part of its own change however large
    /// that is: for solves that another one refines, which would find more than a finer solve of
    /// this one.
    double reduction = 0;
};

struct PcgSettings {
    /// Stop at |r| <= tolerance |r_0|, in the norm of P^-1 without that of patches: a tolerance
    /// asks the same of every preconditioner that has the same diagonal.
    double tolerance = 1e-3;
    /// |r_0| is taken to be at least this: for a solve that refines an earlier one.
    double yardstick = 0;
    std::optional<int> max_iterations; ///< none given: ten per particle
    Preconditioner preconditioner = Preconditioner::multilevel;
    /// Whether the pattern part of the matrix is nearly that of the last solve: the preconditioner
    /// then keeps its patches' part of it.
    bool again = false;
    Precision precision = Precision::choose;
    /// The other rule, used instead of the tolerance where it is set: stop when the error of x is
    /// small in the metric of `mass`.
    PcgAccuracy accuracy = {};
};

struct PcgReport {
    enum class Status { converged, iteration_limit, breakdown };
    Status status = Status::converged;
    int iterations = 0;
    double residual = 0; ///< |r| / |r_0| at the end, in the norm of the tolerance
    double error = 0;    ///< of x by the rule of PcgAccuracy, where that was asked for
    double start = 0;    ///< |r_0| in that norm
};

/// The modified preconditioned conjugate gradient method [BW98 5.3].
///
/// Solves A x = b in the directions that the filter leaves free; in the others x keeps the value
/// it comes in with, exactly, after any number of iterations. x comes in as z: the prescribed
/// values in constrained directions, and a start (usually zero) in free ones.
///
/// Differences from the printed algorithm, each with a test in tests/linalg/pcg_test.cpp:
/// line 3 prints P where P^-1 is meant (with P_ii = 1 / A_ii the printed lines 3 and 5 contradict
/// each other); and the yardstick delta_0 is taken from b - A z, not from b, because b alone is
/// zero when only the constraints drive the motion, and no residual would then be small enough.
///
/// An iteration is three fused sweeps over the rows. Sums are added in a fixed order of row
/// ranges, so the iterates are the same bits for any number of threads.
class Pcg {
public:
    PcgReport solve(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                    const PcgSettings& settings, std::span<Vec3> x);

private:
    /// The two inner products that steer the iteration.
    struct Residual {
        double diagonal = 0; ///< r . D^-1 r, with D the diagonal part of P: what is judged
        double full = 0;     ///< r . P^-1 r
    };

    [[nodiscard]] bool set_preconditioner(const BlockMatrix& a, const Filter& filter,
                                          const PcgSettings& settings);
    [[nodiscard]] bool invert_diagonal(const BlockMatrix& a, Preconditioner kind);
    Residual start(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                   std::span<const Vec3> x);
    double multiply_direction(const BlockMatrix& a, const Filter& filter);
    template <class Matrix>
    double multiply_direction_by(const Matrix& a, const Filter& filter);
    Residual descend(double alpha);
    void turn_direction(double beta, const Filter& filter, double alpha, std::span<Vec3> x);

    /// Estimates the error of x patch by patch while the iteration runs (PcgAccuracy).
    class ErrorEstimate {
    public:
        void start(std::size_t rows, const PcgAccuracy& accuracy);
        bool is_used() const { return accuracy_.error > 0; }
        /// Where the sums of r . P^-1 r / mass over the ranges of rows go.
        std::span<double> ranges() { return ranges_; }
        const double* mass() const { return accuracy_.mass.data(); }
        /// One iteration with this alpha has been taken from the residual of ranges().
        void add(double alpha);
        bool is_met() const { return iterations_ >= window && met_; }
        double error() const { return std::sqrt(std::max(error_, 0.0)); }

    private:
        double goal_of(std::size_t patch, double total) const;

        static constexpr int window = 4; ///< iterations
        static constexpr std::size_t per_patch = PcgAccuracy::patch / PackedMatrix::rows_per_range;

        PcgAccuracy accuracy_;
        std::size_t rows_ = 0;
        int iterations_ = 0;
        std::vector<double> ranges_;
        std::vector<double> recent_; ///< of the last iterations, patch by patch
        std::vector<double> total_;  ///< of all iterations
        double error_ = 0;           ///< squared, the largest of any patch
        bool met_ = false;           ///< by all patches
    };

    void keep_momentum(const Filter& filter, std::span<Vec3> x);
    double scale_range(std::size_t begin, std::size_t end);
    Residual correct(double diagonal);
    double judge_range(std::size_t begin, std::size_t end) const;

    std::size_t rows_ = 0;
    bool is_packed_ = false; ///< whether products are with packed_
    PackedMatrix packed_;
    LargeArray<SymmetricBlock4> inverse_;
    LargeArray<Vec3> residual_, direction_, product_, scaled_;
    Partials<double> partials_;

    bool multilevel_ = false;
    Multilevel levels_;
    ErrorEstimate estimate_;
};

} // namespace muslin
