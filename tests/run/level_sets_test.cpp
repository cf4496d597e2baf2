// Runs whose bodies are level sets: made once, read after, refused where a body has no inside.

#include "muslin/engine/level_sets.h"

#include "muslin/base/error.h"
#include "muslin/engine/start_check.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/io/vdb_file.h"
#include "muslin/mesh/penetration.h"
#include "muslin/run/run.h"
#include "muslin/run/run_post.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using namespace muslin;

class LevelSetRuns : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) /
                  (std::string("muslin_level_sets_") + test->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // A small sheet, soft for the sake of few steps, above what `bodies` says.
    SceneDescription scene(const std::string& bodies, double height = 0.012) const {
        return parse_scene(fmt::format(R"(
recipe = "bridson03"
[time]
frames = 3
frame_rate = 30
[level_sets]
voxel = 0.01
band = 0.05
cache = "cache"
[[cloth]]
name = "sheet"
mesh = {{ type = "grid", width = 0.1, depth = 0.1, resolution = 5 }}
position = [0, {}, 0]
material = {{ base = "cotton", stretch_u = 30, stretch_v = 30 }}
{}
)",
                                       height, bodies),
                           "test", folder_, "test");
    }
    nlohmann::json run(const SceneDescription& description, int* prepared = nullptr) const {
        RunOptions options;
        options.directory = folder_ / "out";
        options.prepare = [&](int, int, double) {
            if (prepared)
                ++*prepared;
        };
        run_scene(description, options);
        return nlohmann::json::parse(std::ifstream(folder_ / "out" / "report.json"));
    }

    std::filesystem::path folder_;
};

TEST_F(LevelSetRuns, ASecondRunMakesNone) {
    // A box that rises by 2 mm a frame, from its own point cache.
    const PolygonMesh box = make_box({.size = {0.2, 0.06, 0.2}, .divisions = 2});
    write_mesh(folder_ / "box.obj", box);
    {
        Pc2Writer cache(folder_ / "box.pc2", static_cast<int>(box.positions.size()));
        for (int f = 0; f < 4; ++f) {
            std::vector<Vec3> points = box.positions;
            for (Vec3& p : points)
                p.y += 0.002 * f;
            cache.append(points);
        }
    }
    const SceneDescription description = scene(R"(
[[body]]
name = "box"
mesh = "box.obj"
position = [0, -0.03, 0]
animation = "box.pc2"
)",
                                               0.004);
    int prepared = 0;
    const auto first = run(description, &prepared);
    EXPECT_EQ(first["level_sets"]["made"], 4);
    EXPECT_EQ(prepared, 2) << "those that the start had not made";
    EXPECT_GT(first["level_sets"]["seconds"], 0.0);
    prepared = 0;
    const auto second = run(description, &prepared);
    EXPECT_EQ(second["level_sets"]["made"], 0);
    EXPECT_EQ(second["level_sets"]["read"], 4);
    EXPECT_EQ(prepared, 0);
    EXPECT_EQ(second["hash"], first["hash"]) << "what was read is what was made";
    EXPECT_LT(second["last_frame"]["body_penetration_max"], 1e-4) << "the box carries the sheet";
}

TEST_F(LevelSetRuns, ABodyMayBeAGrid) {
    const PolygonMesh ball = make_sphere({.radius = 0.05, .rings = 20, .segments = 40});
    const auto triangles = triangulate(ball).triangles;
    LevelSetSettings settings;
    settings.voxel = 0.005;
    settings.band = 0.02;
    write_vdb(folder_ / "ball.vdb", LevelSet::from_mesh({ball.positions, triangles}, settings));
    const SceneDescription description =
        scene("[[body]]\nmesh = { path = \"ball.vdb\" }\nposition = [0, -0.05, 0]\nscale = 2\n");
    const BuiltScene built = build_scene(description);
    const Body& body = built.model.bodies.front();
    EXPECT_TRUE(is_closed({body.mesh.positions, body.triangles}));
    for (const Vec3& p : body.mesh.positions)
        EXPECT_NEAR(norm(p - Vec3{0, -0.05, 0}), 0.1, 1e-3);
    try {
        parse_scene("[[cloth]]\nmesh = \"ball.vdb\"\n", "test", folder_, "test");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "cloth[0].mesh");
    }
}

TEST_F(LevelSetRuns, ABodyWithoutAnInsideIsRefused) {
    const SceneDescription description =
        scene("[[body]]\nname = \"floor\"\nmesh = { type = \"grid\" }\n");
    try {
        Simulation simulation(description);
        FAIL();
    } catch (const InputError& error) {
        const Problem& problem = error.problem();
        EXPECT_EQ(problem.key, "body 'floor'");
        EXPECT_EQ(problem.where.line, description.bodies[0].where.line);
        EXPECT_NE(problem.expected.find("closed"), std::string::npos);
        EXPECT_NE(problem.hint.find("repulsion_contact"), std::string::npos);
    }
    SceneDescription other = description;
    other.parts["contact"] = {"repulsion_contact", {}};
    EXPECT_NO_THROW(Simulation simulation(other));
}

