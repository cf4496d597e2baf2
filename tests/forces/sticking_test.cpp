// Dynamic sticking constraints [Bridson03 6]: where a bond draws its particle to, how it fades,
// what its triangle gets back, and the matrices that integrators get.
#include "muslin/forces/sticking.h"

#include "forces/cloth.h"

#include <cmath>

namespace muslin::test {
namespace {

constexpr double stiffness = 30, damping = 0.02, interval = 0.01, break_distance = 0.05;

/// A sheet with bonds of every kind: particles to triangles of the cloth and of a body that moves
/// and turns, several on one particle, of different shares.
struct Stuck {
    Sheet sheet = irregular_sheet(40, 3);
    std::vector<Bond> bonds;

    explicit Stuck(double breaks = break_distance) {
        Body body;
        body.name = "hand";
        body.mesh.positions = {{0.1, 0.2, 0}, {0.4, 0.25, 0.1}, {0.2, 0.1, 0.3}};
        body.triangles = {{0, 1, 2}};
        body.motion.translation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {2.0, Vec3{1, 3, -2}}});
        body.motion.rotation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {2.0, Vec3{90, 20, 300}}});
        sheet.model.bodies.push_back(body);
        Sticking sticking;
        sticking.particles = {0, 1, 2, 3, 4, 5};
        sticking.triangles = {sheet.model.dynamics.triangles[20],
                              sheet.model.dynamics.triangles[30]};
        sticking.break_distance = breaks;
        sticking.stiffness = stiffness;
        sticking.damping = damping;
        sticking.interval = interval;
        sticking.strength = Animated<double>({{0.0, 1.0}, {1.0, 0.5}});
        sheet.model.stickings.push_back(sticking);
        sticking.body = 0;
        sticking.triangles = {{0, 1, 2}};
        sheet.model.stickings.push_back(sticking);
        bonds = {{0, 0, 0, {0.2, 0.5, 0.3}, 0.004, 1},
                 {0, 1, 0, {0.6, 0.6, -0.2}, -0.003, 0.5},
                 {0, 1, 1, {0.1, 0.1, 0.8}, 0.006, 0.5},
                 {1, 0, 0, {0.3, 0.3, 0.4}, 0.005, 1},
                 {1, 4, 0, {-0.2, 0.7, 0.5}, -0.01, 1}};
    }

    /// Moves the particles of bonds to `away` metres from their places.
    void stretch(std::vector<Vec3>& x, double time, double away, Random& random) const {
        std::vector<Vec3> body(3);
        body_positions(sheet.model.bodies[0], time, body);
        for (const Bond& bond : bonds) {
            const Sticking& s = sheet.model.stickings[bond.sticking];
            const auto& t = s.triangles[bond.triangle];
            const Vec3* place = s.body < 0 ? x.data() : body.data();
            const Vec3 corners[3] = {place[t[0]], place[t[1]], place[t[2]]};
            x[bond.particle] = stick_target(corners, bond.weights, bond.height).place +
                               away * normalized(random.vec());
        }
    }
};

TEST(StickTarget, MovesRigidlyWithItsTriangle) {
    Random random(1);
    for (int k = 0; k < 50; ++k) {
        const TriangleSample s = random_triangle(random);
        const Vec3 weights = {0.5, 0.9, -0.4};
        const double height = random.uniform(-0.02, 0.02);
        const Vec3 place = stick_target(s.x, weights, height).place;
        const Mat3 turn = random.rotation();
        const Vec3 shift = random.vec();
        const Vec3 moved[3] = {turn * s.x[0] + shift, turn * s.x[1] + shift, turn * s.x[2] + shift};
        EXPECT_LT(norm(stick_target(moved, weights, height).place - (turn * place + shift)), 1e-13);
    }
}

