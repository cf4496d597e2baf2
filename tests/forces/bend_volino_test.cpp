// Bending by the curvature of an arc [Volino95 3.3], and rest curvatures that give way [3.4].
#include "muslin/forces/bend_volino.h"

#include "forces/cloth.h"
#include "muslin/kernels/bend_arc.h"

namespace muslin::test {
namespace {

ArcTangent<double> tangent(double angle, double limit) {
    return arc_tangent(half_angle(std::cos(angle), std::sin(angle)), limit);
}

// Fig. 2b drawn: the circle that touches both sides at the distance L from the edge.
TEST(BendArc, IsTheCircleTangentToBothTriangles) {
    for (const double angle : {0.01, 0.5, 1.5, 2.8}) {
        const double length = 0.004, radius = length / tangent(angle, 1e9).value;
        // The edge at the origin, one side along -x, the other turned up by the angle.
        const Vec2 centre = {-length, radius};
        const Vec2 touch = {length * std::cos(angle), length * std::sin(angle)};
        EXPECT_NEAR(norm(touch - centre), radius, 1e-12 * radius + 1e-15);
        EXPECT_NEAR(dot(touch - centre, touch), 0, 1e-15);
        EXPECT_LT(radius, angle > 2.5 ? 0.2 * length : 1e9) << "far below the triangle's size";
    }
}

TEST(BendArc, MomentAndStiffnessAreSlopesAndNeverFallBack) {
    Random random(1);
    Worst slope("moment", 1e-6), second("stiffness", 1e-6);
    for (int k = 0; k < 2000; ++k) {
        const double limit = random.uniform(0.2, 5), angle = random.uniform(-3.1, 3.1);
        const double rest = random.uniform(-2.8, 2.8);
        const ArcParameters<double> p = {1, tangent(rest, limit).value, limit};
        const auto moment = [&](double a) {
            return arc_moment(half_angle(std::cos(a), std::sin(a)), p);
        };
        const double h = 1e-4;
        if (std::abs(std::abs(angle) - 2 * std::atan(limit)) < 3 * h)
            continue; // the stiffness has a kink there
        const auto difference = [&](const auto& f) {
            return (8 * (f(angle + h) - f(angle - h)) - (f(angle + 2 * h) - f(angle - 2 * h))) /
                   (12 * h);
        };
        slope.add(std::abs(moment(angle).moment -
                           difference([&](double a) { return arc_energy(a, p); })) /
                  (1 + limit * limit));
        second.add(std::abs(moment(angle).stiffness -
                            difference([&](double a) { return moment(a).moment; })) /
                   (1 + limit * limit));
        EXPECT_GE(moment(angle).stiffness, 1);
        EXPECT_GE(arc_energy(angle, p), 0);
        EXPECT_NEAR(arc_energy(arc_angle(p.rest, limit), p), 0, 1e-12);
        EXPECT_NEAR(arc_angle(p.rest, limit), rest, 1e-12);
    }
}

// K is limited where the fabric says so; beyond, the moment goes on as steeply and stays finite.
TEST(BendArc, TheCurvatureIsLimited) {
    const double limit = 2, at = 2 * std::atan(2.0);
    EXPECT_NEAR(tangent(at - 1e-9, limit).value, 2, 1e-8);
    EXPECT_NEAR(tangent(at + 1e-9, limit).value, 2, 1e-8);
    EXPECT_NEAR(tangent(at + 1e-9, limit).slope, tangent(at - 1e-9, limit).slope, 1e-7);
    const double folded = tangent(3.1415926535, limit).value;
    EXPECT_NEAR(folded, 2 + 2.5 * (std::numbers::pi - at), 1e-8);
    EXPECT_NEAR(tangent(-3.1415926535, limit).value, -folded, 1e-8);
    EXPECT_GT(tangent(3.1, 1e9).value, 40) << "without a limit it would grow without bound";
}

Material sheet_material() {
    Material m = test_material();
    m.young = 2e6;
    m.thickness = 5e-4;
    m.bend_factor = 0.7;
    return m;
}

// M = D' D K per width of edge, with the arc of half the mean height.
TEST(BendVolino, AHingesMomentIsThatOfTheSheet) {
    const Sheet sheet = irregular_sheet(60, 1, sheet_material());
    const Material& m = sheet.model.cloths[0].material;
    const double rigidity = 0.7 * 2e6 * 1.25e-10 / (12 * (1 - 0.09));
    EXPECT_NEAR(sheet_rigidity(m), rigidity, 1e-12 * rigidity);
    const std::vector<Vec2> p = sheet.pattern();
    for (const Hinge& hinge : sheet.model.dynamics.hinges) {
        const HingeArc arc = hinge_arc(sheet.model, hinge);
        const Vec2 edge = p[hinge.v[1]] - p[hinge.v[0]];
        double height = 0;
        for (const int apex : {2, 3})
            height += 0.5 * std::abs(cross(edge, p[hinge.v[apex]] - p[hinge.v[0]])) / norm(edge);
        EXPECT_NEAR(arc.tangent_length, 0.5 * height, 1e-12);
        const double curvature = 30;
        const double moment = 2 * arc.stiffness * arc.tangent_length * curvature;
        EXPECT_NEAR(moment, rigidity * norm(edge) * curvature, 1e-10 * moment);
    }
}

Sheet folded_sheet(Random& random, std::vector<Vec3>& x) {
    Material m = sheet_material();
    m.curvature_limit = 40; // reached by some hinges
    Sheet sheet = irregular_sheet(60, 2, m);
    x = crumpled(sheet, random, 0.3);
    for (std::size_t h = 0; h < sheet.model.dynamics.hinges.size(); ++h)
        sheet.model.dynamics.rest_angles.push_back(random.uniform(-0.5, 0.5));
    return sheet;
}

TEST(BendVolino, ForceIsMinusTheGradientOfTheEnergyAndBalanced) {
    Random random(2);
    std::vector<Vec3> x;
    const Sheet sheet = folded_sheet(random, x);
    BendVolinoForce f(sheet.model);
    const std::vector<Vec3> v = random.vecs(sheet.particles(), 2);
    const std::vector<Vec3> elastic = force_at(f, x, still(sheet)), moving = force_at(f, x, v);
    const Eigen::VectorXd down =
        -gradient([&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x),
                  1e-4 * mean_edge(sheet));
    EXPECT_LT(relative_difference(flat(elastic), down), 1e-6);
    EXPECT_LT(balance(x, moving).force, 1e-11);
    EXPECT_LT(balance(x, moving).torque, 1e-11);
    EXPECT_LT((flat(moving) - flat(elastic)).dot(flat(v)), 0);
    const SolverMatrices m = solver_matrices(f, x, v);
    EXPECT_GT(smallest_eigenvalue(m.stiffness), -1e-12 * m.stiffness.cwiseAbs().maxCoeff());
    EXPECT_LT(relative_difference(m.damping, difference_damping(f, x, v, 0.5)), 1e-8);
}

// Flat there is no moment, so that nothing is dropped: the matrix is exact.
TEST(BendVolino, StiffnessIsExactWhereNothingIsDropped) {
    Random random(3);
    const Sheet sheet = irregular_sheet(45, 6, sheet_material());
    BendVolinoForce f(sheet.model);
    const std::vector<Vec3> x = placed(sheet, random);
    EXPECT_LT(
        relative_difference(solver_matrices(f, x, still(sheet)).stiffness,
                            difference_stiffness(f, x, still(sheet), 1e-3 * mean_edge(sheet))),
        1e-6);
}

TEST(BendVolino, CornersAddUpToTheForce) {
    Random random(4);
    std::vector<Vec3> x;
    const Sheet sheet = folded_sheet(random, x);
    const std::vector<Vec3> v = random.vecs(sheet.particles(), 2);
    const int n = static_cast<int>(sheet.model.dynamics.hinges.size());
    std::vector<int> all;
    for (int k = n - 1; k >= 0; --k)
        all.push_back(k);
    const BendVolinoForce volino(sheet.model);
    const BendForce bw(sheet.model), bridson(sheet.model, BendLaw::half_angle);
    for (const BendForce* f : {static_cast<const BendForce*>(&volino), &bw, &bridson}) {
        std::vector<Vec3> out(4 * n), sum(sheet.particles(), {0, 0, 0});
        f->corner_forces(all, {x, v}, out);
        for (int k = 0; k < 4 * n; ++k)
            sum[f->element_particles()[k]] += out[k];
        EXPECT_LT(relative_difference(flat(sum), flat(force_at(*f, x, v))), 1e-13) << f->name();
    }
}

// One hinge that is bent beyond its yield and let go, against the closed form, for several steps.
TEST(BendVolino, AHingeKeepsWhatExceedsItsYieldAndLosesItWithItsTime) {
    const double length = 0.01, most = 30, time = 0.5;
    for (const double h : {0.1, 0.01, 0.0007}) {
        Model model;
        model.mass.assign(4, 1);
        model.dynamics.triangles = {{0, 1, 2}, {1, 0, 3}};
        const Vec2 p[4] = {{0, 0}, {length, 0}, {0, length}, {length, -length}};
        model.dynamics.pattern = {{p[0], p[1], p[2]}, {p[1], p[0], p[3]}};
        model.dynamics.triangle_cloth = {0, 0};
        model.dynamics.hinges = {{{0, 1, 2, 3}, {0, 1}}};
        model.cloths.resize(1);
        model.cloths[0].material = sheet_material();
        model.cloths[0].material.yield_bend = most;
        model.cloths[0].material.relaxation_time = time;
        BendVolinoForce f(model);
        const double arm = 0.5 * length; // of the arc
        State state;
        const auto bend = [&](double curvature) {
            const double a = 2 * std::atan(arm * curvature);
            state.positions = {{0, 0, 0},
                               {length, 0, 0},
                               {0, length, 0},
                               {length, -length * std::cos(a), -length * std::sin(a)}};
        };
        state.velocities.assign(4, {0, 0, 0});
        const auto pass = [&] {
            f.remember(h, state);
            f.recall(state);
        };
        bend(0.99 * most);
        pass();
        EXPECT_TRUE(state.strain_history.hinges.empty()) << "elastic so far";
        bend(5 * most);
        pass();
        ASSERT_EQ(state.strain_history.hinges.size(), 1u);
        EXPECT_NEAR(state.strain_history.hinges[0], 4 * most, 1e-9 * most);
        for (int k = 0; k < 10; ++k)
            pass(); // held beyond its yield it does not come back
        EXPECT_NEAR(state.strain_history.hinges[0], 4 * most, 1e-9 * most);
        // Let go, it follows its rest shape, where there is no force.
        for (double t = h; t < 1.2; t += h) {
            bend(state.strain_history.hinges[0]);
            const std::vector<Vec3> force = force_at(f, state.positions, state.velocities);
            EXPECT_LT(flat(force).norm(), 1e-12);
            pass();
            const double expected = 4 * most * std::exp(-t / time);
            EXPECT_NEAR(state.strain_history.hinges[0], expected, 0.01 * expected) << h;
        }
    }
}

} // namespace
} // namespace muslin::test
