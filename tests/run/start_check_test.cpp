// Starts that are tangled are found, told in the user's own numbers, and refused unless allowed.
#include "muslin/engine/start_check.h"

#include "muslin/base/error.h"
#include "muslin/engine/start.h"
#include "muslin/io/mesh_file.h"
#include "muslin/run/run.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"
#include "test_data.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;

SceneDescription scene_of(const std::string& text) {
    return parse_scene(text, "test.toml", ".", "test", {}, {.allow_outside = true});
}

std::vector<Tangle> tangles_of(const std::string& text) {
    const BuiltScene built = build_scene(scene_of(text));
    return find_tangles(built.model, built.start);
}

std::string refusal(const SceneDescription& scene) {
    const BuiltScene built = build_scene(scene);
    try {
        check_start(scene, built.model, built.start);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

// Two sheets of two triangles each, y = 0 and x = 0.1, which cross along a line.
const char* const crossing_sheets = R"(
[[cloth]]
name = "flat"
mesh = { type = "grid", columns = 2, rows = 2 }
[[cloth]]
name = "upright"
mesh = { type = "grid", columns = 2, rows = 2 }
position = [0.1, 0, 0]
rotation = [0, 0, 90]
)";

TEST(Tangles, OfTwoClothsAreToldByTheirNames) {
    const std::vector<Tangle> tangles = tangles_of(crossing_sheets);
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_EQ(tangles[0].cloth, "flat");
    EXPECT_EQ(tangles[0].other, "upright");
    EXPECT_FALSE(tangles[0].is_body);
    EXPECT_GE(tangles[0].pairs, 3u);
    EXPECT_EQ(tangles[0].faces.size(), 3u);
    for (const auto& [a, b] : tangles[0].faces) {
        EXPECT_LT(a, 2) << "numbers of each cloth's own faces";
        EXPECT_LT(b, 2);
    }
    const std::string text = describe(tangles[0]);
    EXPECT_NE(text.find("cloth 'flat' crosses cloth 'upright' in "), std::string::npos) << text;
    EXPECT_NE(text.find("the first near ("), std::string::npos) << text;
}

TEST(Tangles, AreToldInTheFacesOfTheUsersMesh) {
    // A file of quads: triangle 2k and 2k + 1 come of face k. The last one is bent through the
    // first.
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "muslin_tangled_strip.obj";
    PolygonMesh strip;
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{2, 0.5, 0}, Vec3{2, 1, 0},
                          Vec3{0.5, 0.2, 0}, Vec3{0.5, -1, 0}})
        for (double z : {0.0, 1.0})
            strip.positions.push_back({p.x, p.y, z});
    for (int k = 0; k < 5; ++k) {
        for (int v : {2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2})
            strip.corner_vertex.push_back(v);
        strip.face_begin.push_back(4 * (k + 1));
    }
    write_mesh(file, strip);
    const std::vector<Tangle> tangles = tangles_of("[[cloth]]\nmesh = \"" + file.string() + "\"\n");
    std::filesystem::remove(file);
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_EQ(tangles[0].other, "cloth");
    for (auto [a, b] : tangles[0].faces) {
        EXPECT_EQ(std::min(a, b), 0);
        EXPECT_EQ(std::max(a, b), 4);
    }
    EXPECT_NE(describe(tangles[0]).find("crosses itself"), std::string::npos);
}

TEST(Tangles, WithABodyCountWhatIsInside) {
    // One vertex of the sheet, its middle, is in the box.
    const std::vector<Tangle> tangles = tangles_of(R"(
[[cloth]]
name = "sheet"
mesh = { type = "grid", columns = 3, rows = 3 }
[[body]]
name = "block"
mesh = { type = "box", size = [0.2, 0.2, 0.2] }
position = [0, 0.05, 0]
)");
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_TRUE(tangles[0].is_body);
    EXPECT_EQ(tangles[0].other, "block");
    EXPECT_GT(tangles[0].pairs, 0u);
    EXPECT_EQ(tangles[0].inside, 1u);
    EXPECT_EQ(tangles[0].deepest, 4);
    EXPECT_NEAR(tangles[0].depth, 0.05, 1e-14);
}

