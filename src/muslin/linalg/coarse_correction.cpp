#include "muslin/linalg/coarse_correction.h"

#include "muslin/base/parallel.h"

#include <Eigen/Cholesky>

namespace muslin {

bool CoarseCorrection::set(const BlockMatrix& a, const Filter& filter, int rows_per_group) {
    groups_ = (a.rows() + rows_per_group - 1) / rows_per_group;
    assemble(a, filter, rows_per_group);
    return invert();
}

// Each group sums its own rows, so the order does not depend on the threads.
void CoarseCorrection::assemble(const BlockMatrix& a, const Filter& filter, int rows_per_group) {
    const std::size_t size = std::size_t{3} * groups_;
    matrix_.assign(size * size, 0.0);
    constraint_.assign(a.rows(), -1);
    for (std::size_t k = 0; k < filter.particles.size(); ++k)
        constraint_[filter.particles[k]] = static_cast<int>(k);
    parallel_for(groups_, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) {
            double* out = matrix_.data() + 3 * g * size;
            const int begin = static_cast<int>(g) * rows_per_group;
            const int end = std::min(begin + rows_per_group, a.rows());
            for (int i = begin; i < end; ++i)
                a.for_each_block(i, [&](int j, const Mat3& block) {
                    Mat3 m = block;
                    if (constraint_[i] >= 0)
                        m = filter.projection[constraint_[i]] * m;
                    if (constraint_[j] >= 0)
                        m = m * filter.projection[constraint_[j]];
                    double* at = out + std::size_t{3} * (j / rows_per_group);
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 3; ++c)
                            at[r * size + c] += m(r, c);
                });
        }
    });
}

bool CoarseCorrection::invert() {
    const Eigen::Index size = Eigen::Index{3} * groups_;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Matrix> m(matrix_.data(), size, size);
    // A group whose particles are all held has no freedom left: its rows are zero, and so is the
    // force summed over it. A one on the diagonal makes the rest solvable.
    for (Eigen::Index i = 0; i < size; ++i)
        if (m(i, i) == 0)
            m(i, i) = 1;
    const Eigen::LLT<Matrix> factor(m);
    if (factor.info() != Eigen::Success)
        return false;
    m = factor.solve(Matrix::Identity(size, size));
    return true;
}

void CoarseCorrection::apply(std::span<const Vec3> sums, std::span<Vec3> z) const {
    const Eigen::Index size = Eigen::Index{3} * groups_;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Matrix> inverse(matrix_.data(), size, size);
    const Eigen::Map<const Eigen::VectorXd> in(&sums.data()->x, size);
    Eigen::Map<Eigen::VectorXd>(&z.data()->x, size).noalias() = inverse * in;
}

} // namespace muslin
