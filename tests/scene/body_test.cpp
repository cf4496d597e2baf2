// Bodies: what the scene says of them reaches the description and the model.

#include "scene/scene_testing.h"

#include "muslin/io/animation_writer.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/scene/build_scene.h"

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;
using testing::with_sheet;

TEST(Bodies, HaveDefaults) {
    const SceneDescription scene = parse(with_sheet("[[body]]\nmesh = { type = \"box\" }\n"));
    const BodyDescription& body = scene.bodies.at(0);
    EXPECT_FALSE(body.friction);
    EXPECT_EQ(body.thickness, 0);
    EXPECT_FALSE(body.animation);
    const Body built = build_scene(scene).model.bodies.at(0);
    EXPECT_FALSE(built.friction);
    EXPECT_FALSE(is_moving(built));
    EXPECT_EQ(built.triangles.size(), 12u);
}

TEST(Bodies, ReachTheModel) {
    const Body body = build_scene(parse(with_sheet(R"(
[[body]]
name = "block"
mesh = { type = "box" }
position = [0, 1, 0]
friction = 0.7
thickness = 0.002
[body.motion]
translation = [{ t = 0, value = [0, 0, 0] }, { t = 2, value = [0, -1, 0] }]
rotation = [0, 90, 0]
pivot = [0, 1, 0]
)")))
                          .model.bodies.at(0);
    EXPECT_EQ(body.name, "block");
    EXPECT_EQ(body.friction, 0.7);
    EXPECT_EQ(body.thickness, 0.002);
    EXPECT_TRUE(is_moving(body));
    std::vector<Vec3> x(body.mesh.positions.size());
    body_positions(body, 1, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 p = body.mesh.positions[i];
        EXPECT_LT(norm(x[i] - Vec3{p.z, p.y - 0.5, -p.x}), 1e-14);
    }
}

TEST(Bodies, RefuseWhatMakesNoSense) {
    const auto problem = [](const std::string& line) {
        return problem_in(with_sheet("[[body]]\nmesh = { type = \"box\" }\n" + line + "\n"));
    };
    EXPECT_EQ(problem("friction = -1").key, "body[0].friction");
    EXPECT_EQ(problem("thickness = -1e-3").key, "body[0].thickness");
    EXPECT_EQ(problem("thickness = 2").key, "body[0].thickness"); // millimetres are not metres
    EXPECT_EQ(problem("motion = { turn = 3 }").key, "body[0].motion.turn");
    EXPECT_EQ(problem("animation = \"nowhere.pc2\"").key, "body[0].animation");
    EXPECT_EQ(problem("animation = { frame_rate = 24 }").key, "body[0].animation.path");
    EXPECT_EQ(problem("[contact]\nallow_tangled = 1").key, "contact.allow_tangled");
    EXPECT_EQ(problem("[contact]\nuntangle = \"yes\"").key, "contact.untangle");
    EXPECT_EQ(problem("[limits]\nbody_penetration_max = -1").key, "limits.body_penetration_max");
}

TEST(LevelSets, RefuseWhatMakesNoSense) {
    const auto problem = [](const std::string& lines) { return problem_in(with_sheet(lines)); };
    EXPECT_EQ(problem("[level_sets]\nvoxel = 0\n").key, "level_sets.voxel");
    EXPECT_EQ(problem("[level_sets]\nvoxel = 2\n").key, "level_sets.voxel"); // millimetres
    EXPECT_EQ(problem("[level_sets]\nband = -1\n").key, "level_sets.band");
    EXPECT_EQ(problem("[level_sets]\nvoxel = 0.01\nband = 0.02\n").key, "level_sets.band");
    EXPECT_EQ(problem("[level_sets]\ncache = \"\"\n").key, "level_sets.cache");
    EXPECT_EQ(problem("[level_sets]\ncache = true\n").key, "level_sets.cache");
    EXPECT_EQ(problem("[level_sets]\nvoxels = 1e-3\n").key, "level_sets.voxels");
    EXPECT_EQ(problem("[contact]\nrelaxation = -1\n").key, "contact.relaxation");
    EXPECT_EQ(problem("[contact]\nrelaxation = 20\n").key, "contact.relaxation"); // milliseconds
    EXPECT_EQ(problem("[contact]\nsphere_radius = -1\n").key, "contact.sphere_radius");
    EXPECT_EQ(problem("[contact]\nsphere_radius = 5\n").key, "contact.sphere_radius"); // mm
    EXPECT_EQ(problem("[contact]\nbodies = \"spikes\"\n").key, "contact.bodies");
    for (const std::string key : {"test", "volume", "resolve_at", "friction_law", "self_response"})
        EXPECT_EQ(problem("[contact]\n" + key + " = \"spikes\"\n").key, "contact." + key);
}

TEST(LevelSets, AFolderIsBesideTheSceneThatNamesIt) {
    const auto cache = [](const char* text) {
        return parse_scene(with_sheet(text), "scene.toml", "somewhere", "test", {},
                           {.allow_outside = true})
            .level_sets.cache;
    };
    EXPECT_EQ(cache("[level_sets]\ncache = \"grids\"\n"), "somewhere/grids");
    EXPECT_EQ(cache("[level_sets]\ncache = \"/grids\"\n"), "/grids");
    const std::vector<std::string> overrides = {"level_sets.cache=grids", "level_sets.voxel=0.01"};
    const SceneDescription scene = parse_scene(with_sheet("recipe = \"bridson03\"\n"), "scene.toml",
                                               "somewhere", "test", overrides);
    EXPECT_EQ(scene.level_sets.cache, "grids") << "beside whoever gave it";
    EXPECT_EQ(scene.level_sets.voxel, 0.01);
}

TEST(Bodies, RepeatedClothsRefuseNamesThatAreTaken) {
    const Problem problem = problem_in("[[cloth]]\nname = \"a1\"\nmesh = { type = \"grid\" }\n"
                                       "[[cloth]]\nname = \"a\"\nmesh = { type = \"grid\" }\n"
                                       "repeat = { count = 2 }\n");
    EXPECT_EQ(problem.where.line, 7);
    EXPECT_EQ(problem.found, "\"a1\"");
    EXPECT_EQ(
        problem_in("[[cloth]]\nmesh = { type = \"grid\" }\nrepeat = { offset = [0, 1, 0] }\n").key,
        "cloth[0].repeat.count");
}

TEST(Bodies, OfRevolution) {
    const auto text = [](const std::string& profile) {
        return with_sheet("[[body]]\nmesh = { type = \"revolution\", profile = " + profile +
                          ", segments = 9 }\n");
    };
    const Body cone = build_scene(parse(text("[[0, 0], [1, 0], [0, 2]]"))).model.bodies.at(0);
    EXPECT_EQ(cone.mesh.positions.size(), 11u);
    EXPECT_EQ(cone.triangles.size(), 18u);
    EXPECT_EQ(problem_in(text("[[0, 0], [0, 2]]")).key, "body[0].mesh.profile");
    EXPECT_EQ(problem_in(text("[[0, 0], [0, 2]]")).where.line, 4);
    EXPECT_EQ(problem_in(text("[[0, 0], [1, 2, 3]]")).key, "body[0].mesh.profile[1]");
}

TEST(Bodies, ResolutionStandsAlone) {
    const Problem problem =
        problem_in("[[cloth]]\nmesh = { type = \"grid\", resolution = 5, rows = 3 }\n");
    EXPECT_EQ(problem.key, "cloth[0].mesh.resolution");
}

// A body of a mesh file in centimetres with z up, and a cache of two samples of it.
class AnimatedBody : public ::testing::Test {
protected:
    AnimatedBody() {
        PolygonMesh box = make_box({});
        for (Vec3& p : box.positions)
            p = 100.0 * Vec3{p.x, -p.z, p.y};
        points_ = static_cast<int>(box.positions.size());
        write_mesh(folder_.path() / "box.obj", box);
        Pc2Writer writer(folder_.path() / "box.pc2", points_);
        for (double height : {0.0, 30.0}) {
            std::vector<Vec3> x = box.positions;
            for (Vec3& p : x)
                p.z += height;
            writer.append(x);
        }
    }
    std::string scene(const std::string& animation) const {
        return folder_.write("scene.toml",
                             with_sheet("[time]\nframe_rate = 10\n[[body]]\nname = \"box\"\n"
                                        "mesh = { path = \"box.obj\", unit = \"cm\", up = \"z\" }\n"
                                        "position = [0, 2, 0]\nscale = 0.5\nanimation = " +
                                        animation + "\n"));
    }
    testing::TemporaryFolder folder_;
    int points_ = 0;
};

TEST_F(AnimatedBody, IsPlacedAsItsMeshIs) {
    const Body body = build_scene(load_scene(scene("\"box.pc2\""))).model.bodies.at(0);
    EXPECT_TRUE(is_moving(body));
    ASSERT_EQ(body.frames.size(), 2u);
    std::vector<Vec3> x(body.mesh.positions.size());
    for (double time : {0.0, 0.05, 0.1, 3.0}) {
        body_positions(body, time, x);
        const double rise = 0.15 * std::min(1.0, 10 * time);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_LT(norm(x[i] - body.mesh.positions[i] - Vec3{0, rise, 0}), 1e-6) << time;
    }
}

TEST_F(AnimatedBody, KeepsItsOwnRate) {
    const Body body = build_scene(load_scene(scene("{ path = \"box.pc2\", frame_rate = 24 }")))
                          .model.bodies.at(0);
    EXPECT_EQ(body.frame_rate, 24);
}

// MDD has the times of its frames: 0.2 s apart here, in a scene of 10 Hz.
TEST_F(AnimatedBody, MddBringsItsTimes) {
    const auto cache =
        open_animation(folder_.path() / "box.pc2", {.mesh = {}, .frame_rate = 5, .clip = {}});
    write_animation(AnimationFormat::mdd, folder_.path() / "box.mdd", *cache);
    const auto built = [&](const std::string& animation) {
        return build_scene(load_scene(scene(animation))).model.bodies.at(0);
    };
    const Body body = built("\"box.mdd\""), same = built("\"box.pc2\"");
    EXPECT_EQ(body.frame_rate, 5);
    EXPECT_EQ(built("{ path = \"box.mdd\", frame_rate = 24 }").frame_rate, 24);
    ASSERT_EQ(body.frames.size(), 2u);
    EXPECT_EQ(norm(body.frames[1][3] - same.frames[1][3]), 0);
}

TEST_F(AnimatedBody, RefusesCachesThatDoNotFit) {
    Pc2Writer(folder_.path() / "other.pc2", 5).append(std::vector<Vec3>(5, Vec3{0, 0, 0}));
    const Problem count = problem_of([&] { build_scene(load_scene(scene("\"other.pc2\""))); });
    EXPECT_EQ(count.key, "body 'box': animation");
    EXPECT_EQ(count.where.line, 10);
    EXPECT_NE(count.expected.find(std::to_string(points_)), std::string::npos) << count.expected;
    EXPECT_NE(count.found.find("5 in"), std::string::npos) << count.found;
    Pc2Writer(folder_.path() / "empty.pc2", points_);
    EXPECT_EQ(problem_of([&] { build_scene(load_scene(scene("\"empty.pc2\""))); }).expected,
              "a point cache with at least one sample");
    folder_.write("broken.pc2", "not a cache, but long enough to hold the head of one");
    EXPECT_EQ(problem_of([&] { build_scene(load_scene(scene("\"broken.pc2\""))); }).key, "head");
    EXPECT_EQ(problem_of([&] { load_scene(scene("\"box.obj\"")); }).key, "body[0].animation");
}

} // namespace
} // namespace muslin
