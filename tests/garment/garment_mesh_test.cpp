// Panels cut, laid out, and what of them is sewn.
#include "muslin/garment/garment_mesh.h"
#include "muslin/garment/stand_off.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace muslin;

/// A rectangle around the origin, counter-clockwise from its lower left corner: edges 0 below, 1
/// right, 2 above, 3 left.
PatternPanel rectangle(const std::string& name, double width, double height) {
    PatternPanel panel;
    panel.name = name;
    const double x = width / 2, y = height / 2;
    panel.vertices = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    for (int i = 0; i < 4; ++i)
        panel.edges.push_back({i, (i + 1) % 4, {}, {}});
    return panel;
}

Vec3 face_normal(const PolygonMesh& mesh, int face) {
    const auto at = [&](int k) {
        return mesh.positions[mesh.corner_vertex[mesh.face_begin[face] + k]];
    };
    return normalized(cross(at(1) - at(0), at(2) - at(0)));
}

/// A front that faces +z and a back that faces -z, sewn at both sides; the back is drawn clockwise.
Pattern tube() {
    Pattern pattern;
    pattern.panels = {rectangle("front", 0.4, 0.3), rectangle("back", 0.5, 0.3)};
    pattern.panels[0].translation = {0, 1, 0.2};
    PatternPanel& back = pattern.panels[1];
    back.translation = {0, 1, -0.2};
    std::swap(back.vertices[0], back.vertices[1]); // mirrored: clockwise, right and left change
    std::swap(back.vertices[2], back.vertices[3]);
    back.edges[1].label = "side";
    // Right of the front to what is on the right (+x) of the back: its edge 3.
    pattern.stitches.push_back({{{{0, 1}, {1, 3}}}, false, 0, "right"});
    pattern.stitches.push_back({{{{0, 3}, {1, 1}}}, false, 1, ""});
    return pattern;
}

TEST(GarmentMesh, SidesOfASeamMeetPointByPoint) {
    const GarmentMesh garment = make_garment(tube(), 0.04);
    ASSERT_EQ(garment.seams.size(), 2u);
    EXPECT_EQ(garment.seams[0].name, "right");
    EXPECT_EQ(garment.seams[1].name, "front.3-back.side");
    EXPECT_EQ(garment.seams[1].stage, 1);
    for (const GarmentMesh::Seam& seam : garment.seams) {
        EXPECT_EQ(seam.joints.size(), 9u); // 0.3 m in parts of at most 0.04 m
        for (const auto& [a, b] : seam.joints) {
            const Vec3 &p = garment.mesh.positions[a], &q = garment.mesh.positions[b];
            EXPECT_NEAR(p.y, q.y, 1e-12);
            EXPECT_GT(p.x * q.x, 0);
            EXPECT_NE(garment.vertex_panel[a], garment.vertex_panel[b]);
        }
    }
}

TEST(GarmentMesh, LoopsSayWhichSideIsOut) {
    const GarmentMesh garment = make_garment(tube(), 0.05);
    ASSERT_EQ(garment.mesh.group_names, (std::vector<std::string>{"front", "back"}));
    for (int f = 0; f < garment.mesh.face_count(); ++f)
        EXPECT_NEAR(face_normal(garment.mesh, f).z, garment.mesh.face_group[f] == 0 ? 1 : -1,
                    1e-12);
}

TEST(GarmentMesh, BothSidesOfAGatheredSeamGetAsManyPoints) {
    Pattern pattern;
    pattern.panels = {rectangle("band", 0.3, 0.05), rectangle("skirt", 0.66, 0.4)};
    pattern.stitches.push_back({{{{0, 0}, {1, 2}}}, false, 0, ""});
    const GarmentMesh garment = make_garment(pattern, 0.03);
    EXPECT_EQ(garment.seams[0].joints.size(), 23u);
}