TEST(Tangles, ClothWhollyInsideABodyIsFound) {
    const std::vector<Tangle> tangles = tangles_of(R"(
[[cloth]]
name = "sheet"
mesh = { type = "grid", columns = 3, rows = 3 }
[[body]]
name = "room"
mesh = { type = "box", size = [2, 2, 2] }
)");
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_EQ(tangles[0].pairs, 0u);
    EXPECT_EQ(tangles[0].inside, 9u);
    const std::string text = describe(tangles[0]);
    EXPECT_NE(text.find("cloth 'sheet' has 9 vertices inside body 'room'"), std::string::npos)
        << text;
}

TEST(Tangles, BodiesCountWhereTheirMotionStarts) {
    const std::string text = R"(
[[cloth]]
mesh = { type = "grid", columns = 3, rows = 3 }
[[body]]
mesh = { type = "box" }
motion = { translation = [{ t = 0, value = [0, -2, 0] }, { t = 1, value = [0, 0, 0] }] }
)";
    EXPECT_TRUE(tangles_of(text).empty());
}

TEST(CheckStart, RefusesTanglesUnlessAllowed) {
    SceneDescription scene = scene_of(crossing_sheets);
    const std::string message = refusal(scene);
    EXPECT_EQ(message.rfind("test.toml:2", 0), 0u) << message;
    EXPECT_NE(message.find("allow_tangled"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    scene.contact.allow_tangled = true;
    EXPECT_EQ(refusal(scene), "");
    const BuiltScene built = build_scene(scene);
    EXPECT_EQ(check_start(scene, built.model, built.start).size(), 1u);
}

TEST(CheckStart, TellsOfWhatSeparates) {
    const std::string message = refusal(scene_of(crossing_sheets));
    EXPECT_NE(message.find("muslin untangle"), std::string::npos) << message;
    EXPECT_NE(message.find("contact.untangle"), std::string::npos) << message;
}

// Two sheets that cross; the lower one is pinned along an edge.
const char* const to_be_untangled = R"(
[contact]
untangle = true
[time]
frames = 1
[[cloth]]
name = "flat"
mesh = { type = "irregular", width = 0.3, depth = 0.3, vertices = 150 }
[[cloth]]
name = "steep"
mesh = { type = "irregular", width = 0.2, depth = 0.2, vertices = 80 }
position = [0.05, 0.07, 0]
rotation = [20, 0, 80]
[[pin]]
cloth = "flat"
vertices = [0, 1, 2, 3]
)";

TEST(UntangleStart, SeparatesAStartThatAsksForItWithEveryRecipe) {
    for (const Recipe& recipe : recipes()) {
        SCOPED_TRACE(recipe.name);
        const SceneDescription scene =
            scene_of("recipe = \"" + recipe.name + "\"\n" + to_be_untangled);
        const BuiltScene tangled = build_scene(scene);
        ASSERT_FALSE(find_tangles(tangled.model, tangled.start).empty());
        Simulation simulation(scene);
        EXPECT_TRUE(find_tangles(simulation.model(), simulation.state()).empty());
        EXPECT_TRUE(check_start(scene, simulation.model(), simulation.state()).empty());
        ASSERT_TRUE(simulation.untangled().has_value());
        EXPECT_EQ(simulation.untangled()->before.size(), 1u);
        EXPECT_TRUE(simulation.untangled()->left.empty());
        for (int p : simulation.conditions().pins.front().particles)
            EXPECT_EQ(norm(simulation.state().positions[p] - tangled.start.positions[p]), 0);
        simulation.advance_frame();
        EXPECT_TRUE(find_tangles(simulation.model(), simulation.state()).empty());
    }
}

TEST(UntangleStart, LeavesSoundStartsToTheBit) {
    SceneDescription scene = scene_of("[[cloth]]\nmesh = { type = \"grid\", resolution = 11 }\n");
    const BuiltScene plain = build_start(scene);
    scene.contact.untangle = true;
    std::optional<StartUntangling> done;
    const BuiltScene asked = build_start(scene, &done);
    EXPECT_FALSE(done.has_value());
    for (std::size_t i = 0; i < plain.start.positions.size(); ++i)
        EXPECT_EQ(norm(plain.start.positions[i] - asked.start.positions[i]), 0);
}

TEST(CheckStart, RefusesALimitThatNothingCanBeHeldTo) {
    const std::string text = "[limits]\nbody_penetration_max = 0\n[[cloth]]\nmesh = { type = "
                             "\"grid\" }\n";
    const std::string open = "[[body]]\nmesh = { type = \"grid\" }\nposition = [0, -1, 0]\n";
    const std::string closed = "[[body]]\nmesh = { type = \"box\" }\nposition = [0, -3, 0]\n";
    EXPECT_EQ(refusal(scene_of(text)), "");
    EXPECT_NE(refusal(scene_of(text + open)).find("limits.body_penetration_max"),
              std::string::npos);
    EXPECT_EQ(refusal(scene_of(text + open + closed)), "");
}

TEST(CheckStart, RunWritesNothingOfATangledScene) {
    const std::filesystem::path directory =
        std::filesystem::path(::testing::TempDir()) / "muslin_tangled_run";
    std::filesystem::remove_all(directory);
    SceneDescription scene =
        scene_of(std::string("parts = { contact = \"none\" }\n") + crossing_sheets);
    scene.time.frames = 1;
    RunOptions options;
    options.directory = directory;
    std::vector<std::string> warnings;
    options.warn = [&](const std::string& text) { warnings.push_back(text); };
    EXPECT_THROW(run_scene(scene, options), InputError);
    EXPECT_FALSE(std::filesystem::exists(directory));
    scene.contact.allow_tangled = true;
    run_scene(scene, options);
    EXPECT_EQ(warnings.size(), 1u);
    std::filesystem::remove_all(directory);
}

// Cubes of a set for collision tests, as a scene; they come with vertices in no triangle, left out
// here. The mesh is written to `copy`.
std::string cube_scene(const std::filesystem::path& file, const std::filesystem::path& copy) {
    PolygonMesh mesh = read_mesh(file);
    std::vector<int> number(mesh.positions.size(), -1);
    std::vector<Vec3> used;
    for (int& v : mesh.corner_vertex) {
        if (number[v] < 0) {
            number[v] = static_cast<int>(used.size());
            used.push_back(mesh.positions[v]);
        }
        v = number[v];
    }
    mesh.positions = used;
    write_mesh(copy, mesh);
    return "[[cloth]]\nname = \"cubes\"\nmesh = \"" + copy.string() + "\"\n";
}

std::filesystem::path copy_of(const std::filesystem::path& file) {
    return std::filesystem::path(::testing::TempDir()) /
           ("muslin_" + file.stem().string() + ".obj");
}

std::vector<Tangle> cube_tangles(const std::filesystem::path& file) {
    const std::filesystem::path copy = copy_of(file);
    const std::vector<Tangle> tangles = tangles_of(cube_scene(file, copy));
    std::filesystem::remove(copy);
    return tangles;
}

TEST(Tangles, OfTwoCubesThatIntersect) {
    MUSLIN_NEED_DATA(file, "ccd/two-cubes-intersecting.ply");
    const std::vector<Tangle> tangles = cube_tangles(file);
    ASSERT_EQ(tangles.size(), 1u);
    EXPECT_EQ(tangles[0].other, "cubes");
    EXPECT_GT(tangles[0].pairs, 10u);
}

TEST(Tangles, ARunThatAllowsThemDrawsThemApart) {
    MUSLIN_NEED_DATA(file, "ccd/two-cubes-intersecting.ply");
    const std::filesystem::path copy = copy_of("drawn_apart.ply");
    SceneDescription scene =
        scene_of(cube_scene(file, copy) + "material = { base = \"cotton\", thickness = 0.02 }\n"
                                          "[world]\ngravity = [0, 0, 0]\n"
                                          "[contact]\nallow_tangled = true\n");
    Simulation simulation(scene);
    std::filesystem::remove(copy);
    const Judge judge(simulation.model());
    EXPECT_GT(judge.judge(simulation.state().positions, 0).self_intersections, 10);
    FrameReport frame;
    // When the last corner comes free is chance: 75 to 170 frames at tolerances near the default.
    for (int k = 0; k < 200; ++k)
        frame = simulation.advance_frame();
    const Verdict end = judge.judge(simulation.state().positions, simulation.state().time);
    EXPECT_EQ(end.self_intersections, 0);
    EXPECT_EQ(frame.crossings, 0);
    EXPECT_LT(end.stretch_max, 1.1);
}

TEST(Tangles, NoneOfTwoCubesThatAreClose) {
    MUSLIN_NEED_DATA(file, "ccd/two-cubes-close.ply");
    EXPECT_TRUE(cube_tangles(file).empty());
}

} // namespace
