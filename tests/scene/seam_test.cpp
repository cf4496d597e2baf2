// [[seam]]: what it joins, what it is when the scene does not say, and what it refuses.
#include "scene/scene_testing.h"

#include "muslin/scene/build_scene.h"

#include <algorithm>

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;

/// Two squares side by side, of 0.2 m and edges of 5 cm.
std::string squares(const std::string& rest, const std::string& second = "") {
    std::string out;
    for (const std::string name : {"a", "b"})
        out += "[[cloth]]\nname = \"" + name + "\"\nposition = [" + (name == "a" ? "0" : "0.3") +
               ", 0, 0]\n" + (name == "b" ? second : "") +
               "mesh = { type = \"panel\", edge = 0.05, outline = [[-0.1, -0.1], [0.1, -0.1], "
               "[0.1, 0.1], [-0.1, 0.1]], sides = [\"s\", \"e\", \"n\", \"w\"] }\n"
               "material = { base = \"cotton\", stretch_u = 500, stretch_v = 800 }\n";
    return out + rest;
}
const std::string good =
    "[[seam]]\nregions = [{ cloth = \"a\", map = \"e\" }, { cloth = \"b\", map = \"w\" }]\n";

Problem build_problem(const std::string& text) {
    return problem_of([&] { build_scene(parse(text)); });
}

TEST(SeamTables, PairsVerticesAlongBothBorders) {
    const BuiltScene built = build_scene(parse(squares(good)));
    ASSERT_EQ(built.model.seams.size(), 1u);
    const Seam& seam = built.model.seams[0];
    ASSERT_EQ(seam.joints.size(), 5u);
    for (const auto& joint : seam.joints) {
        ASSERT_EQ(joint.size(), 2u);
        const Vec3 &p = built.start.positions[joint[0]], &q = built.start.positions[joint[1]];
        EXPECT_NEAR(std::abs(p.x - q.x), 0.1, 1e-9);
        EXPECT_NEAR(p.z, q.z, 1e-9);
    }
    EXPECT_EQ(seam.name, "seam[0]");
    EXPECT_NEAR(seam.stiffness, 0.1 * 500 / 0.01, 1e-9);
    EXPECT_NEAR(seam.max_force, 0.1 * 500 * 0.05, 1e-12);
    EXPECT_NEAR(seam.meet_distance, 0.0008, 1e-12); // two thicknesses
    EXPECT_EQ(seam.ramp, 2);
}

TEST(SeamTables, SettingsAndWindowAreRead) {
    const BuiltScene built = build_scene(parse(
        squares("[[region]]\nname = \"ea\"\ncloth = \"a\"\nmap = \"e\"\n"
                "[[region]]\nname = \"wb\"\ncloth = \"b\"\nmap = \"w\"\n"
                "[[seam]]\nregions = [\"ea\", \"wb\"]\nstiffness = 3\ndamping = 4\nmax_force = 5\n"
                "ramp = 6\nmeet_distance = 7\nstart = 8\nend = 9\n")));
    const Seam& seam = built.model.seams.at(0);
    EXPECT_EQ(seam.name, "ea-wb");
    EXPECT_EQ(seam.stiffness, 3);
    EXPECT_EQ(seam.damping, 4);
    EXPECT_EQ(seam.max_force, 5);
    EXPECT_EQ(seam.ramp, 6);
    EXPECT_EQ(seam.meet_distance, 7);
    EXPECT_EQ(seam.window.start, 8);
    EXPECT_EQ(seam.window.end, 9);
}

TEST(SeamTables, JointsVertexByVertexAndWhatTheyShareIsOne) {
    const BuiltScene built = build_scene(
        parse(squares("[[seam]]\njoints = [[[\"a\", 4], [\"b\", 0]], [[\"a\", 8], [\"b\", 12]]]\n"
                      "[[seam]]\njoints = [[[\"b\", 0], [\"b\", 5]]]\n")));
    ASSERT_EQ(built.model.seams.size(), 2u);
    ASSERT_EQ(built.model.seams[0].joints.size(), 2u);
    EXPECT_EQ(built.model.seams[0].joints[0].size(), 3u);
    EXPECT_TRUE(built.model.seams[1].joints.empty()); // the first seam has it
}

TEST(SeamTables, ASharedJointIsOfTheSeamThatBeginsLast) {
    const BuiltScene built = build_scene(
        parse(squares("[[seam]]\njoints = [[[\"a\", 4], [\"b\", 0]], [[\"a\", 8], [\"b\", 12]]]\n"
                      "[[seam]]\njoints = [[[\"b\", 0], [\"b\", 5]]]\nstart = 0.5\n")));
    ASSERT_EQ(built.model.seams[0].joints.size(), 1u);
    EXPECT_EQ(built.model.seams[0].joints[0].size(), 2u);
    ASSERT_EQ(built.model.seams[1].joints.size(), 1u);
    EXPECT_EQ(built.model.seams[1].joints[0].size(), 3u);
}

