// The modified conjugate gradient method [BW98 5.3] against dense Cholesky factorisation, of the
// whole problem and of the one reduced to the free directions.
#include "muslin/linalg/pcg.h"

#include "linalg/dense.h"
#include "linalg/problems.h"

#include <cstring>
#include <limits>

namespace muslin::test {
namespace {

constexpr Preconditioner every[] = {Preconditioner::diagonal, Preconditioner::block_jacobi,
                                    Preconditioner::multilevel};

TEST(Pcg, MatchesDenseCholesky) {
    Worst error("solution", 1e-10);
    for (Preconditioner preconditioner : every)
        for (int rows : {1, 2, 10, 100, 300}) {
            Random random(rows);
            const Problem p(random, rows, 4 * rows);
            const Eigen::VectorXd exact = solve(dense(p.a), flat(p.b));
            std::vector<Vec3> x(rows, {0, 0, 0});
            const PcgReport report = Pcg().solve(p.a, p.b, {}, tight(preconditioner), x);
            EXPECT_EQ(report.status, PcgReport::Status::converged);
            EXPECT_GT(report.iterations, 0);
            EXPECT_LE(report.residual, 1e-13);
            error.add(relative_difference(flat(x), exact));
        }
}

// The two conditions of 5.2: no residual in free directions, z in the others.
TEST(Pcg, FilteredProblemMatchesTheDenseReducedOne) {
    Worst solution("solution", 1e-10), residual("residual", 1e-10), kept("kept", 1e-13);
    for (Preconditioner preconditioner : every)
        for (int rows : {1, 3, 20, 120}) {
            Random random(100 + rows);
            const Problem p(random, rows, 4 * rows);
            const Constrained c(random, rows);
            const Eigen::MatrixXd a = dense(p.a);
            const Eigen::VectorXd b = flat(p.b), z = flat(c.z);
            const Eigen::MatrixXd& q = c.free; // basis of the free directions
            Eigen::VectorXd exact = z;
            if (q.cols() > 0)
                exact += q * solve(q.transpose() * a * q, q.transpose() * (b - a * z));

            std::vector<Vec3> x = c.z;
            const PcgReport report = Pcg().solve(p.a, p.b, c.filter, tight(preconditioner), x);
            EXPECT_EQ(report.status, PcgReport::Status::converged);
            solution.add(relative_difference(flat(x), exact));
            const Eigen::VectorXd r = b - a * flat(x);
            residual.add((q.transpose() * r).lpNorm<Eigen::Infinity>() /
                         std::max(r.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>()));
            kept.add(((c.held * flat(x)) - (c.held * z)).lpNorm<Eigen::Infinity>());
        }
}

// "... will be exactly z_i (no matter how many iterations are taken)" [BW98 5.2].
TEST(Pcg, ConstrainedComponentsAreKeptAfterAnyNumberOfIterations) {
    Worst kept("kept", 1e-12);
    for (Preconditioner preconditioner : every)
        for (int limit : {0, 1, 2, 5, 20}) {
            Random random(7);
            const int rows = 80;
            const Problem p(random, rows, 300);
            const Constrained c(random, rows);
            PcgSettings settings = tight(preconditioner);
            settings.max_iterations = limit;
            std::vector<Vec3> x = c.z;
            const PcgReport report = Pcg().solve(p.a, p.b, c.filter, settings, x);
            EXPECT_EQ(report.iterations, limit);
            EXPECT_EQ(report.status, PcgReport::Status::iteration_limit);
            kept.add((c.held * flat(x) - c.held * flat(c.z)).lpNorm<Eigen::Infinity>());
            const double moved = (flat(x) - flat(c.z)).lpNorm<Eigen::Infinity>();
            EXPECT_EQ(moved > 0, limit > 0);
            for (std::size_t k = 0; k < c.filter.particles.size(); ++k)
                if (eigen(c.filter.projection[k]).norm() == 0) { // held whole: not a bit changes
                    const int i = c.filter.particles[k];
                    EXPECT_EQ(std::memcmp(&x[i], &c.z[i], sizeof(Vec3)), 0);
                }
        }
}

TEST(Pcg, TheDefaultLimitLetsItConverge) {
    Random random(8);
    const Problem p(random, 60, 240);
    PcgSettings settings = tight(Preconditioner::diagonal);
    EXPECT_FALSE(settings.max_iterations.has_value());
    std::vector<Vec3> x(60, {0, 0, 0});
    EXPECT_EQ(Pcg().solve(p.a, p.b, {}, settings, x).status, PcgReport::Status::converged);
}

// A start near the solution shortens the way and does not change where it ends.
TEST(Pcg, StartsFromTheFreePartOfX) {
    Random random(9);
    const int rows = 50;
    const Problem p(random, rows, 200);
    const Eigen::VectorXd exact = solve(dense(p.a), flat(p.b));
    std::vector<Vec3> x = unflat(exact);
    for (Vec3& v : x)
        v += random.vec(1e-3);
    Pcg().solve(p.a, p.b, {}, tight(Preconditioner::block_jacobi), x);
    EXPECT_LT(relative_difference(flat(x), exact), 1e-10);
}

TEST(Pcg, NothingToDoIsConverged) {
    Random random(10);
    const int rows = 20;
    const Problem p(random, rows, 60);
    std::vector<Vec3> b(rows, {0, 0, 0}), x = b;
    PcgReport report = Pcg().solve(p.a, b, {}, {}, x);
    EXPECT_EQ(report.status, PcgReport::Status::converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.residual, 0);

    Filter all; // every particle held
    for (int i = 0; i < rows; ++i) {
        all.particles.push_back(i);
        all.projection.push_back(Mat3::zero());
    }
    x = random.vecs(rows);
    const std::vector<Vec3> z = x;
    report = Pcg().solve(p.a, p.b, all, {}, x);
    EXPECT_EQ(report.status, PcgReport::Status::converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(std::memcmp(x.data(), z.data(), rows * sizeof(Vec3)), 0);
}

// The reported residual is the norm of P^-1 against its start, checked by hand.
TEST(Pcg, StopsAtTheToleranceInThePreconditionedNorm) {
    for (Preconditioner preconditioner : every)
        for (double tolerance : {1e-1, 1e-3, 1e-6, 1e-9}) {
            Random random(11);
            const int rows = 90;
            const Problem p(random, rows, 350);
            const Eigen::MatrixXd a = dense(p.a);
            Eigen::MatrixXd inverse_p = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
            for (int i = 0; i < rows; ++i) {
                const Eigen::Matrix3d d = a.block<3, 3>(3 * i, 3 * i);
                inverse_p.block<3, 3>(3 * i, 3 * i) =
                    preconditioner == Preconditioner::diagonal
                        ? Eigen::Matrix3d(d.diagonal().cwiseInverse().asDiagonal())
                        : Eigen::Matrix3d(d.inverse());
            }
            const auto norm_of = [&](const Eigen::VectorXd& r) {
                return std::sqrt(r.dot(inverse_p * r));
            };
            PcgSettings settings = {
                .tolerance = tolerance, .max_iterations = {}, .preconditioner = preconditioner};
            std::vector<Vec3> x(rows, {0, 0, 0});
            const PcgReport report = Pcg().solve(p.a, p.b, {}, settings, x);
            const Eigen::VectorXd b = flat(p.b);
            const double residual = norm_of(b - a * flat(x)) / norm_of(b);
            if (preconditioner == Preconditioner::multilevel)
                EXPECT_LT(residual, 1.1 * report.residual) << "momentum is put right after that";
            else
                EXPECT_NEAR(report.residual, residual, 1e-3 * residual);
            EXPECT_LE(report.residual, tolerance);
            // One iteration fewer was not enough.
            settings.max_iterations = report.iterations - 1;
            x.assign(rows, {0, 0, 0});
            const PcgReport before = Pcg().solve(p.a, p.b, {}, settings, x);
            EXPECT_EQ(before.status, PcgReport::Status::iteration_limit);
            EXPECT_GT(before.residual, tolerance);
        }
}

// A direction of negative curvature, seen by the solver or by the preconditioner alone.
TEST(Pcg, AnIndefiniteMatrixIsABreakdown) {
    const std::vector<std::array<int, 2>> pair = {{0, 1}};
    for (Preconditioner preconditioner : every) {
        BlockMatrix a; // positive definite blocks, indefinite together
        a.set_pattern(2, pair);
        for (int i = 0; i < 2; ++i) {
            a.add_diagonal(i, Mat3::identity());
            a.add(a.slot(i, 1 - i), Mat3::diagonal(2));
        }
        const std::vector<Vec3> b = {{1, 0.3, 0}, {-1, 0, 0}};
        std::vector<Vec3> x(2, {0, 0, 0});
        EXPECT_EQ(Pcg().solve(a, b, {}, tight(preconditioner), x).status,
                  PcgReport::Status::breakdown);
    }
}

TEST(Pcg, AnIndefiniteDiagonalBlockIsABreakdown) {
    const Mat3 blocks[] = {
        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}},
        // Its inverse (1, 2; 2, 1) has a positive diagonal and is indefinite.
        {{{-1.0 / 3, 2.0 / 3, 0}, {2.0 / 3, -1.0 / 3, 0}, {0, 0, 1}}},
        // Positive diagonal, positive determinant, two negative eigenvalues.
        {{{1, 2, 2}, {2, 1, 2}, {2, 2, 1}}},
        Mat3::diagonal(-1),
        Mat3::zero(),
        Mat3::diagonal(std::numeric_limits<double>::quiet_NaN()),
    };
    int number = 0;
    for (const Mat3& block : blocks) {
        for (Preconditioner preconditioner : every)
            for (const Vec3& b : {Vec3{1, -1, 0.1}, Vec3{1, 1, 0}, Vec3{0.3, -0.2, 0.9}}) {
                BlockMatrix a;
                a.set_pattern(2, {});
                a.add_diagonal(0, Mat3::identity());
                a.add_diagonal(1, block);
                std::vector<Vec3> x(2, {0, 0, 0});
                const std::vector<Vec3> right = {{1, 0, 0}, b};
                const PcgReport report = Pcg().solve(a, right, {}, tight(preconditioner), x);
                // The true curvature along any way taken tells; b may miss the bad direction
                // when the solver does not look at whole blocks.
                const bool solved =
                    report.status == PcgReport::Status::converged && norm(block * x[1] - b) < 1e-9;
                EXPECT_TRUE(report.status == PcgReport::Status::breakdown ||
                            (preconditioner == Preconditioner::diagonal && solved))
                    << "block " << number;
            }
        ++number;
    }
}

TEST(Pcg, NotANumberIsABreakdown) {
    Random random(12);
    const Problem p(random, 30, 100);
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<Vec3> b = p.b, x(30, {0, 0, 0});
        b[17].y = bad;
        EXPECT_EQ(Pcg().solve(p.a, b, {}, tight(Preconditioner::block_jacobi), x).status,
                  PcgReport::Status::breakdown);
    }
}