TEST_F(LevelSetRuns, AStartInABodyIsAWarning) {
    const SceneDescription description = scene(
        "[[body]]\nname = \"box\"\nmesh = { type = \"box\", size = [0.3, 0.1, 0.3] }\n", 0.045);
    const BuiltScene built = build_scene(description);
    const std::vector<Tangle> tangles = check_start(description, built.model, built.start);
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_NEAR(tangles[0].depth, 0.005, 1e-6);
    SceneDescription other = description;
    other.parts["contact"] = {"repulsion_contact", {}};
    EXPECT_THROW(check_start(other, built.model, built.start), InputError);
    const auto report = run(description);
    EXPECT_LT(report["last_frame"]["body_penetration_max"], 1e-4) << "it came out";
}

TEST_F(LevelSetRuns, PlansSayWhatThereWillBe) {
    const SceneDescription description =
        scene("[[body]]\nname = \"ball\"\nmesh = { type = \"sphere\", radius = 0.1 }\n", 0.2);
    const BuiltScene built = build_scene(description);
    const LevelSetPlan plan = plan_level_sets(description, built.model, built.model.bodies[0]);
    EXPECT_EQ(plan.count, 1);
    EXPECT_EQ(plan.grid.voxel, 0.01);
    EXPECT_GT(plan.bytes, 1e4);
    EXPECT_EQ(body_fields_settings({0, 0, "none"}).cache, "");
}

// `check` must refuse what `run` would.
TEST_F(LevelSetRuns, PlansAndRunsRefuseTheSameGrids) {
    SceneDescription description =
        scene("[[body]]\nname = \"ball\"\nmesh = { type = \"sphere\", radius = 0.1 }\n", 0.2);
    const auto key_of = [&](auto&& work) -> std::string {
        try {
            work();
        } catch (const InputError& error) {
            EXPECT_EQ(error.problem().where.line, description.bodies[0].where.line);
            return error.problem().key;
        }
        return "none";
    };
    const BuiltScene built = build_scene(description);
    const auto refused = [&](double voxel, double band) {
        description.level_sets.voxel = voxel;
        description.level_sets.band = band;
        const std::string plan =
            key_of([&] { plan_level_sets(description, built.model, built.model.bodies.front()); });
        EXPECT_EQ(key_of([&] { make_body_fields(description, built.model); }), plan);
        return plan;
    };
    EXPECT_EQ(refused(0, 1e-3), "level_sets.band") << "its own voxel is 2 mm";
    EXPECT_EQ(refused(1e-6, 0), "body 'ball': voxel") << "too many";
    EXPECT_EQ(refused(0.01, 0.05), "none");
}

TEST_F(LevelSetRuns, ABrokenFileIsMadeAnewWithAWarning) {
    SceneDescription description =
        scene("[[body]]\nname = \"box\"\nmesh = { type = \"box\", size = [0.3, 0.1, 0.3] }\n", 0.1);
    description.time.frames = 1;
    description.level_sets.band = 0; // ten voxels for contact, fewer for [post]
    run(description);
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache")) {
        std::filesystem::resize_file(entry.path(), 1000);
        ++files;
    }
    EXPECT_EQ(files, 2);
    std::vector<std::string> warnings;
    RunOptions options;
    options.directory = folder_ / "out";
    options.warn = [&](const std::string& text) { warnings.push_back(text); };
    run_scene(description, options);
    ASSERT_EQ(warnings.size(), 2u);
    for (const std::string& text : warnings)
        EXPECT_NE(text.find("made anew"), std::string::npos) << text;
    warnings.clear();
    run_scene(description, options);
    EXPECT_TRUE(warnings.empty());
}

// Nothing of an earlier run may go before the scene is known to be sound.
TEST_F(LevelSetRuns, PostRefusesAnOpenBodyBeforeAnythingIsWritten) {
    SceneDescription description =
        scene("[[body]]\nname = \"floor\"\nmesh = { type = \"grid\" }\n");
    description.parts["contact"] = {"repulsion_contact", {}};
    description.post.enabled = true;
    bool begun = false;
    RunOptions options;
    options.directory = folder_ / "out";
    options.begin = [&] { begun = true; };
    EXPECT_THROW(run_scene(description, options), InputError);
    EXPECT_FALSE(begun);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
    const BuiltScene built = build_scene(description);
    const Recipe recipe = choose_recipe(description.recipe, description.parts);
    EXPECT_THROW(check_post(description, recipe, built.model), InputError) << "check says so too";
    description.post.enabled = false;
    EXPECT_NO_THROW(check_post(description, recipe, built.model));
}

} // namespace
