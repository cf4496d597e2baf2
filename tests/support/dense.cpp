#include "linalg/dense.h"

namespace muslin::test {

Eigen::VectorXd flat(std::span<const Vec3> values) {
    Eigen::VectorXd out(3 * static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        out.segment<3>(3 * static_cast<Eigen::Index>(i)) = eigen(values[i]);
    return out;
}
std::vector<Vec3> unflat(const Eigen::VectorXd& values) {
    std::vector<Vec3> out(static_cast<std::size_t>(values.size() / 3));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = vec3(values.segment<3>(3 * static_cast<Eigen::Index>(i)));
    return out;
}

Eigen::MatrixXd dense(const BlockMatrix& a) {
    Eigen::MatrixXd out(3 * a.rows(), 3 * a.rows());
    for (int i = 0; i < a.rows(); ++i)
        for (int j = 0; j < a.rows(); ++j)
            out.block<3, 3>(3 * i, 3 * j) = eigen(a.block(i, j));
    return out;
}

Eigen::MatrixXd clamp_eigenvalues(const Eigen::MatrixXd& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
    return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
           solver.eigenvectors().transpose();
}
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
        .eigenvalues();
}
double smallest_eigenvalue(const Eigen::MatrixXd& symmetric) {
    return eigenvalues(symmetric).minCoeff();
}
Eigen::VectorXd solve(const Eigen::MatrixXd& positive_definite, const Eigen::VectorXd& b) {
    return positive_definite.llt().solve(b);
}
bool is_positive_definite(const Eigen::MatrixXd& symmetric) {
    return symmetric.llt().info() == Eigen::Success;
}

double relative_difference(const Eigen::Ref<const Eigen::MatrixXd>& value,
                           const Eigen::Ref<const Eigen::MatrixXd>& reference, double floor) {
    const double size = std::max(reference.cwiseAbs().maxCoeff(), floor);
    const double difference = (value - reference).cwiseAbs().maxCoeff();
    return difference == 0 ? 0 : difference / size;
}

} // namespace muslin::test
