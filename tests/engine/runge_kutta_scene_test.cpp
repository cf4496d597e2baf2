// The integrator runge_kutta in scenes: its keys, steps that are refused, pins that move, and a run
// that goes on from a frame [Bayraktar07 2].
#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

SceneDescription scene_of(const std::string& solver, const std::string& more = "",
                          const std::string& wind = "[0, 0, 2]") {
    return parse_scene(R"(
recipe = "bw98"
[parts]
in_plane = "edge_springs"
bending = "bend_bridson"
air = "air_vertices"
integrator = "runge_kutta"
contact = "none"
[world]
viscous_drag = 0.05
wind = )" + wind + R"(
[time]
frames = 6
[solver]
)" + solver + R"(
[[cloth]]
name = "sheet"
mesh = { type = "grid", width = 0.5, depth = 0.5, columns = 11, rows = 11 }
material = { base = "cotton", stretch_u = 60, stretch_v = 60, stretch_damping = 0.01, bend_damping = 0 }
[[pin]]
cloth = "sheet"
vertices = [0, 10]
)" + more,
                       "test.toml", {}, "test");
}

FrameReport run(const std::string& solver) {
    Simulation simulation(scene_of(solver));
    FrameReport last;
    for (int i = 0; i < 6; ++i)
        last = simulation.advance_frame();
    return last;
}

TEST(RungeKuttaScene, KeysReachTheIntegratorAndRefusedStepsAreCounted) {
    const FrameReport usual = run(""), accurate = run("error = 1e-8"),
                      fixed = run("adaptive = false");
    EXPECT_GT(accurate.steps, 1.5 * usual.steps);
    EXPECT_GT(accurate.rejected_steps, 0);
    EXPECT_EQ(fixed.rejected_steps, 0);
    EXPECT_NEAR(usual.kinetic, accurate.kinetic, 0.01 * accurate.kinetic);
    EXPECT_NEAR(fixed.kinetic, accurate.kinetic, 0.05 * accurate.kinetic);
}

TEST(RungeKuttaScene, AnErrorThatNoStepKeepsEndsTheRunWithAMessage) {
    Simulation simulation(scene_of("error = 1e-18"));
    try {
        for (int i = 0; i < 6; ++i)
            simulation.advance_frame();
        FAIL();
    } catch (const SimulationError& error) {
        EXPECT_NE(std::string(error.what()).find("more than solver.error"), std::string::npos)
            << error.what();
    }
}

TEST(RungeKuttaScene, GoesOnFromAFrameWithTheSameBits) {
    const std::string moving = "motion = { translation = [0, \"0.1 * sin(9 * t)\", 0] }\n";
    Simulation whole(scene_of("", moving)), part(scene_of("", moving));
    for (int i = 0; i < 2; ++i)
        whole.advance_frame();
    part.continue_from(whole.state(), 2);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(whole.advance_frame().hash, part.advance_frame().hash);
    const int held = whole.conditions().pins[0].particles[0];
    EXPECT_NEAR(whole.state().positions[held].y, 0.1 * std::sin(9 * 4 / 30.0), 1e-12);
    EXPECT_NEAR(whole.state().velocities[held].y, 0.9 * std::cos(9 * 4 / 30.0), 1e-6);
}

// A wind that divides by zero on the way: steps are halved, then the run ends; no such number
// reaches the cloth.
TEST(RungeKuttaScene, AFieldThatIsNotFiniteOnTheWayEndsTheRun) {
    Simulation simulation(scene_of("", "", "[0, 0, \"sqrt(0.02 + y)\"]"));
    EXPECT_THROW(
        {
            for (int i = 0; i < 6; ++i)
                simulation.advance_frame();
        },
        SimulationError);
    for (const Vec3& p : simulation.state().positions)
        EXPECT_TRUE(is_finite(p));
}

} // namespace
} // namespace muslin