TEST(StickTarget, ItsDerivativesAreThoseOfDifferences) {
    Random random(2);
    Worst worst("derivative", 1e-7);
    for (int k = 0; k < 50; ++k) {
        const TriangleSample s = random_triangle(random);
        const Vec3 weights = {0.2, 0.3, 0.5};
        const double height = 0.3 * s.altitude;
        const StickTarget target = stick_target(s.x, weights, height);
        for (int i = 0; i < 3; ++i) {
            const Eigen::MatrixXd expected = jacobian(
                [&](const Eigen::VectorXd& y) {
                    Vec3 x[3] = {s.x[0], s.x[1], s.x[2]};
                    x[i] = {y[0], y[1], y[2]};
                    const Vec3 place = stick_target(x, weights, height).place;
                    return Eigen::VectorXd(eigen(place));
                },
                eigen(s.x[i]), 1e-4 * s.altitude);
            worst.add(relative_difference(eigen(target.by_corner[i]), expected));
        }
    }
}

// The force is smooth to the end: zero with its slope at the break distance.
TEST(StickFade, IsZeroWithItsSlopeWhereTheBondBreaks) {
    EXPECT_EQ(stick_fade(0.0, 0.1).factor, 1);
    EXPECT_NEAR(stick_fade(0.01, 0.1).factor, 0, 1e-30);
    EXPECT_NEAR(stick_fade(0.01 * 0.999 * 0.999, 0.1).factor, 0, 5e-6);
    EXPECT_EQ(stick_fade(0.02, 0.1).factor, 0);
    EXPECT_EQ(stick_fade(4.0, std::numeric_limits<double>::infinity()).factor, 1);
    for (const double d : {0.01, 0.03, 0.06, 0.09}) {
        const double e = 1e-6;
        const StickFade fade = stick_fade(d * d, 0.1), more = stick_fade((d + e) * (d + e), 0.1),
                        less = stick_fade((d - e) * (d - e), 0.1);
        EXPECT_NEAR((more.factor - less.factor) / (2 * e), fade.slope * d, 1e-7);
        EXPECT_NEAR((more.energy - less.energy) / (2 * e), fade.factor * d, 1e-10);
        EXPECT_LT(more.factor, less.factor);
    }
}

// As the paper has it where the bond is short; a long one turns with the body freely.
TEST(StickingForce, IsTheSpringBetweenPredictedPlaces) {
    Random random(3);
    Stuck stuck(std::numeric_limits<double>::infinity());
    stuck.bonds = {{1, 4, 0, {0.2, 0.3, 0.5}, 0.01, 1}};
    stuck.sheet.model.stickings[1].damping = 0;
    StickingForce f(stuck.sheet.model);
    f.set_bonds(stuck.bonds);
    const double time = 0.8, e = 5e-5;
    f.prepare(time);
    const auto frame_at = [&](double t, const Vec3& weights, double height) {
        std::vector<Vec3> body(3);
        body_positions(stuck.sheet.model.bodies[0], t, body);
        const Vec3 corners[3] = {body[0], body[1], body[2]};
        return stick_target(corners, weights, height).place;
    };
    const auto place_at = [&](double t) {
        return frame_at(t, stuck.bonds[0].weights, stuck.bonds[0].height);
    };
    const Vec3 speed = (0.5 / e) * (place_at(time + e) - place_at(time - e));
    std::vector<Vec3> x = crumpled(stuck.sheet, random),
                      v = random.vecs(stuck.sheet.particles(), 2);
    x[4] = place_at(time) + Vec3{1e-7, 2e-7, -1e-7};
    const Vec3 between = x[4] + interval * v[4] - (place_at(time) + interval * speed);
    EXPECT_LT(norm(force_at(f, x, v)[4] + 0.6 * stiffness * between), 1e-5);

    std::vector<Vec3> body(3);
    body_positions(stuck.sheet.model.bodies[0], time, body);
    const Vec3 corners[3] = {body[0], body[1], body[2]};
    x[4] = place_at(time) + Vec3{0.1, 0.05, 0.02};
    const StickOffset offset = stick_offset(corners, x[4]);
    v[4] = (0.5 / e) * (frame_at(time + e, offset.weights, offset.height) -
                        frame_at(time - e, offset.weights, offset.height));
    EXPECT_LT(norm(force_at(f, x, v)[4] - 0.6 * stiffness * Vec3{-0.1, -0.05, -0.02}), 1e-5);
}

