// Stress of an isotropic sheet by its principal strains, soft where it is pushed or little pulled
// [Volino95 3.3].
#include "muslin/forces/strain_rosette.h"

#include "forces/cloth.h"

namespace muslin::test {
namespace {

TEST(SheetLaw, WithoutSoftnessIsHookes) {
    Random random(5);
    for (int k = 0; k < 100; ++k) {
        const double a = random.uniform(-0.3, 0.3), b = random.uniform(-0.3, 0.3);
        const double e1 = std::max(a, b), e2 = std::min(a, b), nu = random.uniform(0, 0.49);
        const SheetResponse<double> r =
            sheet_response<double>(e1, e2, {1000, nu, 1, random.uniform(0, 0.1)});
        const InPlaneTensor<double> s = hooke<double>({e1, e2, 0}, 1000, nu);
        EXPECT_NEAR(r.stress[0], s.first, 1e-10);
        EXPECT_NEAR(r.stress[1], s.second, 1e-10);
        EXPECT_NEAR(r.energy, 0.5 * (s.first * e1 + s.second * e2), 1e-10);
        EXPECT_NEAR(r.shear, 1000 / (2 * (1 + nu)), 1e-9);
    }
}

// A strip pulled along 1 and free across: E above the slack, the soft part of E below it, and nu
// throughout. Pushed, it has between the soft part of E and of E / (1 - nu^2), because it does not
// get wider as easily.
TEST(SheetLaw, APulledStripHasYoungsModulusAndIsSoftBelowItsSlack) {
    const double nu = 0.3;
    for (const double slack : {0.0, 0.02}) {
        const SheetParameters<double> p = {1000, nu, 0.1, slack};
        for (const double e : {0.005, 0.01, 0.03, 0.2}) {
            const SheetResponse<double> r = sheet_response(e, -nu * e, p);
            EXPECT_NEAR(r.stress[0], 100 * e + 900 * std::max(0.0, e - slack), 1e-9) << e;
            EXPECT_NEAR(r.stress[1], 0, 1e-9) << e;
        }
    }
    const SheetParameters<double> p = {1000, nu, 0.1, 0};
    for (const double e : {-0.01, -0.1}) {
        const double plane = 100 / (1 - nu * nu), wider = -plane * nu * e / (plane + 900);
        const SheetResponse<double> r = sheet_response(wider, e, p);
        EXPECT_NEAR(r.stress[0], 0, 1e-9);
        EXPECT_GE(r.stress[1] / e, 100);
        EXPECT_LE(r.stress[1] / e, plane);
    }
}

// Stress is the energy's derivative, and the matrix the stress's; both are continuous, the matrix
// is positive semi-definite.
TEST(SheetLaw, HasAConvexEnergy) {
    Random random(6);
    Worst stress("stress", 1e-7), matrix("matrix", 1e-5);
    for (int k = 0; k < 300; ++k) {
        const SheetParameters<double> p = {1000, random.uniform(0, 0.49), random.uniform(0.01, 1),
                                           random.uniform(0, 0.05)};
        const double a = random.uniform(-0.2, 0.2), b = random.uniform(-0.2, 0.2);
        const double e1 = std::max(a, b), e2 = std::min(a, b), d = 1e-6;
        const auto at = [&](double x, double y) { return sheet_response(x, y, p); };
        const SheetResponse<double> r = at(e1, e2);
        stress.add(
            std::abs((at(e1 + d, e2).energy - at(e1 - d, e2).energy) / (2 * d) - r.stress[0]) /
            100);
        stress.add(
            std::abs((at(e1, e2 + d).energy - at(e1, e2 - d).energy) / (2 * d) - r.stress[1]) /
            100);
        const double x1 = e1 - p.slack, x2 = e2 - p.slack;
        if (std::abs(x1) < 1e-4 || std::abs(x2 + p.poisson * x1) < 1e-4)
            continue; // the modulus jumps there
        matrix.add(
            std::abs((at(e1 + d, e2).stress[0] - at(e1 - d, e2).stress[0]) / (2 * d) - r.h11) /
            1000);
        matrix.add(
            std::abs((at(e1 + d, e2).stress[1] - at(e1 - d, e2).stress[1]) / (2 * d) - r.h12) /
            1000);
        matrix.add(
            std::abs((at(e1, e2 + d).stress[1] - at(e1, e2 - d).stress[1]) / (2 * d) - r.h22) /
            1000);
        if (e1 - e2 > 1e-3)
            matrix.add(std::abs((r.stress[0] - r.stress[1]) / (2 * (e1 - e2)) - r.shear) / 1000);
        EXPECT_GE(r.h11 * r.h22 - r.h12 * r.h12, -1e-6);
        EXPECT_GE(r.shear, 0);
    }
}

} // namespace
} // namespace muslin::test
