// Bending of a whole irregular sheet, against the text of the paper and against differences.
#include "muslin/forces/bend.h"

#include "forces/cloth.h"
#include "muslin/kernels/bend_bw.h"

namespace muslin::test {
namespace {

/// k of a hinge, from the pattern alone: D |e|^2 / (A1 + A2), D weighed by the edge's direction.
double expected_stiffness(const Sheet& sheet, const Hinge& hinge) {
    const std::vector<Vec2> p = sheet.pattern();
    const auto& [i, j, k, l] = hinge.v;
    const Vec2 e = p[j] - p[i];
    const Material& m = sheet.model.cloths[0].material;
    const double area = pattern_area({p[i], p[j], p[k]}) + pattern_area({p[i], p[j], p[l]});
    const double squared = e.x * e.x + e.y * e.y;
    const double rigidity = (m.bend_u * e.y * e.y + m.bend_v * e.x * e.x) / squared;
    return rigidity * squared / area;
}
Eigen::VectorXd corners(const Hinge& hinge, std::span<const Vec3> x) {
    const Vec3 at[4] = {x[hinge.v[0]], x[hinge.v[1]], x[hinge.v[2]], x[hinge.v[3]]};
    return flat(at);
}
double paper_energy(const Sheet& sheet, std::span<const Vec3> x) {
    double sum = 0;
    for (const Hinge& h : sheet.model.dynamics.hinges) {
        const double angle = paper_angle(corners(h, x));
        sum += 0.5 * expected_stiffness(sheet, h) * angle * angle;
    }
    return sum;
}

TEST(BendForce, StiffnessAndDampingOfAHingeFollowFromItsRestShape) {
    const Sheet sheet = irregular_sheet(90, 1);
    const Material& m = sheet.model.cloths[0].material;
    for (const Hinge& h : sheet.model.dynamics.hinges) {
        const HingeStiffness s = hinge_stiffness(sheet.model, h);
        const double k = expected_stiffness(sheet, h);
        EXPECT_NEAR(s.stiffness, k, 1e-13 * k);
        Sheet plain = {sheet.model, {}};
        plain.model.cloths[0].material.bend_u = plain.model.cloths[0].material.bend_v = 1;
        const double damping = m.bend_damping * expected_stiffness(plain, h);
        EXPECT_NEAR(s.damping, damping, 1e-13 * damping);
    }
}

// On a seam the two sides have their own patterns and fabrics; the hinge takes the mean of the two
// rigidities and of the two squared lengths.
TEST(BendForce, AHingeAcrossASeamTakesTheMeanOfItsSides) {
    Model model;
    model.mass.assign(4, 1);
    model.dynamics.triangles = {{0, 1, 2}, {1, 0, 3}};
    // The left side's edge runs along u and is 1 long, the right's along v and 1.2 long.
    model.dynamics.pattern = {{Vec2{0, 0}, Vec2{1, 0}, Vec2{0.5, 1}},
                              {Vec2{5, 1.2}, Vec2{5, 0}, Vec2{6, 0.5}}};
    model.dynamics.triangle_cloth = {0, 1};
    model.cloths.resize(2);
    model.cloths[0].material = test_material();
    model.cloths[1].material = test_material();
    model.cloths[1].material.bend_u = 7e-4;
    model.cloths[1].material.bend_damping = 9e-6;
    const Hinge hinge = {{0, 1, 2, 3}, {0, 1}};
    const double shape = 0.5 * (1 + 1.44) / (0.5 + 0.6);
    const HingeStiffness s = hinge_stiffness(model, hinge);
    EXPECT_NEAR(s.stiffness, 0.5 * (1.1e-4 + 7e-4) * shape, 1e-16);
    EXPECT_NEAR(s.damping, 0.5 * (5e-6 + 9e-6) * shape, 1e-18);
}

TEST(BendForce, EnergyAndForceFollowFromTheCondition) {
    Worst energy("energy", 1e-12), force("force", 1e-8);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        const Sheet sheet = irregular_sheet(40 + static_cast<int>(seed), seed);
        const BendForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random);
        energy.add(std::abs(f.energy(x) / paper_energy(sheet, x) - 1));
        const Eigen::VectorXd down =
            -gradient([&](const Eigen::VectorXd& y) { return paper_energy(sheet, unflat(y)); },
                      flat(x), 1e-3 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(f, x, still(sheet))), down));
    }
}

