// Bending by curvature: against differences, and the rigidities it shows on every kind of mesh.
#include "muslin/forces/bend_shape.h"
#include "muslin/pattern/plain_panel.h"

#include "forces/cloth.h"
#include "muslin/forces/bend_shape_fit.h"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace muslin::test {
namespace {

Material with_rigidities(double u, double v) {
    Material m = test_material();
    m.bend_u = u;
    m.bend_v = v;
    return m;
}

PolygonMesh grid(Diagonals diagonals, int columns = 21, int rows = 21, double depth = 0.4) {
    return make_grid(
        {.width = 0.4, .depth = depth, .columns = columns, .rows = rows, .diagonals = diagonals});
}

struct Named {
    std::string name;
    PolygonMesh mesh;
};
std::vector<Named> meshes() {
    PanelSettings panel;
    panel.outline = {{-0.2, -0.2}, {0.25, -0.15}, {0.2, 0.2}, {-0.15, 0.22}};
    panel.edge = 0.018;
    return {
        {"one", grid(Diagonals::one)},
        {"one, 1.3 to 1", grid(Diagonals::one, 21, 16)},
        {"alternating", grid(Diagonals::alternating)},
        {"alternating, 1.3 to 1", grid(Diagonals::alternating, 21, 16)},
        {"crossed", grid(Diagonals::crossed)},
        {"crossed, 1.25 to 1", grid(Diagonals::crossed, 21, 17)},
        {"lattice", make_lattice({.width = 0.4, .depth = 0.4, .rows = 24})},
        {"lattice along z",
         make_lattice({.width = 0.4, .depth = 0.4, .rows = 24, .along_z = true})},
        {"irregular", make_irregular({.width = 0.4, .depth = 0.4, .vertices = 900, .seed = 1})},
        {"very irregular",
         make_irregular({.width = 0.4, .depth = 0.4, .vertices = 900, .seed = 2, .jitter = 0.45})},
        {"panel", make_panel(panel)}};
}

TEST(BendShape, EveryMeshShowsTheRigidityInEveryDirection) {
    for (const Named& m : meshes()) {
        const BendCalibration c =
            bend_shape_calibration(make_sheet(m.mesh, with_rigidities(1e-4, 1e-4)).model, 0);
        RecordProperty(m.name, std::to_string(c.lowest) + " to " + std::to_string(c.highest));
        EXPECT_GT(c.lowest, 0.98) << m.name;
        EXPECT_LT(c.highest, 1.02) << m.name;
    }
}

TEST(BendShape, TwoRigiditiesAreKeptApart) {
    const double pairs[][2] = {{1, 2}, {2, 1}, {1, 4}, {4, 1}};
    for (const Named& m : meshes())
        for (const auto& [u, v] : pairs) {
            const BendCalibration c = bend_shape_calibration(
                make_sheet(m.mesh, with_rigidities(1e-4 * u, 1e-4 * v)).model, 0);
            RecordProperty(m.name + fmt::format(" {}:{}", u, v),
                           std::to_string(c.lowest) + " to " + std::to_string(c.highest));
            EXPECT_GT(c.lowest, 0.95) << m.name << " " << u << ":" << v;
            EXPECT_LT(c.highest, 1.05) << m.name << " " << u << ":" << v;
        }
}

TEST(BendShape, TheForceIsTheGradientOfTheEnergy) {
    Worst force("force", 1e-7);
    for (const Diagonals diagonals : {Diagonals::one, Diagonals::alternating, Diagonals::crossed}) {
        Random random(3);
        const Sheet sheet = make_sheet(grid(diagonals, 5, 5));
        const BendShapeForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const Eigen::VectorXd down =
            -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x),
                      1e-3 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(f, x, still(sheet))), down));
    }
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        Sheet sheet = irregular_sheet(40 + static_cast<int>(seed), seed);
        sheet.model.dynamics.rest_angles.resize(sheet.model.dynamics.hinges.size());
        for (double& angle : sheet.model.dynamics.rest_angles)
            angle = 0.5 * random.vec().x;
        const BendShapeForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const Eigen::VectorXd down =
            -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x),
                      1e-3 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(f, x, still(sheet))), down));
    }
}

TEST(BendShape, AFlatSheetAtRestHasNoForceAnywhereInSpace) {
    Random random(5);
    for (const Named& m : meshes()) {
        const Sheet sheet = make_sheet(m.mesh);
        const BendShapeForce f(sheet.model);
        const std::vector<Vec3> x = placed(sheet, random);
        double worst = 0;
        for (const Vec3& force : force_at(f, x, still(sheet)))
            worst = std::max(worst, norm(force));
        EXPECT_LT(worst, 1e-13) << m.name;
    }
}

