// [[start]]: cloth that begins elsewhere than its mesh stands.
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include "scene/scene_testing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using namespace muslin;

namespace {

const std::string sheet = "[[cloth]]\nname = \"sheet\"\nmesh = { type = \"grid\", columns = 3, "
                          "rows = 3 }\n";

class Start : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() / ("muslin-start-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        PolygonMesh mesh = make_grid({.columns = 3, .rows = 3});
        for (Vec3& p : mesh.positions)
            p = {0.5 * p.x, p.y + 2, p.z};
        write_mesh(folder_ / "up.obj", mesh);
        write_mesh(folder_ / "other.obj", make_grid({.columns = 4, .rows = 3}));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    SceneDescription parse(const std::string& text) const {
        return parse_scene(text, "test.toml", folder_, "test");
    }
    std::string key_of(const std::string& text) const {
        try {
            build_scene(parse(text));
        } catch (const InputError& error) {
            return error.problem().key;
        }
        return "";
    }
    std::filesystem::path folder_;
};

TEST_F(Start, MovesTheClothAndItsPinsButNotItsRestShapeOrRegions) {
    const std::string pinned = sheet + "[[pin]]\ncloth = \"sheet\"\nbox = { min = [-0.6, -0.1, "
                                       "-0.6], max = [-0.4, 0.1, 0.6] }\n";
    const BuiltScene plain = build_scene(parse(pinned));
    const BuiltScene moved = build_scene(parse(pinned + "[[start]]\npath = \"up.obj\"\n"));
    ASSERT_EQ(moved.start.positions.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) {
        const Vec3 p = plain.start.positions[i];
        EXPECT_LT(norm(moved.start.positions[i] - Vec3{0.5 * p.x, p.y + 2, p.z}), 1e-15);
    }
    EXPECT_EQ(moved.conditions.pins.at(0).particles, plain.conditions.pins.at(0).particles);
    for (const Vec3& p : moved.conditions.pins[0].start)
        EXPECT_EQ(p.y, 2);
    for (std::size_t t = 0; t < plain.model.dynamics.pattern.size(); ++t)
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(norm(moved.model.dynamics.pattern[t][k] - plain.model.dynamics.pattern[t][k]),
                      0);
    EXPECT_EQ(moved.model.mass, plain.model.mass);
}

TEST_F(Start, RefusesWhatMakesNoSense) {
    EXPECT_EQ(key_of(sheet + "[[start]]\npath = \"up.obj\"\n"), "");
    EXPECT_EQ(key_of(sheet + "[[start]]\ncloth = \"shirt\"\npath = \"up.obj\"\n"),
              "start[0].cloth");
    EXPECT_EQ(key_of(sheet + "[[start]]\ncloth = \"sheet\"\n"), "start[0].path");
    EXPECT_EQ(key_of(sheet + "[[start]]\npath = \"nowhere.obj\"\n"), "start[0].path");
    EXPECT_EQ(key_of(sheet + "[[start]]\npath = 3\n"), "start[0].path");
    EXPECT_EQ(key_of(sheet + "[[start]]\npath = \"up.obj\"\n[[start]]\npath = \"up.obj\"\n"),
              "start[1]");
    EXPECT_EQ(key_of(sheet + "[[start]]\npath = \"other.obj\"\n"), "vertices");
}

} // namespace
