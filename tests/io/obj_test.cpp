#include "mesh_samples.h"

#include <chrono>

namespace muslin::test {
namespace {

using Obj = TemporaryDirectory;

PolygonMesh parse(const std::string& text) {
    return parse_mesh(text, "a.obj");
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(Obj, RoundTripKeepsEveryBit) {
    PolygonMesh mesh = textured_mesh();
    mesh.group_names = {"front panel", "sleeve"};
    mesh.face_group = {0, -1, 1};
    write_mesh(path("a.obj"), mesh);
    const PolygonMesh back = read_mesh(path("a.obj"));
    expect_same_positions(mesh, back);
    expect_same_polygons(mesh, back);
    EXPECT_EQ(back.corner_texcoord, mesh.corner_texcoord);
    expect_same_texcoords(mesh, back);
    EXPECT_EQ(back.group_names, mesh.group_names);
    EXPECT_EQ(back.face_group, mesh.face_group);
    EXPECT_TRUE(back.vertex_maps.empty());
}

TEST_F(Obj, RoundTripOfColours) {
    PolygonMesh mesh = sample_mesh();
    for (const char* name : {"red", "green", "blue"})
        mesh.vertex_maps[name] = {0, 0.1, 1.0 / 3, 1, 0.5, 0.25};
    mesh.vertex_maps["green"][2] = 0.75;
    write_mesh(path("a.obj"), mesh);
    const PolygonMesh back = read_mesh(path("a.obj"));
    expect_same_positions(mesh, back);
    EXPECT_EQ(back.vertex_maps, mesh.vertex_maps);
}

TEST_F(Obj, WritesWhatOtherProgramsRead) {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {0.1, 0, 0}, {1e-5, 1, 0}};
    mesh.texcoords = {{0, 0}, {1, 0}, {0.5, 1}};
    mesh.face_begin = {0, 3};
    mesh.corner_vertex = {0, 1, 2};
    mesh.corner_texcoord = {2, 1, 0};
    mesh.group_names = {"panel"};
    mesh.face_group = {0};
    write_mesh(path("a.obj"), mesh);
    EXPECT_EQ(read_file(path("a.obj")),
              "# Muslin\nv 0 0 0\nv 0.1 0 0\nv 1e-05 1 0\nvt 0 0\nvt 1 0\n"
              "vt 0.5 1\ng panel\nf 1/3 2/2 3/1\n");
}

TEST_F(Obj, GroupNamesThatWouldBreakALineAreMended) {
    PolygonMesh mesh = sample_mesh();
    mesh.group_names = {"two\nlines\\", "#comment", ""};
    mesh.face_group = {0, 1, 2};
    write_mesh(path("a.obj"), mesh);
    const PolygonMesh back = read_mesh(path("a.obj"));
    EXPECT_EQ(back.group_names, (std::vector<std::string>{"two_lines_", "_comment", "_"}));
    EXPECT_EQ(back.face_group, mesh.face_group);
}

TEST(ObjParse, FacesInEveryForm) {
    const PolygonMesh mesh = parse(square + "vt 0 0\nvt 1 0\nvt 1 1 0.5\nvn 0 0 1\n"
                                            "f 1 2 3\n"
                                            "f 1/1 2/2 3/3\n"
                                            "f 1//1 2//1 3//1\n"
                                            "f 1/1/1 2/2/1 3/3/1 4/3/1\n"
                                            "f 1/1 2 3//1 4/2/1\n"
                                            "f 1/ 2// 3/3/\n");
    EXPECT_EQ(mesh.face_begin, (std::vector<int>{0, 3, 6, 9, 13, 17, 20}));
    EXPECT_EQ(mesh.corner_texcoord, (std::vector<int>{-1, -1, -1, 0, 1,  2,  -1, -1, -1, 0,
                                                      1,  2,  2,  0, -1, -1, 1,  -1, -1, 2}));
    EXPECT_EQ(mesh.texcoords.size(), 3u);
}

TEST(ObjParse, IndicesMayCountBackwards) {
    const PolygonMesh mesh = parse(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 1\nf -3/-2 -2/-1 -1/1\nv 5 5 5\nf -1 1 -3\n");
    EXPECT_EQ(mesh.corner_vertex, (std::vector<int>{0, 1, 2, 3, 0, 1}));
    EXPECT_EQ(mesh.corner_texcoord, (std::vector<int>{0, 1, 0, -1, -1, -1}));
}

TEST(ObjParse, FacesMayStandBeforeTheirVertices) {
    EXPECT_EQ(parse("f 1 2 3\n" + square).corner_vertex, (std::vector<int>{0, 1, 2}));
}

TEST(ObjParse, LineEndsCommentsAndContinuations) {
    const PolygonMesh mesh = parse("\xef\xbb\xbf# made on Windows in C:\\\r\n"
                                   "v 0 0 0 # first\r\n\r\n"
                                   "  \tv\t1 0 0\r\n"
                                   "v 1 \\\r\n 1 \\\r\n0\r\n"
                                   "v +0.5 1. .5e+0\r\n"
                                   "f 1 2\\\r\n 3 4");
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.positions[2].y, 1);
    EXPECT_EQ(mesh.positions[3].x, 0.5);
    EXPECT_EQ(mesh.positions[3].z, 0.5);
    EXPECT_EQ(mesh.corner_vertex, (std::vector<int>{0, 1, 2, 3}));
}

TEST(ObjParse, LinesAreCountedOverContinuations) {
    EXPECT_PROBLEM(problem_in("a.obj", "v 1 \\\n 2 \\\n 3\n\nv 1 2 x\n"), "a.obj", 5, "v",
                   "finite number", "'x'");
}

TEST(ObjParse, OtherStatementsArePassedOver) {
    const PolygonMesh mesh = parse("mtllib a.mtl\n" + square +
                                   "vn 0 0 1\nvp 1 2\ns off\nusemtl red\nl 1 2\np 1\n"
                                   "curv 0 1 1 2\nvv 0 0 0\n\x01\x02 binary\nf 1 2 3\n");
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.face_count(), 1);
    EXPECT_TRUE(mesh.corner_texcoord.empty());
    EXPECT_TRUE(mesh.face_group.empty());
}

TEST(ObjParse, WeightsAreIgnoredAndColoursBecomeMaps) {
    const PolygonMesh mesh =
        parse("v 2 4 6 2\nv 1 0 0 0.25 0.5 0.75\nv 1 1 0 1 0 0 0.5\nv 0 1 0\nf 1 2 3 4\n");
    EXPECT_EQ(mesh.positions[0].y, 4);
    EXPECT_EQ(mesh.vertex_maps.at("red"), (std::vector<double>{0, 0.25, 1, 0}));
    EXPECT_EQ(mesh.vertex_maps.at("green"), (std::vector<double>{0, 0.5, 0, 0}));
    EXPECT_EQ(mesh.vertex_maps.at("blue"), (std::vector<double>{0, 0.75, 0, 0}));
}

TEST(ObjParse, GroupsAndObjects) {
    const PolygonMesh mesh = parse(square + "g empty\nf 1 2 3\n"
                                            "o Shirt\nf 1 2 3\nf 1 2 3\n"
                                            "g left   sleeve # of two\nf 1 2 3\n"
                                            "g\nf 1 2 3\ng Shirt\nf 1 2 3\ng never\ng default\n"
                                            "f 1 2 3\n");
    EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"empty", "Shirt", "left sleeve"}));
    EXPECT_EQ(mesh.face_group, (std::vector<int>{0, 1, 1, 2, -1, 1, -1}));
}

