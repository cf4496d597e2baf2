#include "mesh_samples.h"

#include <limits>

namespace muslin::test {
namespace {

using Ply = TemporaryDirectory;

PolygonMesh parse(const std::string& bytes) {
    return parse_mesh(bytes, "a.ply");
}

const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                         "property float y\nproperty float z\nelement face 1\n"
                         "property list uchar int vertex_indices\nend_header\n";
const std::string body = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// The triangle of `head` in binary, with the given words in the place of a few defaults.
struct BinaryTriangle {
    std::endian order = std::endian::little;
    std::uint64_t declared_vertices = 3;
    double y = 0.25;
    std::uint8_t corners = 3;
    std::int32_t index = 2;

    std::string bytes() const {
        std::string out = fmt::format(
            "ply\nformat binary_{}_endian 1.0\nelement vertex {}\nproperty double x\n"
            "property double y\nproperty float z\nproperty uchar red\n"
            "element face 1\nproperty uchar flags\nproperty list uchar int vertex_index\n"
            "end_header\n",
            order == std::endian::little ? "little" : "big", declared_vertices);
        for (int i = 0; i < 3; ++i) {
            append_bytes(out, 0.1 * i, order);
            append_bytes(out, y, order);
            append_bytes(out, 0.5f, order);
            append_bytes(out, static_cast<std::uint8_t>(51 * i), order);
        }
        append_bytes(out, std::uint8_t{7}, order);
        append_bytes(out, corners, order);
        for (std::int32_t i : {0, 1, index})
            append_bytes(out, i, order);
        return out;
    }
};

TEST_F(Ply, RoundTripKeepsEveryBit) {
    PolygonMesh mesh = sample_mesh();
    mesh.vertex_maps["thickness"] = {0.1, 1.0 / 3, -0.0, 1e-300, 5, 6};
    mesh.vertex_maps["red"] = {0, 0.5, 1, 0.1, 0.2, 0.3};
    write_mesh(path("a.ply"), mesh);
    const PolygonMesh back = read_mesh(path("a.ply"));
    expect_same_positions(mesh, back);
    expect_same_polygons(mesh, back);
    EXPECT_EQ(back.vertex_maps, mesh.vertex_maps);
    EXPECT_TRUE(back.corner_texcoord.empty());
}

TEST_F(Ply, RoundTripOfTexcoordsPerVertex) {
    PolygonMesh mesh = sample_mesh();
    mesh.texcoords = {{0, 0}, {1.0 / 7, 0}, {0.3, 1}, {0, 1}, {2, 2}, {0.25, 5}};
    mesh.corner_texcoord = mesh.corner_vertex;
    write_mesh(path("a.ply"), mesh);
    EXPECT_NE(read_file(path("a.ply")).find("property double s\n"), std::string::npos);
    const PolygonMesh back = read_mesh(path("a.ply"));
    EXPECT_EQ(back.corner_texcoord, mesh.corner_texcoord);
    expect_same_texcoords(mesh, back);
}

TEST_F(Ply, RoundTripOfTexcoordsPerCorner) {
    const PolygonMesh mesh = textured_mesh();
    write_mesh(path("a.ply"), mesh);
    const PolygonMesh back = read_mesh(path("a.ply"));
    expect_same_texcoords(mesh, back);
    EXPECT_EQ(back.texcoords.size(), mesh.texcoords.size()) << "shared coordinates stay shared";
}

TEST_F(Ply, AFaceWithoutAllItsTexcoordsHasNone) {
    PolygonMesh mesh = textured_mesh();
    mesh.corner_texcoord[5] = -1;
    write_mesh(path("a.ply"), mesh);
    const PolygonMesh back = read_mesh(path("a.ply"));
    mesh.corner_texcoord[4] = mesh.corner_texcoord[6] = -1;
    expect_same_texcoords(mesh, back);
}

TEST_F(Ply, AFaceOfAThousandCorners) {
    PolygonMesh mesh;
    for (int i = 0; i < 1000; ++i) {
        mesh.positions.push_back({std::cos(i), std::sin(i), 0});
        mesh.corner_vertex.push_back(i);
    }
    mesh.face_begin = {0, 1000};
    write_mesh(path("a.ply"), mesh);
    expect_same_polygons(read_mesh(path("a.ply")), mesh);
}

TEST_F(Ply, NamesOfMapsThatMeanSomethingElseAreMended) {
    PolygonMesh mesh = sample_mesh();
    for (const char* name : {"x", "s", "t", "two words", "two_words", ""})
        mesh.vertex_maps[name] = {1, 2, 3, 4, 5, 6};
    write_mesh(path("a.ply"), mesh);
    const PolygonMesh back = read_mesh(path("a.ply"));
    expect_same_positions(mesh, back);
    EXPECT_TRUE(back.texcoords.empty());
    EXPECT_EQ(back.vertex_maps.size(), 6u);
    for (const char* name : {"x_", "s_", "t_", "two_words", "two_words_", "_"})
        EXPECT_EQ(back.vertex_maps.count(name), 1u) << name;
}

TEST(PlyParse, BothByteOrders) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        BinaryTriangle triangle;
        triangle.order = order;
        const PolygonMesh mesh = parse(triangle.bytes());
        ASSERT_EQ(mesh.positions.size(), 3u);
        EXPECT_EQ(mesh.positions[2].x, 0.2);
        EXPECT_EQ(mesh.positions[2].y, 0.25);
        EXPECT_EQ(mesh.positions[2].z, 0.5);
        EXPECT_EQ(mesh.corner_vertex, (std::vector<int>{0, 1, 2}));
        EXPECT_DOUBLE_EQ(mesh.vertex_maps.at("red")[2], 0.4);
    }
}

