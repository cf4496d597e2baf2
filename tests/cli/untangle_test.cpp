// The word `untangle` as scripts use it.
#include "command_line.h"

#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace muslin;
using namespace muslin::testing;
using Json = nlohmann::json;

namespace {

/// A sheet over another in one mesh, its middle pressed through, with texture coordinates and a
/// group for each.
PolygonMesh pressed_mesh() {
    PolygonMesh mesh;
    mesh.group_names = {"lower", "upper"};
    for (int k = 0; k < 2; ++k) {
        const PolygonMesh sheet =
            make_grid({.width = 0.3, .depth = 0.3, .columns = 16 + k, .rows = 16 + k});
        const int points = static_cast<int>(mesh.positions.size());
        const int coordinates = static_cast<int>(mesh.texcoords.size());
        const int corners = static_cast<int>(mesh.corner_vertex.size());
        for (Vec3 p : sheet.positions) {
            if (k == 1)
                p.y = 0.01 - 0.015 * std::exp(-(p.x * p.x + p.z * p.z) / 0.004);
            mesh.positions.push_back(p);
        }
        mesh.texcoords.insert(mesh.texcoords.end(), sheet.texcoords.begin(), sheet.texcoords.end());
        for (int c : sheet.corner_vertex)
            mesh.corner_vertex.push_back(points + c);
        for (int c : sheet.corner_texcoord)
            mesh.corner_texcoord.push_back(coordinates + c);
        for (int f = 0; f < sheet.face_count(); ++f) {
            mesh.face_begin.push_back(corners + sheet.face_begin[f + 1]);
            mesh.face_group.push_back(k);
        }
    }
    return mesh;
}

std::size_t crossings(const PolygonMesh& mesh) {
    return count_self_intersections(mesh.positions, triangulate(mesh).triangles);
}

TEST(UntangleCommand, WritesARepairedMeshBesideTheInput) {
    const Scratch scratch("untangle");
    const PolygonMesh mesh = pressed_mesh();
    ASSERT_GT(crossings(mesh), 0u);
    write_mesh(scratch / "pair.obj", mesh);
    const PolygonMesh before = read_mesh(scratch / "pair.obj");
    const Outcome done = muslin::testing::muslin("untangle " + (scratch / "pair.obj") + " --json");
    ASSERT_EQ(done.code, 0) << done.text;
    const Json report = Json::parse(done.text);
    EXPECT_TRUE(report["clear"]);
    EXPECT_EQ(report["before"]["pairs"], crossings(mesh));
    EXPECT_EQ(report["left"]["pairs"], 0);
    EXPECT_GT(report["moved"]["max"], 0.001);
    EXPECT_LE(report["edge_strain_max"], 0.1);

    const PolygonMesh after = read_mesh(scratch / "pair-untangled.obj");
    EXPECT_EQ(crossings(after), 0u);
    EXPECT_EQ(after.positions.size(), before.positions.size());
    EXPECT_EQ(after.corner_vertex, before.corner_vertex);
    EXPECT_EQ(after.corner_texcoord, before.corner_texcoord);
    EXPECT_EQ(after.texcoords.size(), before.texcoords.size());
    EXPECT_EQ(after.group_names, before.group_names);
    EXPECT_EQ(after.face_group, before.face_group);
    double largest = 0;
    for (std::size_t i = 0; i < after.positions.size(); ++i)
        largest = std::max(largest, norm(after.positions[i] - before.positions[i]));
    EXPECT_NEAR(largest, report["moved"]["max"].get<double>(), 1e-12);
    EXPECT_EQ(crossings(read_mesh(scratch / "pair.obj")), crossings(mesh)) << "the input stays";
}

TEST(UntangleCommand, SaysInWordsWhatCrossed) {
    const Scratch scratch("untangle-words");
    write_mesh(scratch / "pair.ply", pressed_mesh());
    const Outcome done = muslin::testing::muslin("untangle " + (scratch / "pair.ply") + " -o " +
                                                 (scratch / "free.ply"));
    EXPECT_EQ(done.code, 0) << done.text;
    for (const char* word :
         {"crosses itself", "pairs of triangles", "0 of", "vertices moved", "free.ply: written"})
        EXPECT_NE(done.text.find(word), std::string::npos) << word << ": " << done.text;
    const Outcome again = muslin::testing::muslin("untangle " + (scratch / "free.ply"));
    EXPECT_EQ(again.code, 0);
    EXPECT_NE(again.text.find("nothing crosses"), std::string::npos) << again.text;
    EXPECT_EQ(muslin::testing::muslin("untangle --quiet " + (scratch / "free.ply")).text, "");
}

TEST(UntangleCommand, ASceneThatRunsComesOut) {
    const Scratch scratch("untangle-scene");
    const std::string scene = scratch.write(
        "cross.toml", "[time]\nframes = 2\n[[cloth]]\nname = \"flat\"\nmesh = { type = "
                      "\"irregular\", width = 0.3, depth = 0.3, vertices = 200 }\n[[cloth]]\nname "
                      "= \"steep\"\nmesh = { type = \"irregular\", width = 0.2, depth = 0.2, "
                      "vertices = 100 }\nposition = [0.05, 0.07, 0]\nrotation = [20, 0, 80]\n");
    EXPECT_EQ(muslin::testing::muslin("check " + scene).code, 2);
    const Outcome done = muslin::testing::muslin("untangle " + scene);
    EXPECT_EQ(done.code, 0) << done.text;
    const std::string fresh = scratch / "cross-untangled.toml";
    const Outcome sound = muslin::testing::muslin("check " + fresh);
    EXPECT_EQ(sound.code, 0) << sound.text;
    EXPECT_NE(sound.text.find("sound"), std::string::npos) << sound.text;
    EXPECT_EQ(muslin::testing::muslin("run " + fresh + " --quiet -o " + (scratch / "out")).code, 0);
    // Once more: its starts are replaced, not doubled.
    EXPECT_EQ(muslin::testing::muslin("untangle " + fresh + " -o " + (scratch / "again.toml")).code,
              0);
    EXPECT_EQ(muslin::testing::muslin("check " + (scratch / "again.toml")).code, 0);
    // The same by the scene's own wish.
    const Outcome wished =
        muslin::testing::muslin("check " + scene + " --set contact.untangle=true");
    EXPECT_EQ(wished.code, 0) << wished.text;
    EXPECT_NE(wished.text.find("will be untangled"), std::string::npos) << wished.text;
}

TEST(UntangleCommand, WhatIsHeldAcrossStaysAndIsTold) {
    const Scratch scratch("untangle-held");
    const std::string sheet = "mesh = { type = \"irregular\", width = 0.2, depth = 0.2, vertices = "
                              "60 }\n";
    const std::string scene = scratch.write(
        "held.toml", "[[cloth]]\nname = \"a\"\n" + sheet + "[[cloth]]\nname = \"b\"\n" + sheet +
                         "rotation = [0, 0, 60]\n"
                         "[[pin]]\ncloth = \"a\"\nbox = { min = [-1, -1, -1], max = "
                         "[1, 1, 1] }\n[[pin]]\ncloth = \"b\"\nbox = { min = [-1, "
                         "-1, -1], max = [1, 1, 1] }\n");
    const Outcome done =
        muslin::testing::muslin("untangle " + scene + " --iterations 3 -o " + (scratch / "o.toml"));
    EXPECT_EQ(done.code, 3) << done.text;
    EXPECT_NE(done.text.find("still tangled: cloth 'a' crosses cloth 'b'"), std::string::npos)
        << done.text;
    EXPECT_NE(done.text.find("a contour is left around"), std::string::npos) << done.text;
    EXPECT_TRUE(std::filesystem::exists(scratch / "o.toml"));
}

TEST(UntangleCommand, BadInputIsRefused) {
    const Scratch scratch("untangle-bad");
    write_mesh(scratch / "pair.obj", pressed_mesh());
    const std::string mesh = scratch / "pair.obj";
    EXPECT_EQ(muslin::testing::muslin("untangle").code, 2);
    EXPECT_EQ(muslin::testing::muslin("untangle " + (scratch / "none.obj")).code, 4);
    EXPECT_EQ(muslin::testing::muslin("untangle no-such-scene").code, 2);
    EXPECT_EQ(muslin::testing::muslin("untangle " + mesh + " --thickness 0").code, 2);
    EXPECT_EQ(muslin::testing::muslin("untangle " + mesh + " --iterations 0").code, 2);
    EXPECT_EQ(muslin::testing::muslin("untangle " + mesh + " -o " + mesh).code, 2);
    EXPECT_EQ(muslin::testing::muslin("untangle " + mesh + " -o " + (scratch / "a.txt")).code, 2);
    const std::string fan = scratch.write(
        "fan.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
    const Outcome refused = muslin::testing::muslin("untangle " + fan);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.text.find("fan.obj"), std::string::npos) << refused.text;
}

} // namespace
