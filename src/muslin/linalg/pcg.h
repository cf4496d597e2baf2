#pragma once

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/linalg/filter.h"

#include <array>
#include <optional>

namespace muslin {

enum class Preconditioner {
    diagonal,     ///< P = diag(A) [BW98 5.3]
    block_jacobi, ///< P = the 3x3 diagonal blocks of A
};

struct PcgSettings {
    double tolerance = 5e-4;           ///< stop at |r| <= tolerance |r_0|, in the norm of P^-1
    std::optional<int> max_iterations; ///< none given: ten per particle
    Preconditioner preconditioner = Preconditioner::block_jacobi;
};

struct PcgReport {
    enum class Status { converged, iteration_limit, breakdown };
    Status status = Status::converged;
    int iterations = 0;
    double residual = 0; ///< |r| / |r_0| at the end, in the norm of P^-1
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
    using SymmetricBlock = std::array<double, 6>; ///< xx, yy, zz, yz, xz, xy

    bool set_preconditioner(const BlockMatrix& a, Preconditioner kind);
    double start(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                 std::span<const Vec3> x);
    double multiply_direction(const BlockMatrix& a, const Filter& filter);
    double descend(double alpha, std::span<Vec3> x);
    void turn_direction(double beta, const Filter& filter);

    LargeArray<SymmetricBlock> inverse_;
    LargeArray<Vec3> residual_, direction_, product_, scaled_;
    Partials<double> partials_;
};

} // namespace muslin