TEST(PlyParse, EveryTypeInBinary) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        std::string bytes = fmt::format(
            "ply\nformat binary_{}_endian 1.0\nelement vertex 3\nproperty int8 x\n"
            "property uint8 y\nproperty int16 z\nproperty uint16 a\nproperty int32 b\n"
            "property uint32 c\nproperty float32 d\nproperty float64 e\nelement face 1\n"
            "property list int uint vertex_indices\nend_header\n",
            order == std::endian::little ? "little" : "big");
        for (int i = 0; i < 3; ++i) {
            append_bytes(bytes, std::int8_t{-5}, order);
            append_bytes(bytes, std::uint8_t{250}, order);
            append_bytes(bytes, std::int16_t{-30000}, order);
            append_bytes(bytes, std::uint16_t{60000}, order);
            append_bytes(bytes, std::int32_t{-2000000000}, order);
            append_bytes(bytes, std::uint32_t{4000000000}, order);
            append_bytes(bytes, 0.1f, order);
            append_bytes(bytes, 0.1, order);
        }
        append_bytes(bytes, std::int32_t{3}, order);
        for (std::uint32_t i : {2u, 1u, 0u})
            append_bytes(bytes, i, order);
        const PolygonMesh mesh = parse(bytes);
        EXPECT_EQ(mesh.positions[1].x, -5);
        EXPECT_EQ(mesh.positions[1].y, 250);
        EXPECT_EQ(mesh.positions[1].z, -30000);
        EXPECT_EQ(mesh.vertex_maps.at("a")[1], 60000);
        EXPECT_EQ(mesh.vertex_maps.at("b")[1], -2000000000);
        EXPECT_EQ(mesh.vertex_maps.at("c")[1], 4000000000);
        EXPECT_EQ(mesh.vertex_maps.at("d")[1], static_cast<double>(0.1f));
        EXPECT_EQ(mesh.vertex_maps.at("e")[1], 0.1);
        EXPECT_EQ(mesh.corner_vertex, (std::vector<int>{2, 1, 0}));
    }
}

TEST(PlyParse, AsciiWithEverythingElse) {
    const PolygonMesh mesh = parse(
        "ply\r\ncomment first\r\nformat ascii 1.0\r\nobj_info x\r\nelement camera 1\r\n"
        "property list uchar float pose\r\nproperty int id\r\n"
        "element vertex 3\r\nproperty double x\r\nproperty double y\r\nproperty double z\r\n"
        "property float nx\r\nproperty uchar red\r\nproperty float red2\r\n"
        "property list uchar int links\r\nproperty float u\r\nproperty float v\r\n"
        "element face 2\r\nproperty list uchar int vertex_indices\r\nproperty uchar flags\r\n"
        "element empty 1000000000000\r\nelement edge 1\r\nproperty int vertex1\r\nend_header\r\n"
        "2 0.5 0.25 7\r\n"
        "0 0 0 nan 255 9 0 0.5 1\r\n\r\n1 0 0 0 51 8 1 0 0.5 2\r\n0 1 0.125 0 0 7 2 0 1 0.5 3\r\n"
        "3 0 1 2 1\r\n4 0 1 2 0 1\r\n"
        "5");
    EXPECT_EQ(mesh.positions[2].z, 0.125);
    EXPECT_EQ(mesh.face_begin, (std::vector<int>{0, 3, 7}));
    EXPECT_EQ(mesh.vertex_maps.size(), 2u) << "normals and lists are no maps";
    EXPECT_DOUBLE_EQ(mesh.vertex_maps.at("red")[1], 0.2);
    EXPECT_EQ(mesh.vertex_maps.at("red2"), (std::vector<double>{9, 8, 7}));
    ASSERT_EQ(mesh.texcoords.size(), 3u);
    EXPECT_EQ(mesh.texcoords[2].y, 3);
    EXPECT_EQ(mesh.corner_texcoord, mesh.corner_vertex);
}