TEST(ObjParse, NumbersTooSmallAreZero) {
    EXPECT_EQ(parse("v 1e-400 -1e-400 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").positions[0].x, 0);
}

TEST(ObjErrors, NumbersThatAreNotFinite) {
    for (const std::string bad : {"nan", "-nan", "inf", "-inf", "Infinity", "1.#INF", "1e999",
                                  "abc", "1,5", "0x10", "--1", "+-1", "1e", "-"}) {
        EXPECT_PROBLEM(problem_in("a.obj", square + "v 0 " + bad + " 0\nf 1 2 3\n"), "a.obj", 5,
                       "v", "finite number", bad);
        EXPECT_PROBLEM(problem_in("a.obj", square + "vt " + bad + "\nf 1 2 3\n"), "a.obj", 5, "vt",
                       "finite number", bad);
    }
}

TEST(ObjErrors, WrongNumberOfCoordinates) {
    for (const std::string bad : {"", "1", "1 2", "1 2 3 4 5"})
        EXPECT_PROBLEM(problem_in("a.obj", "v " + bad + "\n"), "a.obj", 1, "v", "x y z", "numbers");
    EXPECT_PROBLEM(problem_in("a.obj", "v 1 2 3 4 5 6 7 8\n"), "a.obj", 1, "v", "at most 7", "'8'");
    EXPECT_PROBLEM(problem_in("a.obj", "vt\n"), "a.obj", 1, "vt", "u v", "no number");
}

TEST(ObjErrors, FacesWithFewCorners) {
    for (const auto& [bad, count] : {std::pair{"f", "0"}, {"f 1", "1"}, {"f 1 2", "2"}})
        EXPECT_PROBLEM(problem_in("a.obj", square + "f 1 2 3\n" + bad + "\n"), "a.obj", 6, "face 2",
                       "at least 3 corners", count);
}