TEST(StickingForce, SeveralPlacesActAsTheirAverage) {
    Random random(4);
    Stuck stuck(std::numeric_limits<double>::infinity());
    stuck.sheet.model.stickings[0].strength = Animated<double>(1.0);
    stuck.bonds = {stuck.bonds[1], stuck.bonds[2]};
    StickingForce f(stuck.sheet.model);
    f.set_bonds(stuck.bonds);
    f.prepare(0);
    const std::vector<Vec3> x = crumpled(stuck.sheet, random);
    Vec3 average = {0, 0, 0};
    for (const Bond& bond : stuck.bonds) {
        const auto& t = stuck.sheet.model.stickings[0].triangles[bond.triangle];
        const Vec3 corners[3] = {x[t[0]], x[t[1]], x[t[2]]};
        average += 0.5 * stick_target(corners, bond.weights, bond.height).place;
    }
    EXPECT_LT(norm(force_at(f, x, still(stuck.sheet))[1] - stiffness * (average - x[1])), 1e-13);
}

TEST(StickingForce, KeepsMomentumBetweenCloths) {
    Random random(5);
    Stuck stuck;
    stuck.bonds.resize(3); // those to cloth
    StickingForce f(stuck.sheet.model);
    f.set_bonds(stuck.bonds);
    Worst force("force", 1e-13), torque("torque", 1e-12);
    for (int k = 0; k < 20; ++k) {
        std::vector<Vec3> x = crumpled(stuck.sheet, random);
        stuck.stretch(x, 0, random.uniform(0, 1.1) * break_distance, random);
        const std::vector<Vec3> v = random.vecs(stuck.sheet.particles(), 3);
        const Balance b = balance(x, force_at(f, x, v));
        force.add(b.force);
        torque.add(b.torque);
        // Moving as a whole costs nothing.
        f.cache_damping({x, v});
        std::vector<Vec3> drag(x.size(), {0, 0, 0});
        f.add_damping(moving_rigidly(x, random), drag);
        EXPECT_LT(flat(drag).norm(), 1e-11);
    }
}

TEST(StickingForce, ItsForceIsTheSlopeOfItsEnergy) {
    Random random(6);
    Worst worst("force", 1e-6);
    for (const double breaks : {break_distance, std::numeric_limits<double>::infinity()})
        for (const double away : {0.2, 0.5, 0.95}) {
            Stuck stuck(breaks);
            StickingForce f(stuck.sheet.model);
            f.set_bonds(stuck.bonds);
            f.prepare(0.3);
            for (Bond& bond : stuck.bonds) // body's speed has no part in the energy
                if (bond.sticking == 1)
                    stuck.sheet.model.stickings[1].interval =
                        stuck.sheet.model.stickings[1].damping = 0;
            std::vector<Vec3> x = crumpled(stuck.sheet, random);
            stuck.stretch(x, 0.3, away * break_distance, random);
            const Eigen::VectorXd down = -gradient(
                [&](const Eigen::VectorXd& y) { return f.energy(unflat(y)); }, flat(x), 1e-5);
            worst.add(relative_difference(flat(force_at(f, x, still(stuck.sheet))), down));
        }
}

