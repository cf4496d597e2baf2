// Bending by second differences along straight lines of the pattern [Ohta95 (3)].
#include "muslin/forces/curvature_energy.h"
#include "muslin/pattern/flat_garments.h"

#include "forces/cloth.h"

#include <gtest/gtest.h>

namespace muslin::test {
namespace {

std::vector<PolygonMesh> meshes() {
    const double w = 0.6, d = 0.4;
    return {make_irregular({.width = w, .depth = d, .vertices = 90, .seed = 3, .jitter = 0.4}),
            make_lattice({.width = w, .depth = d, .rows = 7}),
            make_grid({.width = w, .depth = d, .columns = 9, .rows = 5}),
            make_grid(
                {.width = w, .depth = d, .columns = 7, .rows = 8, .diagonals = Diagonals::crossed}),
            make_shirt({.edge = 0.06})};
}

/// Rolled up with the curvature kappa along the direction that lies at `angle` to x.
std::vector<Vec3> rolled(const Sheet& sheet, double kappa, double angle) {
    const Vec3 along = {std::cos(angle), 0, std::sin(angle)};
    const Vec3 across = {-std::sin(angle), 0, std::cos(angle)};
    std::vector<Vec3> x;
    for (const Vec3& p : sheet.positions()) {
        const double a = kappa * dot(p, along);
        x.push_back((std::sin(a) / kappa) * along + dot(p, across) * across +
                    Vec3{0, (1 - std::cos(a)) / kappa, 0});
    }
    return x;
}

TEST(CurvatureEnergy, ForceIsMinusTheGradientOfTheEnergyAndBalanced) {
    Random random(1);
    for (const PolygonMesh& mesh : meshes()) {
        const Sheet sheet = make_sheet(mesh);
        CurvatureEnergyForce force(sheet.model);
        ASSERT_GT(force.lines().size(), 20u);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const std::vector<Vec3> f = force_at(force, x, still(sheet));
        const Eigen::VectorXd expected = -gradient(
            [&](const Eigen::VectorXd& y) { return force.energy(unflat(y)); }, flat(x), 1e-4);
        EXPECT_LT((flat(f) - expected).norm(), 1e-8 * expected.norm());
        EXPECT_LT(balance(x, f).force, 1e-11);
        EXPECT_LT(balance(x, f).torque, 1e-11);
        // Turning as a whole is not damped; other motion is, and both momenta are kept.
        const auto rigid = moving_rigidly(x, random);
        EXPECT_LT((flat(force_at(force, x, rigid)) - flat(f)).norm(), 1e-9 * flat(f).norm());
        std::vector<Vec3> v;
        for (std::size_t i = 0; i < x.size(); ++i)
            v.push_back(random.vec(1));
        const std::vector<Vec3> damped = force_at(force, x, v);
        EXPECT_LT((flat(damped) - flat(f)).dot(flat(v)), 0);
        EXPECT_LT(balance(x, damped).force, 1e-11);
        EXPECT_LT(balance(x, damped).torque, 1e-11);
    }
}

TEST(CurvatureEnergy, TheSolversMatricesAreExactAndConstant) {
    Random random(2);
    for (const PolygonMesh& mesh : meshes()) {
        const Sheet sheet = make_sheet(mesh);
        if (sheet.particles() > 120)
            continue;
        CurvatureEnergyForce force(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random), y = crumpled(sheet, random);
        const SolverMatrices m = solver_matrices(force, x, still(sheet));
        const Eigen::MatrixXd stiffness = difference_stiffness(force, x, still(sheet), 1e-3);
        EXPECT_LT((m.stiffness - stiffness).norm(), 1e-8 * stiffness.norm());
        EXPECT_LT((m.stiffness - solver_matrices(force, y, still(sheet)).stiffness).norm(),
                  1e-12 * stiffness.norm());
        const Eigen::MatrixXd damping = difference_damping(force, x, still(sheet), 1e-3);
        EXPECT_LT((m.damping - damping).norm(), 1e-8 * damping.norm());
        std::vector<Vec3> w, f(x.size(), {0, 0, 0});
        for (std::size_t i = 0; i < x.size(); ++i)
            w.push_back(random.vec(1));
        force.cache_damping({x, w});
        force.add_damping(w, f);
        const Eigen::VectorXd expected = -m.damping * flat(w);
        EXPECT_LT((flat(f) - expected).norm(), 1e-9 * expected.norm());
        std::vector<int> all(force.lines().size());
        std::iota(all.begin(), all.end(), 0);
        std::vector<Vec3> corner(4 * all.size()), sum(x.size(), {0, 0, 0});
        force.corner_forces(all, {x, w}, corner);
        for (std::size_t k = 0; k < corner.size(); ++k)
            sum[force.element_particles()[k]] += corner[k];
        const Eigen::VectorXd whole = flat(force_at(force, x, w));
        EXPECT_LT((flat(sum) - whole).norm(), 1e-12 * whole.norm());
    }
}

// A flat sheet, stretched or sheared as may be, in any pose, on any mesh, with the grain at any
// angle.
TEST(CurvatureEnergy, FlatSheetsAreNotBent) {
    Random random(3);
    for (PolygonMesh mesh : meshes()) {
        if (mesh.positions.size() > 150)
            continue; // the shirt, whose panels lie apart
        const Sheet sheet = make_sheet(turned_pattern(mesh, 0.4));
        const CurvatureEnergyForce force(sheet.model);
        const Mat3 r = random.rotation();
        std::vector<Vec3> x;
        for (const Vec3& p : sheet.positions())
            x.push_back(r * Vec3{1.1 * p.x + 0.2 * p.z, 0.7, 0.9 * p.z});
        const double bent = flat(force_at(force, crumpled(sheet, random), still(sheet))).norm();
        EXPECT_LT(flat(force_at(force, x, still(sheet))).norm(), 1e-10 * bent);
    }
}

// Rolled along its lines, a grid stores D kappa^2 / 2 per area, of each direction its own.
TEST(CurvatureEnergy, AGridHasTheRigidityOfItsFabricAlongEachLine) {
    const Material m = test_material();
    for (const int rows : {21, 41}) {
        const int columns = 3 * (rows - 1) / 2 + 1;
        const Sheet sheet = make_sheet(
            make_grid({.width = 0.3, .depth = 0.2, .columns = columns, .rows = rows}), m);
        const CurvatureEnergyForce force(sheet.model);
        for (const double kappa : {5.0, 20.0})
            for (const bool along_v : {false, true}) {
                // The outermost lines have none across them.
                const double inner = 1 - 1.0 / ((along_v ? rows : columns) - 1);
                const double expected =
                    0.5 * (along_v ? m.bend_v : m.bend_u) * kappa * kappa * inner * sheet.area();
                const double angle = along_v ? 90 * degree : 0;
                EXPECT_NEAR(force.energy(rolled(sheet, kappa, angle)) / expected, 1, 0.01)
                    << rows << " rows, " << kappa << " 1/m";
            }
    }
}

// With the same D both ways, a lattice bends alike in all directions; an irregular mesh on average.
TEST(CurvatureEnergy, OtherMeshesHaveItOnAverageOverDirections) {
    Material m = test_material();
    m.bend_u = m.bend_v = 2e-4;
    const double kappa = 4;
    const auto mean_and_spread = [&](const Sheet& sheet) {
        const CurvatureEnergyForce force(sheet.model);
        double sum = 0, low = 1e9, high = 0;
        for (int k = 0; k < 12; ++k) {
            const double ratio = force.energy(rolled(sheet, kappa, k * 15 * degree)) /
                                 (0.5 * 2e-4 * kappa * kappa * sheet.area());
            sum += ratio / 12;
            low = std::min(low, ratio);
            high = std::max(high, ratio);
        }
        return std::array{sum, low, high};
    };
    const auto lattice =
        mean_and_spread(make_sheet(make_lattice({.width = 0.6, .depth = 0.6, .rows = 60}), m));
    EXPECT_NEAR(lattice[0], 1, 0.03);
    EXPECT_GT(lattice[1], 0.95);
    EXPECT_LT(lattice[2], 1.03);
    const auto irregular = mean_and_spread(
        make_sheet(make_irregular({.width = 0.6, .depth = 0.6, .vertices = 3000}), m));
    EXPECT_NEAR(irregular[0], 1, 0.08); // ends on sides of triangles lie within the bend
    EXPECT_GT(irregular[1], 0.9);
    EXPECT_LT(irregular[2], 1.15);
    // Different per direction: the rigidity of the line.
    m.bend_u = 4e-4;
    m.bend_v = 1e-4;
    const Sheet sheet = make_sheet(make_lattice({.width = 0.6, .depth = 0.6, .rows = 60}), m);
    const CurvatureEnergyForce force(sheet.model);
    const double u = force.energy(rolled(sheet, kappa, 0)),
                 v = force.energy(rolled(sheet, kappa, 90 * degree));
    EXPECT_GT(u, 2 * v);
}

} // namespace
} // namespace muslin::test
