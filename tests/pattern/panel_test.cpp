// Sections of cloth cut along an outline, and the figure they are sewn on.
#include "muslin/base/error.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/pattern/plain_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace muslin {
namespace {

std::string rejected_key(const PanelSettings& settings) {
    try {
        make_panel(settings);
    } catch (const InputError& error) {
        return error.problem().key;
    }
    return {};
}

/// A bodice: straight sides and a curved neck.
PanelSettings bodice() {
    PanelSettings s;
    s.outline = {{-0.2, 0}, {0.2, 0},      {0.22, 0.2},   {0.2, 0.4},  {0.08, 0.45}, {0.05, 0.40},
                 {0, 0.38}, {-0.05, 0.40}, {-0.08, 0.45}, {-0.2, 0.4}, {-0.22, 0.2}};
    s.sides = {"waist", "side_l", "arm_l",      "shoulder_l", "neck",  "neck",
               "neck",  "neck",   "shoulder_r", "arm_r",      "side_r"};
    s.edge = 0.02;
    return s;
}

TEST(Panels, AreWellShapedAndKnowTheirSides) {
    const PanelSettings s = bodice();
    const PolygonMesh mesh = make_panel(s);
    const TriangleMesh t = triangulate(mesh);
    EXPECT_FALSE(find_defect(t.triangles, static_cast<int>(mesh.positions.size())));
    const MeshQuality q = measure_quality(mesh.positions, t.triangles);
    EXPECT_EQ(q.euler, 1);
    EXPECT_GT(q.min_angle, 20);
    EXPECT_NEAR(q.mean_edge, 0.02, 0.002);
    ASSERT_EQ(mesh.vertex_maps.size(), 8u);
    const auto count = [&](const char* side) {
        const auto& map = mesh.vertex_maps.at(side);
        return std::count(map.begin(), map.end(), 1.0);
    };
    EXPECT_EQ(count("waist"), 21);
    EXPECT_EQ(count("arm_l"), count("arm_r"));
    EXPECT_EQ(count("shoulder_l"), 8); // 0.13 m
    double neck = 0;
    for (int i = 4; i < 8; ++i)
        neck += norm(s.outline[i + 1] - s.outline[i]);
    EXPECT_EQ(count("neck"), std::lround(neck / 0.02) + 1);
    // Ends of sides are the outline's own points, and belong to both.
    int shared = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (mesh.vertex_maps.at("waist")[v] == 1 && mesh.vertex_maps.at("side_l")[v] == 1) {
            ++shared;
            EXPECT_LT(norm(mesh.texcoords[v] - Vec2{0.2, 0}), 1e-12);
        }
    EXPECT_EQ(shared, 1);
    // Flat, as sheets lie: u = x, v = -z, face up.
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        EXPECT_EQ(mesh.positions[v].y, 0);
        EXPECT_EQ(mesh.positions[v].x, mesh.texcoords[v].x);
        EXPECT_EQ(mesh.positions[v].z, -mesh.texcoords[v].y);
    }
    const auto& [a, b, c] = t.triangles[0];
    EXPECT_GT(cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]).y,
              0);
}

TEST(Panels, EitherWayRoundIsTheSamePanel) {
    PanelSettings s = bodice();
    const PolygonMesh mesh = make_panel(s);
    std::reverse(s.outline.begin(), s.outline.end());
    std::reverse(s.sides.begin(), s.sides.end() - 1); // the side from each point to the next
    const PolygonMesh turned = make_panel(s);
    EXPECT_EQ(mesh.positions.size(), turned.positions.size());
    for (const auto& [name, map] : mesh.vertex_maps)
        EXPECT_EQ(
            std::count(map.begin(), map.end(), 1.0),
            std::count(turned.vertex_maps.at(name).begin(), turned.vertex_maps.at(name).end(), 1.0))
            << name;
}

TEST(Panels, SidesHaveAsManyEdgesAsAsked) {
    PanelSettings s = bodice();
    s.counts = {18, 0, 12};
    const PolygonMesh mesh = make_panel(s);
    const auto count = [&](const char* side) {
        const auto& map = mesh.vertex_maps.at(side);
        return std::count(map.begin(), map.end(), 1.0) - 1;
    };
    EXPECT_EQ(count("waist"), 18);
    EXPECT_EQ(count("arm_l"), 12);
    EXPECT_EQ(count("arm_r"), 10);
}

