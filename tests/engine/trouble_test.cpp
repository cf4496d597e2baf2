#include "muslin/engine/trouble.h"

#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace muslin;

SceneDescription sheet(const std::string& more, const std::string& first = {}) {
    return parse_scene(fmt::format(R"({}
        [[cloth]]
        name = "upper"
        mesh = {{ type = "grid", columns = 4, rows = 4 }}
        position = [0, 1, 0]
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "grid", columns = 6, rows = 6 }}
        [[pin]]
        cloth = "sheet"
        vertices = [0, 5]
        {}
    )",
                                   first, more),
                       "test", ".", "test");
}

std::string message_of(const SceneDescription& scene, int frames = 3) {
    Simulation simulation(scene);
    try {
        for (int i = 0; i < frames; ++i)
            simulation.advance_frame();
    } catch (const SimulationError& error) {
        EXPECT_TRUE(in_range(simulation.state())) << "the state is that of the last good step";
        return error.what();
    }
    return "it went on";
}

testing::AssertionResult has(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        if (text.find(word) == std::string::npos)
            return testing::AssertionFailure() << "'" << word << "' is not in: " << text;
    return testing::AssertionSuccess();
}

TEST(Trouble, ACulpritIsNamedInTheUsersNumbering) {
    const Simulation simulation(sheet(""));
    const Model& model = simulation.model();
    State end = simulation.state();
    const int particle = model.cloths[1].particles[17];
    EXPECT_EQ(name_particle(model, particle), "cloth 'sheet', vertex 17");

    end.velocities[particle] = {0, 3, 0};
    EXPECT_EQ(find_culprit(Trouble::contact, model, simulation.state(), end), particle);
    end.positions[particle] += Vec3{0.5, 0, 0};
    const int stretched = find_culprit(Trouble::stretch, model, simulation.state(), end);
    EXPECT_LT(
        norm(simulation.state().positions[stretched] - simulation.state().positions[particle]),
        0.3); // of an edge there
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), -2e30}) {
        State broken = simulation.state();
        EXPECT_TRUE(in_range(broken));
        broken.velocities[particle].z = wrong;
        EXPECT_FALSE(in_range(broken));
        EXPECT_EQ(find_culprit(Trouble::not_finite, model, simulation.state(), broken), particle);
        EXPECT_EQ(find_culprit(Trouble::stretch, model, simulation.state(), broken), particle);
    }
}

// A force without bounds: positions leave the range of numbers, and the last good state stays.
TEST(Trouble, NumbersThatGrowWithoutBoundsEndTheRun) {
    for (const char* recipe : {"muslin", "bw98", "bridson03", "volino95", "bayraktar07", "ohta95"})
        EXPECT_TRUE(has(message_of(sheet("[[load]]\ncloth = \"sheet\"\nvertices = [30]\n"
                                         "force = [0, \"1e29 * t\", 0]\n",
                                         fmt::format("recipe = \"{}\"\n", recipe))),
                        {"frame 1, ", "cloth 'sheet', vertex ", "time."}))
            << recipe;
}

// Contact would hold shreds where they were, step by step and for minutes, and call it cloth.
TEST(Trouble, ClothInShredsIsNotGivenToContact) {
    SceneDescription scene = parse_scene(R"(
        world.wind = [4e6, 0, 9e6]
        [[cloth]]
        name = "sheet"
        mesh = { type = "grid", columns = 9, rows = 9 }
        [[body]]
        name = "ball"
        mesh = { type = "sphere", radius = 0.3, rings = 10, segments = 20 }
        position = [0, -0.31, 0]
    )",
                                         "test", ".", "test");
    EXPECT_TRUE(has(message_of(scene, 1), {"frame 1, ", "stretch changed by",
                                           "time.stretch_change_limit = 100", "world.wind"}));
    // Where numbers have no room left, whatever they break first ends the run as soon.
    scene.world.wind = Animated<Vec3>(Vec3{4e9, 0, 9e9});
    EXPECT_TRUE(has(message_of(scene, 1), {"frame 1, ", "cloth 'sheet', vertex "}));
}

TEST(Trouble, AFrameTakesNoMoreStepsThanItMay) {
    const std::string text = message_of(
        sheet("", "[time]\nmax_step = 1e-4\nmin_step = 1e-5\nmax_steps = 50\nframe_rate = 30\n"));
    EXPECT_TRUE(has(text, {"frame 1, ", "time.max_steps = 50", "cloth '", "vertex "}));
    // An explicit method knows beforehand.
    const std::string stiff =
        message_of(sheet("", "recipe = \"volino95\"\n[time]\nmax_steps = 20\n"));
    EXPECT_TRUE(has(stiff, {"frame 1, ", "time.max_steps = 20", "cloth '", "vertex "}));
}

TEST(Trouble, AFrameThatTakesFarMoreStepsIsToldOf) {
    // Pulled from the middle of the second frame on, harder than steps of any length like.
    SceneDescription scene = sheet("[[load]]\ncloth = \"sheet\"\nvertices = [35]\n"
                                   "force = [0, -3000, 0]\nstart = 0.05\n",
                                   "recipe = \"bw98\"\n[time]\nmin_step = 1e-7\n"
                                   "stretch_change_limit = 1e-3\nmax_steps = 2000\n");
    Simulation simulation(scene);
    std::vector<Stall> told;
    simulation.on_stall([&](const Stall& stall) { told.push_back(stall); });
    try {
        for (int i = 0; i < 3; ++i)
            simulation.advance_frame();
    } catch (const SimulationError&) { // slow enough
    }
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front().frame, 2);
    EXPECT_GE(told.front().steps, 256);
    EXPECT_LT(told.front().step, 1e-3);
    EXPECT_TRUE(has(describe(told.front()), {"frame 2 ", "stretch_change_limit"}));
}

// By the clock, also where there are few steps: contact may take minutes over each.
TEST(Trouble, AFrameThatTakesFarLongerIsToldOf) {
    Simulation simulation(sheet(""));
    std::vector<Stall> told;
    simulation.on_stall([&](const Stall& stall) { told.push_back(stall); }, 1e-9);
    simulation.advance_frame();
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front().frame, 1);
    EXPECT_LT(told.front().steps, 256);
    EXPECT_TRUE(has(describe(told.front()), {"frame 1 is slow", "each of them takes"}));
    told.clear();
    simulation.on_stall([&](const Stall& stall) { told.push_back(stall); });
    simulation.advance_frame();
    EXPECT_TRUE(told.empty()) << describe(told.front());
}

} // namespace
