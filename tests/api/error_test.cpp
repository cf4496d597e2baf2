#include "samples.h"

#include <gtest/gtest.h>

#include <functional>

namespace {

/// What is said of a piece of work that must be refused.
muslin::Problem problem_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const muslin::InputError& error) {
        EXPECT_NE(std::string(error.what()).find(error.problem().expected), std::string::npos);
        return error.problem();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

} // namespace

TEST(Errors, OfAFileHaveFileLineAndKey) {
    const samples::Folder folder;
    folder.write("bad.toml", "[[cloth]]\nmesh = { type = \"grid\" }\n\n[time]\nframes = 0\n");
    const std::string file = (folder.path() / "bad.toml").string();
    muslin::Scene scene = muslin::Scene::load(file);
    scene.add(muslin::Cloth{.name = "other", .mesh = samples::sheet(3)});
    const muslin::Problem problem = problem_of([&] { scene.check(); });
    EXPECT_EQ(problem.file, file);
    EXPECT_EQ(problem.line, 5);
    EXPECT_EQ(problem.key, "time.frames");
    EXPECT_EQ(problem.found, "0");
}

TEST(Errors, OfWhatTheProgramGaveHaveAKeyAlone) {
    muslin::Scene scene = muslin::Scene::load("two-corner-sheet");
    scene.add(muslin::Cloth{
        .name = "b", .mesh = samples::sheet(3), .material = {.base = "cotton", .density = -1}});
    muslin::Problem problem = problem_of([&] { scene.check(); });
    EXPECT_EQ(problem.file, "");
    EXPECT_EQ(problem.line, 0);
    EXPECT_EQ(problem.key, "cloth[1].material.density");

    problem = problem_of(
        [&] { muslin::Scene::load("two-corner-sheet").set("solver.acuracy", 1.0).check(); });
    EXPECT_EQ(problem.file, "");
    EXPECT_EQ(problem.key, "solver.acuracy");
    EXPECT_EQ(problem.hint, "did you mean 'accuracy'?");

    problem = problem_of([&] {
        muslin::Scene().add(muslin::Cloth{.mesh = samples::sheet(3)}).set("nonsense.x", 1).check();
    });
    EXPECT_EQ(problem.key, "nonsense.x");
}

TEST(Errors, OfMeshesNameTheList) {
    muslin::Mesh sheet = samples::sheet(3);
    sheet.corners[1] = 9;
    muslin::Scene scene;
    const muslin::Problem problem =
        problem_of([&] { scene.add(muslin::Cloth{.name = "sheet", .mesh = sheet}); });
    EXPECT_EQ(problem.key, "cloth 'sheet'.mesh.corners");
    EXPECT_EQ(problem.expected, "vertices 0 to 8");
    EXPECT_EQ(problem.found, "9");

    const auto refused = [](const std::function<void(muslin::Mesh&)>& spoil) {
        muslin::Mesh mesh = samples::sheet(3);
        spoil(mesh);
        return problem_of([&] { muslin::Scene().add(muslin::Body{.mesh = mesh}); }).key;
    };
    EXPECT_EQ(refused([](auto& m) { m.sizes[0] = 2; }), "body 'body'.mesh.sizes");
    EXPECT_EQ(refused([](auto& m) { m.sizes.clear(); }), "body 'body'.mesh.corners");
    EXPECT_EQ(refused([](auto& m) { m.uv.pop_back(); }), "body 'body'.mesh.uv");
    EXPECT_EQ(refused([](auto& m) { m.groups["more"] = {0}; }), "body 'body'.mesh.groups");
    EXPECT_EQ(refused([](auto& m) { m.maps["ink"] = {0}; }), "body 'body'.mesh.maps");
    EXPECT_EQ(refused([](auto& m) { m.positions[0].x = 1.0 / 0.0; }), "body 'body'.mesh.positions");
}

TEST(Errors, OfNamesListTheKnownOnes) {
    muslin::Simulation simulation(samples::drape(4));
    const muslin::Problem problem = problem_of([&] { (void)simulation.positions("shirt"); });
    EXPECT_EQ(problem.key, "cloth");
    EXPECT_EQ(problem.found, "'shirt'");
    EXPECT_EQ(problem.hint, "known: 'sheet'");
    EXPECT_THROW((void)simulation.body_positions("x"), muslin::InputError);
    EXPECT_THROW((void)simulation.pin_vertices("x"), muslin::InputError);
    EXPECT_THROW(simulation.grab("sheet", 16), muslin::InputError);
    EXPECT_THROW((void)muslin::Scene::load("no-such-scene"), muslin::InputError);
    EXPECT_THROW((void)muslin::Scene::load("no-such-scene.toml"), muslin::FileError);
    EXPECT_THROW((void)muslin::make_mesh("no-such-mesh.obj"), muslin::InputError);
    EXPECT_THROW((void)muslin::material_numbers("no-such-fabric"), muslin::Error);
    EXPECT_THROW((void)muslin::export_run("no-such-folder", "usda"), muslin::Error);
    EXPECT_THROW((void)muslin::to_text({.panels = {{.name = "a", .points = {{0, 0}, {1, 0}}}}}),
                 muslin::InputError);
}

// What is given is refused where the program that gave it is not there to give it.
TEST(Errors, ASceneTextCannotBeReadWithoutWhatItWasGiven) {
    const std::string text = samples::drape(4).text();
    EXPECT_NE(text.find("given:sheet"), std::string::npos);
    const muslin::Problem problem = problem_of([&] { muslin::Scene::parse(text).check(); });
    EXPECT_EQ(problem.found, "\"given:sheet\"");
    EXPECT_EQ(problem.line, 4);
}

TEST(Errors, ASimulationThatCannotGoOnKeepsItsLastGoodState) {
    muslin::Scene scene = samples::drape(6);
    scene.set("time.max_steps", 1).set("time.max_step", 0.01);
    muslin::Simulation simulation(scene);
    EXPECT_THROW(simulation.step_frame(), muslin::SimulationError);
    EXPECT_GT(simulation.time(), 0);
    for (const muslin::Vec3& p : simulation.positions("sheet"))
        EXPECT_LT(p.y, 0);
}
