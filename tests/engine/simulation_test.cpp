#include "muslin/engine/simulation.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/run/judge.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace muslin;

SceneDescription small_sheet(const std::string& more = {}, int vertices = 500) {
    return parse_scene(fmt::format(R"(
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", vertices = {} }}
        material = "cotton"
        [[pin]]
        name = "corners"
        cloth = "sheet"
        vertices = [0, 1]
        {}
    )",
                                   vertices, more),
                       "test", ".", "test");
}

std::vector<std::string> frame_hashes(const SceneDescription& scene, int threads, int frames) {
    set_thread_count(threads);
    Simulation simulation(scene);
    std::vector<std::string> hashes;
    for (int k = 0; k < frames; ++k)
        hashes.push_back(simulation.advance_frame().hash);
    set_thread_count(0);
    return hashes;
}

TEST(Simulation, SameBitsForAnyNumberOfThreads) {
    const std::vector<std::string> overrides;
    const SceneDescription scene = load_scene("two-corner-sheet", overrides);
    const auto one = frame_hashes(scene, 1, 6);
    EXPECT_EQ(frame_hashes(scene, 1, 6), one) << "run twice";
    EXPECT_EQ(frame_hashes(scene, 2, 6), one);
    EXPECT_EQ(frame_hashes(scene, 4, 6), one);
    EXPECT_NE(one[0], one[1]);
}

// Constraint forces from the residual over h [BW98 5.4; the paper leaves out the h].
TEST(Simulation, ConstraintForcesOfAHangingSheetSumToItsWeight) {
    SceneDescription scene = small_sheet("[solver]\ntolerance = 1e-10\n"
                                         "[world]\nlinear_drag = 0.3\n",
                                         60); // it comes to rest in some hundred frames
    Simulation simulation(scene);
    FrameReport report;
    double speed = 1;
    for (int k = 0; k < 3000 && speed > 1e-8; ++k) {
        report = simulation.advance_frame();
        speed = 0;
        for (const Vec3& v : simulation.state().velocities)
            speed = std::max(speed, norm(v));
    }
    EXPECT_LT(speed, 1e-7);
    double mass = 0;
    for (double m : simulation.model().mass)
        mass += m;
    EXPECT_NEAR(mass, 0.15, 1e-12);
    const Vec3 force = report.pin_forces[0].force;
    EXPECT_NEAR(force.y, mass * 9.81, 1e-6 * mass * 9.81);
    EXPECT_NEAR(force.x, 0, 1e-6 * mass * 9.81);
    EXPECT_NEAR(force.z, 0, 1e-6 * mass * 9.81);
}

TEST(Simulation, FramesEndAtTheirTimes) {
    SceneDescription scene = small_sheet("[time]\nmax_step = 0.02\nframe_rate = 24\n");
    Simulation simulation(scene);
    for (int k = 1; k <= 5; ++k) {
        const FrameReport report = simulation.advance_frame();
        EXPECT_DOUBLE_EQ(report.time, k / 24.0);
        EXPECT_EQ(report.steps, 3);
        EXPECT_LE(report.step_max, 0.02);
    }
}

// Cloth that hangs still needs no short steps; what disturbs it gets them from its first moment.
TEST(Simulation, StepsAreLongWhileAllIsCalm) {
    // In thick air, it comes to rest in two seconds. A gust comes at 4 s.
    const std::string gust =
        "[world]\nlinear_drag = 0.3\nwind = [0, 0, \"20 * smoothstep(4, 4.02, t)\"]\n";
    Simulation simulation(small_sheet(gust));
    Simulation fixed(small_sheet(gust + "[time]\nmax_step = 0.00833333334\n"));
    FrameReport report = simulation.advance_frame();
    EXPECT_EQ(report.steps, 4) << "it falls";
    FrameReport same = fixed.advance_frame();
    for (int k = 1; k < 120; ++k) {
        report = simulation.advance_frame();
        same = fixed.advance_frame();
        EXPECT_EQ(same.steps, 4) << "a longest step that is given holds";
    }
    EXPECT_EQ(report.steps, 1);
    EXPECT_NEAR(report.gravity + report.elastic, same.gravity + same.elastic,
                5e-3 * std::abs(same.gravity));
    report = simulation.advance_frame();
    EXPECT_GE(report.rejected_steps, 1) << "a long step into the gust is taken back";
    EXPECT_GE(report.steps, 4);
}

// Where something is driven it may come as a surprise: steps stay as they are.
TEST(Simulation, StepsAreAsUsualWhereBodiesOrPinsMove) {
    for (const char* driver :
         {"motion = { translation = [0, 0, \"1e-4 * t\"] }\n",
          "[[body]]\nname = \"ball\"\nposition = [0, 9, 0]\n"
          "mesh = { type = \"sphere\", radius = 0.1, rings = 4, segments = 6 }\n"
          "motion = { translation = [0, 0, \"1e-4 * t\"] }\n"}) {
        Simulation simulation(
            small_sheet(std::string(driver) + "[world]\nlinear_drag = 0.3\n", 60));
        for (int k = 0; k < 90; ++k)
            EXPECT_EQ(simulation.advance_frame().steps, 4);
    }
}

