// Gravity, air drag and wind, springs to moving points and given forces [BW98 4.4].
#include "muslin/forces/outside.h"

#include "forces/cloth.h"
#include "muslin/kernels/air_drag.h"

namespace muslin::test {
namespace {

TEST(GravityForce, IsWeightAndTheGradientOfItsEnergy) {
    Random random(1);
    Sheet sheet = irregular_sheet(60, 1);
    sheet.conditions.gravity = {0.3, -9.81, 1.2};
    GravityForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
    const std::vector<Vec3> force = force_at(f, x, v);
    for (int i = 0; i < sheet.particles(); ++i)
        EXPECT_LT(norm(force[i] - sheet.model.mass[i] * sheet.conditions.gravity),
                  1e-15 * norm(force[i]));
    const Eigen::VectorXd down =
        -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x), 1e-2);
    EXPECT_LT(relative_difference(flat(force), down), 1e-9);
    const Linearised l = linearise(f, x, v, 0.02, random.vecs(sheet.particles()));
    EXPECT_EQ(l.matrix.cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ((l.force - flat(force)).norm(), 0);
}

Sheet windy_sheet(unsigned seed) {
    Sheet sheet = irregular_sheet(60, seed);
    sheet.conditions.air.linear_drag = 0.7;
    sheet.conditions.air.quadratic_drag = 0.6;
    sheet.conditions.air.wind = Animated<Vec3>({{0.0, Vec3{1, 2, 3}}, {2.0, Vec3{5, 2, -1}}});
    return sheet;
}

TEST(AirDragForce, IsTheSumOfItsTrianglesInTheWindOfTheTime) {
    Random random(2);
    Worst force("force", 1e-14), matrix("matrix", 1e-14), extrapolated("extrapolated", 0);
    const Sheet sheet = windy_sheet(2);
    AirDragForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    for (double time : {0.0, 0.5, 2.0, 3.0}) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3),
                                d = random.vecs(sheet.particles(), 0.1);
        f.prepare(time);
        const double s = std::min(time / 2, 1.0);
        const Vec3 wind = {1 + 4 * s, 2, 3 - 4 * s};
        const Eigen::Index n = 3 * sheet.particles();
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
        Eigen::MatrixXd damping = Eigen::MatrixXd::Zero(n, n);
        for (const auto& t : sheet.model.dynamics.triangles) {
            const Vec3 at[3] = {x[t[0]], x[t[1]], x[t[2]]}, u[3] = {v[t[0]], v[t[1]], v[t[2]]};
            const auto r = air_drag(at, u, wind, AirDragParameters<double>{0.7, 0.6});
            for (int i : t) {
                expected.segment<3>(3 * i) += eigen(r.force);
                // Of all three corners, on the diagonal: declared in outside.h.
                damping.block<3, 3>(3 * i, 3 * i) +=
                    3 * r.damping * eigen(outer(r.normal, r.normal));
            }
        }
        force.add(relative_difference(flat(force_at(f, x, v)), expected));
        const Linearised l = linearise(f, x, v, 0.02, d);
        matrix.add(relative_difference(l.matrix, (0.02 * damping).eval()));
        // K is left out of what the solver gets, so it is left out of the extrapolation as well.
        extrapolated.add((l.force - flat(force_at(f, x, v))).norm());
    }
}

TEST(AirDragForce, FeelsTheWindOfTheStartBeforeItIsPrepared) {
    Random random(3);
    const Sheet sheet = windy_sheet(3);
    AirDragForce fresh(sheet.model), prepared(sheet.model);
    fresh.set_conditions(sheet.conditions);
    prepared.set_conditions(sheet.conditions);
    prepared.prepare(0);
    const std::vector<Vec3> x = crumpled(sheet, random), v = still(sheet);
    EXPECT_EQ((flat(force_at(fresh, x, v)) - flat(force_at(prepared, x, v))).norm(), 0);
}

// Each row's blocks summed up, on its diagonal.
Eigen::MatrixXd lumped(const Eigen::MatrixXd& m) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m.rows(), m.cols());
    for (Eigen::Index i = 0; i < m.rows(); i += 3)
        for (Eigen::Index j = 0; j < m.cols(); j += 3)
            out.block<3, 3>(i, i) += m.block<3, 3>(i, j);
    return out;
}

TEST(AirDragForce, MatrixIsTheLumpedDerivativeByVelocityAndNoLessThanIt) {
    Random random(4);
    const Sheet sheet = windy_sheet(4);
    AirDragForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    f.prepare(1);
    const std::vector<Vec3> x = crumpled(sheet, random);
    // Fast enough that no triangle is near the corner of |s| s.
    std::vector<Vec3> v = still(sheet);
    for (int i = 0; i < sheet.particles(); ++i)
        v[i] = Vec3{40, 70, 90} + random.vec(1);
    const Eigen::MatrixXd damping = solver_matrices(f, x, v).damping;
    const Eigen::MatrixXd exact = difference_damping(f, x, v, 0.1);
    EXPECT_LT(relative_difference(damping, lumped(exact)), 1e-6);
    EXPECT_GE(smallest_eigenvalue(damping), -1e-14 * damping.cwiseAbs().maxCoeff());
    EXPECT_GE(smallest_eigenvalue(damping - exact), -1e-6 * damping.cwiseAbs().maxCoeff());
    EXPECT_LT(relative_difference(damping.transpose().eval(), damping), 1e-15);
}

