// Parts that a program registers are named by scenes like those of Muslin.
#include "muslin/engine/recipe.h"
#include "muslin/engine/simulation.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/integrators/backward_euler.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace muslin;

SceneDescription scene_of(const std::string& parts) {
    return parse_scene("recipe = \"bw98\"\n[parts]\n" + parts + R"(
[time]
frames = 2
[[cloth]]
name = "sheet"
mesh = { type = "grid", columns = 5, rows = 5 }
[[pin]]
vertices = [0]
)",
                       "test.toml", ".", "test");
}

State after_two_frames(const SceneDescription& scene) {
    Simulation simulation(scene);
    simulation.advance_frame();
    simulation.advance_frame();
    return simulation.state();
}

TEST(RegisterParts, EveryNamedPartIsMade) {
    const SceneDescription scene = scene_of("contact = \"none\"\n");
    const BuiltScene built = build_scene(scene);
    for (const Part& part : parts()) {
        if (part.stage != "integrator")
            continue;
        Recipe recipe = choose_recipe("bw98");
        recipe.parts["integrator"] = part.name;
        EXPECT_NE(make_integrator(recipe, {}, built.model, {}), nullptr) << part.name;
    }
    for (const Part& part : parts()) {
        if (part.stage != "contact" || part.name == "none")
            continue;
        Recipe recipe = choose_recipe("bw98");
        recipe.parts["contact"] = part.name;
        EXPECT_NE(make_contact(recipe, scene, built.model), nullptr) << part.name;
    }
    for (const Part& part : parts()) {
        if (part.stage != "in_plane" && part.stage != "bending")
            continue;
        Recipe recipe = choose_recipe("bw98");
        const std::size_t without = [&] {
            Recipe none = recipe;
            none.parts["bending"] = "none";
            return make_forces(none, built.model, built.conditions).forces.size();
        }();
        recipe.parts[part.stage] = part.name;
        const bool absent = part.name == "none";
        EXPECT_EQ(make_forces(recipe, built.model, built.conditions).forces.size(),
                  without + (absent ? 0 : 1))
            << part.name;
    }
}

TEST(RegisterParts, AScenesPartsMayComeFromOutside) {
    register_force_part({"in_plane", "threads", "edge springs by another name"},
                        [](const Model& model) -> std::unique_ptr<Force> {
                            return std::make_unique<EdgeSpringForce>(model);
                        });
    int made = 0;
    register_integrator_part(
        {"integrator", "own_euler", "backward Euler by another name"},
        [&](const Model& model, std::vector<std::unique_ptr<Force>> forces,
            const SolverDescription&, const Recipe&) -> std::unique_ptr<Integrator> {
            ++made;
            return std::make_unique<BackwardEuler>(model, std::move(forces), ImplicitSettings{});
        });
    const State known = after_two_frames(scene_of("in_plane = \"edge_springs\"\n"
                                                  "contact = \"none\"\n"));
    const State own = after_two_frames(scene_of("in_plane = \"threads\"\ncontact = \"none\"\n"));
    ASSERT_EQ(own.positions.size(), known.positions.size());
    EXPECT_EQ(std::memcmp(own.positions.data(), known.positions.data(),
                          own.positions.size() * sizeof(Vec3)),
              0);
    after_two_frames(scene_of("integrator = \"own_euler\"\ncontact = \"none\"\n"));
    EXPECT_EQ(made, 1);
}

TEST(RegisterParts, AForceMayBeAddedToThoseOfTheRecipe) {
    double given = 0;
    register_added_force({std::string(added_force), "more_springs", "edge springs once more"},
                         [&](const Model& model, const std::map<std::string, double>& numbers)
                             -> std::unique_ptr<Force> {
                             given = numbers.at("factor");
                             return std::make_unique<EdgeSpringForce>(model);
                         });
    SceneDescription scene = scene_of("contact = \"none\"\n");
    const std::size_t without = Simulation(scene).integrator().forces().size();
    scene.forces = {{"more_springs", {{"factor", 3}}}};
    Simulation simulation(scene);
    ASSERT_EQ(simulation.integrator().forces().size(), without + 1);
    EXPECT_EQ(simulation.integrator().forces().back()->name(), "edge_springs");
    EXPECT_EQ(given, 3);
    EXPECT_THROW(register_added_force({"outside", "x", "of a stage"}, {}), std::logic_error);
}

TEST(RegisterParts, ThatReadAKeyMakeItOneThatOthersDoNot) {
    register_contact_part({"contact", "remembering", "none by another name", {"contact.memory"}},
                          [](const Model&, const SceneDescription&) { return nullptr; });
    const std::string memory = "\n[contact]\nmemory = 0.2\n";
    EXPECT_NO_THROW(scene_of("contact = \"remembering\"" + memory));
    EXPECT_THROW(scene_of("contact = \"none\"" + memory), InputError);
}

TEST(RegisterParts, RefusesAnotherStageAndATakenName) {
    const auto springs = [](const Model& model) -> std::unique_ptr<Force> {
        return std::make_unique<EdgeSpringForce>(model);
    };
    EXPECT_THROW(register_force_part({"contact", "springs", "of no force"}, springs),
                 std::logic_error);
    EXPECT_THROW(register_force_part({"in_plane", "edge_springs", "again"}, springs),
                 std::logic_error);
    EXPECT_THROW(register_contact_part({"air", "touching", "of no contact"}, {}), std::logic_error);
}

} // namespace