// Damping by (11), then matrix and extrapolated force, hinge by hinge from differences of theta.
TEST(BendForce, LinearisationIsTheSumOverHinges) {
    Worst matrix("matrix", 1e-8), force("force", 1e-8), moving("moving force", 1e-8),
        symmetric("symmetric", 1e-15);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        const Sheet sheet = irregular_sheet(50 + static_cast<int>(seed), seed);
        BendForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 2),
                                d = random.vecs(sheet.particles(), 0.02);
        const Eigen::Index n = 3 * sheet.particles();
        const double h = 0.01;
        Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n), damping = stiffness;
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
        for (const Hinge& hinge : sheet.model.dynamics.hinges) {
            const HingeStiffness s = hinge_stiffness(sheet.model, hinge);
            const Eigen::VectorXd at = corners(hinge, x);
            const Eigen::VectorXd g = gradient(paper_angle, at, 1e-3 * mean_edge(sheet));
            const double moment =
                s.stiffness * paper_angle(at) + s.damping * g.dot(corners(hinge, v));
            for (int i = 0; i < 4; ++i) {
                const Eigen::Vector3d gi = g.segment<3>(3 * i);
                expected.segment<3>(3 * hinge.v[i]) -= moment * gi;
                for (int j = 0; j < 4; ++j) {
                    const Eigen::Matrix3d gg = gi * g.segment<3>(3 * j).transpose();
                    stiffness.block<3, 3>(3 * hinge.v[i], 3 * hinge.v[j]) += s.stiffness * gg;
                    damping.block<3, 3>(3 * hinge.v[i], 3 * hinge.v[j]) += s.damping * gg;
                }
            }
        }
        const Linearised ours = linearise(f, x, v, h, d);
        matrix.add(relative_difference(ours.matrix, (h * h * stiffness + h * damping).eval()));
        force.add(relative_difference(ours.force, (expected - stiffness * flat(d)).eval()));
        moving.add(relative_difference(flat(force_at(f, x, v)), expected));
        symmetric.add(relative_difference(ours.matrix.transpose().eval(), ours.matrix));
    }
}

TEST(BendForce, TheSolversMatricesArePositiveSemiDefinite) {
    Worst stiffness("stiffness", 1e-13), damping("damping", 1e-13);
    Random random(4);
    const Sheet sheet = irregular_sheet(60, 4);
    BendForce f(sheet.model);
    for (double noise : {0.0, 0.3, 0.8}) {
        const std::vector<Vec3> x = crumpled(sheet, random, noise),
                                v = random.vecs(sheet.particles(), 5);
        const SolverMatrices m = solver_matrices(f, x, v);
        stiffness.add(-smallest_eigenvalue(m.stiffness) / m.stiffness.cwiseAbs().maxCoeff());
        damping.add(-smallest_eigenvalue(m.damping) / m.damping.cwiseAbs().maxCoeff());
    }
}

TEST(BendForce, DampingMatrixIsTheDerivativeByVelocity) {
    Random random(5);
    const Sheet sheet = irregular_sheet(45, 5);
    BendForce f(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 2);
    Worst("damping", 1e-9)
        .add(relative_difference(solver_matrices(f, x, v).damping,
                                 difference_damping(f, x, v, 0.5)));
}

// Flat and still there is no moment, so that nothing is dropped: the matrix is exact.
TEST(BendForce, StiffnessIsExactWhereNothingIsDropped) {
    Random random(6);
    const Sheet sheet = irregular_sheet(45, 6);
    BendForce f(sheet.model);
    const std::vector<Vec3> x = placed(sheet, random);
    Worst("stiffness", 1e-8)
        .add(
            relative_difference(solver_matrices(f, x, still(sheet)).stiffness,
                                difference_stiffness(f, x, still(sheet), 1e-3 * mean_edge(sheet))));
}

TEST(BendForce, AFlatSheetAtRestHasNoForceAnywhereInSpace) {
    Random random(7);
    Worst force("force", 1e-11);
    const Sheet sheet = irregular_sheet(200, 7);
    const BendForce f(sheet.model);
    const double unit = 3e-4 / mean_edge(sheet); // the force of a radian
    for (int k = 0; k < 10; ++k) {
        const std::vector<Vec3> x = placed(sheet, random);
        force.add(flat(force_at(f, x, still(sheet))).lpNorm<Eigen::Infinity>() / unit);
        EXPECT_LT(f.energy(x), 1e-26);
    }
}

TEST(BendForce, InternalForcesBalanceAndIgnoreRigidMotion) {
    Random random(8);
    Worst net("net force", 1e-11), torque("net torque", 1e-11), energy("energy", 1e-12),
        rigid("rigid velocity", 1e-12);
    const Sheet sheet = irregular_sheet(150, 8);
    const BendForce f(sheet.model);
    for (int k = 0; k < 20; ++k) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
        const std::vector<Vec3> moving = force_at(f, x, v), elastic = force_at(f, x, still(sheet));
        const Balance b = balance(x, moving);
        net.add(b.force);
        torque.add(b.torque);
        EXPECT_LE((flat(moving) - flat(elastic)).dot(flat(v)), 0);

        rigid.add(
            relative_difference(flat(force_at(f, x, moving_rigidly(x, random))), flat(elastic)));
        const Mat3 r = random.rotation();
        const Vec3 shift = random.vec();
        std::vector<Vec3> turned;
        for (const Vec3& p : x)
            turned.push_back(r * p + shift);
        energy.add(std::abs(f.energy(turned) / f.energy(x) - 1));
    }
}

// Damping of bending leaves motion in the plane alone, and stretching at a fold's ends.
TEST(BendForce, MotionInThePlaneOfAFlatSheetIsNotDamped) {
    Random random(9);
    const Sheet sheet = irregular_sheet(100, 9);
    const BendForce f(sheet.model);
    std::vector<Vec3> v = random.vecs(sheet.particles(), 3);
    for (Vec3& w : v)
        w.y = 0;
    const double unit = 5e-6 * 3 / (mean_edge(sheet) * mean_edge(sheet));
    EXPECT_LT(flat(force_at(f, sheet.positions(), v)).lpNorm<Eigen::Infinity>(), 1e-12 * unit);
}

} // namespace
} // namespace muslin::test
