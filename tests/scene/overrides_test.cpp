// --set key.path=value

#include "scene/scene_testing.h"

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::with_sheet;

using Changes = std::vector<std::string>;

SceneDescription two_corners(const Changes& changes) {
    return load_scene("two-corner-sheet", changes);
}

TEST(Overrides, ByNameAndByIndex) {
    const Changes changes = {"cloth.sheet.mesh.vertices=500", "cloth.0.material.bend_u=1e-3",
                             "cloth[0].position=[0, 2, 0]", "pin.corners.vertices=[0, 2]"};
    const SceneDescription scene = two_corners(changes);
    EXPECT_EQ(std::get<IrregularSettings>(scene.cloths[0].mesh).vertices, 500);
    EXPECT_EQ(scene.cloths[0].material.bend_u, 1e-3);
    EXPECT_EQ(scene.cloths[0].placement.position.y, 2);
    EXPECT_EQ(scene.regions[0].vertices, (std::vector<int>{0, 2}));
}

TEST(Overrides, MakesTheTablesOnTheWay) {
    const SceneDescription scene = two_corners(
        {"solver.tolerance=1e-5", "world.gravity=[0, -1.62, 0]",
         "pin.0.motion.translation=[0, 1, 0]", "limits.stretch_max=1.05", "parts.bending=none"});
    EXPECT_EQ(scene.parts.at("bending").part, "none");
    EXPECT_EQ(scene.solver.tolerance, 1e-5);
    EXPECT_EQ(scene.world.gravity.y, -1.62);
    EXPECT_EQ(scene.pins[0].motion.translation.at(0).y, 1);
    EXPECT_EQ(scene.limits.stretch_max, 1.05);
}

TEST(Overrides, PartOfAnArray) {
    EXPECT_EQ(parse(with_sheet("[world]\ngravity = [0, -9.81, 0]\n"), {"world.gravity.1=-3.7"})
                  .world.gravity.y,
              -3.7);
}

TEST(Overrides, TheLastOneWins) {
    EXPECT_EQ(two_corners({"time.frames=10", "time.frames=20"}).time.frames, 20);
}

TEST(Overrides, WhatIsNotTomlIsAString) {
    EXPECT_EQ(two_corners({"cloth.sheet.material=denim"}).cloths[0].material.name, "denim");
    EXPECT_EQ(two_corners({"cloth.sheet.material=\"denim\""}).cloths[0].material.name, "denim");
    EXPECT_EQ(two_corners({"title = a new title"}).title, "a new title");
    EXPECT_EQ(two_corners({"title=a = b"}).title, "a = b");
    // A line break cannot bring in a second key.
    EXPECT_EQ(two_corners({"title='a'\nrecipe='b'"}).title, "'a'\nrecipe='b'");
}

// TOML is UTF-8, and so is the text of the scene that a run keeps.
TEST(Overrides, AreUtf8) {
    for (const char* title : {"\u00fc", "\u20ac", "\U0001f9f5", "\U0010ffff"})
        EXPECT_EQ(two_corners({std::string("title=") + title}).title, title);
    for (const char* bytes : {"\xff", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80",
                              "\xe0\x80\x80", "\xf4\x90\x80\x80"})
        try {
            (void)two_corners({std::string("title=a") + bytes});
            ADD_FAILURE() << "accepted";
        } catch (const InputError& e) {
            EXPECT_EQ(e.problem().expected, "text in UTF-8");
        }
}

TEST(Overrides, ANumberOfANamedMaterial) {
    const Material cotton = load_material("cotton");
    const Material changed =
        two_corners({"cloth.sheet.material.stretch_u=8000"}).cloths[0].material;
    EXPECT_EQ(changed.stretch_u, 8000);
    EXPECT_EQ(changed.stretch_v, cotton.stretch_v);
    EXPECT_EQ(changed.name, "cotton");
    EXPECT_TRUE(changed.source.starts_with("cotton, with stretch_u changed; ")) << changed.source;
    // A cloth that names no material is of cotton.
    EXPECT_EQ(parse(with_sheet(""), {"cloth.sheet.material.shear=1"}).cloths[0].material.stretch_u,
              cotton.stretch_u);
    // A new material and a number of it.
    const Changes both = {"cloth.sheet.material=denim", "cloth.sheet.material.shear=1"};
    const Material denim = two_corners(both).cloths[0].material;
    EXPECT_EQ(denim.shear, 1);
    EXPECT_EQ(denim.density, load_material("denim").density);
}