TEST(Pcg, SameBitsForAnyNumberOfThreads) {
    Random random(13);
    const int rows = 4000; // several of the solver's ranges of rows
    const Problem p(random, rows, 4 * rows);
    const Constrained c(random, rows, false);
    for (Preconditioner preconditioner : every) {
        std::vector<Vec3> first;
        PcgReport first_report;
        for (int threads : {1, 2, 4, 7}) {
            set_thread_count(threads);
            std::vector<Vec3> x = c.z;
            PcgSettings settings = tight(preconditioner);
            settings.max_iterations = 40;
            const PcgReport report = Pcg().solve(p.a, p.b, c.filter, settings, x);
            if (threads == 1) {
                first = x;
                first_report = report;
            }
            EXPECT_EQ(std::memcmp(x.data(), first.data(), x.size() * sizeof(Vec3)), 0) << threads;
            EXPECT_EQ(report.iterations, first_report.iterations);
            EXPECT_EQ(report.residual, first_report.residual);
        }
    }
    set_thread_count(0);
}

// A solver object used again, for problems of other sizes, behaves as a new one.
TEST(Pcg, KeepsNothingBetweenSolves) {
    Pcg used;
    for (int rows : {40, 700, 3, 40}) {
        Random random(rows);
        const Problem p(random, rows, 3 * rows);
        const Constrained c(random, rows, false);
        std::vector<Vec3> x = c.z, y = c.z;
        used.solve(p.a, p.b, c.filter, tight(Preconditioner::block_jacobi), x);
        Pcg().solve(p.a, p.b, c.filter, tight(Preconditioner::block_jacobi), y);
        EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(Vec3)), 0) << rows;
    }
}

