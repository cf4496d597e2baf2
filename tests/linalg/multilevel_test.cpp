// The patches' part of the multilevel preconditioner against its definition in dense algebra, and
// what it is for: iterations that hardly grow with the size of a sheet.
#include "muslin/linalg/multilevel.h"

#include "linalg/dense.h"
#include "linalg/problems.h"
#include "linalg/sheet.h"
#include "muslin/linalg/pcg.h"

namespace muslin::test {
namespace {

// The sum of Q_l D_l^-1 Q_l^T.
Eigen::MatrixXd definition(const Multilevel& levels, const BlockMatrix& a, const Filter& filter) {
    const int rows = a.rows();
    const Eigen::MatrixXd s = projection(filter, rows);
    const Eigen::MatrixXd filtered = s * dense(a) * s;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    Eigen::MatrixXd q = Eigen::MatrixXd::Identity(3 * rows, 3 * rows);
    for (int l = 0; l < levels.level_count(); ++l) {
        const int below = static_cast<int>(q.cols()) / 3, above = levels.rows(l);
        Eigen::MatrixXd p = Eigen::MatrixXd::Zero(3 * below, 3 * above);
        const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
        for (int i = 0; i < below; ++i)
            for (int g = 0; g < above; ++g)
                p.block<3, 3>(3 * i, 3 * g) = levels.weight(l, i, g) * one;
        EXPECT_NEAR((p.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-14);
        q = q * p;
        Eigen::MatrixXd d = q.transpose() * filtered * q;
        if (!(levels.is_exact() && l + 1 == levels.level_count()))
            for (int g = 0; g < above; ++g)
                for (int h = 0; h < above; ++h)
                    if (g != h)
                        d.block<3, 3>(3 * g, 3 * h).setZero();
        sum += q * d.inverse() * q.transpose();
    }
    return sum;
}

// What the class finds, column by column.
Eigen::MatrixXd found(Multilevel& levels, int rows, Worst& energy) {
    Eigen::MatrixXd out(3 * rows, 3 * rows);
    for (int k = 0; k < 3 * rows; ++k) {
        std::vector<Vec3> r(rows + 1, {0, 0, 0}), z = r;
        const std::vector<Vec3> none = r;
        (&r[k / 3].x)[k % 3] = 1;
        r[rows] = {1e300, -1e300, 1e300}; // read, but of no consequence
        const double product = levels.correct(r.data());
        levels.turn(0, rows, 0, none.data(), z.data());
        z.pop_back();
        out.col(k) = flat(z);
        energy.add(std::abs(product - out(k, k)) / std::max(std::abs(out(k, k)), 1e-12));
    }
    return out;
}

void add_contact(BlockMatrix& a, int i, int j) {
    const Mat3 k = {{{3, 1, 0}, {1, 2, 0.5}, {0, 0.5, 1}}};
    const BlockEntry contact[] = {{i, i, k}, {j, j, k}, {i, j, -1.0 * k}, {j, i, -1.0 * k}};
    a.set_overlay(contact);
}

TEST(Multilevel, IsItsDefinition) {
    Worst error("correction", 1e-9), energy("product with the vector", 1e-9);
    for (int side : {8, 14, 20}) {
        BlockMatrix a = sheet_of_springs(side, 0.02);
        add_contact(a, 1, side * side - 2);
        Filter filter;
        filter.particles = {0, 5, side * side - 1};
        filter.projection = {Mat3::zero(), Mat3::diagonal(1) - outer(Vec3{0, 1, 0}, Vec3{0, 1, 0}),
                             Mat3::zero()};
        Multilevel levels;
        ASSERT_TRUE(levels.set(a, filter));
        ASSERT_GE(levels.level_count(), 1);
        const Eigen::MatrixXd s = projection(filter, a.rows());
        // The filter comes before and after, as in the solver.
        error.add(relative_difference(s * found(levels, a.rows(), energy) * s,
                                      s * definition(levels, a, filter) * s));
    }
}

TEST(Multilevel, KeepsThePatternAndTakesTheOverlayAnew) {
    BlockMatrix a = sheet_of_springs(14, 0.02);
    Multilevel kept;
    ASSERT_TRUE(kept.set(a, {}));
    BlockMatrix changed = a;
    add_contact(changed, 3, 100);
    const BlockMatrix contact = changed;
    changed.add_diagonal(7, Mat3::diagonal(1)); // is to be overlooked
    ASSERT_TRUE(kept.set(changed, {}, Multilevel::Keep::pattern));
    Worst error("correction", 1e-10), energy("product with the vector", 1e-9);
    error.add(relative_difference(found(kept, a.rows(), energy), definition(kept, contact, {})));
}

TEST(Multilevel, MayHaveNoLevels) {
    // Particles without neighbours make no patches.
    for (int rows : {0, 1, 20, 200}) {
        BlockMatrix a;
        a.set_pattern(rows, {});
        a.reset(std::vector<double>(rows, 2.0));
        Multilevel levels;
        ASSERT_TRUE(levels.set(a, {}));
        EXPECT_EQ(levels.level_count(), 0);
        std::vector<Vec3> r(rows + 1, {1, 1, 1}), z(rows + 1, {2, 2, 2});
        EXPECT_EQ(levels.correct(r.data()), 0);
        levels.turn(0, rows, 3, r.data(), z.data());
        EXPECT_EQ(z[0].x, rows > 0 ? 7 : 2);
        EXPECT_EQ(z[rows].x, 2);
    }
}

TEST(Multilevel, SaysSoWhenTheMatrixIsNotDefinite) {
    BlockMatrix a = sheet_of_springs(14, 0.02);
    for (int i = 0; i < a.rows(); ++i)
        a.add_diagonal(i, Mat3::diagonal(-10));
    Multilevel levels;
    EXPECT_FALSE(levels.set(a, {}));
}

int iterations(int side, Preconditioner kind) {
    const BlockMatrix a = sheet_of_springs(side, 1e-6);
    Random random(7);
    const std::vector<Vec3> b = random.vecs(side * side);
    PcgSettings settings;
    settings.tolerance = 1e-6;
    settings.preconditioner = kind;
    std::vector<Vec3> x(b.size(), {0, 0, 0});
    return Pcg().solve(a, b, {}, settings, x).iterations;
}

// Block Jacobi passes news from neighbour to neighbour, so that iterations double with the side;
// patches pass them on at once.
TEST(Multilevel, IterationsHardlyGrowWithTheSheet) {
    const int small = iterations(32, Preconditioner::multilevel);
    const int large = iterations(128, Preconditioner::multilevel);
    EXPECT_LT(large, 1.5 * small);
    EXPECT_LT(4 * large, iterations(128, Preconditioner::block_jacobi));
}

} // namespace
} // namespace muslin::test
