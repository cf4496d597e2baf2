// Going back, branching, and calls that end early.
#include "samples.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

using muslin::Vec3;
using samples::Folder;

namespace {

/// A sheet on a ball, held at a corner.
muslin::Scene busy() {
    muslin::Scene out = samples::drape(13);
    out.add(muslin::Pin{.name = "corner", .vertices = {0}})
        .add(muslin::Pin{.name = "other", .vertices = {12}});
    return out;
}

/// Some frames in which everything moves that a program can move.
void play(muslin::Simulation& simulation, int from, int to) {
    for (int frame = from; frame < to; ++frame) {
        std::vector<Vec3> ball = simulation.body_positions("ball");
        for (Vec3& p : ball)
            p.y += 0.004;
        simulation.move_body("ball", ball);
        const Vec3 corner[] = {{-0.5 + 0.01 * frame, 0.02 * frame, 0.5}};
        simulation.move_pin("corner", corner);
        if (frame == 3)
            simulation.switch_pin("other", false);
        if (frame == 4)
            simulation.grab("sheet", 12);
        if (frame >= 4)
            simulation.drag({0.5, 0.02 * frame, 0.5});
        simulation.step_frame();
    }
}

} // namespace

TEST(State, GoesOnWithTheSameBits) {
    const Folder folder;
    muslin::Simulation whole(busy());
    play(whole, 0, 8);
    const muslin::State state = whole.state();
    EXPECT_EQ(state.frame(), 8);
    EXPECT_EQ(state.time(), whole.time());
    state.save(folder.path() / "at-8.state");
    EXPECT_GT(whole.report().contacts, 0);
    play(whole, 8, 12);
    const std::string hash = whole.report().hash;

    // Back in the same simulation.
    whole.restore(state);
    EXPECT_EQ(whole.frame(), 8);
    EXPECT_EQ(whole.time(), state.time());
    play(whole, 8, 12);
    EXPECT_EQ(whole.report().hash, hash);

    // In another one that has done something else.
    muslin::Simulation other(busy(), 2);
    other.grab("sheet", 50);
    other.switch_pin("corner", false);
    other.step_frame();
    other.restore(state);
    play(other, 8, 12);
    EXPECT_EQ(other.report().hash, hash);

    // From a file, in one that has done nothing.
    muslin::Simulation fresh(busy());
    fresh.restore(muslin::State::load(folder.path() / "at-8.state"));
    play(fresh, 8, 12);
    EXPECT_EQ(fresh.report().hash, hash);

    // The wind is not part of it.
    fresh.restore(state);
    fresh.set_wind({0, 5, 0});
    play(fresh, 8, 12);
    EXPECT_NE(fresh.report().hash, hash);
}

TEST(State, WithinAFrameGoesOnWithTheSameBits) {
    muslin::Simulation simulation(busy());
    simulation.step(0.05);
    const muslin::State state = simulation.state();
    EXPECT_EQ(state.frame(), 1);
    EXPECT_EQ(state.time(), 0.05);
    simulation.step_frame();
    const std::string hash = simulation.step(0.02).hash;
    muslin::Simulation other(busy());
    other.restore(state);
    EXPECT_EQ(other.time(), 0.05);
    other.step_frame();
    EXPECT_EQ(other.step(0.02).hash, hash);
}

TEST(State, OfSeamsThatHaveClosedGoesOnWithTheSameBits) {
    std::vector<int> right, left;
    for (int row = 0; row < 5; ++row) {
        left.push_back(5 * row);
        right.push_back(5 * row + 4);
    }
    muslin::Scene scene;
    scene.set("world.gravity", Vec3{})
        .add(muslin::Cloth{.name = "a", .mesh = samples::sheet(5)})
        .add(muslin::Cloth{.name = "b", .mesh = samples::sheet(5), .position = {1.02, 0, 0}})
        .add(muslin::Region{.name = "a-side", .cloth = "a", .vertices = right})
        .add(muslin::Region{.name = "b-side", .cloth = "b", .vertices = left})
        .add(muslin::Pin{.name = "rail", .cloth = "a", .vertices = left})
        .add(muslin::Seam{.first = "a-side", .second = "b-side"});
    muslin::Simulation simulation(scene);
    const muslin::State open = simulation.state();
    simulation.step_frame();
    for (int frame = 0; frame < 60 && simulation.report().seams_open > 0; ++frame)
        simulation.step_frame();
    ASSERT_EQ(simulation.report().seams_open, 0);
    const muslin::State closed = simulation.state();
    const auto end = [](muslin::Simulation& s) {
        for (int frame = 0; frame < 3; ++frame)
            s.step_frame();
        return s.report().hash;
    };
    const std::string hash = end(simulation);
    simulation.restore(open); // the seam is open again
    EXPECT_EQ(simulation.step_frame().seams_open, 5);
    simulation.restore(closed);
    EXPECT_EQ(end(simulation), hash);
    muslin::Simulation other(scene);
    other.restore(closed);
    EXPECT_EQ(end(other), hash);
}

