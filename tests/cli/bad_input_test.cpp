// Every kind of bad input ends with exit code 2, one line that says where and what, and no file.

#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sys/stat.h>

namespace {

using muslin::test::program;
using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::run_command;
using muslin::testing::Scratch;

const char* const triangle_obj = "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n";

struct Case {
    const char* name;
    std::string scene;               ///< the text of scene.toml
    std::string mesh = triangle_obj; ///< the text of mesh.obj
    std::vector<std::string> words;  ///< that the message must have
};

std::string with_mesh(const std::string& more = {}) {
    return "[[cloth]]\nname = \"c\"\nmesh = \"mesh.obj\"\nmaterial = \"cotton\"\n" + more;
}

std::vector<Case> cases() {
    return {
        {"missing_mesh_file",
         "[[cloth]]\nname = \"c\"\nmesh = \"none.obj\"\n",
         triangle_obj,
         {"scene.toml:3", "none.obj"}},
        {"unknown_key", with_mesh("densty = 3\n"), triangle_obj, {"scene.toml:5", "densty"}},
        {"wrong_type",
         with_mesh("[time]\nframes = \"many\"\n"),
         triangle_obj,
         {"scene.toml:6", "frames", "many"}},
        {"negative_density",
         "[[cloth]]\nname = \"c\"\nmesh = \"mesh.obj\"\nmaterial = { base = \"cotton\", density = "
         "-0.2 }\n",
         triangle_obj,
         {"scene.toml:4", "density", "kg/m^2", "-0.2"}},
        {"nan_vertex",
         with_mesh(),
         "v 0 0 0\nv nan 0 0\nv 0 0 -1\nf 1 2 3\n",
         {"mesh.obj:2", "nan"}},
        {"zero_area_triangle",
         with_mesh(),
         "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
         {"mesh.obj", "cloth 'c'"}},
        {"zero_area_material",
         "[[cloth]]\nname = \"c\"\nmesh = { type = \"file\", path = \"mesh.obj\", rest = "
         "\"texcoords\" }\n",
         "v 0 0 0\nv 1 0 0\nv 0 0 -1\nvt 0 0\nvt 1 1\nvt 2 2\nf 1/1 2/2 3/3\n",
         {"mesh.obj", "cloth 'c'"}},
        {"index_out_of_range",
         with_mesh(),
         "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 7\n",
         {"mesh.obj:4", "7"}},
        {"non_manifold_edge",
         with_mesh(),
         "v 0 0 0\nv 1 0 0\nv 0 0 -1\nv 0 1 0\nv 0 -1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n",
         {"mesh.obj", "edge 0-1", "3 triangles"}},
        {"unused_vertex",
         with_mesh(),
         std::string(triangle_obj) + "v 5 5 5\n",
         {"mesh.obj", "vertex 3"}},
        {"empty_region",
         with_mesh("[[region]]\nname = \"r\"\ncloth = \"c\"\nbox = { min = [8, 8, 8], max = [9, 9, "
                   "9] }\n"),
         triangle_obj,
         {"scene.toml:5", "region 'r'", "matches nothing"}},
        {"pin_without_vertex",
         with_mesh("[[pin]]\ncloth = \"c\"\nvertices = [12]\n"),
         triangle_obj,
         {"scene.toml:", "12", "0 to 2"}},
        {"window_reversed",
         with_mesh("[[pin]]\ncloth = \"c\"\nvertices = [0]\nstart = 2\nend = 1\n"),
         triangle_obj,
         {"scene.toml:9", "end"}},
        {"name_like_a_body",
         "[[cloth]]\nname = \"body-c\"\nmesh = \"mesh.obj\"\n",
         triangle_obj,
         {"scene.toml:2", "cloth[0].name", "body-c"}},
        {"name_of_two_lines",
         "[[cloth]]\nname = \"a\\nb\"\nmesh = \"mesh.obj\"\n",
         triangle_obj,
         {"scene.toml:2", "a\\nb"}},
        {"empty_scene", "", triangle_obj, {"scene.toml", "cloth"}},
        {"not_toml", "[[cloth\n", triangle_obj, {"scene.toml:1"}},
        {"unknown_recipe",
         "recipe = \"bw89\"\n" + with_mesh(),
         triangle_obj,
         {"scene.toml:1", "bw89", "bw98"}},
        {"unknown_part",
         "parts = { bending = \"rubber\" }\n" + with_mesh(),
         triangle_obj,
         {"bending", "rubber", "bend_bw"}},
        {"number_too_large",
         "world = { gravity = [0, -1e31, 0] }\n" + with_mesh(),
         triangle_obj,
         {"scene.toml:1", "world.gravity[1]", "1e+30 at most"}},
        {"formula_too_large",
         "world = { wind = [\"1e31 * t\", 0, 0] }\n" + with_mesh(),
         triangle_obj,
         {"scene.toml:1", "world.wind", "1e31 * t"}},
        {"vertex_too_far",
         with_mesh("scale = 1e20\n"),
         "v 0 0 0\nv 1e20 0 0\nv 0 0 -1e20\nf 1 2 3\n",
         {"scene.toml:1", "cloth 'c'", "1e+30 m", "vertex 1"}},
    };
}

TEST(BadInput, ExitsTwoWithOneMessageAndWritesNothing) {
    for (const Case& c : cases()) {
        const Scratch scratch(std::string("bad-") + c.name);
        const std::string scene = scratch.write("scene.toml", c.scene);
        scratch.write("mesh.obj", c.mesh);
        for (const std::string& words :
             {"run " + scene + " -o " + (scratch / "out"), "check " + scene}) {
            const Outcome outcome = muslin(words);
            EXPECT_EQ(outcome.code, 2) << c.name << ": " << outcome.text;
            EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1)
                << c.name << ": " << outcome.text;
            for (const std::string& word : c.words)
                EXPECT_NE(outcome.text.find(word), std::string::npos)
                    << c.name << " lacks '" << word << "': " << outcome.text;
            EXPECT_FALSE(std::filesystem::exists(scratch / "out")) << c.name;
        }
    }
}