TEST(Simulation, APinThatEndsLetsGo) {
    SceneDescription scene = small_sheet("end = 0.2\n");
    Simulation simulation(scene);
    for (int k = 0; k < 6; ++k)
        simulation.advance_frame();
    const double held = simulation.positions("sheet")[0].y;
    EXPECT_NEAR(held, 0, 1e-12);
    for (int k = 0; k < 6; ++k)
        simulation.advance_frame();
    EXPECT_LT(simulation.positions("sheet")[0].y, -0.02);
}

// b_u, b_v of a region pull the cloth to another size [BW98 4.2].
TEST(Simulation, RestStretchChangesTheSize) {
    SceneDescription scene = parse_scene(R"(
        recipe = "bw98" # whose steps of a frame damp what swings in the plane
        [world]
        gravity = [0, 0, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = { type = "irregular", vertices = 400 }
        material = "cotton"
        [[rest_stretch]]
        cloth = "sheet"
        b_u = [ { t = 0, value = 1 }, { t = 1, value = 0.8 } ]
        b_v = 1
    )",
                                         "test", ".", "test");
    Simulation simulation(scene);
    for (int k = 0; k < 60; ++k)
        simulation.advance_frame();
    double low_x = 0, high_x = 0, low_z = 0, high_z = 0;
    for (const Vec3& p : simulation.positions("sheet")) {
        low_x = std::min(low_x, p.x), high_x = std::max(high_x, p.x);
        low_z = std::min(low_z, p.z), high_z = std::max(high_z, p.z);
    }
    EXPECT_NEAR(high_x - low_x, 0.8, 2e-3) << "u runs along x";
    EXPECT_NEAR(high_z - low_z, 1.0, 2e-3);
}

TEST(Simulation, AStepThatFailsAtTheFloorIsAnError) {
    // A load that no step can take without stretching the cloth beyond the allowed change.
    SceneDescription scene = small_sheet(R"(
        [solver]
        newton_iterations = 2
        [time]
        min_step = 0.01
        stretch_change_limit = 0.01
        [[load]]
        cloth = "sheet"
        vertices = [2, 3]
        force = [0, -4000, 0]
    )");
    Simulation simulation(scene);
    const std::vector<Vec3> before = simulation.positions("sheet");
    try {
        simulation.advance_frame();
        FAIL() << "the step was accepted";
    } catch (const SimulationError& error) {
        EXPECT_NE(std::string(error.what()).find("frame 1"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("stretch_change_limit"), std::string::npos)
            << error.what();
        // One of the two that are pulled, or beside one that is held: the first to change.
        EXPECT_NE(std::string(error.what()).find("cloth 'sheet', vertex "), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("time.min_step"), std::string::npos)
            << error.what();
    }
    for (const Vec3& p : simulation.positions("sheet"))
        EXPECT_TRUE(is_finite(p));
}

TEST(Simulation, APartCanBeReplaced) {
    SceneDescription scene = small_sheet();
    scene.parts = {{"bending", {"none"}}, {"air", {"none"}}, {"contact", {"none"}}};
    const Simulation simulation(scene);
    EXPECT_EQ(simulation.integrator().forces().size(), 3u); // in-plane, weight, outside
    scene.parts = {{"bending", {"stiff"}}};
    EXPECT_THROW(Simulation{scene}, InputError);
}

// Physics does not depend on the frame rate: the same steps at another number of frames a second.
TEST(Simulation, FrameRateDoesNotChangeThePhysics) {
    SceneDescription at30 = small_sheet("[time]\nmax_step = 0.0083333334\nframe_rate = 30\n");
    SceneDescription at60 = small_sheet("[time]\nmax_step = 0.0083333334\nframe_rate = 60\n");
    Simulation a(at30), b(at60);
    for (int k = 0; k < 10; ++k)
        a.advance_frame();
    for (int k = 0; k < 20; ++k)
        b.advance_frame();
    const auto x = a.positions("sheet"), y = b.positions("sheet");
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, norm(x[i] - y[i]));
    EXPECT_LT(worst, 1e-3);
}

TEST(Judge, FindsStretchAndCrossings) {
    const SceneDescription scene = small_sheet();
    const Simulation simulation(scene);
    const Judge judge(simulation.model());
    std::vector<Vec3> x = simulation.state().positions;
    Verdict v = judge.judge(x, 0);
    EXPECT_NEAR(v.stretch_max, 1, 1e-12);
    EXPECT_EQ(v.self_intersections, 0);
    for (Vec3& p : x)
        p.x *= 1.1;
    v = judge.judge(x, 0);
    EXPECT_NEAR(v.principal_max, 1.1, 1e-9);
    EXPECT_NEAR(v.principal_min, 1.0, 1e-9);
    for (Vec3& p : x) // fold the sheet through itself
        p = {std::abs(p.x), 0.2 * p.x * (p.z - 0.013), p.z};
    EXPECT_GT(judge.judge(x, 0).self_intersections, 0);
}

} // namespace