TEST(State, BranchesRunSideBySide) {
    muslin::Simulation trunk(busy());
    play(trunk, 0, 4);
    const muslin::State state = trunk.state();
    std::array<std::string, 3> hashes;
    const auto branch = [&](int i) {
        muslin::Simulation simulation(busy(), i);
        simulation.restore(state);
        play(simulation, 4, 8);
        hashes[i - 1] = simulation.report().hash;
    };
    std::thread first(branch, 1), second(branch, 2);
    branch(3);
    first.join();
    second.join();
    play(trunk, 4, 8);
    for (const std::string& hash : hashes)
        EXPECT_EQ(hash, trunk.report().hash);
}

TEST(State, OfAnotherSceneIsRefused) {
    const Folder folder;
    muslin::Simulation simulation(busy());
    play(simulation, 0, 2);
    const muslin::State state = simulation.state();
    muslin::Scene larger = samples::drape(9), without = samples::drape(13);
    muslin::Simulation other(larger), pinless(without);
    EXPECT_THROW(other.restore(state), muslin::InputError);
    EXPECT_NO_THROW(other.step_frame());
    EXPECT_THROW(simulation.restore(pinless.state()), muslin::InputError);
    play(simulation, 2, 4); // unharmed

    folder.write("none.state", "something else");
    EXPECT_THROW(muslin::State::load(folder.path() / "none.state"), muslin::FileError);
    EXPECT_THROW(muslin::State::load(folder.path() / "missing.state"), muslin::FileError);
}

TEST(Cancel, FromAnotherThreadKeepsTheLastGoodStateAndGoesOnWithTheSameBits) {
    muslin::Scene scene = busy();
    scene.settings({.max_step = 1e-3});
    const auto run = [&](bool stops) {
        muslin::Simulation simulation(scene);
        play(simulation, 0, 6);
        if (!stops)
            return simulation.step_frame().hash;
        std::atomic<bool> stepping = false;
        simulation.on_progress([&](const muslin::Progress& step) {
            stepping = stepping || step.part > 0.3;
            if (stepping) // or the frame may be over before it is cancelled
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
        const double begin = simulation.time();
        std::thread other([&] {
            while (!stepping)
                std::this_thread::yield();
            simulation.cancel();
        });
        EXPECT_THROW(simulation.step_frame(), muslin::Cancelled);
        other.join();
        EXPECT_GT(simulation.time(), begin);
        EXPECT_LT(simulation.time(), begin + 1.0 / 30);
        EXPECT_EQ(simulation.frame(), 6);
        simulation.on_progress({});
        return simulation.step_frame().hash;
    };
    EXPECT_EQ(run(true), run(false));
}

TEST(Cancel, BeforeACallEndsTheNextOne) {
    muslin::Simulation simulation(samples::drape(6));
    simulation.cancel();
    EXPECT_THROW(simulation.step_frame(), muslin::Cancelled);
    EXPECT_EQ(simulation.time(), 0);
    EXPECT_EQ(simulation.step_frame().hash, samples::hash_after(samples::drape(6), 1));
}

TEST(Cancel, OfDressingLetsItGoOn) {
    muslin::Simulation whole(samples::skirt()), stopped(samples::skirt());
    whole.dress();
    int told = 0;
    stopped.on_progress([&](const muslin::Progress& step) {
        EXPECT_NE(step.stage, "step");
        if (++told == 20)
            stopped.cancel();
    });
    EXPECT_THROW(stopped.dress(), muslin::Cancelled);
    EXPECT_LT(stopped.frame(), 0);
    stopped.dress();
    EXPECT_EQ(stopped.frame(), 0);
    stopped.on_progress({});
    EXPECT_EQ(stopped.step_frame().hash, whole.step_frame().hash);
}

TEST(Progress, GrowsFromZeroToOne) {
    muslin::Scene scene = samples::drape(6);
    scene.settings({.max_step = 2e-3});
    muslin::Simulation simulation(scene);
    std::vector<double> parts;
    simulation.on_progress([&](const muslin::Progress& step) {
        EXPECT_EQ(step.stage, "step");
        parts.push_back(step.part);
    });
    simulation.step_frame();
    simulation.step(0.05); // over the end of a frame
    ASSERT_GT(parts.size(), 30u);
    EXPECT_EQ(parts.front(), 0);
    int falls = 0;
    for (std::size_t i = 1; i < parts.size(); ++i)
        falls += parts[i] < parts[i - 1];
    EXPECT_EQ(falls, 1); // one for each call but the first
    EXPECT_GT(parts.back(), 0.9);
    EXPECT_LE(parts.back(), 1);
}