TEST(BadInput, UnknownKeysSuggestTheNearest) {
    const Scratch scratch("suggest");
    const std::string scene = scratch.write(
        "scene.toml", "[[cloth]]\nname = \"c\"\nmesh = { type = \"grid\", colums = 5 }\n");
    const Outcome outcome = muslin("check " + scene);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.text.find("columns"), std::string::npos) << outcome.text;
}

// A kilobyte that says it holds ten gigabytes: refused before any memory is asked for.
TEST(BadInput, HugeDeclaredPly) {
    const Scratch scratch("ply");
    std::string ply = "ply\nformat binary_little_endian 1.0\nelement vertex 800000000\n"
                      "property float x\nproperty float y\nproperty float z\n"
                      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    ply.resize(1024, '\0');
    scratch.write("mesh.ply", ply);
    const std::string scene =
        scratch.write("scene.toml", "[[cloth]]\nname = \"c\"\nmesh = \"mesh.ply\"\n");
    for (const std::string& words : {"info " + (scratch / "mesh.ply"), "check " + scene}) {
        const Outcome outcome = muslin(words);
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_NE(outcome.text.find("mesh.ply"), std::string::npos) << outcome.text;
    }
}

// A pipe or device may have no end: it is refused before it is opened.
TEST(BadInput, WhatIsNoRegularFileIsRefused) {
    const Scratch scratch("pipes");
    const std::string run = scratch / "run";
    ASSERT_EQ(muslin("run two-corner-sheet --frames 1 --quiet --set "
                     "cloth.sheet.mesh.vertices=100 -o " +
                     run)
                  .code,
              0);
    std::filesystem::remove(run + "/stats.jsonl");
    const std::string scene = scratch / "f.toml", usda = scratch / "f.usda",
                      pvd = scratch / "f.pvd";
    for (const std::string& pipe : {scene, usda, pvd, run + "/stats.jsonl"})
        ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0) << pipe;
    for (const std::string& words :
         {std::string("check /dev/zero"), "check " + scene,
          "run " + scene + " -o " + (scratch / "out"),
          "untangle " + scene + " -o " + (scratch / "u.toml"), "view --hidden " + scene,
          "materials " + scene, "info " + scene, "info " + usda, "info " + pvd, "info " + run,
          "measure " + run, "render --quiet " + run}) {
        const Outcome outcome = run_command("timeout 20 " + std::string(program()) + " " + words);
        EXPECT_EQ(outcome.code, 4) << words << ": " << outcome.text;
        EXPECT_NE(outcome.text.find("it is not a regular file"), std::string::npos)
            << words << ": " << outcome.text;
    }
}

TEST(BadInput, ASceneTooLargeToBeOneIsRefused) {
    const Scratch scratch("large");
    const std::string scene = scratch.write("scene.toml", "");
    std::filesystem::resize_file(scene, std::uintmax_t{1} << 36); // on disk it takes nothing
    for (const char* word : {"check ", "materials "}) {
        const Outcome outcome = muslin(word + scene);
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_NE(outcome.text.find("scene.toml: expected a file of at most 64 MiB"),
                  std::string::npos)
            << outcome.text;
    }
}

TEST(BadInput, UsageAndFilesHaveTheirOwnCodes) {
    EXPECT_EQ(muslin("").code, 2);
    EXPECT_NE(muslin("fly").text.find("expected a command, found 'fly'"), std::string::npos);
    EXPECT_EQ(muslin("run").code, 2);
    EXPECT_EQ(muslin("run two-corner-sheet --frames -3").code, 2);
    EXPECT_EQ(muslin("info no-such-file.obj").code, 4);
    EXPECT_EQ(muslin("info no-such-file").code, 4);
    EXPECT_EQ(muslin("measure no-such-file").code, 4);
    EXPECT_EQ(muslin("convert no-such-file x.obj").code, 4);
    EXPECT_EQ(muslin("measure . .").code, 2);
    for (const char* words :
         {"run", "run two-corner-sheet --frames 0", "run two-corner-sheet --frames 1.5",
          "run two-corner-sheet --threads many", "convert a.pc2 b.mdd --frame-rate nan", "fly",
          "run two-corner-sheet -o ''", "info"}) {
        const Outcome outcome = muslin(words);
        EXPECT_EQ(outcome.code, 2) << words;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
        EXPECT_TRUE(outcome.text.starts_with("muslin")) << outcome.text;
        EXPECT_LT(outcome.text.size(), 200u) << outcome.text;
    }
    EXPECT_EQ(muslin("run two-corner-sheet --frames 1 -o /proc/nowhere").code, 4);
    EXPECT_EQ(muslin("--help").code, 0);
    const Outcome version = muslin("--version");
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(version.text.starts_with("muslin ")) << version.text;
    for (const char* word :
         {"\ncommit ", "\nbuild ", "\nparallel ", "\nOpenVDB ", "\nsanitizers ", "\nviewer "})
        EXPECT_NE(version.text.find(word), std::string::npos) << version.text;
}

} // namespace
