#include "samples.h"

#include <gtest/gtest.h>

using samples::Folder;
using samples::hash_after;

// What a program gives as arrays computes with the bits of the files that hold the same numbers.

TEST(Scene, ADrapeFromArraysHasTheBitsOfOneFromFiles) {
    const Folder folder;
    muslin::Mesh sheet = samples::sheet(21);
    muslin::write_mesh(folder.path() / "sheet.obj", sheet);
    muslin::write_mesh(folder.path() / "ball.obj",
                       muslin::make_mesh("{ type = 'sphere', radius = 0.2 }"));
    folder.write("drape.toml", R"(
[time]
max_step = 0.01
[[cloth]]
name = "sheet"
mesh = { path = "sheet.obj", rest = "texcoords" }
material = { base = "silk-charmeuse", bend_u = 2e-7 }
velocity = [0, -0.5, 0]
[[body]]
name = "ball"
mesh = "ball.obj"
position = [0, -0.25, 0.1]
friction = 0.4
)");
    muslin::Scene given("drape");
    given.settings({.max_step = 0.01})
        .add(muslin::Cloth{.name = "sheet",
                           .mesh = sheet,
                           .material = {.base = "silk-charmeuse", .bend_u = 2e-7},
                           .velocity = {0, -0.5, 0}})
        .add(muslin::Body{.name = "ball",
                          .mesh = muslin::make_mesh("{ type = 'sphere', radius = 0.2 }"),
                          .position = {0, -0.25, 0.1},
                          .friction = 0.4});
    const std::string hash = hash_after(given, 8);
    EXPECT_EQ(hash, hash_after(muslin::Scene::load((folder.path() / "drape.toml").string()), 8));
    EXPECT_NE(hash, hash_after(given.set("cloth.sheet.material.bend_u", 3e-7), 8));
}

TEST(Scene, APinnedSheetWithRegionsHasTheBitsOfOneFromFiles) {
    const Folder folder;
    const muslin::Mesh sheet = samples::sheet(11);
    muslin::write_mesh(folder.path() / "sheet.obj", sheet);
    const std::string tables = R"(
[[weight]]
region = "hem"
mass = 0.05
)";
    folder.write("pinned.toml", R"(
[[cloth]]
name = "sheet"
mesh = { path = "sheet.obj", rest = "texcoords" }
[[region]]
name = "hem"
cloth = "sheet"
vertices = [110, 111, 112]
[[pin]]
name = "rail"
cloth = "sheet"
group = "edge"
end = 0.15
)" + tables);
    muslin::Scene given("pinned");
    given.add(muslin::Cloth{.name = "sheet", .mesh = sheet})
        .add(muslin::Region{.name = "hem", .vertices = {110, 111, 112}})
        .add(muslin::Pin{.name = "rail", .group = "edge", .end = 0.15})
        .add_tables(tables);
    EXPECT_EQ(hash_after(given, 8),
              hash_after(muslin::Scene::load((folder.path() / "pinned.toml").string()), 8));
    muslin::Simulation simulation(given);
    EXPECT_EQ(simulation.pin_vertices("rail").size(), 22u); // two rows
}

TEST(Scene, AGarmentFromAPatternHasTheBitsOfOneFromFiles) {
    const auto half = [](const char* name, double z) {
        return muslin::Panel{.name = name,
                             .points = {{-0.28, -0.4}, {0.28, -0.4}, {0.2, 0}, {-0.2, 0}},
                             .edges = {{"hem"}, {"right"}, {"waist", {{0, -0.02}}}, {"left"}},
                             .position = {0, 0.9, z},
                             .rotation = {0, z < 0 ? 180.0 : 0.0, 0}};
    };
    const muslin::Pattern skirt = {
        .name = "skirt",
        .panels = {half("front", 0.3), half("back", -0.3)},
        .stitches = {{"front.right", "back.left"}, {"front.left", "back.right", 1}}};
    const std::string cone = "{ type = \"revolution\", segments = 12, profile = "
                             "[[0, 0], [0.2, 0], [0.2, 0.4], [0.08, 1.1], [0, 1.1]] }";
    const Folder folder;
    folder.write("skirt.toml", muslin::to_text(skirt));
    folder.write("scene.toml", R"(
[dressing]
sew = 4
settle = 0.1
preroll = 0.1
cache = "none"
[[body]]
name = "cone"
mesh = )" + cone + R"(
[[garment]]
name = "skirt"
pattern = "skirt.toml"
resolution = 0.08
material = "denim"
)");
    muslin::Scene given("scene");
    given.set("dressing.sew", 4.0)
        .set("dressing.settle", 0.1)
        .set("dressing.preroll", 0.1)
        .set("dressing.cache", "none")
        .add(muslin::Body{.name = "cone", .source = cone})
        .add(muslin::Garment{
            .name = "skirt", .pattern = skirt, .resolution = 0.08, .material = {.base = "denim"}});
    const auto dressed = [](const muslin::Scene& scene) {
        muslin::Simulation simulation(scene);
        int told = 0;
        simulation.dress([&](const muslin::Progress&) { ++told; });
        EXPECT_GT(told, 3);
        EXPECT_EQ(simulation.frame(), 0);
        return simulation.step_frame();
    };
    const muslin::FrameReport report = dressed(given);
    EXPECT_EQ(report.hash,
              dressed(muslin::Scene::load((folder.path() / "scene.toml").string())).hash);
    EXPECT_EQ(report.seams_open, 0);
}

