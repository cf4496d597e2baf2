#include "scene_testing.h"

#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/scene/file_scope.h"

#include <cstdlib>

namespace muslin {
namespace {

namespace fs = std::filesystem;
using testing::problem_of;

/// A directory with a scene's files, and another beside it that the scene has no business in.
class FileScopes : public ::testing::Test {
protected:
    FileScopes() {
        for (const char* place : {"scene", "scene-two", "scene/part"}) {
            fs::create_directories(path(place));
            write_mesh(path(place) / "m.obj", make_box({}));
            write_mesh(path(place) / "seq.0000.obj", make_box({}));
            folder_.write(std::string(place) + "/fabric.toml", "base = \"cotton\"\nshear = 7\n");
            folder_.write(std::string(place) + "/p.toml", pattern_);
            folder_.write(std::string(place) + "/buffer.bin", "0123");
        }
    }
    fs::path path(const std::string& name) const { return folder_.path() / name; }
    void link(const std::string& to, const std::string& name) const {
        fs::create_symlink(path(to), path(name));
    }
    SceneDescription load(const std::string& text, bool allow_outside = false,
                          const std::vector<std::string>& overrides = {}) const {
        return load_scene(folder_.write("scene/scene.toml", text), overrides,
                          {.allow_outside = allow_outside});
    }
    /// "" where the scene is taken.
    std::string complaint(const std::string& text, bool allow_outside = false) const {
        try {
            load(text, allow_outside);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    bool is_refused(const std::string& text) const {
        return complaint(text).find("--allow-outside") != std::string::npos;
    }
    static std::string with_mesh(const std::string& file) {
        return "[[cloth]]\nmesh = \"" + file + "\"\n";
    }

    const testing::TemporaryFolder folder_;
    const std::string pattern_ = "unit = \"cm\"\n[[panel]]\nname = \"front\"\n"
                                 "points = [[0, 0], [10, 0], [10, 10], [0, 10]]\n";
};

struct Key {
    std::string name;
    int line;
    std::string before, after; ///< around the path
    std::string file;
};

const std::vector<Key>& keys_of_files() {
    const std::string grid = "[[cloth]]\nmesh = { type = \"grid\" }\n";
    static const std::vector<Key> out = {
        {"cloth[0].mesh", 2, "[[cloth]]\nmesh = ", "\n", "m.obj"},
        {"cloth[0].mesh.path", 2, "[[cloth]]\nmesh = { path = ", " }\n", "m.obj"},
        {"cloth[0].surface.mesh", 4, grid + "[cloth.surface]\nmesh = ", "\n", "m.obj"},
        {"cloth[0].dynamics.mesh", 4, grid + "[cloth.dynamics]\nmesh = ", "\n", "m.obj"},
        {"cloth[0].collision.mesh", 4, grid + "[cloth.collision]\nmesh = ", "\n", "m.obj"},
        {"cloth[0].points[0].mesh", 4, grid + "[[cloth.points]]\nmesh = ", "\nmass = 1\n", "m.obj"},
        {"cloth[0].rest_angles", 3, grid + "rest_angles = ", "\n", "m.obj"},
        {"cloth[0].material", 3, grid + "material = ", "\n", "fabric.toml"},
        {"cloth[0].material.base", 3, grid + "material = { base = ", " }\n", "fabric.toml"},
        {"body[0].mesh", 4, grid + "[[body]]\nmesh = ", "\n", "m.obj"},
        {"body[0].animation", 5, grid + "[[body]]\nmesh = { type = \"box\" }\nanimation = ", "\n",
         "seq.####.obj"},
        {"body[0].animation.path", 5,
         grid + "[[body]]\nmesh = { type = \"box\" }\nanimation = { path = ", " }\n",
         "seq.####.obj"},
        {"pin[0].animation", 5, grid + "[[pin]]\nvertices = [0]\nanimation = ", "\n",
         "seq.####.obj"},
        {"start[0].path", 4, grid + "[[start]]\npath = ", "\n", "m.obj"},
        {"garment[0].pattern", 2, "[[garment]]\npattern = ", "\n", "p.toml"},
        {"garment[0].material", 3, "[[garment]]\npattern = \"skirt\"\nmaterial = ", "\n",
         "fabric.toml"},
        {"level_sets.cache", 4, grid + "[level_sets]\ncache = ", "\n", "grids"},
        {"dressing.cache", 4, grid + "[dressing]\ncache = ", "\n", "dressed"},
    };
    return out;
}

TEST_F(FileScopes, EveryKeyThatNamesAFileStaysInTheDirectoryOfTheScene) {
    link("scene-two", "scene/link");
    const std::vector<std::string> outside = {"../scene-two/", "part/../../scene-two/", "link/",
                                              path("scene-two").string() + "/"};
    const std::vector<std::string> inside = {
        "", "./", "part/", "../scene/", "part/../part/", path("scene").string() + "/"};
    for (const Key& key : keys_of_files()) {
        SCOPED_TRACE(key.name);
        const auto text = [&](const std::string& place) {
            return key.before + '"' + place + key.file + '"' + key.after;
        };
        for (const std::string& place : outside) {
            const Problem problem = problem_of([&] { load(text(place)); });
            EXPECT_EQ(problem.key, key.name) << place;
            EXPECT_EQ(problem.where.line, key.line) << place;
            EXPECT_EQ(problem.expected,
                      "a path inside the directory '" + path("scene").string() + "'");
            EXPECT_NE(problem.found.find(place), std::string::npos) << problem.found;
            EXPECT_NE(problem.hint.find("--allow-outside"), std::string::npos) << problem.hint;
            EXPECT_EQ(complaint(text(place), true), "") << place;
        }
        for (const std::string& place : inside)
            EXPECT_FALSE(is_refused(text(place))) << place << ": " << complaint(text(place));
    }
}

TEST_F(FileScopes, LinksAreFollowedBeforeTheyAreJudged) {
    link("scene-two/m.obj", "scene/out.obj");
    link("scene/part/m.obj", "scene/in.obj");
    EXPECT_TRUE(is_refused(with_mesh("out.obj")));
    EXPECT_EQ(complaint(with_mesh("in.obj")), "");
    link("scene", "elsewhere"); // the way that the user takes to the scene
    load(with_mesh("m.obj"));
    EXPECT_NO_THROW(load_scene(path("elsewhere/scene.toml").string()));
    // One frame of several.
    link("scene-two/m.obj", "scene/seq.0001.obj");
    EXPECT_TRUE(is_refused("[[cloth]]\nmesh = { type = \"grid\" }\n[[body]]\nmesh = \"m.obj\"\n"
                           "animation = \"seq.####.obj\"\n"));
}

TEST_F(FileScopes, WhatAFileNamesInItsTurnStaysInsideToo) {
    const std::string scene =
        "[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = \"part/own.toml\"\n";
    folder_.write("scene/part/own.toml", "base = \"../fabric.toml\"\n");
    EXPECT_EQ(load(scene).cloths[0].material.shear, 7);
    folder_.write("scene/part/own.toml", "base = \"../../scene-two/fabric.toml\"\n");
    const Problem problem = problem_of([&] { load(scene); });
    EXPECT_EQ(problem.key, "base");
    EXPECT_NE(problem.where.file.find("own.toml"), std::string::npos);
    EXPECT_EQ(load(scene, true).cloths[0].material.shear, 7);

    const auto with_buffer = [&](const std::string& uri) {
        folder_.write("scene/part/c.gltf", R"({ "asset": { "version": "2.0" }, "buffers": [
            { "byteLength": 4, "uri": ")" + uri +
                                               R"(" } ] })");
        return "[[cloth]]\nmesh = { type = \"grid\" }\n[[body]]\nmesh = \"part/c.gltf\"\n";
    };
    EXPECT_FALSE(is_refused(with_buffer("../buffer.bin")));
    EXPECT_TRUE(is_refused(with_buffer("../../scene-two/buffer.bin")));
    EXPECT_TRUE(is_refused(with_buffer("%2e%2e/../scene-two/buffer.bin")));
    EXPECT_TRUE(is_refused(with_buffer(path("scene-two/buffer.bin").string())));
    EXPECT_FALSE(is_refused(with_buffer("data:;base64,AAAA")));
}

TEST_F(FileScopes, WhatTheUserNamesIsTheUsersChoice) {
    const std::string grid = "[[cloth]]\nmesh = { type = \"grid\" }\n";
    const std::string other = path("scene-two/m.obj").string();
    EXPECT_NO_THROW(load(grid, false, {"cloth.0.mesh=" + other}));
    EXPECT_NO_THROW(load(grid, false, {"level_sets.cache=" + path("grids").string()}));
    // A change of another key of the table leaves the scene's own path what it was.
    EXPECT_THROW(load(with_mesh("../scene-two/m.obj"), false, {"cloth.0.mesh.unit=cm"}),
                 InputError);
    // What the file that the user named names stays beside that one.
    folder_.write("scene-two/own.toml", "base = \"fabric.toml\"\n");
    const std::string own = "cloth.0.material=" + path("scene-two/own.toml").string();
    EXPECT_EQ(load(grid, false, {own}).cloths[0].material.shear, 7);
    folder_.write("scene-two/own.toml", "base = \"../scene/fabric.toml\"\n");
    EXPECT_THROW(load(grid, false, {own}), InputError);
    EXPECT_THROW(load_material(path("scene-two/own.toml").string()), InputError);
    EXPECT_EQ(load_material(path("scene-two/own.toml").string(), true).shear, 7);
}

TEST_F(FileScopes, AFileCannotPassForAnOption) {
    const fs::path before = fs::current_path();
    fs::create_directories(path("scene/--set a"));
    folder_.write("scene/--set a/b.toml", "base = \"../../scene-two/fabric.toml\"\n");
    folder_.write("scene/scene.toml",
                  "[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = \"--set a/b.toml\"\n");
    fs::current_path(path("scene"));
    EXPECT_EQ(problem_of([] { load_scene("scene.toml"); }).key, "base");
    fs::current_path(before);
}

TEST_F(FileScopes, TheCollectionOfReferenceDataIsADirectoryToo) {
    const char* named = std::getenv("MUSLIN_DATA");
    const std::string kept = named ? named : "";
    setenv("MUSLIN_DATA", path("scene-two").c_str(), 1);
    EXPECT_EQ(complaint(with_mesh("data:m.obj")), "");
    EXPECT_TRUE(is_refused(with_mesh("data:../scene/m.obj")));
    EXPECT_TRUE(is_refused(with_mesh("data:" + path("scene/m.obj").string())));
    if (named)
        setenv("MUSLIN_DATA", kept.c_str(), 1);
    else
        unsetenv("MUSLIN_DATA");
}

TEST_F(FileScopes, NamesThatBecomeFilesHaveNoPlaces) {
    for (const std::string name : {"../x", "a/b", "..", "/x", "a\\\\b", ".", "x.obj"}) {
        const std::string key = "name = \"" + name + "\"\n", grid = "mesh = { type = \"grid\" }\n";
        EXPECT_EQ(problem_of([&] { load("[[cloth]]\n" + key + grid); }).key, "cloth[0].name");
        EXPECT_EQ(problem_of([&] { load("[[cloth]]\n" + grid + "[[body]]\n" + key + grid); }).key,
                  "body[0].name");
        EXPECT_EQ(problem_of([&] { load("[[garment]]\n" + key + "pattern = \"skirt\"\n"); }).key,
                  "garment[0].name");
        EXPECT_EQ(problem_of([&] { load(key + "[[cloth]]\n" + grid); }).key, "name");
    }
}

TEST_F(FileScopes, InsideIsATreeNotABeginning) {
    EXPECT_TRUE(is_inside(path("scene/m.obj"), path("scene")));
    EXPECT_TRUE(is_inside(path("scene/m.obj"), path("scene/")));
    EXPECT_TRUE(is_inside(path("scene"), path("scene")));
    EXPECT_TRUE(is_inside(path("scene/none/file"), path("scene")));
    EXPECT_FALSE(is_inside(path("scene/none/../../file"), path("scene")));
    EXPECT_FALSE(is_inside(path("scene-two/m.obj"), path("scene")));
    EXPECT_FALSE(is_inside(path("."), path("scene")));
    EXPECT_TRUE(is_inside("none.obj", ""));
    EXPECT_FALSE(is_inside("../none.obj", ""));
    EXPECT_TRUE(is_inside(path("scene"), "/"));
}

} // namespace
} // namespace muslin
