// The coarse part of the two-level preconditioner against its definition, Z (Z^T A Z)^-1 Z^T, in
// dense algebra, and what it is for: iterations that hardly grow with the size of a sheet.
#include "muslin/linalg/coarse_correction.h"

#include "linalg/dense.h"
#include "linalg/problems.h"
#include "muslin/base/parallel.h"

namespace muslin::test {
namespace {

// Z: column 3 g + k moves the rows of group g along axis k, as far as the filter lets them.
Eigen::MatrixXd translations(int rows, int rows_per_group, const Filter& filter) {
    const int groups = (rows + rows_per_group - 1) / rows_per_group;
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(3 * rows, 3 * groups);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < 3; ++k)
            z(3 * i + k, 3 * (i / rows_per_group) + k) = 1;
    for (std::size_t f = 0; f < filter.particles.size(); ++f) {
        const int i = filter.particles[f];
        Eigen::Matrix3d s;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                s(r, c) = filter.projection[f](r, c);
        z.middleRows(3 * i, 3) = s * z.middleRows(3 * i, 3);
    }
    return z;
}

TEST(CoarseCorrection, IsTheGalerkinSolve) {
    Worst error("correction", 1e-10);
    int compared = 0;
    for (int rows : {7, 50, 130})
        for (int per_group : {1, 8, 64}) {
            Random random(rows + 1000 * per_group);
            Problem p(random, rows, 4 * rows);
            // Contact blocks count like any other.
            const Mat3 k = Mat3::diagonal(0.3);
            const BlockEntry contact[] = {{0, 0, k}, {5, 5, k}, {0, 5, -0.5 * k}, {5, 0, -0.5 * k}};
            p.a.set_overlay(contact);
            Constrained c(random, rows);
            c.filter.particles.resize(std::min<std::size_t>(3, c.filter.particles.size()));
            c.filter.projection.resize(c.filter.particles.size());
            const Eigen::MatrixXd z = translations(rows, per_group, c.filter);
            Eigen::MatrixXd coarse = z.transpose() * dense(p.a) * z;
            for (int i = 0; i < coarse.rows(); ++i)
                if (coarse(i, i) == 0)
                    coarse(i, i) = 1;
            std::vector<Vec3> sums = random.vecs((rows + per_group - 1) / per_group);
            const Eigen::VectorXd in = z.transpose() * z * flat(sums); // in the range of Z^T
            for (std::size_t g = 0; g < sums.size(); ++g)
                sums[g] = {in(3 * g), in(3 * g + 1), in(3 * g + 2)};
            CoarseCorrection correction;
            if (!is_positive_definite(coarse))
                continue; // a group held in some directions only, with per_group 1: singular
            ASSERT_TRUE(correction.set(p.a, c.filter, per_group));
            std::vector<Vec3> out(sums.size());
            correction.apply(sums, out);
            error.add(relative_difference(flat(out), solve(coarse, in)));
            ++compared;
        }
    EXPECT_GE(compared, 6) << "groups of more than one row are never singular here";
}

TEST(CoarseCorrection, SaysSoWhenTheMatrixIsNotDefinite) {
    BlockMatrix a;
    a.set_pattern(4, std::vector<std::array<int, 2>>{{0, 1}, {2, 3}});
    for (int i = 0; i < 4; ++i)
        a.add_diagonal(i, Mat3::diagonal(-1));
    CoarseCorrection correction;
    EXPECT_FALSE(correction.set(a, {}, 2));
}

// A sheet of springs: block Jacobi passes news from neighbour to neighbour, two levels at once.
TEST(CoarseCorrection, SavesIterations) {
    const int side = 64;
    // Numbered along a space-filling curve, as particles are: 64 consecutive ones are a patch.
    const auto number = [](int x, int y) {
        int out = 0;
        for (int bit = 0; bit < 6; ++bit)
            out |= ((x >> bit & 1) << (2 * bit)) | ((y >> bit & 1) << (2 * bit + 1));
        return out;
    };
    std::vector<std::array<int, 2>> pairs;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            if (x + 1 < side)
                pairs.push_back({number(x, y), number(x + 1, y)});
            if (y + 1 < side)
                pairs.push_back({number(x, y), number(x, y + 1)});
        }
    BlockMatrix a;
    a.set_pattern(side * side, pairs);
    a.reset(std::vector<double>(side * side, 1e-6));
    for (const auto& [i, j] : pairs) {
        a.add(a.slot(i, j), Mat3::diagonal(-1));
        a.add(a.slot(j, i), Mat3::diagonal(-1));
        a.add_diagonal(i, Mat3::diagonal(1));
        a.add_diagonal(j, Mat3::diagonal(1));
    }
    Random random(7);
    const std::vector<Vec3> b = random.vecs(side * side);
    int iterations[2] = {};
    const Preconditioner kinds[] = {Preconditioner::block_jacobi, Preconditioner::two_level};
    for (int k = 0; k < 2; ++k) {
        PcgSettings settings;
        settings.tolerance = 1e-6;
        settings.preconditioner = kinds[k];
        std::vector<Vec3> x(b.size(), {0, 0, 0});
        iterations[k] = Pcg().solve(a, b, {}, settings, x).iterations;
    }
    EXPECT_LT(2 * iterations[1], iterations[0]);
}

} // namespace
} // namespace muslin::test
