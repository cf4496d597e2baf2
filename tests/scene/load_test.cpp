// Good input: what the user wrote reaches the description.

#include "scene/scene_testing.h"
#include "test_data.h"

#include "muslin/scene/builtin.h"

namespace muslin {
namespace {

using testing::parse;
using testing::with_sheet;

void expect_vec(const Vec3& v, double x, double y, double z) {
    EXPECT_DOUBLE_EQ(v.x, x);
    EXPECT_DOUBLE_EQ(v.y, y);
    EXPECT_DOUBLE_EQ(v.z, z);
}

TEST(Load, SmallestSceneHasDefaults) {
    const SceneDescription scene = parse("[[cloth]]\nmesh = { type = \"grid\" }\n");
    EXPECT_EQ(scene.name, "test");
    EXPECT_EQ(scene.recipe, "muslin");
    EXPECT_EQ(scene.time.frames, 75);
    EXPECT_DOUBLE_EQ(scene.world.gravity.y, -9.81);
    ASSERT_EQ(scene.cloths.size(), 1u);
    EXPECT_EQ(scene.cloths[0].name, "cloth");
    EXPECT_EQ(scene.cloths[0].material.name, "cotton");
    EXPECT_FALSE(scene.limits.stretch_max);
    EXPECT_FALSE(scene.limits.body_intersections);
    EXPECT_FALSE(scene.limits.body_penetration_max);
    EXPECT_FALSE(scene.contact.allow_tangled);
    EXPECT_FALSE(scene.contact.untangle);
    EXPECT_EQ(scene.contact.relaxation, 0.01);
    EXPECT_EQ(scene.contact.sphere_radius, 0);
    EXPECT_EQ(scene.contact.bodies, BodyMeeting::sweep);
    EXPECT_EQ(scene.contact.test, PairTest::triangles);
    EXPECT_EQ(scene.contact.volume, PairVolume::boxes);
    EXPECT_EQ(scene.contact.resolve_at, ResolveAt::step);
    EXPECT_EQ(scene.contact.friction_law, FrictionLaw::coulomb);
    EXPECT_EQ(scene.contact.self_response, SelfResponse::conserving);
    EXPECT_EQ(scene.level_sets.voxel, 0);
    EXPECT_EQ(scene.level_sets.band, 0);
    EXPECT_EQ(scene.level_sets.cache, "auto");
    EXPECT_FALSE(scene.post.enabled);
    EXPECT_FALSE(scene.post.epsilon || scene.post.tau || scene.post.depth);
    EXPECT_EQ(scene.post.subdivide, 0);
    EXPECT_EQ(scene.cloths[0].where.line, 1);
}

TEST(Load, TopLevelTables) {
    const SceneDescription scene = parse(R"(
name = "windy"
title = "A test"
recipe = "bw98"
[world]
gravity = [0, -1, 0]
wind = [{ t = 0, value = [0, 0, 0] }, { t = 2, value = [4, 0, 0] }]
air_density = 1
drag_coefficient = 2
linear_drag = 0.5
[time]
frames = 10
frame_rate = 24
max_step = 0.02
min_step = 1e-5
stretch_change_limit = 0.1
[solver]
tolerance = 1e-6
max_iterations = 99
preconditioner = "diagonal"
newton_iterations = 3
[limits]
stretch_max = 1.05
stretch_min = 0.95
self_intersections = 0
body_intersections = 2
body_penetration_max = 0.003
[contact]
allow_tangled = true
untangle = true
[level_sets]
voxel = 0.004
band = 0.03
cache = "none"
[post]
enabled = true
epsilon = 0.001
tau = 0.009
depth = 0.002
subdivide = 2
[[cloth]]
mesh = { type = "grid" }
)");
    EXPECT_EQ(scene.name, "windy");
    EXPECT_EQ(scene.title, "A test");
    expect_vec(scene.world.gravity, 0, -1, 0);
    expect_vec(scene.world.wind.at(1), 2, 0, 0);
    EXPECT_EQ(scene.world.air_density, 1);
    EXPECT_EQ(scene.world.drag_coefficient, 2);
    EXPECT_EQ(scene.world.linear_drag, 0.5);
    EXPECT_EQ(scene.time.frames, 10);
    EXPECT_EQ(scene.time.frame_rate, 24);
    EXPECT_EQ(scene.time.max_step, 0.02);
    EXPECT_EQ(scene.time.min_step, 1e-5);
    EXPECT_EQ(scene.time.stretch_change_limit, 0.1);
    EXPECT_EQ(scene.solver.tolerance, 1e-6);
    EXPECT_EQ(scene.solver.max_iterations, 99);
    EXPECT_EQ(scene.solver.preconditioner, Preconditioner::diagonal);
    EXPECT_EQ(scene.solver.newton_iterations, 3);
    EXPECT_EQ(scene.limits.stretch_max, 1.05);
    EXPECT_EQ(scene.limits.stretch_min, 0.95);
    EXPECT_EQ(scene.limits.self_intersections, 0);
    EXPECT_EQ(scene.limits.body_intersections, 2);
    EXPECT_EQ(scene.limits.body_penetration_max, 0.003);
    EXPECT_TRUE(scene.contact.allow_tangled);
    EXPECT_TRUE(scene.contact.untangle);
    EXPECT_EQ(scene.level_sets.voxel, 0.004);
    EXPECT_EQ(scene.level_sets.band, 0.03);
    EXPECT_EQ(scene.level_sets.cache, "none");
    EXPECT_EQ(scene.post.enabled, true);
    EXPECT_EQ(scene.post.epsilon, 0.001);
    EXPECT_EQ(scene.post.tau, 0.009);
    EXPECT_EQ(scene.post.depth, 0.002);
    EXPECT_EQ(scene.post.subdivide, 2);
}

TEST(Load, ContactOfOnePart) {
    EXPECT_EQ(parse(with_sheet("recipe = \"bridson03\"\n[contact]\nrelaxation = 0.02\n"))
                  .contact.relaxation,
              0.02);
    const ContactDescription spheres =
        parse(with_sheet("recipe = \"ohta95\"\n[contact]\nsphere_radius = 0.007\n"
                         "bodies = \"spheres\"\n"))
            .contact;
    EXPECT_EQ(spheres.sphere_radius, 0.007);
    EXPECT_EQ(spheres.bodies, BodyMeeting::spheres);
    const ContactDescription triangles =
        parse(with_sheet("recipe = \"bayraktar07\"\n[contact]\ntest = \"vertices\"\n"
                         "volume = \"spheres\"\nresolve_at = \"evaluation\"\n"
                         "friction_law = \"paper\"\nself_response = \"plain\"\n"))
            .contact;
    EXPECT_EQ(triangles.test, PairTest::vertices);
    EXPECT_EQ(triangles.volume, PairVolume::spheres);
    EXPECT_EQ(triangles.resolve_at, ResolveAt::evaluation);
    EXPECT_EQ(triangles.friction_law, FrictionLaw::paper);
    EXPECT_EQ(triangles.self_response, SelfResponse::plain);
}

TEST(Load, AFrameLengthMayBeRounded) {
    EXPECT_EQ(parse(with_sheet("[time]\nmax_step = 0.033334\n")).time.max_step, 0.033334);
}

TEST(Load, Meshes) {
    const SceneDescription scene = parse(R"(
[[cloth]]
mesh = { type = "grid", width = 2, depth = 3, columns = 4, rows = 5, diagonals = "crossed" }
position = [1, 2, 3]
rotation = [90, 0, 45]
scale = 2
velocity = [0, 0, 1]
[[cloth]]
mesh = { type = "lattice", width = 2, depth = 3, rows = 7, along_z = true }
[[cloth]]
mesh = { type = "irregular", width = 2, depth = 3, vertices = 500, seed = 7, jitter = 0.1 }
[[cloth]]
mesh = { type = "disc", radius = 0.7, vertices = 600 }
[[cloth]]
name = "sleeve"
mesh = { type = "cylinder", radius = 0.1, height = 0.5, segments = 20, bands = 30, capped = false }
[[body]]
mesh = { type = "sphere", radius = 0.25, rings = 11, segments = 32 }
position = [0, -1, 0]
[[body]]
name = "block"
mesh = { type = "box", size = [1, 2, 3], divisions = 4 }
)");
    ASSERT_EQ(scene.cloths.size(), 5u);
    EXPECT_EQ(scene.cloths[0].name, "cloth0");
    EXPECT_EQ(scene.cloths[1].name, "cloth1");
    EXPECT_EQ(scene.cloths[4].name, "sleeve");
    const auto& grid = std::get<GridSettings>(scene.cloths[0].mesh);
    EXPECT_EQ(grid.width, 2);
    EXPECT_EQ(grid.depth, 3);
    EXPECT_EQ(grid.columns, 4);
    EXPECT_EQ(grid.rows, 5);
    EXPECT_EQ(grid.diagonals, Diagonals::crossed);
    expect_vec(scene.cloths[0].placement.position, 1, 2, 3);
    expect_vec(scene.cloths[0].placement.rotation, 90, 0, 45);
    EXPECT_EQ(scene.cloths[0].placement.scale, 2);
    expect_vec(scene.cloths[0].velocity, 0, 0, 1);
    const auto& lattice = std::get<LatticeSettings>(scene.cloths[1].mesh);
    EXPECT_EQ(lattice.rows, 7);
    EXPECT_TRUE(lattice.along_z);
    const auto& irregular = std::get<IrregularSettings>(scene.cloths[2].mesh);
    EXPECT_EQ(irregular.vertices, 500);
    EXPECT_EQ(irregular.seed, 7u);
    EXPECT_EQ(irregular.jitter, 0.1);
    EXPECT_FALSE(irregular.disc);
    const auto& disc = std::get<IrregularSettings>(scene.cloths[3].mesh);
    EXPECT_TRUE(disc.disc);
    EXPECT_EQ(disc.width, 1.4);
    const auto& cylinder = std::get<CylinderSettings>(scene.cloths[4].mesh);
    EXPECT_EQ(cylinder.segments, 20);
    EXPECT_EQ(cylinder.bands, 30);
    EXPECT_FALSE(cylinder.capped);
    const auto& sphere = std::get<SphereSettings>(scene.bodies[0].mesh);
    EXPECT_EQ(sphere.rings, 11);
    EXPECT_EQ(scene.bodies[0].name, "body0");
    expect_vec(scene.bodies[0].placement.position, 0, -1, 0);
    const auto& box = std::get<BoxSettings>(scene.bodies[1].mesh);
    expect_vec(box.size, 1, 2, 3);
    EXPECT_EQ(box.divisions, 4);
}

TEST(Load, ResolutionIsTheLongerSideOfAGrid) {
    const SceneDescription scene = parse(R"(
[[cloth]]
mesh = { type = "grid", resolution = 101 }
[[cloth]]
mesh = { type = "grid", width = 0.1, depth = 2, resolution = 41 }
[[cloth]]
mesh = { type = "grid", width = 2, depth = 0.001, resolution = 5 }
)");
    const auto& square = std::get<GridSettings>(scene.cloths[0].mesh);
    EXPECT_EQ(square.columns, 101);
    EXPECT_EQ(square.rows, 101);
    const auto& ribbon = std::get<GridSettings>(scene.cloths[1].mesh);
    EXPECT_EQ(ribbon.columns, 3);
    EXPECT_EQ(ribbon.rows, 41);
    EXPECT_EQ(std::get<GridSettings>(scene.cloths[2].mesh).rows, 2);
}

TEST(Load, RepeatedClothsAreNumberedAndMoved) {
    const SceneDescription scene = parse(R"(
[[cloth]]
name = "sheet"
mesh = { type = "grid" }
position = [1, 0, 0]
rotation = [0, 0, 5]
repeat = { count = 3, offset = [0, 0.5, 0], rotation = [0, 10, 0] }
[[cloth]]
name = "last"
mesh = { type = "grid" }
)");
    ASSERT_EQ(scene.cloths.size(), 4u);
    EXPECT_EQ(scene.cloths[0].name, "sheet0");
    EXPECT_EQ(scene.cloths[2].name, "sheet2");
    EXPECT_EQ(scene.cloths[3].name, "last");
    expect_vec(scene.cloths[0].placement.position, 1, 0, 0);
    expect_vec(scene.cloths[2].placement.position, 1, 1, 0);
    expect_vec(scene.cloths[2].placement.rotation, 0, 20, 5);
}

TEST(Load, MeshFilesLieBesideTheScene) {
    const testing::TemporaryFolder folder;
    const std::string mesh = folder.write("meshes/shirt.obj", "v 0 0 0\n");
    const std::string file = folder.write("scene.toml", R"(
[[cloth]]
name = "a"
mesh = "meshes/shirt.obj"
[[cloth]]
name = "b"
mesh = { path = "./meshes/shirt.obj", unit = "mm", up = "z", rest = "texcoords" }
[[cloth]]
name = "c"
mesh = { type = "file", path = "meshes/shirt.obj", unit = "in" }
[[body]]
mesh = "meshes/shirt.obj"
)");
    const SceneDescription scene = load_scene(file);
    EXPECT_EQ(scene.file, file);
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.cloths[0].where.file, file);
    const auto& plain = std::get<MeshFile>(scene.cloths[0].mesh);
    EXPECT_EQ(plain.path, mesh);
    EXPECT_EQ(plain.unit, 1);
    EXPECT_EQ(plain.rest, RestShape::positions);
    const auto& full = std::get<MeshFile>(scene.cloths[1].mesh);
    EXPECT_EQ(full.path, mesh);
    EXPECT_EQ(full.unit, 0.001);
    EXPECT_TRUE(full.z_up);
    EXPECT_EQ(full.rest, RestShape::texcoords);
    EXPECT_EQ(std::get<MeshFile>(scene.cloths[2].mesh).unit, 0.0254);
    EXPECT_EQ(std::get<MeshFile>(scene.bodies[0].mesh).path, mesh);
}

TEST(Load, Regions) {
    const SceneDescription scene = parse(with_sheet(R"(
[[region]]
name = "numbers"
vertices = [5, 3]
[[region]]
name = "box"
cloth = "sheet"
box = { min = [0, 0, 0], max = [1, 1, 1] }
[[region]]
name = "group"
group = "hem"
[[region]]
name = "map"
map = "waist"
[[region]]
name = "map2"
map = { name = "waist", threshold = 0.8 }
[[region]]
name = "nearest"
nearest = [[0, 0, 0], [1, 0, 0]]
)"));
    ASSERT_EQ(scene.regions.size(), 6u);
    EXPECT_EQ(scene.regions[0].vertices, (std::vector<int>{5, 3}));
    EXPECT_EQ(scene.regions[0].cloth, "sheet");
    expect_vec(scene.regions[1].box->max, 1, 1, 1);
    EXPECT_EQ(scene.regions[2].group, "hem");
    EXPECT_EQ(scene.regions[3].map->name, "waist");
    EXPECT_EQ(scene.regions[3].map->threshold, 0.5);
    EXPECT_EQ(scene.regions[4].map->threshold, 0.8);
    ASSERT_EQ(scene.regions[5].nearest.size(), 2u);
    expect_vec(scene.regions[5].nearest[1], 1, 0, 0);
    EXPECT_FALSE(scene.regions[5].box);
}

TEST(Load, Pins) {
    const SceneDescription scene = parse(with_sheet(R"(
[[region]]
name = "hem"
vertices = [0]
[[pin]]
region = "hem"
start = 0.5
end = 2
[[pin]]
name = "own"
vertices = [1, 2]
hold = "directions"
directions = [[0, 2, 0], [1, 1, 0]]
[[pin]]
region = "hem"
hold = "line"
point = [1, 2, 3]
direction = [0, 0, 5]
[[pin]]
region = "hem"
hold = "circle"
center = [1, 2, 3]
normal = [0, 2, 0]
radius = 0.5
[[pin]]
region = "hem"
hold = "plane"
point = [1, 2, 3]
normal = [2, 0, 0]
[[pin]]
region = "hem"
hold = "sphere"
center = [1, 2, 3]
radius = 0.5
[[pin]]
region = "hem"
hold = "cylinder"
point = [1, 2, 3]
axis = [0, 4, 0]
radius = 0.25
motion = { translation = [{ t = 0, value = [0, 0, 0] }, { t = 1, value = [0, 2, 0] }], rotation = [0, 90, 0], pivot = [1, 0, 0] }
)"));
    ASSERT_EQ(scene.pins.size(), 7u);
    const PinDescription& point = scene.pins[0];
    EXPECT_EQ(point.region, "hem");
    EXPECT_EQ(point.name, "");
    EXPECT_TRUE(std::holds_alternative<PointShape>(point.shape));
    EXPECT_FALSE(point.window.contains(0.4));
    EXPECT_TRUE(point.window.contains(0.5));
    EXPECT_FALSE(point.window.contains(2));

    // A pin that selects vertices itself has a region of its own.
    EXPECT_EQ(scene.pins[1].name, "own");
    EXPECT_EQ(scene.pins[1].region, "pin[1]");
    ASSERT_EQ(scene.regions.size(), 2u);
    EXPECT_EQ(scene.regions[1].name, "pin[1]");
    EXPECT_EQ(scene.regions[1].cloth, "sheet");
    EXPECT_EQ(scene.regions[1].vertices, (std::vector<int>{1, 2}));
    EXPECT_TRUE(scene.pins[1].window.contains(1e9));
    const auto& directions = std::get<DirectionsShape>(scene.pins[1].shape).directions;
    ASSERT_EQ(directions.size(), 2u);
    expect_vec(directions[0], 0, 1, 0);
    expect_vec(directions[1], 1, 0, 0);

    expect_vec(std::get<LineShape>(scene.pins[2].shape).point, 1, 2, 3);
    expect_vec(std::get<LineShape>(scene.pins[2].shape).direction, 0, 0, 1);
    expect_vec(std::get<CircleShape>(scene.pins[3].shape).normal, 0, 1, 0);
    EXPECT_EQ(std::get<CircleShape>(scene.pins[3].shape).radius, 0.5);
    expect_vec(std::get<PlaneShape>(scene.pins[4].shape).normal, 1, 0, 0);
    expect_vec(std::get<SphereShape>(scene.pins[5].shape).center, 1, 2, 3);
    const auto& cylinder = std::get<CylinderShape>(scene.pins[6].shape);
    expect_vec(cylinder.axis, 0, 1, 0);
    EXPECT_EQ(cylinder.radius, 0.25);
    expect_vec(scene.pins[6].motion.translation.at(0.5), 0, 1, 0);
    expect_vec(scene.pins[6].motion.rotation.at(7), 0, 90, 0);
    expect_vec(scene.pins[6].motion.pivot, 1, 0, 0);
}

TEST(Load, OtherControls) {
    const SceneDescription scene = parse(with_sheet(R"(
[[region]]
name = "hem"
vertices = [0]
[[rest_stretch]]
region = "hem"
b_u = [{ t = 0, value = 1 }, { t = 1, value = 0.7 }]
[[rest_stretch]]
b_v = 1.25
[[pull]]
nearest = [[0, 0, 0]]
target = [0, 1, 0]
stiffness = 5
damping = 0
end = 1
[[load]]
region = "hem"
force = [{ t = 0, value = [0, 0, 0] }, { t = 1, value = [0, -2, 0] }]
start = 0.25
[[stitch]]
regions = ["hem"]
distance = 1e-3
)"));
    EXPECT_EQ(scene.rest_stretches[0].region, "hem");
    EXPECT_EQ(scene.rest_stretches[0].cloth, "sheet");
    EXPECT_DOUBLE_EQ(scene.rest_stretches[0].b_u.at(0.5), 0.85);
    EXPECT_EQ(scene.rest_stretches[0].b_v.at(0.5), 1);
    EXPECT_EQ(scene.rest_stretches[1].region, "");
    EXPECT_EQ(scene.rest_stretches[1].cloth, "sheet");
    EXPECT_EQ(scene.rest_stretches[1].b_v.at(0), 1.25);
    EXPECT_EQ(scene.pulls[0].region, "pull[0]");
    expect_vec(scene.pulls[0].target.at(3), 0, 1, 0);
    EXPECT_EQ(scene.pulls[0].stiffness, 5);
    EXPECT_EQ(scene.pulls[0].damping, 0);
    EXPECT_EQ(scene.pulls[0].window.end, 1);
    expect_vec(scene.loads[0].force.at(0.5), 0, -1, 0);
    EXPECT_EQ(scene.loads[0].window.start, 0.25);
    EXPECT_EQ(scene.stitches[0].regions, (std::vector<std::string>{"hem"}));
    EXPECT_EQ(scene.stitches[0].distance, 1e-3);
}

TEST(Load, EveryBuiltInSceneLoadsByBothNames) {
    ASSERT_GE(builtin_scenes().size(), 2u);
    for (const BuiltinFile& file : builtin_scenes()) {
        const std::string full(file.name);
        SCOPED_TRACE(full);
        if (test::needs_missing_data(file.text))
            continue;
        const SceneDescription scene = load_scene(full);
        EXPECT_TRUE(scene.file.empty());
        EXPECT_EQ(scene.name, full.substr(full.rfind('/') + 1));
        EXPECT_FALSE(scene.title.empty());
        EXPECT_EQ(load_scene(scene.name).source_text, scene.source_text);
        EXPECT_EQ(scene.source_text,
                  testing::read_file(std::filesystem::path(test::source_directory()) / "examples" /
                                     (full + ".toml")));
    }
}

TEST(Load, TwoCornerSheetIsThatOfThePaper) {
    const SceneDescription scene = load_scene("two-corner-sheet");
    EXPECT_EQ(scene.recipe, "bw98");
    EXPECT_EQ(scene.time.frames, 75);
    EXPECT_EQ(scene.time.frame_rate, 30);
    ASSERT_EQ(scene.cloths.size(), 1u);
    const auto& mesh = std::get<IrregularSettings>(scene.cloths[0].mesh);
    EXPECT_EQ(mesh.vertices, 2602);
    EXPECT_EQ(mesh.width, 1);
    EXPECT_EQ(mesh.depth, 1);
    EXPECT_GE(scene.cloths[0].material.stretch_u, 5000);
    EXPECT_GE(scene.cloths[0].material.stretch_v, 5000);
    ASSERT_EQ(scene.pins.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<PointShape>(scene.pins[0].shape));
    ASSERT_EQ(scene.regions.size(), 1u);
    EXPECT_EQ(scene.regions[0].vertices, (std::vector<int>{0, 1}));
}

TEST(Load, SleeveGrowsInTheMiddleAndTightensAtTheCuff) {
    const SceneDescription scene = load_scene("bw98/sleeve");
    ASSERT_EQ(scene.rest_stretches.size(), 2u);
    EXPECT_EQ(scene.rest_stretches[0].b_v.at(0), 1);
    EXPECT_EQ(scene.rest_stretches[0].b_v.at(1), 1.25);
    EXPECT_EQ(scene.rest_stretches[1].b_u.at(0), 1);
    EXPECT_EQ(scene.rest_stretches[1].b_u.at(2), 0.85);
}

TEST(Load, AFolderDoesNotHideABuiltInScene) {
    const testing::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "sleeve");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    EXPECT_EQ(load_scene("sleeve").name, "sleeve");
    std::filesystem::current_path(before);
}

} // namespace
} // namespace muslin
