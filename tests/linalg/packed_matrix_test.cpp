// Products in half the memory against those of the matrix they are made of.
#include "muslin/linalg/packed_matrix.h"

#include "linalg/dense.h"
#include "linalg/problems.h"
#include "linalg/sheet.h"
#include "muslin/linalg/pcg.h"

namespace muslin::test {
namespace {

std::vector<Vec3> product(const BlockMatrix& a, std::vector<Vec3> x) {
    PackedMatrix packed;
    packed.set(a);
    std::vector<Vec3> y(x.size());
    x.push_back({1e300, 1e300, 1e300}); // read, but of no consequence
    packed.multiply_rows(0, a.rows(), x.data(), y.data());
    return y;
}

TEST(PackedMatrix, MultipliesInSinglePrecision) {
    Worst error("product", 1e-6);
    for (int rows : {1, 7, 50, 400}) {
        Random random(rows);
        Problem p(random, rows, 4 * rows);
        const Mat3 k = Mat3::diagonal(0.3);
        const BlockEntry contact[] = {{0, 0, k}, {0, rows - 1, -0.5 * k}, {rows - 1, 0, -0.5 * k}};
        p.a.set_overlay(contact);
        const std::vector<Vec3> x = random.vecs(rows);
        error.add(relative_difference(flat(product(p.a, x)), dense(p.a) * flat(x)));
    }
}

TEST(PackedMatrix, FollowsTheMatrix) {
    PackedMatrix packed;
    Worst error("product", 1e-6);
    Random random(3);
    for (int side : {5, 9, 9, 4}) {
        BlockMatrix a = sheet_of_springs(side, random.uniform(0.1, 1));
        packed.set(a);
        std::vector<Vec3> x = random.vecs(side * side + 1), y(side * side);
        packed.multiply_rows(0, a.rows(), x.data(), y.data());
        x.pop_back();
        error.add(relative_difference(flat(y), dense(a) * flat(x)));
    }
}

// Springs a thousand million times as stiff as the masses are heavy: in single precision alone
// nothing would be left of the mass.
TEST(PackedMatrix, KeepsTheMassOfClothThatMovesAsAWhole) {
    const int side = 30;
    const double mass = 1e-9;
    Random random(5);
    BlockMatrix a = sheet_of_springs(side, mass);
    for (int i = 0; i < a.rows(); ++i)
        for (int j = 0; j < a.rows(); ++j)
            if (const int slot = i < j ? a.slot(i, j) : -1; slot >= 0) {
                // Rounding has something to do.
                Mat3 k = random.mat(0.3);
                k = k + transpose(k);
                a.add(slot, k);
                a.add(a.slot(j, i), k);
                a.add_diagonal(i, -1.0 * k);
                a.add_diagonal(j, -1.0 * k);
            }
    const std::vector<Vec3> y = product(a, std::vector<Vec3>(a.rows(), {1, -2, 3}));
    Worst error("mass times acceleration", 1e-5); // of the sums in double precision
    for (const Vec3& f : y)
        error.add(norm((1 / mass) * f - Vec3{1, -2, 3}));
}

TEST(PackedMatrix, SolvesAsAccuratelyAsAsked) {
    const BlockMatrix a = sheet_of_springs(60, 1e-4);
    Random random(9);
    const std::vector<Vec3> b = random.vecs(a.rows());
    for (double tolerance : {1e-2, 1e-3, 1e-4}) {
        PcgSettings settings;
        settings.tolerance = tolerance;
        settings.precision = Precision::single;
        std::vector<Vec3> x(b.size(), {0, 0, 0}), ax(b.size());
        ASSERT_EQ(Pcg().solve(a, b, {}, settings, x).status, PcgReport::Status::converged);
        a.multiply(x, ax);
        double square = 0, first = 0;
        for (std::size_t i = 0; i < b.size(); ++i) {
            const Mat3 d = inverse(a.diagonal_block(static_cast<int>(i)));
            square += dot(b[i] - ax[i], d * (b[i] - ax[i]));
            first += dot(b[i], d * b[i]);
        }
        EXPECT_LT(std::sqrt(square / first), 1.05 * tolerance);
    }
}

} // namespace
} // namespace muslin::test
