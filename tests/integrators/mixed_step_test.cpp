// How long a step of the mixed schemes may be: against a dense referee, and by what explodes.
#include "muslin/integrators/mixed_step.h"

#include "integrators/mixed_cloth.h"
#include "linalg/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace muslin {
namespace {

using namespace testing_integrators;

TEST(MixedStability, ASpringThatBeginsLaterLimitsTheStepFromThenOn) {
    Model model;
    Conditions conditions;
    model.mass = {1};
    Pull pull;
    pull.particles = {0};
    pull.stiffness = 100;
    pull.window.start = 1;
    conditions.pulls = {pull};
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<OutsideForce>(model));
    MixedIntegrator integrator(model, std::move(forces), {});
    State state;
    state.positions = {{0.1, 0, 0}};
    state.velocities = {{0, 0, 0}};
    EXPECT_EQ(integrator.longest_step(conditions, state), std::numeric_limits<double>::infinity());
    state.time = 2;
    EXPECT_NEAR(integrator.longest_step(conditions, state), 0.8 * 2 / 10, 1e-6);
}

TEST(MixedStability, TheStabilityLimitOfAClothIsWhereItSays) {
    Material undamped = soft();
    undamped.stretch_damping = undamped.bend_damping = 0;
    const auto setup = cloth(undamped);
    const double limit = setup->integrator->longest_step(setup->conditions, setup->start) / 0.8;
    EXPECT_GT(limit, 1e-4);
    EXPECT_LT(limit, 1e-2);
    // A sheet at rest with a little noise: below the limit the noise stays, above it explodes.
    const auto energy_after = [&](double h) {
        State state = setup->start, next;
        Random random(3);
        for (Vec3& p : state.positions)
            p += 1e-5 * random.vec3();
        ConstraintSet none;
        Profile profile;
        for (int i = 0; i < 400; ++i) {
            if (setup->integrator->step({setup->conditions, state, h, none}, next, profile)
                    .status != StepReport::Status::ok)
                return std::numeric_limits<double>::infinity();
            std::swap(state, next);
        }
        return setup->integrator->forces()[0]->energy(state.positions);
    };
    EXPECT_LT(energy_after(0.95 * limit), 1e-3);
    EXPECT_GT(energy_after(1.1 * limit), 1);
}

/// 2 / omega of the fastest vibration, from all columns of M^-1 K: the referee.
double exact_limit(const ClothSetup& setup, const State& state) {
    const int n = static_cast<int>(state.positions.size());
    const std::vector<Vec3> still(n, Vec3{0, 0, 0});
    const auto forces_at = [&](const std::vector<Vec3>& x) {
        std::vector<Vec3> f(n, Vec3{0, 0, 0});
        for (const auto& force : setup.integrator->forces())
            force->add_force({x, still}, f);
        return f;
    };
    Eigen::MatrixXd k(3 * n, 3 * n);
    const double apart = 1e-6;
    for (int j = 0; j < 3 * n; ++j) {
        std::vector<Vec3> up = state.positions, down = up;
        up[j / 3][j % 3] += apart;
        down[j / 3][j % 3] -= apart;
        const std::vector<Vec3> a = forces_at(up), b = forces_at(down);
        for (int i = 0; i < 3 * n; ++i)
            k(i, j) = (b[i / 3][i % 3] - a[i / 3][i % 3]) /
                      (2 * apart * std::sqrt(setup.model.mass[i / 3] * setup.model.mass[j / 3]));
    }
    return 2 / std::sqrt(test::eigenvalues(0.5 * (k + k.transpose())).maxCoeff());
}

// Where cloth folds sharply or a triangle grows thin, a few particles are held more stiffly than
// all others were when the frame began.
TEST(MixedStability, WhatGrowsStiffWithinAFrameShortensTheStep) {
    Material material = soft();
    material.bend_u = material.bend_v = 0.2;
    const auto setup = cloth(material, 150);
    const double at_first = setup->integrator->longest_step(setup->conditions, setup->start);
    EXPECT_LE(at_first, exact_limit(*setup, setup->start));
    EXPECT_GT(at_first, 0.6 * exact_limit(*setup, setup->start));
    // One vertex goes most of the way towards the opposite edge of a triangle.
    State pinched = setup->start;
    const auto& [a, b, c] = setup->model.dynamics.triangles[100];
    const Vec3 middle = 0.5 * (pinched.positions[b] + pinched.positions[c]);
    pinched.positions[a] += 0.95 * (middle - pinched.positions[a]);
    const double limit = exact_limit(*setup, pinched);
    EXPECT_LT(limit, 0.7 * at_first) << "else there is nothing to find";
    double now = at_first;
    for (int step = 0; step < 8; ++step)
        now = setup->integrator->longest_step_now(setup->conditions, pinched);
    EXPECT_LE(now, limit);
    EXPECT_GT(now, 0.5 * limit);
    EXPECT_LE(setup->integrator->longest_step(setup->conditions, pinched), limit);
}

} // namespace
} // namespace muslin
