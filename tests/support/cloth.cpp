#include "forces/cloth.h"

namespace muslin::test {

Linearised linearise(Force& force, std::span<const Vec3> x, std::span<const Vec3> v, double h,
                     std::span<const Vec3> displacement) {
    const int n = static_cast<int>(x.size());
    std::vector<std::array<int, 2>> pairs;
    LinearisedForce& part = *force.capabilities().linearised;
    part.append_pairs(pairs);
    BlockMatrix a;
    a.set_pattern(n, pairs);
    part.bind(a);
    a.reset(std::vector<double>(n, 0.0));
    std::vector<Vec3> f(n, {0, 0, 0});
    part.add_linearised({x, v}, {h, displacement}, f, a);
    a.mirror_pairs();
    return {dense(a), flat(f)};
}

SolverMatrices solver_matrices(Force& force, std::span<const Vec3> x, std::span<const Vec3> v) {
    const std::vector<Vec3> none(x.size(), {0, 0, 0});
    const Eigen::MatrixXd one = linearise(force, x, v, 1, none).matrix;
    const Eigen::MatrixXd two = linearise(force, x, v, 2, none).matrix;
    return {two / 2 - one, 2 * one - two / 2};
}

Eigen::MatrixXd difference_stiffness(const Force& force, std::span<const Vec3> x,
                                     std::span<const Vec3> v, double step) {
    return -jacobian([&](const Eigen::VectorXd& y) { return flat(force_at(force, unflat(y), v)); },
                     flat(x), step);
}

Eigen::MatrixXd difference_damping(const Force& force, std::span<const Vec3> x,
                                   std::span<const Vec3> v, double step) {
    return -jacobian([&](const Eigen::VectorXd& y) { return flat(force_at(force, x, unflat(y))); },
                     flat(v), step);
}

} // namespace muslin::test
