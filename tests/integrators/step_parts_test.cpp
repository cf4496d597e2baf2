// The small parts of explicit steps: drift between kicks, what is held, damping that is reduced,
// the step that an error lets expect.
#include "muslin/integrators/drift.h"
#include "muslin/integrators/held_particles.h"
#include "muslin/integrators/reduced_damping.h"
#include "muslin/integrators/runge_kutta_step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muslin {
namespace {

TEST(Drift, EachParticleIsMovedOnceForTheTimeSinceItsLastKick) {
    State state;
    state.positions = {{0, 0, 0}, {0, 0, 0}};
    state.velocities = {{1, 0, 0}, {2, 0, 0}};
    Drift drift;
    drift.start(2, 0.5);
    drift.set_now(2);
    drift.bring_to_now(0, state);
    drift.bring_to_now(0, state); // it is there already
    state.velocities[0].x = 10;
    drift.set_now(3);
    drift.bring_to_now(0, state);
    drift.bring_to_now(1, state);
    EXPECT_DOUBLE_EQ(state.positions[0].x, 2 * 0.5 * 1 + 0.5 * 10);
    EXPECT_DOUBLE_EQ(state.positions[1].x, 3 * 0.5 * 2);
}

TEST(HeldParticles, KnowThoseOfTheStepAlone) {
    ParticleConstraint c;
    c.particle = 2;
    c.count = 1;
    c.direction[0] = {0, 1, 0};
    ConstraintSet first, none;
    first.add(c);
    first.merge_by_particle();
    HeldParticles held(4);
    held.start(first);
    EXPECT_TRUE(held.holds(2));
    EXPECT_FALSE(held.holds(1));
    EXPECT_EQ(norm(held.projection(2) * Vec3{0, 5, 0}), 0);
    held.add_impulse(2, 0.5, {0, 4, 0});
    held.add_impulse(2, 0.5, {0, 2, 0});
    EXPECT_DOUBLE_EQ(held.impulse(0).y, 3);
    held.start(none);
    EXPECT_FALSE(held.holds(2));
    held.start(first);
    EXPECT_EQ(held.impulse(0).y, 0);
}

TEST(ReducedDamping, SlowsWhatForcesInsideTheClothSee) {
    const std::vector<Vec3> v = {{1, 2, 3}, {4, 5, 6}};
    ReducedDamping damping;
    EXPECT_EQ(damping.slowed(v).data(), v.data()) << "the same where nothing is reduced";
    damping.set_scale(0.25);
    EXPECT_EQ(damping.slowed(v)[1].y, 1.25);
}

TEST(AccurateStep, GoesWithTheFourthRootOfTheErrorWithinBounds) {
    AccurateStep step;
    EXPECT_EQ(step.length(), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(step.judge(1, 1e-6 / 16, 1e-6));
    EXPECT_NEAR(step.length(), 0.9 * 2, 1e-12);
    EXPECT_TRUE(step.judge(1, 0, 1e-6));
    EXPECT_EQ(step.length(), 5) << "at the most";
    EXPECT_FALSE(step.judge(1, 16e-6, 1e-6));
    EXPECT_NEAR(step.length(), 0.9 / 2, 1e-12);
    EXPECT_FALSE(step.judge(1, 1, 1e-6));
    EXPECT_EQ(step.length(), 0.1) << "at the least";
    EXPECT_TRUE(step.judge(1, 1e-6 / 16, 1e-6));
    EXPECT_EQ(step.length(), 1) << "no longer after a step that was refused";
    step.forget();
    EXPECT_EQ(step.length(), std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace muslin
