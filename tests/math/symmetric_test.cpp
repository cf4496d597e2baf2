#include "muslin/math/symmetric.h"

#include "math/random.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

using namespace muslin;
using testing_math::Random;

namespace {

Eigen::Matrix2d eigen(const Symmetric2<double>& m) {
    Eigen::Matrix2d out;
    out << m.a, m.b, m.b, m.c;
    return out;
}

Eigen::Matrix2d project_by_eigenvalues(const Eigen::Matrix2d& m) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(m);
    return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
           solver.eigenvectors().transpose();
}

} // namespace

TEST(symmetric, projection_agrees_with_the_eigenvalue_decomposition) {
    Random random(31);
    int changed = 0, kept = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const Symmetric2<double> m = {random.number(), random.number(), random.number()};
        const Eigen::Matrix2d projected = eigen(project_psd(m));
        EXPECT_LT((projected - project_by_eigenvalues(eigen(m))).norm(), 1e-14);
        (projected - eigen(m)).norm() > 1e-12 ? ++changed : ++kept;
    }
    EXPECT_GT(changed, 50); // both kinds were met
    EXPECT_GT(kept, 50);
}

TEST(symmetric, special_matrices) {
    const auto expect_near = [](const Symmetric2<double>& m, const Symmetric2<double>& expected) {
        const Symmetric2<double> projected = project_psd(m);
        EXPECT_NEAR(projected.a, expected.a, 1e-15);
        EXPECT_NEAR(projected.b, expected.b, 1e-15);
        EXPECT_NEAR(projected.c, expected.c, 1e-15);
    };
    expect_near({0, 0, 0}, {0, 0, 0});
    expect_near({3, 0, 3}, {3, 0, 3});   // radius zero: the division is guarded
    expect_near({-3, 0, -3}, {0, 0, 0}); // negative definite
    expect_near({2, 0, -1}, {2, 0, 0});
    expect_near({0, 1, 0}, {0.5, 0.5, 0.5}); // eigenvalues 1 and -1
}

TEST(symmetric, four_lanes_agree_with_one) {
    Random random(32);
    for (int trial = 0; trial < 100; ++trial) {
        Symmetric2<double> m[4];
        Symmetric2<Pack4> packed = {0.0, 0.0, 0.0};
        for (int lane = 0; lane < 4; ++lane) {
            m[lane] = {random.number(), random.number(), random.number()};
            packed.a.set(lane, m[lane].a);
            packed.b.set(lane, m[lane].b);
            packed.c.set(lane, m[lane].c);
        }
        const Symmetric2<Pack4> projected = project_psd(packed);
        for (int lane = 0; lane < 4; ++lane) {
            const Symmetric2<double> expected = project_psd(m[lane]);
            EXPECT_NEAR(projected.a[lane], expected.a, 1e-15);
            EXPECT_NEAR(projected.b[lane], expected.b, 1e-15);
            EXPECT_NEAR(projected.c[lane], expected.c, 1e-15);
        }
    }
}