// Exact at bonds without length, whatever their height; else no less than the exact one.
TEST(StickingForce, MatricesAreThoseOfDifferences) {
    Random random(7);
    for (const bool to_body : {false, true}) {
        Stuck stuck;
        if (to_body)
            stuck.bonds.erase(stuck.bonds.begin(), stuck.bonds.begin() + 3);
        else
            stuck.bonds = {stuck.bonds[0]};
        StickingForce f(stuck.sheet.model);
        f.set_bonds(stuck.bonds);
        f.prepare(0.4);
        std::vector<Vec3> x = crumpled(stuck.sheet, random);
        stuck.stretch(x, 0.4, to_body ? 0.4 * break_distance : 0, random);
        const std::vector<Vec3> v = random.vecs(stuck.sheet.particles(), 1);
        const SolverMatrices at_rest = solver_matrices(f, x, still(stuck.sheet));
        if (!to_body) { // else the moving body damps: declared as left out
            EXPECT_LT(relative_difference(at_rest.stiffness,
                                          difference_stiffness(f, x, still(stuck.sheet), 1e-6)),
                      1e-5);
        }
        const SolverMatrices m = solver_matrices(f, x, v);
        EXPECT_LT(relative_difference(m.damping, difference_damping(f, x, v, 1)), 1e-10);
        const std::vector<Vec3> d = random.vecs(stuck.sheet.particles(), 0.01);
        const Linearised none = linearise(f, x, v, 0.02, still(stuck.sheet));
        EXPECT_LT((none.force - flat(force_at(f, x, v))).norm(), 1e-12);
        EXPECT_LT((none.matrix - (4e-4 * m.stiffness + 0.02 * m.damping)).norm(), 1e-12);
        // The damping that mixed schemes multiply by is the solver's.
        f.cache_damping({x, v});
        std::vector<Vec3> product(x.size(), {0, 0, 0});
        f.add_damping(d, product);
        EXPECT_LT((flat(product) + m.damping * flat(d)).norm(), 1e-12);
    }
    Stuck still_body;
    still_body.sheet.model.bodies[0].motion = {};
    still_body.bonds.erase(still_body.bonds.begin(), still_body.bonds.begin() + 3);
    StickingForce f(still_body.sheet.model);
    f.set_bonds(still_body.bonds);
    std::vector<Vec3> x = crumpled(still_body.sheet, random);
    still_body.stretch(x, 0, 0.4 * break_distance, random);
    const std::vector<Vec3> rest = still(still_body.sheet);
    const Eigen::MatrixXd excess =
        solver_matrices(f, x, rest).stiffness - difference_stiffness(f, x, rest, 1e-6);
    EXPECT_GE(smallest_eigenvalue(excess), -1e-5);
    EXPECT_LT(excess.norm(), 2.5 * stiffness);
    // A step knows the fading of where it is heading.
    const std::vector<Vec3> d = random.vecs(still_body.sheet.particles(), 0.01);
    std::vector<Vec3> ahead(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        ahead[i] = x[i] + d[i];
    EXPECT_LT((linearise(f, x, rest, 0.02, d).force - flat(force_at(f, ahead, rest))).norm(),
              1e-12);
}

TEST(StickingForce, MatricesAreNeverIndefinite) {
    Random random(8);
    Stuck stuck;
    StickingForce f(stuck.sheet.model);
    f.set_bonds(stuck.bonds);
    for (const double away : {0.0, 0.3, 0.6, 0.9, 0.99, 1.2}) {
        std::vector<Vec3> x = crumpled(stuck.sheet, random);
        stuck.stretch(x, 0, away * break_distance, random);
        const SolverMatrices m = solver_matrices(f, x, random.vecs(stuck.sheet.particles(), 3));
        EXPECT_GE(smallest_eigenvalue(m.stiffness), -1e-10) << away;
        EXPECT_GE(smallest_eigenvalue(m.damping), -1e-10) << away;
        EXPECT_LT((m.stiffness - m.stiffness.transpose()).norm(), 1e-12);
    }
}

TEST(StickingForce, IsNotThereWithoutStrength) {
    Random random(9);
    Stuck stuck;
    stuck.sheet.model.stickings[0].strength = Animated<double>(0.0);
    stuck.sheet.model.stickings[1].window = {1, 2};
    StickingForce f(stuck.sheet.model);
    f.set_bonds(stuck.bonds);
    f.prepare(0.5);
    const std::vector<Vec3> x = crumpled(stuck.sheet, random);
    EXPECT_EQ(flat(force_at(f, x, random.vecs(stuck.sheet.particles(), 1))).norm(), 0);
    EXPECT_EQ(f.energy(x), 0);
}

} // namespace
} // namespace muslin::test