TEST(PlyParse, NamesOfTexcoords) {
    for (const auto& [u, v] : {std::pair{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}) {
        std::string text = head;
        text.insert(text.find("element face"),
                    fmt::format("property float {}\nproperty float {}\n", u, v));
        const PolygonMesh mesh = parse(text + "0 0 0 1 2\n1 0 0 3 4\n0 1 0 5 6\n3 0 1 2\n");
        ASSERT_EQ(mesh.texcoords.size(), 3u);
        EXPECT_EQ(mesh.texcoords[1].x, 3);
        EXPECT_EQ(mesh.texcoords[1].y, 4);
        EXPECT_TRUE(mesh.vertex_maps.empty());
    }
}

TEST(PlyErrors, Heads) {
    const auto replaced = [](const std::string& from, const std::string& to) {
        std::string text = head + body;
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_PROBLEM(problem_in("a.ply", ""), "a.ply", 1, "head", "ply", "another");
    EXPECT_PROBLEM(problem_in("a.ply", "plyx\n"), "a.ply", 1, "head", "ply", "another");
    EXPECT_PROBLEM(problem_in("a.ply", "ply\n"), "a.ply", 1, "head", "end_header", "end of file");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("ascii", "ebcdic")), "a.ply", 2, "head",
                   "binary_big_endian", "'ebcdic'");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("1.0", "2.0")), "a.ply", 2, "head", "1.0", "'2.0'");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("vertex 3", "vertex -3")), "a.ply", 3, "head",
                   "number of elements", "'-3'");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("vertex 3", "vertex")), "a.ply", 3, "head",
                   "number of elements", "end of line");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("float x", "quad x")), "a.ply", 4, "head", "a type",
                   "'quad'");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("float y", "float x")), "a.ply", 5, "head", "once",
                   "'x' again");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("float y", "float w")), "a.ply", 9, "head",
                   "property y", "none");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("element face", "element vertex")), "a.ply", 7,
                   "head", "each element once", "'vertex' again");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("element face", "element strip")), "a.ply", 9,
                   "head", "element face", "none");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("vertex_indices", "indices")), "a.ply", 9, "head",
                   "vertex_indices", "none");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("uchar int", "uchar float")), "a.ply", 9, "head",
                   "vertex_indices of integers", "none");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("uchar int", "float int")), "a.ply", 8, "head",
                   "integer type", "fractions");
    EXPECT_PROBLEM(problem_in("a.ply", replaced("end_header", "end")), "a.ply", 9, "head",
                   "end_header", "'end'");
    EXPECT_PROBLEM(problem_in("a.ply", "ply\nformat ascii 1.0\nproperty int x\n"), "a.ply", 3,
                   "head", "element before", "property");
}

TEST(PlyErrors, DeclaredSizesThatTheFileCannotHold) {
    std::string text = head + body;
    text.replace(text.find("vertex 3"), 8, "vertex 500000000");
    EXPECT_PROBLEM(problem_in("a.ply", text), "a.ply", 3, "element vertex", "at most 4 in the 27",
                   "500000000 declared");
    text = head + body;
    text.replace(text.find("face 1"), 6, "face 50000000");
    EXPECT_PROBLEM(problem_in("a.ply", text), "a.ply", 7, "element face", "at most 1",
                   "50000000 declared");
    for (const std::uint64_t declared : {4ull, 500000000ull, 9000000000000000000ull}) {
        BinaryTriangle triangle;
        triangle.declared_vertices = declared;
        EXPECT_PROBLEM(problem_in("a.ply", triangle.bytes()), "a.ply", 3, "element vertex",
                       "at most 3 in the 77", fmt::format("{} declared", declared));
    }
}