TEST(SeamTables, BadTablesAreRefusedAtTheirPlace) {
    const auto key = [](const std::string& seam) {
        return problem_in(squares("[[seam]]\n" + seam)).key;
    };
    EXPECT_EQ(key(""), "seam[0]");
    EXPECT_EQ(key("regions = [\"x\", \"y\"]\n"), "seam[0].regions[0]");
    EXPECT_EQ(key("regions = [{ cloth = \"a\", map = \"e\" }]\n"), "seam[0].regions");
    EXPECT_EQ(key("regions = [{ cloth = \"a\" }, { cloth = \"b\", map = \"w\" }]\n"),
              "seam[0].regions[0]");
    EXPECT_EQ(key("regions = [{ cloth = \"a\", map = \"e\", name = \"q\" }, \"y\"]\n"),
              "seam[0].regions[0].name");
    EXPECT_EQ(key("joints = []\n"), "seam[0].joints");
    EXPECT_EQ(key("joints = [[[\"a\", 1]]]\n"), "seam[0].joints[0]");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"c\", 2]]]\n"), "seam[0].joints[0][1][0]");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"b\", -2]]]\n"), "seam[0].joints[0][1][1]");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"b\", 2]]]\nstiffness = 0\n"), "seam[0].stiffness");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"b\", 2]]]\nmeet_distance = -1\n"),
              "seam[0].meet_distance");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"b\", 2]]]\nstart = 2\nend = 1\n"), "seam[0].end");
    EXPECT_EQ(key("joints = [[[\"a\", 1], [\"b\", 2]]]\nreverse = true\n"), "seam[0].reverse");
}

TEST(SeamTables, BordersThatCannotBeSewnAreRefused) {
    const std::string head = "[[seam]]\nregions = [";
    // A vertex that no cloth has.
    EXPECT_EQ(build_problem(squares("[[seam]]\njoints = [[[\"a\", 4], [\"b\", 4000]]]\n")).found,
              "4000");
    // Other numbers of vertices: both are told.
    const Problem counts = build_problem(
        squares(head + "{ cloth = \"a\", map = \"e\" }, { cloth = \"b\", map = \"w\" }]\n") +
        "[[cloth]]\nname = \"c\"\nmesh = { type = \"panel\", edge = 0.05, counts = [6], outline = "
        "[[1, 0], [1.3, 0], [1.3, 0.3], [1, 0.3]] }\n" +
        head + "{ cloth = \"a\", map = \"n\" }, { cloth = \"c\", map = \"side0\" }]\n");
    EXPECT_NE(counts.found.find("5 in"), std::string::npos) << counts.found;
    EXPECT_NE(counts.found.find("7 in"), std::string::npos) << counts.found;
    // Not a row along the border; two rows; all around.
    const auto found = [&](const std::string& vertices) {
        return build_problem(squares(head + "{ cloth = \"a\", vertices = [" + vertices +
                                     "] }, { cloth = \"b\", map = \"w\" }]\n"))
            .found;
    };
    EXPECT_NE(found("0, 2, 4, 6, 8").find("none of them side by side"), std::string::npos);
    EXPECT_NE(found("0, 1, 8, 9").find("2 rows"), std::string::npos);
    EXPECT_NE(found("0, 1, 2, 20").find("some off that row"), std::string::npos);
    EXPECT_NE(found("0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15").find("all around"),
              std::string::npos);
    // One of two cloths upside down: they would have to be crossed over.
    const Problem turned = build_problem(
        squares(head + "{ cloth = \"a\", map = \"e\" }, { cloth = \"b\", map = \"e\" }]\n",
                "rotation = [0, 0, 180]\n"));
    EXPECT_NE(turned.found.find("crossed over"), std::string::npos) << turned.found;
}

TEST(SeamTables, PanelsAndFiguresAreReadAndRefused) {
    const auto key = [](const std::string& mesh) {
        return problem_in("[[cloth]]\nmesh = { " + mesh + " }\n").key;
    };
    const std::string outline = "outline = [[0, 0], [1, 0], [1, 1], [0, 1]]";
    EXPECT_EQ(key("type = \"panel\""), "cloth[0].mesh.outline");
    EXPECT_EQ(key("type = \"panel\", outline = [[0, 0, 1]]"), "cloth[0].mesh.outline[0]");
    EXPECT_EQ(key("type = \"panel\", outline = [[0, 0], [1, 1], [1, 0], [0, 1]]"),
              "cloth[0].mesh.outline");
    EXPECT_EQ(key("type = \"panel\", sides = [\"a\"], " + outline), "cloth[0].mesh.sides");
    EXPECT_EQ(key("type = \"panel\", counts = [3], " + outline), "cloth[0].mesh.counts");
    EXPECT_EQ(key("type = \"panel\", roll = 400, " + outline), "cloth[0].mesh.roll");
    EXPECT_EQ(key("type = \"figure\", arm_angle = 100"), "cloth[0].mesh.arm_angle");
    EXPECT_EQ(key("type = \"figure\", part = \"leg\""), "cloth[0].mesh.part");
}

} // namespace
} // namespace muslin
