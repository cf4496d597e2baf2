// The default recipe in whole scenes, made small: nothing crosses anything at any frame, at the
// recipe's own step and at steps of a whole frame, and threads change no bit.
#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/run/judge.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <thread>

namespace {

using namespace muslin;

struct SmallScene {
    const char* name;
    std::vector<std::string> changes;
    double seconds;
};

// Fine enough to fold and touch, coarse enough to run in seconds.
const SmallScene drape = {"drape-sphere", {"cloth.sheet.mesh.resolution=31"}, 1};
const SmallScene curtain = {
    "moving-sphere-through-curtain", {"cloth.curtain.mesh.resolution=19"}, 1.0 / 3};
const SmallScene pinch = {"pinch", {"cloth.sheet.mesh.resolution=16"}, 2.5};
const SmallScene pinch_closed = {"pinch-closed", {"cloth.sheet.mesh.resolution=16"}, 3};
const SmallScene ribbon = {"ribbon-pile",
                           {"cloth.ribbon.mesh.resolution=57", "cloth.ribbon.mesh.depth=0.56",
                            "cloth.ribbon.mesh.width=0.08", "cloth.ribbon.position=[0, 0.31, 0]"},
                           4.0 / 3};

SceneDescription load(const SmallScene& scene, bool step_of_a_frame) {
    SceneDescription description = load_scene(scene.name, scene.changes);
    EXPECT_EQ(description.recipe, "muslin");
    if (step_of_a_frame) {
        description.time.frame_rate = 30;
        description.time.max_step = 1.0 / 30;
    }
    return description;
}

struct Outcome {
    int self = 0, body = 0; ///< frames with intersections
    int contacts = 0;       ///< most at once
    int impacts = 0, steps = 0, rejected = 0, released = 0;
    int worst_body = 0, last_body = 0; ///< intersections with bodies: most, in the last frame
    double stretch_max = 0;
    Vec3 low = {1e9, 1e9, 1e9}; ///< the least coordinates of the last frame
};

Outcome run(const SmallScene& scene, bool step_of_a_frame) {
    const SceneDescription description = load(scene, step_of_a_frame);
    const int frames =
        static_cast<int>(std::ceil(scene.seconds * description.time.frame_rate - 1e-9));
    Simulation simulation(description);
    const Judge judge(simulation.model());
    const auto start = std::chrono::steady_clock::now();
    Outcome out;
    for (int k = 0; k < frames; ++k) {
        const FrameReport report = simulation.advance_frame();
        const Verdict verdict = judge.judge(simulation.state().positions, simulation.state().time);
        if (verdict.self_intersections > 0 && out.self++ == 0)
            std::cout << scene.name << ": frame " << report.frame << " crosses itself at "
                      << verdict.self_intersections << " pairs\n";
        if (verdict.body_intersections > 0 && out.body++ == 0)
            std::cout << scene.name << ": frame " << report.frame << " crosses a body at "
                      << verdict.body_intersections << " pairs\n";
        out.contacts = std::max(out.contacts, report.contacts);
        out.impacts += report.impacts;
        out.steps += report.steps;
        out.rejected += report.rejected_steps;
        out.released += static_cast<int>(report.released.size());
        out.stretch_max = std::max(out.stretch_max, verdict.stretch_max);
        out.worst_body = std::max(out.worst_body, verdict.body_intersections);
        out.last_body = verdict.body_intersections;
        for (const Vec3& v : simulation.state().velocities)
            EXPECT_TRUE(is_finite(v));
    }
    for (const Vec3& p : simulation.state().positions)
        out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::cout << fmt::format("{}, {}: {} frames, {} steps, {} rejected, {} impacts, up to {} "
                             "contacts, stretch to {:.3f}, {} released, {} crossings of bodies at "
                             "most, {} at the end, {:.1f} s\n",
                             scene.name, step_of_a_frame ? "steps of a frame" : "own steps", frames,
                             out.steps, out.rejected, out.impacts, out.contacts, out.stretch_max,
                             out.released, out.worst_body, out.last_body, seconds);
    return out;
}

void expect_clean(const Outcome& out) {
    EXPECT_EQ(out.self, 0) << "frames in which cloth crosses itself";
    EXPECT_EQ(out.body, 0) << "frames in which cloth crosses a body";
    EXPECT_EQ(out.released, 0);
    EXPECT_GT(out.contacts, 20) << "the scene is about contact";
}

class ContactScenes : public testing::TestWithParam<bool> {};

TEST_P(ContactScenes, SheetDrapesOverABall) {
    const Outcome out = run(drape, GetParam());
    expect_clean(out);
    EXPECT_LT(out.low.y, -0.1) << "it hangs down";
}

TEST_P(ContactScenes, FastBallCrossesACurtain) {
    const Outcome out = run(curtain, GetParam());
    expect_clean(out);
}

TEST_P(ContactScenes, SheetIsPinched) {
    expect_clean(run(pinch, GetParam()));
}

TEST_P(ContactScenes, RibbonFallsIntoAPile) {
    const Outcome out = run(ribbon, GetParam());
    expect_clean(out);
    EXPECT_GT(out.low.y, 0) << "on the slab";
    EXPECT_LT(out.low.y, 0.01);
}

// No state between closed plates is right: the run says what it gave up, and goes on.
TEST_P(ContactScenes, ClosedPinchReleasesAndGoesOn) {
    Outcome out;
    ASSERT_NO_THROW(out = run(pinch_closed, GetParam()));
    EXPECT_GT(out.released, 0);
    EXPECT_EQ(out.self, 0) << "what was let go is not the cloth with itself";
}

INSTANTIATE_TEST_SUITE_P(Steps, ContactScenes, testing::Values(false, true), [](const auto& suite) {
    return suite.param ? "OfAFrame" : "OfTheRecipe";
});

TEST(ContactScenes, SameBitsForAnyNumberOfThreads) {
    // From the middle of the action on, a few frames of each.
    for (const auto& [scene, frames] :
         {std::pair(drape, 12), std::pair(curtain, 12), std::pair(ribbon, 10)}) {
        std::vector<std::string> one;
        for (const int threads : {1, 2, 4}) {
            set_thread_count(threads);
            Simulation simulation(load(scene, false));
            std::vector<std::string> hashes;
            int contacts = 0;
            for (int k = 0; k < frames; ++k) {
                const FrameReport report = simulation.advance_frame();
                hashes.push_back(report.hash);
                contacts = std::max(contacts, report.contacts);
            }
            EXPECT_GT(contacts, 0) << scene.name;
            if (threads == 1)
                one = hashes;
            EXPECT_EQ(hashes, one) << scene.name << ", " << threads << " threads";
        }
        set_thread_count(0);
    }
}

// What a simulation with a team of its own computes, and how many threads its loops have.
struct Stepped {
    std::vector<std::string> hashes;
    int contacts = 0; ///< most at once
    int threads = 0;
};

Stepped step_on_a_team(const SceneDescription& scene, int threads, int frames) {
    Simulation simulation(scene, std::make_shared<ThreadTeam>(threads));
    Stepped out;
    simulation.on_stall([&](const Stall&) { out.threads = thread_count(); }, 1e-9);
    for (int k = 0; k < frames; ++k) {
        const FrameReport report = simulation.advance_frame();
        out.hashes.push_back(report.hash);
        out.contacts = std::max(out.contacts, report.contacts);
    }
    return out;
}

TEST(ContactScenes, TwoAtOnceOnThreadsOfTheirOwnGiveTheSameBits) {
    const SceneDescription scenes[] = {load(drape, false), load(curtain, false)};
    const int frames = 12;
    Stepped alone[2], together[2];
    for (int k = 0; k < 2; ++k)
        alone[k] = step_on_a_team(scenes[k], 1, frames);
    std::thread first([&] { together[0] = step_on_a_team(scenes[0], 2, frames); });
    std::thread second([&] { together[1] = step_on_a_team(scenes[1], 3, frames); });
    first.join();
    second.join();
    for (int k = 0; k < 2; ++k) {
        EXPECT_GT(together[k].contacts, 0);
        EXPECT_EQ(alone[k].threads, 1);
        EXPECT_EQ(together[k].threads, 2 + k);
        EXPECT_EQ(together[k].hashes, alone[k].hashes) << scenes[k].name;
    }
}

// Thousands of contacts begin to bear within a step as a sheet lands on a cloth, sliding. Friction
// by normal forces that are not those of the solution would throw it back.
TEST(ContactScenes, SheetLandsOnClothInStepsThatConverge) {
    Simulation simulation(parse_scene(R"(
        world.gravity = [5.48, -8.13, 0]
        [[cloth]]
        name = "sheet"
        mesh = { type = "irregular", width = 0.3, depth = 0.3, vertices = 1000 }
        position = [0, 0.0052, 0]
        material = { base = "cotton", friction = 0.4 }
        [[cloth]]
        name = "ground"
        mesh = { type = "grid", width = 1.5, depth = 0.42, columns = 101, rows = 29 }
        position = [0.5, -0.0002, 0]
        material = { base = "cotton", friction = 0.4 }
        [[pin]]
        cloth = "ground"
        box = { min = [-9, -9, -9], max = [9, 9, 9] }
    )",
                                      "test", ".", "test"));
    int unconverged = 0, contacts = 0, iterations = 0;
    double backward = 0; // [m/s]
    for (int k = 0; k < 6; ++k) {
        const FrameReport report = simulation.advance_frame();
        unconverged += report.unconverged_steps;
        iterations += report.cg_iterations;
        contacts = std::max(contacts, report.contacts);
        for (const int p : simulation.model().cloths[0].particles)
            backward = std::min(backward, simulation.state().velocities[p].x);
    }
    EXPECT_GT(contacts, 1000);
    EXPECT_EQ(unconverged, 0);
    EXPECT_LT(iterations, 800) << "945 with tangents at the gaps that loose solves leave";
    EXPECT_GE(backward, -0.05) << "no part of it goes uphill";
}

} // namespace
