// Cloths whose surface, dynamics and collision layers differ, run from end to end.
#include "muslin/engine/simulation.h"
#include "muslin/engine/start_check.h"
#include "muslin/io/run_reader.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/judge.h"
#include "muslin/run/run.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace muslin {
namespace {

SceneDescription scene_of(const std::string& text) {
    return parse_scene(text, "test.toml", {}, "test");
}

const std::string sheet = R"(
[time]
frames = 4
[[cloth]]
name = "sheet"
mesh = { type = "grid", width = 1, depth = 1, columns = 5, rows = 5 }
)";

TEST(LayersJudged, WhatIsDrawnIs) {
    const BuiltScene built = build_scene(scene_of(sheet + R"(
surface = { mesh = { type = "grid", columns = 3, rows = 3 } }
)"));
    std::vector<Vec3> x = built.start.positions;
    const std::vector<int>& drawn = built.model.cloths[0].surface.vertex_particle;
    // What only pulls is moved away, folded and stretched.
    for (std::size_t p = 0; p < x.size(); ++p)
        if (std::find(drawn.begin(), drawn.end(), static_cast<int>(p)) == drawn.end())
            x[p] += Vec3{0.4, 0, 0.1};
    const Verdict verdict = Judge(built.model).judge(x, 0);
    EXPECT_NEAR(verdict.stretch_max, 1, 1e-12);
    EXPECT_NEAR(verdict.principal_min, 1, 1e-12);
    EXPECT_EQ(verdict.self_intersections, 0);
    x[drawn[4]] += Vec3{0.25, 0, 0};
    EXPECT_NEAR(Judge(built.model).judge(x, 0).stretch_max, 1.5, 1e-12);
}

TEST(LayersJudged, ATangledStartNamesTheFacesThatAreDrawn) {
    const SceneDescription scene = scene_of(sheet + R"(
surface = { mesh = { type = "grid", columns = 3, rows = 3 } }
[[body]]
name = "rod"
mesh = { type = "box", size = [0.1, 1, 0.1] }
position = [0.2, 0, 0.3]
)");
    const BuiltScene built = build_scene(scene);
    const std::vector<Tangle> tangles = find_tangles(built.model, built.start);
    ASSERT_EQ(tangles.size(), 1u);
    for (const auto& faces : tangles[0].faces)
        EXPECT_LT(faces[0], 8) << "of eight";
}

class LayeredRun : public ::testing::Test {
protected:
    LayeredRun()
        : directory_(std::filesystem::temp_directory_path() /
                     ("muslin-layers-" + std::to_string(getpid()))) {}
    ~LayeredRun() override { std::filesystem::remove_all(directory_); }
    std::filesystem::path directory_;
};

const std::string cushion = R"(
[time]
frames = 6
[[cloth]]
name = "cushion"
mesh = { type = "box", size = [0.3, 0.2, 0.3], divisions = 3 }
position = [0, 0.11, 0]
[[cloth.points]]
name = "foam"
spacing = 0.1
mass = 0.3
[[connections]]
rule = "within"
distance = 0.18
modulus = 2e4
[[body]]
name = "floor"
mesh = { type = "box", size = [1, 0.1, 1] }
position = [0, -0.05, 0]
)";

TEST_F(LayeredRun, WritesTheSurfaceAlone) {
    RunOptions options;
    options.directory = directory_;
    const SceneDescription scene = scene_of(cushion);
    const RunSummary summary = run_scene(scene, options);
    EXPECT_EQ(summary.frames, 6);
    EXPECT_EQ(summary.worst.self_intersections, 0);
    RunReader run(directory_);
    ASSERT_EQ(run.cloths().size(), 1u);
    EXPECT_EQ(run.cloths()[0].mesh().positions.size(), 56u);
    EXPECT_GT(run.certificate()->particles, 56);
    std::vector<Vec3> x;
    run.cloths()[0].read(6, x);
    EXPECT_EQ(x.size(), 56u);
    for (const Vec3& p : x)
        EXPECT_GT(p.y, -0.01) << "the inside carries the skin";
}

TEST_F(LayeredRun, GoesOnFromACheckpoint) {
    std::filesystem::create_directories(directory_);
    // Implicit contact keeps more than a state (run/checkpoint.h).
    const SceneDescription scene = scene_of("parts = { contact = \"none\" }\n" + cushion);
    Simulation whole(scene), second(scene);
    for (int i = 0; i < 2; ++i)
        whole.advance_frame();
    save_state(directory_ / "state", whole.state(), 2);
    const Checkpoint saved = load_state(directory_ / "state", second.model());
    second.continue_from(saved.state, saved.frame);
    EXPECT_EQ(whole.advance_frame().hash, second.advance_frame().hash);
}

} // namespace
} // namespace muslin