TEST(PlyErrors, Limits) {
    ReadLimits limits;
    limits.max_vertices = 2;
    EXPECT_PROBLEM(problem_in("a.ply", head + body, limits), "a.ply", 3, "vertices", "at most 2",
                   "3");
    limits = {};
    limits.max_corners = 2;
    EXPECT_PROBLEM(problem_in("a.ply", head + body, limits), "a.ply", 7, "faces", "at most 2", "3");
}

TEST(PlyErrors, Ascii) {
    const auto with = [](const std::string& vertex, const std::string& face) {
        return head + "0 0 0\n" + vertex + "\n0 1 0\n" + face + "\n";
    };
    const std::string ok = "1 0 0", tri = "3 0 1 2";
    EXPECT_PROBLEM(problem_in("a.ply", with("1 nan 0", tri)), "a.ply", 11, "vertex 1, y", "finite",
                   "'nan'");
    EXPECT_PROBLEM(problem_in("a.ply", with("1 0 inf", tri)), "a.ply", 11, "vertex 1, z", "finite",
                   "'inf'");
    EXPECT_PROBLEM(problem_in("a.ply", with("1 0000", tri)), "a.ply", 11, "vertex 1, z", "value",
                   "end of line");
    EXPECT_PROBLEM(problem_in("a.ply", with("1 0 0 0", tri)), "a.ply", 11, "vertex 1",
                   "no more values", "'0'");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "3 0 1 3")), "a.ply", 13, "face 0", "below 3", "3");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "3 0 1 -1")), "a.ply", 13, "face 0", "below 3",
                   "-1");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "3 0 1.5 1")), "a.ply", 13, "face 0", "integer",
                   "'1.5'");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "2 0 1  ")), "a.ply", 13, "face 0", "3 corners",
                   "2");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "-3 0 1 2")), "a.ply", 13, "face 0", "length",
                   "-3");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "200000000 0 1 2")), "a.ply", 13, "face 0", "value",
                   "end of line");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "4000000000000 0 1 2")), "a.ply", 13, "faces",
                   "at most", "4000000000000");
    EXPECT_PROBLEM(problem_in("a.ply", with(ok, "        ")), "a.ply", 13, "face 0", "element",
                   "end of file");
}

TEST(PlyErrors, Binary) {
    BinaryTriangle bad;
    bad.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "vertex 0, y", "finite", "nan");
    bad.y = -std::numeric_limits<double>::infinity();
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "vertex 0, y", "finite", "-inf");
    bad = {};
    bad.index = 3;
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "face 0", "below 3", "3");
    bad.index = -1;
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "face 0", "below 3", "-1");
    bad = {};
    bad.corners = 200;
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "face 0", "200 values",
                   "end of file (at byte");
    bad.corners = 2;
    EXPECT_PROBLEM(problem_in("a.ply", bad.bytes()), "a.ply", 0, "face 0", "3 corners", "2");
}

TEST(PlyErrors, EveryTruncationIsNoticed) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        BinaryTriangle triangle;
        triangle.order = order;
        const std::string bytes = triangle.bytes();
        for (std::size_t size = 0; size < bytes.size(); ++size)
            EXPECT_THROW(parse(bytes.substr(0, size)), InputError) << size;
    }
}

TEST(PlyErrors, TexcoordsThatDoNotFitTheirFace) {
    std::string text = head;
    text.insert(text.find("end_header"), "property list uchar float texcoord\n");
    EXPECT_EQ(parse(text + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 1 0 1 1\n").texcoords.size(), 3u);
    EXPECT_PROBLEM(problem_in("a.ply", text + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 4 0 0 1 0\n"), "a.ply",
                   14, "face 0, texcoord", "6 values for 3 corners", "4");
}

TEST(PlyErrors, EmptyMeshes) {
    std::string text = head;
    text.replace(text.find("vertex 3"), 8, "vertex 0").replace(text.find("face 1"), 6, "face 0");
    EXPECT_PROBLEM(problem_in("a.ply", text), "a.ply", 0, "", "vertices", "empty mesh");
    text = head;
    text.replace(text.find("face 1"), 6, "face 0");
    EXPECT_PROBLEM(problem_in("a.ply", text + "0 0 0\n1 0 0\n0 1 0\n"), "a.ply", 0, "", "faces",
                   "no face");
}

} // namespace
} // namespace muslin::test