// Errata. The paper sets P_ii = 1 / A_ii and then prints `P` in line 3 and `P^-1` in lines 5 and
// 12 (printed_pcg is that procedure, word for word).

// Lines 5 and 12 multiply the residual by A_ii where dividing is meant: on masses that differ, the
// preconditioner makes the problem worse.
TEST(PcgErratum, ThePrintedPreconditionerSquaresTheScaling) {
    Random random(14);
    const int rows = 40;
    const Problem p(random, rows, 120, 1e-2, 1e2);
    const Eigen::MatrixXd a = dense(p.a);
    const Eigen::VectorXd b = flat(p.b), exact = solve(a, b);

    std::vector<Vec3> x(rows, {0, 0, 0});
    PcgSettings settings = tight(Preconditioner::diagonal);
    settings.tolerance = 1e-8;
    const PcgReport ours = Pcg().solve(p.a, p.b, {}, settings, x);
    EXPECT_LT(relative_difference(flat(x), exact), 1e-6);

    const PrintedReport printed = printed_pcg(a, b, 1e-8, PrintedReading::as_printed, 30 * rows);
    RecordProperty("iterations", std::to_string(ours.iterations) + " against " +
                                     std::to_string(printed.iterations) + " as printed");
    EXPECT_GT(printed.iterations, 8 * ours.iterations);
}