// A plate carried by the wind: the total force on a flat sheet is pressure times area.
TEST(AirDragForce, FlatSheetTakesPressureTimesAreaOnAnyMesh) {
    for (int vertices : {30, 120, 480}) {
        Sheet sheet = irregular_sheet(vertices, 5);
        sheet.conditions.air.linear_drag = 0.7;
        sheet.conditions.air.quadratic_drag = 0.6;
        sheet.conditions.air.wind = Animated<Vec3>(Vec3{1, 2, 0});
        AirDragForce f(sheet.model);
        f.set_conditions(sheet.conditions);
        f.prepare(0);
        Vec3 sum = {0, 0, 0};
        for (const Vec3& g : force_at(f, sheet.positions(), still(sheet)))
            sum += g;
        const double expected = 0.24 * (0.7 * 2 + 0.6 * 4);
        EXPECT_NEAR(sum.y, expected, 1e-13);
        EXPECT_NEAR(sum.x, 0, 1e-15);
        EXPECT_NEAR(sum.z, 0, 1e-15);
    }
}

Sheet pulled_sheet() {
    Sheet sheet = irregular_sheet(40, 6);
    Pull pull;
    pull.particles = {3, 7, 7, 20}; // a particle may be named twice
    pull.target = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{1, 2, 3}}});
    pull.stiffness = 12;
    pull.damping = 0.5;
    pull.window = {0.25, 0.75};
    Load load;
    load.particles = {1, 2, 30};
    load.force = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{4, -2, 6}}});
    load.window = {0.5, 2};
    sheet.conditions.pulls = {pull};
    sheet.model.loads = {load};
    return sheet;
}

TEST(OutsideForce, PullsAndLoadsActInTheirWindows) {
    Random random(7);
    const Sheet sheet = pulled_sheet();
    OutsideForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
    const std::vector<double>& m = sheet.model.mass;
    const double load_mass = m[1] + m[2] + m[30];
    for (double time : {0.0, 0.2499, 0.25, 0.6, 0.7499, 0.75, 1.0, 2.0}) {
        f.prepare(time);
        std::vector<Vec3> expected = still(sheet);
        if (time >= 0.25 && time < 0.75)
            for (int i : {3, 7, 7, 20})
                expected[i] += 12.0 * (time * Vec3{1, 2, 3} - x[i]) - 0.5 * v[i];
        if (time >= 0.5 && time < 2)
            for (int i : {1, 2, 30})
                expected[i] += (m[i] / load_mass * std::min(time, 1.0)) * Vec3{4, -2, 6};
        EXPECT_LT((flat(force_at(f, x, v)) - flat(expected)).norm(), 1e-13) << time;
    }
}

TEST(OutsideForce, IsLinearSoItsLinearisationIsExact) {
    Random random(8);
    const Sheet sheet = pulled_sheet();
    OutsideForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    f.prepare(0.6);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3),
                            d = random.vecs(sheet.particles(), 0.1);
    const SolverMatrices m = solver_matrices(f, x, v);
    EXPECT_LT(relative_difference(m.stiffness, difference_stiffness(f, x, v, 0.1)), 1e-11);
    EXPECT_LT(relative_difference(m.damping, difference_damping(f, x, v, 1)), 1e-11);
    EXPECT_GE(smallest_eigenvalue(m.stiffness), -1e-12);
    EXPECT_GE(smallest_eigenvalue(m.damping), -1e-12);
    const Linearised l = linearise(f, x, v, 0.02, d);
    EXPECT_LT((l.force - (flat(force_at(f, x, v)) - m.stiffness * flat(d))).norm(), 1e-12);
    EXPECT_LT((l.matrix - (4e-4 * m.stiffness + 0.02 * m.damping)).norm(), 1e-13);

    // The springs' part of the force is minus the gradient of the energy.
    f.prepare(0.4); // before the load begins
    const Eigen::VectorXd down =
        -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x), 0.1);
    EXPECT_LT(relative_difference(flat(force_at(f, x, still(sheet))), down), 1e-10);
}

// A hand's pull: linear up to its limit, then of one size; the energy is smooth across.
TEST(OutsideForce, PullsNoHarderThanItsLimit) {
    Random random(9);
    Sheet sheet = pulled_sheet();
    sheet.model.loads.clear();
    sheet.conditions.pulls[0].particles = {3, 7, 20};
    sheet.conditions.pulls[0].max_force = 6;
    OutsideForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    f.prepare(0.6);
    std::vector<Vec3> x = crumpled(sheet, random);
    const Vec3 point = 0.6 * Vec3{1, 2, 3};
    x[3] = point + Vec3{0.2, 0.1, 0}; // within 6 / 12 m of the point
    x[7] = point + Vec3{0, 0.5001, 0};
    x[20] = point + Vec3{3, -4, 0};
    const std::vector<Vec3> force = force_at(f, x, still(sheet));
    EXPECT_LT(norm(force[3] - 12.0 * Vec3{-0.2, -0.1, 0}), 1e-14);
    EXPECT_LT(norm(force[7] - Vec3{0, -6, 0}), 1e-14);
    EXPECT_LT(norm(force[20] - 6.0 * Vec3{-0.6, 0.8, 0}), 1e-14);
    const Eigen::VectorXd down =
        -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x), 1e-5);
    EXPECT_LT(relative_difference(flat(force), down), 1e-6);

    // What the solver gets is no less than the exact derivative, and extrapolates with it.
    const SolverMatrices m = solver_matrices(f, x, still(sheet));
    const Eigen::MatrixXd excess = m.stiffness - difference_stiffness(f, x, still(sheet), 1e-5);
    EXPECT_GE(smallest_eigenvalue(excess), -1e-5);
    EXPECT_NEAR(m.stiffness(60, 60), 6.0 / 5, 1e-12);
    const std::vector<Vec3> d = random.vecs(sheet.particles(), 0.1);
    const Linearised l = linearise(f, x, still(sheet), 0.02, d);
    EXPECT_LT((l.force - (flat(force) - m.stiffness * flat(d))).norm(), 1e-12);
}

} // namespace
} // namespace muslin::test