TEST(GarmentMesh, TheTipOfADartIsOnePoint) {
    Pattern pattern;
    PatternPanel panel = rectangle("bodice", 0.4, 0.4);
    // A notch in the lower edge: 0 -> 4 -> 5 (tip) -> 6 -> 1.
    panel.vertices.insert(panel.vertices.end(), {{-0.02, -0.2}, {0, -0.05}, {0.02, -0.2}});
    panel.edges = {{0, 4, {}, {}}, {4, 5, {}, {}}, {5, 6, {}, {}}, {6, 1, {}, {}},
                   {1, 2, {}, {}}, {2, 3, {}, {}}, {3, 0, {}, {}}};
    pattern.panels = {panel};
    pattern.stitches.push_back({{{{0, 1}, {0, 2}}}, false, 0, "dart"});
    const GarmentMesh garment = make_garment(pattern, 0.03);
    for (const auto& [a, b] : garment.seams[0].joints) {
        EXPECT_NE(a, b);
        EXPECT_NEAR(garment.mesh.positions[a].y, garment.mesh.positions[b].y, 1e-12);
        EXPECT_NEAR(garment.mesh.positions[a].x, -garment.mesh.positions[b].x, 1e-12);
    }
    EXPECT_EQ(garment.seams[0].joints.size(), 6u);
}

TEST(GarmentMesh, AWrappedPanelKeepsItsLengths) {
    Pattern pattern;
    pattern.panels = {rectangle("sleeve", 0.4, 0.3)};
    pattern.panels[0].wrap = {0.15, 0};
    const GarmentMesh garment = make_garment(pattern, 0.02);
    for (std::size_t v = 0; v < garment.mesh.positions.size(); ++v) {
        const Vec3& p = garment.mesh.positions[v];
        const Vec2& u = garment.mesh.texcoords[v];
        EXPECT_NEAR(std::hypot(p.x, p.z + 0.15), 0.15, 1e-12); // on the cylinder, which is behind
        EXPECT_NEAR(0.15 * std::atan2(p.x, p.z + 0.15), u.x, 1e-12);
        EXPECT_NEAR(p.y, u.y, 1e-12);
    }
}

TEST(GarmentMesh, AMapFallsWithTheDistanceFromItsEdge) {
    const Pattern pattern = tube();
    const GarmentMesh garment = make_garment(pattern, 0.04);
    for (const char* name : {"side", "back.1", "back.side"}) {
        const std::vector<double> map = edge_map(pattern, garment, name);
        ASSERT_EQ(map.size(), garment.mesh.positions.size()) << name;
        for (std::size_t v = 0; v < map.size(); ++v) {
            const double away = std::abs(garment.mesh.texcoords[v].x + 0.25);
            EXPECT_NEAR(map[v], garment.vertex_panel[v] == 1 ? std::max(0.0, 1 - 10 * away) : 0,
                        2e-3);
        }
    }
    EXPECT_TRUE(edge_map(pattern, garment, "back.9").empty());
}

TEST(StandOff, PanelsMoveOutOfWhatIsBehindThem) {
    Pattern pattern = tube();
    // A point 3 cm in front of the front, one 5 cm behind the back, one far in front: a hand.
    const std::vector<Vec3> points = {{0.1, 1.05, 0.23}, {0, 0.9, -0.15}, {0, 1, 0.6}};
    EXPECT_NEAR(stand_off(pattern, points, 0.01), 0.04, 1e-12);
    EXPECT_NEAR(pattern.panels[0].translation.z, 0.24, 1e-12);
    EXPECT_NEAR(pattern.panels[1].translation.z, -0.2, 1e-12);
}

TEST(StandOff, AWrappedPanelGrowsAroundTheBody) {
    Pattern pattern;
    pattern.panels = {rectangle("sleeve", 0.5, 0.3)};
    pattern.panels[0].wrap = {0.1, 0};
    pattern.panels[0].translation = {0, 0, 0.1}; // around the y axis
    std::vector<Vec3> arm;
    for (int i = 0; i < 36; ++i)
        arm.push_back({0.12 * std::sin(i * std::numbers::pi / 18), 0.05,
                       0.12 * std::cos(i * std::numbers::pi / 18)});
    stand_off(pattern, arm, 0.01);
    const GarmentMesh garment = make_garment(pattern, 0.03);
    for (const Vec3& p : garment.mesh.positions)
        EXPECT_NEAR(std::hypot(p.x, p.z), 0.13, 1e-9);
}

} // namespace