// Line 3 measures b with P and line 6 measures r with P^-1. Written in another unit of force, which
// changes nothing about the motion, the printed criterion stops at another iteration; ours does
// not.
TEST(PcgErratum, ThePrintedYardstickDependsOnTheUnitOfForce) {
    Random random(15);
    const int rows = 40;
    const Problem p(random, rows, 120);
    int ours[2], printed[2];
    for (int k = 0; k < 2; ++k) {
        const double unit = k == 0 ? 1 : 1e5; // newton, dyne
        BlockMatrix a;
        a.set_pattern(rows, {});
        std::vector<BlockEntry> entries;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < rows; ++j)
                entries.push_back({i, j, unit * p.a.block(i, j)});
        a.set_overlay(entries);
        std::vector<Vec3> b = p.b, x(rows, {0, 0, 0});
        for (Vec3& v : b)
            v *= unit;
        PcgSettings settings = {
            .tolerance = 1e-4, .max_iterations = {}, .preconditioner = Preconditioner::diagonal};
        ours[k] = Pcg().solve(a, b, {}, settings, x).iterations;
        printed[k] =
            printed_pcg(dense(a), flat(b), 1e-4, PrintedReading::only_line_3, 30 * rows).iterations;
    }
    RecordProperty("iterations", std::to_string(printed[0]) + " in newton, " +
                                     std::to_string(printed[1]) + " in dyne, as printed");
    EXPECT_EQ(ours[0], ours[1]);
    EXPECT_NE(printed[0], printed[1]);
}

// When the constraints alone drive the motion, b is zero, and so is the printed yardstick: no
// residual is small enough. Ours is taken from b - A z.
TEST(PcgErratum, ConstraintsAloneHaveAYardstick) {
    Random random(16);
    const int rows = 60;
    const Problem p(random, rows, 240);
    const Constrained c(random, rows);
    const std::vector<Vec3> b(rows, {0, 0, 0});
    std::vector<Vec3> x = c.z;
    PcgSettings settings; // as a simulation has it
    const PcgReport report = Pcg().solve(p.a, b, c.filter, settings, x);
    EXPECT_EQ(report.status, PcgReport::Status::converged);
    EXPECT_GT(report.iterations, 0);
    EXPECT_LT(report.iterations, 60);
    std::vector<Vec3> filtered = b;
    c.filter.apply(filtered);
    EXPECT_EQ(flat(filtered).norm(), 0); // delta_0 of line 3
}

// The error of the solution is below what was asked for, in every patch, however stiff some of the
// system is; a residual norm would have stopped long before.
TEST(Pcg, AccuracyBoundsTheErrorOfTheSolution) {
    Random random(11);
    constexpr int rows = 600;
    Problem p(random, rows, 3 * rows);
    std::vector<double> mass(rows, 0.25); // less than the least of the problem: A >= M
    const Eigen::MatrixXd a = dense(p.a);
    const Eigen::VectorXd exact = a.ldlt().solve(flat(p.b));
    for (const Preconditioner preconditioner :
         {Preconditioner::block_jacobi, Preconditioner::multilevel})
        for (const double error : {1e-1, 1e-2, 1e-4}) {
            PcgSettings settings;
            settings.max_iterations = 1000;
            settings.preconditioner = preconditioner;
            settings.accuracy.mass = mass;
            settings.accuracy.error = error;
            std::vector<Vec3> x(rows, {0, 0, 0});
            const PcgReport report = Pcg().solve(p.a, p.b, {}, settings, x);
            EXPECT_EQ(report.status, PcgReport::Status::converged);
            EXPECT_LE(report.error, error);
            const Eigen::VectorXd wrong = flat(x) - exact;
            for (int from = 0; from < rows; from += 256) {
                const int count = std::min(256, rows - from);
                EXPECT_LE(wrong.segment(3 * from, 3 * count).norm() / std::sqrt(count), error);
            }
        }
}