TEST(ObjErrors, CornersThatDoNotParse) {
    for (const std::string bad : {"x", "1/x", "1/1/x", "/1", "//1", "1/1/1/1", "1.5", "1///", "/"})
        EXPECT_PROBLEM(problem_in("a.obj", square + "vt 0 0\nf 1 2 " + bad + "\n"), "a.obj", 6,
                       "face 1", "v/vt/vn", "'" + bad + "'");
}

TEST(ObjErrors, IndicesOutOfRange) {
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 1 2 3\nf 1 2 5\nf 1 2 3\n"), "a.obj", 6,
                   "face 2", "vertex index among the 4", "5");
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 0 1 2\n"), "a.obj", 5, "face 1", "counts from 1",
                   "0");
    EXPECT_PROBLEM(problem_in("a.obj", square + "f -5 1 2\n"), "a.obj", 5, "face 1",
                   "vertex index among the 4", "-5");
    EXPECT_PROBLEM(problem_in("a.obj", square + "vt 0 0\nf 1/1 2/2 3/1\n"), "a.obj", 6, "face 1",
                   "texture index among the 1", "2");
    EXPECT_PROBLEM(problem_in("a.obj", square + "vt 0 0\nf 1/1 2/0 3/1\n"), "a.obj", 6, "face 1",
                   "texture index that counts from 1", "0");
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 1/1 2/1 3/1\n"), "a.obj", 5, "face 1",
                   "texture index among the 0", "1");
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 1 2 99999999999\n"), "a.obj", 5, "face 1",
                   "vertex index", "99999999999");
}

TEST(ObjErrors, EmptyMeshes) {
    for (const std::string text : {"", "\n\n", "# nothing\n", "v", "usemtl x\n"})
        EXPECT_THROW(parse(text), InputError) << text;
    EXPECT_PROBLEM(problem_in("a.obj", "# nothing\n"), "a.obj", 0, "", "vertices", "empty mesh");
    EXPECT_PROBLEM(problem_in("a.obj", square), "a.obj", 0, "", "faces", "4 vertices and no face");
}

TEST(ObjErrors, Limits) {
    ReadLimits limits;
    limits.max_vertices = 3;
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 1 2 3\n", limits), "a.obj", 4, "vertices",
                   "at most 3", "4");
    limits.max_vertices = 4;
    limits.max_corners = 5;
    EXPECT_PROBLEM(problem_in("a.obj", square + "f 1 2 3\nf 1 2 3\n", limits), "a.obj", 6, "faces",
                   "at most 5", "6");
}

TEST(ObjErrors, TheTextOfTheUserIsMadeSafeToPrint) {
    const Problem problem = problem_in("a.obj", "v 0 0 \x1b[31m" + std::string(100, 'x') + "\n");
    EXPECT_NE(problem.found.find("'\\x1b[31mxxx"), std::string::npos) << problem.found;
    EXPECT_LT(problem.found.size(), 60u);
}

TEST_F(Obj, AHundredThousandVerticesInWellUnderASecond) {
    PolygonMesh mesh;
    constexpr int side = 317;
    for (int i = 0; i < side * side; ++i) {
        mesh.positions.push_back({std::sin(i), std::cos(i), i / 7.0});
        mesh.texcoords.push_back({(i % side) / 316.0, i / side / 316.0});
    }
    for (int i = 0; i + side + 1 < side * side; ++i)
        for (const int corner : {i, i + 1, i + side + 1, i, i + side + 1, i + side}) {
            mesh.corner_vertex.push_back(corner);
            if (mesh.corner_vertex.size() % 3 == 0)
                mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
        }
    mesh.corner_texcoord = mesh.corner_vertex;
    const auto seconds = [](const auto& body) {
        const auto start = std::chrono::steady_clock::now();
        body();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    PolygonMesh back;
    for (const char* name : {"a.obj", "a.ply", "a.off"}) {
        const double writing = seconds([&] { write_mesh(path(name), mesh); });
        const double reading = seconds([&] { back = read_mesh(path(name)); });
        fmt::print("{}: {} vertices, {} faces, {:.1f} MB: written in {:.3f} s, read in {:.3f} s\n",
                   name, mesh.positions.size(), mesh.face_count(),
                   static_cast<double>(std::filesystem::file_size(path(name))) / 1e6, writing,
                   reading);
        expect_same_polygons(mesh, back);
        // Some tens of milliseconds; the bound leaves room for a sanitizer on a busy machine.
        EXPECT_LT(reading, 5) << name;
    }
}

} // namespace
} // namespace muslin::test