TEST(Overrides, AKeyOfANamedMesh) {
    const testing::TemporaryFolder folder;
    folder.write("shirt.obj", "v 0 0 0\n");
    const std::string scene = folder.write("scene.toml", "[[cloth]]\nmesh = \"shirt.obj\"\n");
    const Changes changes = {"cloth.0.mesh.unit=cm"};
    const SceneDescription out = load_scene(scene, changes);
    const auto& mesh = std::get<MeshFile>(out.cloths[0].mesh);
    EXPECT_EQ(mesh.unit, 0.01);
    EXPECT_EQ(mesh.path, folder.path() / "shirt.obj");
}

TEST(Overrides, FilesCountFromTheWorkingDirectory) {
    const testing::TemporaryFolder folder;
    folder.write("here/mine.toml", "base = \"cotton\"\nshear = 7\n");
    const std::string scene = folder.write("scene.toml", "[[cloth]]\nmesh = { type = \"grid\" }\n");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path() / "here");
    const Changes changes = {"cloth.0.material=mine.toml"};
    EXPECT_EQ(load_scene(scene, changes).cloths[0].material.shear, 7);
    std::filesystem::current_path(before);
}

TEST(Overrides, TheSourceTextIsTheChangedScene) {
    const SceneDescription scene = two_corners({"time.frames=12", "title=changed"});
    const SceneDescription again = parse(scene.source_text);
    EXPECT_EQ(again.time.frames, 12);
    EXPECT_EQ(again.title, "changed");
    EXPECT_EQ(again.regions[0].vertices, scene.regions[0].vertices);
    EXPECT_EQ(again.cloths[0].material.bend_u, scene.cloths[0].material.bend_u);
}

TEST(Overrides, BadValuesNameTheOption) {
    const Problem problem = problem_in(with_sheet(""), {"cloth.sheet.material.density=-0.2"});
    EXPECT_EQ(describe(problem),
              "--set cloth.sheet.material.density=-0.2: cloth[0].material.density: expected a "
              "positive number [kg/m^2], found -0.2");
    const Problem key = problem_in(with_sheet(""), {"time.frame=3"});
    EXPECT_EQ(key.where.file, "--set time.frame=3");
    EXPECT_EQ(key.hint, "did you mean 'frames'?");
    EXPECT_EQ(problem_in(with_sheet(""), {"world.air_density=nan"}).found, "nan");
}

TEST(Overrides, BadPaths) {
    const auto bad = [](const std::string& change) {
        return problem_in(with_sheet("[[pin]]\nname = \"a\"\nvertices = [0]\n"), {change});
    };
    EXPECT_EQ(bad("time.frames").key, "--set time.frames");
    EXPECT_EQ(bad("time.frames").hint, "there is no '='");
    EXPECT_EQ(bad("=3").hint, "a part of the path is empty");
    EXPECT_EQ(bad("time..frames=3").key, "--set time..frames");

    const Problem name = bad("cloth.shet.scale=2");
    EXPECT_EQ(describe(name), "--set cloth.shet.scale: expected the index or the name of an "
                              "element of 'cloth', found 'shet' (did you mean 'sheet'?)");
    EXPECT_EQ(bad("cloth.1.scale=2").expected, "an index from 0 to 0 in 'cloth'");
    EXPECT_EQ(bad("cloth.99999999999999999999.scale=2").key,
              "--set cloth.99999999999999999999.scale");
    EXPECT_EQ(bad("cloth.sheet.name.x=2").expected, "a table or an array");
    EXPECT_EQ(bad("clth.sheet.scale=2").hint, "did you mean 'cloth'?");
    EXPECT_EQ(bad("region.hem.vertices=[1]").found, "a scene without [[region]]");
}

TEST(Overrides, MakeEveryTableThatAnEmptySceneLacks) {
    for (const char* change :
         {"parts.bending=none", "world.gravity=[0, 0, 0]", "time.frames=3", "solver.tolerance=1e-3",
          "contact.untangle=true", "level_sets.cache=none", "post.enabled=false",
          "limits.self_intersections=0"})
        EXPECT_NO_THROW(parse(with_sheet(""), {change})) << change;
    EXPECT_EQ(parse(with_sheet(""), {"post.enabled=false"}).post.enabled, false);
}

} // namespace
} // namespace muslin