TEST(Scene, AStartFromAnArrayHasTheBitsOfOneFromAFile) {
    const Folder folder;
    const muslin::Mesh sheet = samples::sheet(6);
    muslin::Mesh bent = sheet;
    for (muslin::Vec3& p : bent.positions)
        p.y += 0.1 * p.x * p.x;
    muslin::write_mesh(folder.path() / "bent.obj", bent);
    muslin::Scene from_file, from_array;
    from_file.add(muslin::Cloth{.mesh = sheet})
        .add_tables("[[start]]\npath = \"" + (folder.path() / "bent.obj").string() + "\"");
    from_array.add(muslin::Cloth{.mesh = sheet, .start = bent.positions});
    EXPECT_EQ(hash_after(from_array, 2), hash_after(from_file, 2));
    EXPECT_NEAR(muslin::Simulation(from_array).positions("cloth")[0].y, 0.025, 1e-15);
}

TEST(Scene, SeamsAndJoinsOfArraysDrawClothsTogether) {
    // Two sheets side by side, 2 cm apart; that on the right is sewn to that on the left.
    muslin::Mesh sheet = samples::sheet(5);
    std::vector<int> right, left;
    for (int row = 0; row < 5; ++row) {
        left.push_back(5 * row);
        right.push_back(5 * row + 4);
    }
    muslin::Scene scene;
    scene.set("world.gravity", muslin::Vec3{})
        .add(muslin::Cloth{.name = "a", .mesh = sheet})
        .add(muslin::Cloth{.name = "b", .mesh = sheet, .position = {1.02, 0, 0}})
        .add(muslin::Region{.name = "a-side", .cloth = "a", .vertices = right})
        .add(muslin::Region{.name = "b-side", .cloth = "b", .vertices = left});
    muslin::Scene sewn = scene, joined = scene;
    sewn.add(muslin::Seam{.first = "a-side", .second = "b-side"});
    muslin::Simulation simulation(sewn);
    EXPECT_EQ(simulation.step_frame().seams_open, 5);
    for (int frame = 0; frame < 60 && simulation.report().seams_open > 0; ++frame)
        simulation.step_frame();
    EXPECT_EQ(simulation.report().seams_open, 0);
    const double gap = simulation.positions("b")[0].x - simulation.positions("a")[4].x;
    EXPECT_EQ(gap, 0);

    joined.add(muslin::Join{.regions = {"a-side", "b-side"}, .distance = 0.03});
    EXPECT_EQ(muslin::Simulation(joined).positions("b")[0].x,
              muslin::Simulation(joined).positions("a")[4].x);
}

TEST(Scene, IsAValue) {
    const muslin::Scene first = samples::drape(6);
    muslin::Scene second = first;
    second.set("time.frame_rate", 60);
    EXPECT_NE(hash_after(first, 2), hash_after(second, 2));
    EXPECT_EQ(hash_after(first, 2), hash_after(samples::drape(6), 2));
    EXPECT_EQ(first.cloths(), std::vector<std::string>{"sheet"});
    EXPECT_EQ(first.bodies(), std::vector<std::string>{"ball"});
    EXPECT_EQ(first.name(), "drape");
}

TEST(Scene, BuiltInOnesAreChangedByKeys) {
    muslin::Scene scene = muslin::Scene::load("two-corner-sheet");
    scene.set("cloth.sheet.mesh.vertices", 200).set("solver.accuracy", 0.05).part("air", "none");
    muslin::Simulation simulation(scene);
    EXPECT_EQ(simulation.positions("sheet").size(), 200u);
    for (const std::string& name : muslin::scene_names())
        if (name.find("two-corner-sheet") != std::string::npos)
            return;
    FAIL() << "two-corner-sheet is not in the list";
}

TEST(Mesh, KeepsWhatItIsGivenOnTheWayThroughAFile) {
    const Folder folder;
    const muslin::Mesh sheet = samples::sheet(4);
    muslin::write_mesh(folder.path() / "sheet.obj", sheet);
    const muslin::Mesh read = muslin::make_mesh(
        "{ path = '" + (folder.path() / "sheet.obj").string() + "', rest = 'texcoords' }");
    EXPECT_EQ(read.corners, sheet.corners);
    EXPECT_EQ(read.sizes, sheet.sizes);
    EXPECT_EQ(read.groups, sheet.groups);
    ASSERT_EQ(read.uv.size(), sheet.uv.size());
    for (std::size_t v = 0; v < sheet.uv.size(); ++v) {
        EXPECT_EQ(read.uv[v].x, sheet.uv[v].x);
        EXPECT_EQ(read.positions[v].z, sheet.positions[v].z);
    }
    const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}};
    EXPECT_EQ(muslin::triangle_mesh(sheet.positions, triangles).corners,
              (std::vector<int>{0, 1, 2}));
}

TEST(Material, NumbersOfAFabricMakeTheFabric) {
    const auto numbers = muslin::material_numbers("silk-charmeuse");
    EXPECT_GT(numbers.at("density"), 0.01);
    EXPECT_LT(numbers.at("density"), 0.3);
    muslin::Material changed{.base = "cotton"};
    changed.others = numbers;
    muslin::Scene silk, same;
    silk.add(muslin::Cloth{.mesh = samples::sheet(6), .material = {.base = "silk-charmeuse"}})
        .add(muslin::Pin{.vertices = {0, 5}});
    same.add(muslin::Cloth{.mesh = samples::sheet(6), .material = changed})
        .add(muslin::Pin{.vertices = {0, 5}});
    EXPECT_EQ(hash_after(silk, 3), hash_after(same, 3));
    EXPECT_GE(muslin::material_names().size(), 5u);
}