// A part of the system that moves by large amounts does not loosen what is asked of another.
TEST(Pcg, AccuracyIsJudgedPatchByPatch) {
    Random random(12);
    constexpr int half = 512, rows = 2 * half;
    std::vector<std::array<int, 2>> pairs;
    for (int i = 0; i + 1 < rows; ++i)
        if (i + 1 != half)
            pairs.push_back({i, i + 1});
    BlockMatrix a;
    a.set_pattern(rows, pairs);
    std::vector<double> mass(rows, 1.0);
    for (int i = 0; i < rows; ++i)
        a.add_diagonal(i, Mat3::identity());
    for (const auto& [i, j] : pairs) {
        const Mat3 k = Mat3::diagonal(200);
        a.add(a.slot(i, i), k);
        a.add(a.slot(j, j), k);
        a.add(a.slot(i, j), -1.0 * k);
        a.add(a.slot(j, i), -1.0 * k);
    }
    std::vector<Vec3> b = random.vecs(rows);
    for (int i = half; i < rows; ++i)
        b[i] = 1e4 * b[i];
    const Eigen::VectorXd exact = dense(a).ldlt().solve(flat(b));
    PcgSettings settings;
    settings.max_iterations = 4000;
    settings.accuracy.mass = mass;
    settings.accuracy.error = 1e-3;
    std::vector<Vec3> x(rows, {0, 0, 0});
    const PcgReport report = Pcg().solve(a, b, {}, settings, x);
    EXPECT_EQ(report.status, PcgReport::Status::converged);
    const Eigen::VectorXd wrong = flat(x) - exact;
    EXPECT_LE(wrong.head(3 * half).norm() / std::sqrt(half), 1e-3);
    EXPECT_LE(wrong.tail(3 * half).norm() / std::sqrt(half), 1e-3);
}

// A solve that another one refines ends once every patch has most of its own change, in far fewer
// iterations than an accurate one.
TEST(Pcg, AccuracyMayLeaveAPartOfTheChange) {
    Random random(13);
    constexpr int rows = 600;
    Problem p(random, rows, 3 * rows);
    const std::vector<double> mass(rows, 0.25);
    const Eigen::VectorXd exact = dense(p.a).ldlt().solve(flat(p.b));
    PcgSettings settings;
    settings.preconditioner = Preconditioner::block_jacobi;
    settings.accuracy.mass = mass;
    settings.accuracy.error = 1e-6;
    std::vector<Vec3> accurate(rows, {0, 0, 0}), loose(rows, {0, 0, 0});
    const PcgReport all = Pcg().solve(p.a, p.b, {}, settings, accurate);
    settings.accuracy.reduction = 0.1;
    const PcgReport part = Pcg().solve(p.a, p.b, {}, settings, loose);
    EXPECT_EQ(part.status, PcgReport::Status::converged);
    EXPECT_LT(2 * part.iterations, all.iterations);
    EXPECT_GT(part.error, settings.accuracy.error); // says that it is not accurate
    const Eigen::VectorXd wrong = flat(loose) - exact;
    const Eigen::MatrixXd a = dense(p.a);
    EXPECT_LT(wrong.dot(a * wrong), 0.2 * 0.2 * exact.dot(a * exact));
    // A patch that hardly moves need not have most of its change.
    settings.accuracy.least = 1e-3;
    settings.accuracy.relative = 1e-3;
    settings.accuracy.error = 100 * exact.norm() / std::sqrt(rows);
    const auto iterations = [&](double reduction) {
        settings.accuracy.reduction = reduction;
        std::vector<Vec3> x(rows, {0, 0, 0});
        return Pcg().solve(p.a, p.b, {}, settings, x).iterations;
    };
    EXPECT_LT(iterations(1e-3), iterations(0));
}

// Errors given patch by patch stand in the place of the one for all.
TEST(Pcg, AccuracyOfEachPatch) {
    Random random(14);
    constexpr int rows = 512;
    Problem p(random, rows, 3 * rows);
    const std::vector<double> mass(rows, 0.25);
    PcgSettings settings;
    settings.preconditioner = Preconditioner::block_jacobi;
    settings.accuracy.mass = mass;
    settings.accuracy.error = 1;
    const auto iterations = [&](std::vector<double> errors) {
        settings.accuracy.errors = errors;
        std::vector<Vec3> x(rows, {0, 0, 0});
        return Pcg().solve(p.a, p.b, {}, settings, x).iterations;
    };
    const int loose = iterations({1e-2, 1e-2}), tight = iterations({1e-7, 1e-7});
    EXPECT_LT(loose, tight);
    // The patch that is asked for more decides.
    EXPECT_GT(iterations({1e-7, 1e-2}), loose);
    EXPECT_GT(iterations({1e-2, 1e-7}), loose);
    EXPECT_LE(iterations({1e-2, 1e-7}), tight);
}

} // namespace
} // namespace muslin::test
