// Threads that buckle between vertices: the law, its energy and what the solver is handed.

#include "forces/cloth.h"
#include "muslin/forces/stretch_shear.h"

namespace muslin::test {
namespace {

constexpr double stiffness = 6000, rigidity = 7e-6; // of cotton [N/m, N m]

TEST(ThreadBuckling, IsLinearInTension) {
    const ThreadBuckling<double> p = thread_buckling(stiffness, rigidity, 0.02);
    for (const double strain : {0.0, 1e-4, 0.01, 0.2}) {
        const auto law = thread_tension(strain, stiffness, p, 0.0);
        EXPECT_DOUBLE_EQ(law.tension, stiffness * strain);
        EXPECT_DOUBLE_EQ(law.handed, stiffness);
    }
}

TEST(ThreadBuckling, TensionIsTheDerivativeOfTheEnergy) {
    for (const double edge : {0.002, 0.01, 0.04}) {
        const ThreadBuckling<double> p = thread_buckling(stiffness, rigidity, edge);
        for (const double strain : {-0.3, -0.15, -0.05, -1e-3, -1e-5, 1e-3}) {
            const double d = 1e-6 * std::max(1e-2, std::abs(strain));
            const double slope = (thread_energy(strain + d, stiffness, p) -
                                  thread_energy(strain - d, stiffness, p)) /
                                 (2 * d);
            const double tension = thread_tension(strain, stiffness, p, 0.0).tension;
            EXPECT_NEAR(slope, tension, 1e-4 * std::abs(tension) + 1e-6) << edge << ' ' << strain;
        }
    }
}

// Half of Euler's load at the critical strain, nearly all of it at a hundred times that.
TEST(ThreadBuckling, TendsToTheEulerLoad) {
    constexpr double pi = std::numbers::pi, edge = 0.02;
    const double load = pi * pi * rigidity / (edge * edge);
    const ThreadBuckling<double> p = thread_buckling(stiffness, rigidity, edge);
    EXPECT_NEAR(p.critical, load / stiffness, 1e-15);
    EXPECT_NEAR(-thread_tension(-p.critical, stiffness, p, 0.0).tension, load / 2, 1e-3 * load);
    EXPECT_NEAR(-thread_tension(-100 * p.critical, stiffness, p, 0.0).tension, load, 0.02 * load);
}

// Where the mesh resolves the buckles of a load, the law is the linear one: protocol B6 at 40 rows.
TEST(ThreadBuckling, LeavesLoadsAloneThatTheMeshResolves) {
    constexpr double edge = 0.005, length = 0.2, d = 1e-3, k = 1e4;
    const ThreadBuckling<double> p = thread_buckling(k, d, edge);
    const double strain = -10 * d / (length * length) / k;
    EXPECT_NEAR(thread_tension(strain, k, p, 0.0).tension / (k * strain), 1, 1e-3);
}

TEST(ThreadBuckling, TheHandedStiffnessIsPositiveAndNoLessThanTheSlope) {
    const ThreadBuckling<double> p = thread_buckling(stiffness, rigidity, 0.02);
    for (const double least : {0.0, 0.02})
        for (double strain = -0.5; strain < 0.05; strain += 0.0037) {
            const double d = 1e-7;
            const auto tension = [&](double e) {
                return thread_tension(e, stiffness, p, least).tension;
            };
            const double slope = (tension(strain + d) - tension(strain - d)) / (2 * d);
            EXPECT_GT(slope, 0);
            EXPECT_GE(thread_tension(strain, stiffness, p, least).handed, slope * (1 - 1e-6));
        }
}

TEST(ThreadBuckling, TheForceIsMinusTheGradientOfTheEnergy) {
    Worst force("force", 1e-5);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        const Sheet sheet = irregular_sheet(60, seed);
        const StretchShearForce buckling(sheet.model, 0.1,
                                         StretchShearForce::Compression::buckling);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const Eigen::VectorXd down =
            -gradient([&](const Eigen::VectorXd& y) { return buckling.energy(unflat(y)); }, flat(x),
                      1e-6 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(buckling, x, still(sheet))), down));
    }
}

// A sheet pressed together by a tenth resists far less than one whose threads stay straight.
TEST(ThreadBuckling, ASheetGivesWayInCompression) {
    const Sheet sheet = irregular_sheet(200, 1);
    const StretchShearForce buckling(sheet.model, 0.1, StretchShearForce::Compression::buckling);
    const StretchShearForce straight(sheet.model, 0.1);
    std::vector<Vec3> pressed = sheet.rest.positions, pulled = pressed;
    for (std::size_t i = 0; i < pressed.size(); ++i) {
        pressed[i].x *= 0.95;
        pulled[i].x *= 1.05;
    }
    EXPECT_LT(buckling.energy(pressed), 0.1 * straight.energy(pressed));
    EXPECT_DOUBLE_EQ(buckling.energy(pulled), straight.energy(pulled));
}

} // namespace
} // namespace muslin::test
