#include "mesh_samples.h"

namespace muslin::test {
namespace {

using Off = TemporaryDirectory;

const std::string vertices = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

TEST_F(Off, RoundTripKeepsEveryBit) {
    const PolygonMesh mesh = sample_mesh();
    write_mesh(path("a.off"), mesh);
    const PolygonMesh back = read_mesh(path("a.off"));
    expect_same_positions(mesh, back);
    expect_same_polygons(mesh, back);
}

TEST(OffParse, HeadsInUse) {
    for (const std::string head :
         {"OFF\n4 2 0\n", "OFF 4 2 0\n", "OFF4 2 0\n", "# c\n\nOFF # c\n# c\n4 2 5\n",
          "COFF\n4 2 0\n", "NOFF 4 2\n", "STCNOFF\r\n4 2 0\r\n"}) {
        const PolygonMesh mesh =
            parse_mesh(head + vertices + "# faces\n3 0 1 2\n4 0 1 2 3 255 0 0\n", "a.OFF");
        EXPECT_EQ(mesh.positions.size(), 4u) << head;
        EXPECT_EQ(mesh.face_begin, (std::vector<int>{0, 3, 7})) << head;
    }
}

TEST(OffParse, ColoursAndNormalsArePassedOver) {
    const PolygonMesh mesh = parse_mesh(
        "COFF\n3 1 0\n0 0 0 255 0 0\n1 0 0 0 255 0 1\n1 1 0 1 1 1\n3 0 1 2 1 0 0", "a.off");
    EXPECT_EQ(mesh.positions[1].x, 1);
    EXPECT_TRUE(mesh.vertex_maps.empty());
}

TEST(OffErrors, Heads) {
    EXPECT_PROBLEM(problem_in("a.off", ""), "a.off", 0, "head", "OFF", "end of file");
    EXPECT_PROBLEM(problem_in("a.off", "PLY\n"), "a.off", 1, "head", "OFF", "'PLY'");
    EXPECT_PROBLEM(problem_in("a.off", "4OFF\n4 1 0\n"), "a.off", 1, "head", "OFF", "'4OFF'");
    EXPECT_PROBLEM(problem_in("a.off", "OFF BINARY\n\1\2"), "a.off", 1, "head", "text", "binary");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n\n"), "a.off", 2, "head", "numbers of", "end of file");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n4\n"), "a.off", 2, "head", "number of faces",
                   "end of line");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n-4 2 0\n"), "a.off", 2, "head", "number of vertices",
                   "'-4'");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n4 1.5 0\n"), "a.off", 2, "head", "number of faces",
                   "'1.5'");
}

TEST(OffErrors, DeclaredSizesThatTheFileCannotHold) {
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n40000000 1 0\n" + vertices), "a.off", 2, "head",
                   "at most 4 vertices", "40000000 declared");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n4 90000000 0\n" + vertices + "3 0 1 2\n"), "a.off", 2,
                   "head", "at most 1 faces", "90000000 declared");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n9000000000000000000 1 0\n" + vertices), "a.off", 2,
                   "head", "at most 4 vertices", "9000000000000000000 declared");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n4 9000000000000000000 0\n" + vertices), "a.off", 2,
                   "head", "at most 0 faces", "9000000000000000000 declared");
}

TEST(OffErrors, Limits) {
    ReadLimits limits;
    limits.max_vertices = 3;
    const std::string text = "OFF\n4 1 0\n" + vertices + "3 0 1 2\n";
    EXPECT_PROBLEM(problem_in("a.off", text, limits), "a.off", 2, "vertices", "at most 3", "4");
    limits = {};
    limits.max_corners = 2;
    EXPECT_PROBLEM(problem_in("a.off", text, limits), "a.off", 2, "faces", "at most 2", "3");
}

TEST(OffErrors, Vertices) {
    const auto with = [](const std::string& line) {
        return "OFF\n4 1 0\n0 0 0\n" + line + "\n1 1 0\n0 1 0\n3 0 1 2\n";
    };
    EXPECT_PROBLEM(problem_in("a.off", with("1 nan 0")), "a.off", 4, "vertex 1", "finite", "'nan'");
    EXPECT_PROBLEM(problem_in("a.off", with("1 0 inf")), "a.off", 4, "vertex 1", "finite", "'inf'");
    EXPECT_PROBLEM(problem_in("a.off", with("1 000000")), "a.off", 4, "vertex 1", "x y z",
                   "end of line");
}

TEST(OffErrors, Faces) {
    const auto with = [](const std::string& line) {
        return "OFF\n4 2 0\n" + vertices + "3 0 1 2\n" + line;
    };
    EXPECT_PROBLEM(problem_in("a.off", with("3 0 1 4\n")), "a.off", 8, "face 1", "below 4", "'4'");
    EXPECT_PROBLEM(problem_in("a.off", with("3 0 1 -1\n")), "a.off", 8, "face 1", "below 4",
                   "'-1'");
    EXPECT_PROBLEM(problem_in("a.off", with("3 0 1 x \n")), "a.off", 8, "face 1", "below 4", "'x'");
    EXPECT_PROBLEM(problem_in("a.off", with("2 0 1    \n")), "a.off", 8, "face 1", "3 corners",
                   "'2'");
    EXPECT_PROBLEM(problem_in("a.off", with("4 0 1 2\n")), "a.off", 8, "face 1", "4 vertex indices",
                   "end of line");
    EXPECT_PROBLEM(problem_in("a.off", with("9000000000 0 1 2\n")), "a.off", 8, "face 1",
                   "9000000000 vertex indices", "end of line");
    EXPECT_PROBLEM(problem_in("a.off", with("           \n")), "a.off", 8, "face 1", "corners",
                   "end of file");
    EXPECT_PROBLEM(problem_in("a.off", with("3 0 1 2\n3 0 1 3\n")), "a.off", 9, "head",
                   "nothing after the 2 faces", "'3'");
}

TEST(OffErrors, EmptyMeshes) {
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n0 0 0\n"), "a.off", 0, "", "vertices", "empty mesh");
    EXPECT_PROBLEM(problem_in("a.off", "OFF\n4 0 0\n" + vertices), "a.off", 0, "", "faces",
                   "no face");
}

} // namespace
} // namespace muslin::test