TEST(BendShape, InternalForcesBalanceAndIgnoreRigidMotion) {
    Worst net("net force", 1e-12), torque("torque", 1e-12), energy("energy", 1e-12),
        damping("damping of rigid motion", 1e-11);
    for (const Named& m : meshes()) {
        Random random(6);
        const Sheet sheet = make_sheet(m.mesh);
        const BendShapeForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const std::vector<Vec3> v = random.vecs(sheet.particles(), 1);
        const std::vector<Vec3> force = force_at(f, x, v);
        Vec3 sum = {0, 0, 0}, turning = {0, 0, 0};
        double size = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += force[i];
            turning += cross(x[i], force[i]);
            size += norm(force[i]);
        }
        net.add(norm(sum) / size);
        torque.add(norm(turning) / size);
        const Mat3 r = random.rotation();
        std::vector<Vec3> moved;
        for (const Vec3& p : x)
            moved.push_back(r * p + Vec3{1, 2, 3});
        energy.add(std::abs(f.energy(moved) / f.energy(x) - 1));
        const std::vector<Vec3> elastic = force_at(f, x, still(sheet));
        const std::vector<Vec3> rigid = force_at(f, x, moving_rigidly(x, random));
        double difference = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            difference += norm(rigid[i] - elastic[i]);
        damping.add(difference / size);
    }
}

// The solver's matrix is a diagonal, no less than B, with the angles' gradients: semi-definite, and
// near enough to the exact one that solves with it converge: 0 < exact < 2 times it, for all
// shapes.
TEST(BendShape, TheSolversMatrixIsSemiDefiniteAndNearTheExactOne) {
    for (const Named& m : std::vector<Named>{
             {"one", grid(Diagonals::one, 7, 7)},
             {"alternating", grid(Diagonals::alternating, 7, 7)},
             {"crossed", grid(Diagonals::crossed, 5, 5)},
             {"lattice", make_lattice({.width = 0.4, .depth = 0.4, .rows = 7})},
             {"irregular",
              make_irregular({.width = 0.4, .depth = 0.4, .vertices = 60, .seed = 1})}}) {
        Material undamped = test_material();
        undamped.bend_damping = 0;
        const Sheet sheet = make_sheet(m.mesh, undamped);
        BendShapeForce f(sheet.model);
        const std::vector<Vec3> x(sheet.positions().begin(), sheet.positions().end());
        const int n = sheet.particles();
        const Linearised handed = linearise(f, x, still(sheet), 1, still(sheet));
        // Flat in y = 0: heights alone bend, and the exact stiffness by height is linear.
        Eigen::MatrixXd exact(n, n), ours(n, n);
        const double step = 1e-6;
        for (int j = 0; j < n; ++j) {
            std::vector<Vec3> up = x;
            up[j].y += step;
            const std::vector<Vec3> force = force_at(f, up, still(sheet));
            for (int i = 0; i < n; ++i) {
                exact(i, j) = -force[i].y / step;
                ours(i, j) = handed.matrix(3 * i + 1, 3 * j + 1);
            }
        }
        const double tiny = 1e-5 * ours.trace() / n;
        const Eigen::MatrixXd shifted = ours + tiny * Eigen::MatrixXd::Identity(n, n);
        EXPECT_LT((exact - exact.transpose()).norm(), 1e-5 * exact.norm()) << m.name;
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pair(
            0.5 * (exact + exact.transpose()), shifted, Eigen::EigenvaluesOnly);
        RecordProperty(m.name, std::to_string(pair.eigenvalues().maxCoeff()));
        EXPECT_LT(pair.eigenvalues().maxCoeff(), 1.8) << m.name;
        EXPECT_GT(pair.eigenvalues().minCoeff(), -1e-5) << m.name;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all(handed.matrix,
                                                                 Eigen::EigenvaluesOnly);
        EXPECT_GT(all.eigenvalues().minCoeff(), -1e-12 * all.eigenvalues().maxCoeff()) << m.name;
    }
}

TEST(BendShape, ElementsAddUpToTheForce) {
    for (const bool quads : {false, true}) {
        Random random(8);
        const Sheet sheet = quads ? make_sheet(grid(Diagonals::one, 7, 6)) : irregular_sheet(60, 2);
        const BendShapeForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 2);
        const std::span<const int> corner = f.element_particles();
        std::vector<int> all(corner.size() / 4);
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k] = static_cast<int>(k);
        std::vector<Vec3> by_corner(corner.size()), sum(x.size(), {0, 0, 0});
        f.corner_forces(all, {x, v}, by_corner);
        for (std::size_t k = 0; k < corner.size(); ++k)
            sum[corner[k]] += by_corner[k];
        EXPECT_LT(relative_difference(flat(sum), flat(force_at(f, x, v))), 1e-12);
    }
}

// Across a seam every triangle measures its curvature in its own pattern.
TEST(BendShape, ASeamBetweenPatternsBendsAsOnePanel) {
    const Sheet whole = make_sheet(make_lattice({.width = 0.4, .depth = 0.4, .rows = 16}));
    Sheet sewn = whole;
    for (std::size_t t = 0; t < sewn.model.dynamics.triangles.size(); ++t) {
        double mean = 0;
        for (const Vec2& p : sewn.model.dynamics.pattern[t])
            mean += p.x / 3;
        if (mean > 0.21)
            for (Vec2& p : sewn.model.dynamics.pattern[t])
                p = p + Vec2{1, 3};
    }
    Random random(9);
    const std::vector<Vec3> x = crumpled(whole, random);
    const double one = BendShapeForce(whole.model).energy(x);
    EXPECT_NEAR(BendShapeForce(sewn.model).energy(x), one, 1e-3 * one);
}

} // namespace
} // namespace muslin::test