TEST(Panels, RolledOnesKeepTheirPattern) {
    PanelSettings s;
    s.outline = {{-0.2, 0}, {0.2, 0}, {0.25, 0.3}, {-0.25, 0.3}};
    s.edge = 0.02;
    s.roll = 270;
    const PolygonMesh mesh = make_panel(s);
    const double radius = 0.5 / (1.5 * std::numbers::pi);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3& p = mesh.positions[v];
        EXPECT_NEAR(norm(Vec2{p.x, p.y + radius}), radius, 1e-12);
        EXPECT_EQ(p.z, -mesh.texcoords[v].y);
    }
    // Its face looks away from the axis.
    const TriangleMesh t = triangulate(mesh);
    for (const auto& [a, b, c] : t.triangles) {
        const Vec3 normal =
            cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
        EXPECT_GT(dot(normal, mesh.positions[a] + Vec3{0, radius, 0}), 0);
    }
}

TEST(Panels, RefuseWhatIsNoOutline) {
    PanelSettings s;
    s.outline = {{0, 0}, {1, 0}};
    EXPECT_EQ(rejected_key(s), "outline");
    s.outline = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    EXPECT_EQ(rejected_key(s), "outline");
    s.outline = {{0, 0}, {1, 0}, {1, 0}, {0, 1}};
    EXPECT_EQ(rejected_key(s), "outline");
    s = {};
    s.sides = {"a", "b", "a", "b"};
    EXPECT_EQ(rejected_key(s), "sides");
    s.sides = {"a", "a", "a", "a"};
    EXPECT_EQ(rejected_key(s), "sides");
    s = {};
    s.counts = {400};
    EXPECT_EQ(rejected_key(s), "counts");
    s = {};
    s.edge = 0;
    EXPECT_EQ(rejected_key(s), "edge");
}

TEST(Figures, HaveExactlyTwoHundredTriangles) {
    FigureSettings s;
    EXPECT_EQ(make_figure(s).face_count(), 200);
    int sum = 0;
    for (const FigurePart part : {FigurePart::torso, FigurePart::left_arm, FigurePart::right_arm}) {
        s.part = part;
        sum += make_figure(s).face_count();
    }
    EXPECT_EQ(sum, 200);
}

TEST(Figures, PiecesAreClosedAndFaceOutward) {
    for (const double angle : {-30.0, 20.0, 60.0})
        for (const FigurePart part :
             {FigurePart::all, FigurePart::torso, FigurePart::left_arm, FigurePart::right_arm}) {
            FigureSettings s;
            s.arm_angle = angle;
            s.part = part;
            const PolygonMesh mesh = make_figure(s);
            const TriangleMesh t = triangulate(mesh);
            EXPECT_TRUE(is_closed({mesh.positions, t.triangles}));
            EXPECT_FALSE(find_defect(t.triangles, static_cast<int>(mesh.positions.size())));
            double volume = 0;
            for (const auto& [a, b, c] : t.triangles)
                volume += dot(mesh.positions[a], cross(mesh.positions[b], mesh.positions[c])) / 6;
            EXPECT_GT(volume, 0.001);
            double high = 0;
            for (const Vec3& p : mesh.positions)
                high = std::max(high, p.y);
            if (part == FigurePart::torso) {
                EXPECT_EQ(high, 1.7);
            }
        }
}

TEST(Figures, ArmsBeginAtTheShoulders) {
    FigureSettings s;
    s.part = FigurePart::left_arm;
    const Vec3 left = figure_shoulder(s);
    EXPECT_GT(left.x, 0);
    s.part = FigurePart::right_arm;
    EXPECT_EQ(figure_shoulder(s).x, -left.x);
    // The joint is inside the torso and inside the arm.
    s.part = FigurePart::torso;
    const PolygonMesh torso = make_figure(s);
    const TriangleMesh t = triangulate(torso);
    EXPECT_EQ(find_penetration(std::vector<Vec3>{left}, {torso.positions, t.triangles}).inside, 1u);
}

} // namespace
} // namespace muslin
