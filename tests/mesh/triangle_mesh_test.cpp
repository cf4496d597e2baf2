#include "muslin/mesh/triangle_mesh.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/error.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/ear_clipping.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace muslin {
namespace {

using testing::pattern_area;
using testing::Random;
using testing::single_polygon;
using testing::triangle_area;

double polygon_area(const std::vector<Vec2>& p) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        sum += 0.5 * cross(p[i], p[(i + 1) % p.size()]);
    return sum;
}

/// A cut covers a simple polygon once if its triangles are all counter-clockwise and their areas
/// add up: an overlap or a piece outside would make the sum larger, a gap smaller.
void expect_covered_once(const std::vector<Vec2>& polygon) {
    const auto triangles = cut_polygon(polygon);
    ASSERT_EQ(triangles.size(), polygon.size() - 2);
    double sum = 0;
    for (const auto& t : triangles) {
        const double area = pattern_area({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
        EXPECT_GT(area, 0);
        sum += area;
    }
    EXPECT_NEAR(sum, polygon_area(polygon), 1e-12 * std::abs(sum));
}

TEST(CutPolygon, ConvexQuadTakesTheBetterDiagonal) {
    using Cut = std::vector<std::array<int, 3>>;
    const Cut across_02 = {{0, 1, 2}, {0, 2, 3}}, across_13 = {{0, 1, 3}, {1, 2, 3}};
    EXPECT_EQ(cut_polygon(std::vector<Vec2>{{0, 0}, {2, -0.5}, {4, 0}, {2, 0.5}}), across_13);
    EXPECT_EQ(cut_polygon(std::vector<Vec2>{{2, -0.5}, {4, 0}, {2, 0.5}, {0, 0}}), across_02);
    // A square decides for 0-2 and rounding does not change its mind.
    EXPECT_EQ(cut_polygon(std::vector<Vec2>{{0, 0}, {1, 0}, {1 + 1e-9, 1}, {0, 1}}), across_02);
    EXPECT_EQ(cut_polygon(std::vector<Vec2>{{0, 0}, {1, 0}, {1 - 1e-9, 1}, {0, 1}}), across_02);
}

TEST(CutPolygon, ConcaveQuadIsCutAtItsReflexCorner) {
    for (int turn = 0; turn < 4; ++turn) {
        std::vector<Vec2> dart = {{0, 0}, {2, -1}, {0.5, 0}, {2, 1}};
        std::rotate(dart.begin(), dart.begin() + turn, dart.end());
        // Given clockwise for a dart that points right: turn it over to counter-clockwise.
        if (polygon_area(dart) < 0)
            std::reverse(dart.begin(), dart.end());
        expect_covered_once(dart);
    }
}

TEST(CutPolygon, CornerOnAStraightSideMakesNoEmptyTriangle) {
    expect_covered_once({{0, 0}, {1, 0}, {2, 0}, {1, 1}});
    expect_covered_once({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}});
    expect_covered_once({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}});
}

TEST(CutPolygon, CombAndSpiral) {
    std::vector<Vec2> comb = {{10, 3}, {0, 3}};
    for (int i = 0; i < 10; ++i) { // teeth pointing down
        comb.push_back({i + 0.0, 0});
        comb.push_back({i + 0.5, 2.5});
    }
    comb.push_back({10, 0});
    expect_covered_once(comb);

    std::vector<Vec2> spiral;
    const int n = 60;
    for (int i = 0; i <= n; ++i) {
        const double angle = 0.2 * i, r = 1 + 0.1 * angle;
        spiral.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    for (int i = n; i >= 0; --i) {
        const double angle = 0.2 * i, r = 0.8 + 0.1 * angle;
        spiral.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    expect_covered_once(spiral);
}

TEST(CutPolygon, RandomStars) {
    Random random(7);
    for (int trial = 0; trial < 300; ++trial) {
        const int n = static_cast<int>(random.integer(3, 40));
        std::vector<Vec2> star;
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * i / n, r = random.uniform(0.1, 1);
            star.push_back({r * std::cos(angle), r * std::sin(angle)});
        }
        if (n >= 5) // a triangle or quad of such angles may exclude the centre and be no star
            expect_covered_once(star);
    }
}

TEST(CutPolygon, SlitToAHoleIsCoveredOnce) {
    // A square with a square hole, joined by a slit that is walked both ways.
    expect_covered_once(
        {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}});
}

TEST(CutPolygon, AlwaysGivesTheFullNumberOfTriangles) {
    EXPECT_EQ(cut_polygon(std::vector<Vec2>(7, Vec2{0, 0})).size(), 5u); // no area at all
    EXPECT_EQ(cut_polygon(std::vector<Vec2>{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {-1, 3}}).size(), 3u);
}

TEST(Triangulate, KeepsVerticesAndNamesTheSourceFace) {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.corner_vertex = {0, 1, 4, 5, 1, 2, 3, 3, 4, 1};
    mesh.face_begin = {0, 4, 7, 10};
    const TriangleMesh out = triangulate(mesh);
    ASSERT_EQ(out.positions.size(), mesh.positions.size());
    const std::vector<std::array<int, 3>> triangles = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {3, 4, 1}};
    EXPECT_EQ(out.triangles, triangles);
    EXPECT_EQ(out.source_face, (std::vector<int>{0, 0, 1, 2}));
    EXPECT_TRUE(out.material.empty());
}

TEST(Triangulate, PolygonsInAnyPlaneKeepTheirOrientation) {
    Random random(3);
    for (int trial = 0; trial < 100; ++trial) {
        const Mat3 turn = rotation_degrees(180.0 * random.vector());
        const Vec3 shift = random.vector();
        std::vector<Vec3> corners;
        for (int i = 0; i < 9; ++i) {
            const double angle = 2 * std::numbers::pi * i / 9, r = random.uniform(0.2, 1);
            corners.push_back(turn * Vec3{r * std::cos(angle), r * std::sin(angle), 0} + shift);
        }
        const TriangleMesh out = triangulate(single_polygon(corners));
        const Vec3 normal = turn * Vec3{0, 0, 1};
        double signed_sum = 0, sum = 0;
        for (const auto& t : out.triangles) {
            const Vec3 &a = out.positions[t[0]], &b = out.positions[t[1]], &c = out.positions[t[2]];
            signed_sum += 0.5 * dot(normal, cross(b - a, c - a));
            sum += triangle_area(a, b, c);
        }
        EXPECT_NEAR(signed_sum, sum, 1e-12); // none turned over
    }
}

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const InputError& error) {
        EXPECT_TRUE(error.problem().where.file.empty());
        return error.what();
    }
    return "no error";
}

TEST(Triangulate, RejectsWhatIsNoPolygon) {
    PolygonMesh mesh = single_polygon({{0, 0, 0}, {1, 0, 0}});
    EXPECT_EQ(message_of([&] { triangulate(mesh); }),
              "face 0: expected at least 3 corners, found 2");
    mesh = single_polygon({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    mesh.corner_vertex[1] = 3;
    EXPECT_EQ(message_of([&] { triangulate(mesh); }), "face 0: expected a vertex below 3, found 3");
}

void expect_isometric(const TriangleMesh& mesh) {
    ASSERT_EQ(mesh.material.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& v = mesh.triangles[t];
        const auto& u = mesh.material[t];
        for (int k = 0; k < 3; ++k) {
            const double length = norm(mesh.positions[v[(k + 1) % 3]] - mesh.positions[v[k]]);
            EXPECT_NEAR(norm(u[(k + 1) % 3] - u[k]), length, 1e-13 * (1 + length));
        }
        EXPECT_GT(pattern_area(u), 0);
    }
}

PolygonMesh random_soup(Random& random, int triangles, bool texcoords) {
    PolygonMesh mesh;
    for (int i = 0; i < 3 * triangles; ++i) {
        mesh.positions.push_back(random.vector());
        mesh.corner_vertex.push_back(i);
        if (texcoords) {
            mesh.texcoords.push_back({random.uniform(), random.uniform()});
            mesh.corner_texcoord.push_back(i);
        }
        if (i % 3 == 2)
            mesh.face_begin.push_back(i + 1);
    }
    return mesh;
}

TEST(RestFromPositions, IsIsometricAndCounterClockwise) {
    Random random(11);
    for (const bool texcoords : {false, true}) {
        const PolygonMesh mesh = random_soup(random, 500, texcoords);
        TriangleMesh triangles = triangulate(mesh);
        set_material_coordinates(triangles, mesh, RestShape::positions);
        expect_isometric(triangles);
    }
}

TEST(RestFromPositions, GrainFollowsTheTextureGradient) {
    Random random(12);
    const PolygonMesh mesh = random_soup(random, 300, true); // half of them mirrored
    TriangleMesh triangles = triangulate(mesh);
    set_material_coordinates(triangles, mesh, RestShape::positions);
    for (std::size_t t = 0; t < triangles.triangles.size(); ++t) {
        // Texture u must not change along the material's v axis and must grow along u: solve for
        // the gradient of texture u over the material coordinates.
        const auto& m = triangles.material[t];
        const Vec2 p = m[1] - m[0], q = m[2] - m[0];
        const auto v = triangles.triangles[t];
        const double d1 = mesh.texcoords[v[1]].x - mesh.texcoords[v[0]].x;
        const double d2 = mesh.texcoords[v[2]].x - mesh.texcoords[v[0]].x;
        const double area = cross(p, q);
        const double along_u = (d1 * q.y - d2 * p.y) / area, along_v = (d2 * p.x - d1 * q.x) / area;
        EXPECT_GT(along_u, 0);
        EXPECT_NEAR(along_v, 0, 1e-9 * along_u);
    }
}

TEST(RestFromPositions, WithoutTextureTheGrainIsX) {
    // In the plane of x and z, u is x itself; facing x, u is z.
    PolygonMesh mesh = single_polygon({{0, 0, 0}, {0, 0, 2}, {3, 0, 0}});
    TriangleMesh triangles = triangulate(mesh);
    set_material_coordinates(triangles, mesh, RestShape::positions);
    EXPECT_NEAR(triangles.material[0][2].x - triangles.material[0][0].x, 3, 1e-15);
    EXPECT_NEAR(triangles.material[0][2].y - triangles.material[0][0].y, 0, 1e-15);

    mesh = single_polygon({{1, 0, 0}, {1, 2, 0}, {1, 0, 3}});
    triangles = triangulate(mesh);
    set_material_coordinates(triangles, mesh, RestShape::positions);
    EXPECT_NEAR(triangles.material[0][2].x - triangles.material[0][0].x, 3, 1e-15);
    EXPECT_NEAR(triangles.material[0][2].y - triangles.material[0][0].y, 0, 1e-15);
}

TEST(RestFromPositions, DegenerateOrMissingTextureFallsBackToX) {
    PolygonMesh mesh = single_polygon({{0, 0, 0}, {0, 0, 2}, {3, 0, 0}});
    mesh.texcoords = {{0.5, 0.5}, {0.6, 0.6}, {0.7, 0.7}};
    for (const std::vector<int>& corners : {std::vector{0, 1, 2}, std::vector{0, -1, 2}}) {
        mesh.corner_texcoord = corners;
        TriangleMesh triangles = triangulate(mesh);
        set_material_coordinates(triangles, mesh, RestShape::positions);
        EXPECT_NEAR(triangles.material[0][2].x - triangles.material[0][0].x, 3, 1e-15);
    }
}

TEST(RestFromPositions, ATriangleWithoutAreaIsNamed) {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0, 0}};
    mesh.corner_vertex = {0, 1, 2, 0, 1, 3};
    mesh.face_begin = {0, 3, 6};
    TriangleMesh triangles = triangulate(mesh);
    EXPECT_EQ(message_of([&] { set_material_coordinates(triangles, mesh, RestShape::positions); }),
              "face 1: expected triangles with an area, found vertices 0, 1, 3 in a line");
    EXPECT_TRUE(triangles.material.empty());
}

TEST(RestFromTexcoords, TakesThePatternAsItIs) {
    // A quad with a seam: the two panels give vertex 1 different coordinates, one is mirrored.
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.corner_vertex = {0, 1, 2, 0, 2, 3};
    mesh.face_begin = {0, 3, 6};
    mesh.texcoords = {{0, 0}, {1, 0}, {1, 1}, {5, 0}, {4, 1}, {5, 1}};
    mesh.corner_texcoord = {0, 1, 2, 3, 4, 5};
    TriangleMesh triangles = triangulate(mesh);
    set_material_coordinates(triangles, mesh, RestShape::texcoords);
    EXPECT_DOUBLE_EQ(pattern_area(triangles.material[0]), 0.5);
    EXPECT_DOUBLE_EQ(pattern_area(triangles.material[1]), -0.5);
    EXPECT_EQ(triangles.material[1][1].x, 4);
}

TEST(RestFromTexcoords, CornersOfCutPolygonsFindTheirOwn) {
    // Texture = twice the position: every triangle's pattern has four times its area.
    std::vector<Vec3> star;
    for (int i = 0; i < 12; ++i) {
        const double angle = 2 * std::numbers::pi * i / 12, r = i % 2 == 0 ? 1 : 0.4;
        star.push_back({r * std::cos(angle), r * std::sin(angle), 0});
    }
    PolygonMesh mesh = single_polygon(star);
    for (int i = 11; i >= 0; --i) { // stored in another order than the vertices
        mesh.texcoords.push_back({2 * star[i].x, 2 * star[i].y});
        mesh.corner_texcoord.push_back(i);
    }
    TriangleMesh triangles = triangulate(mesh);
    set_material_coordinates(triangles, mesh, RestShape::texcoords);
    for (std::size_t t = 0; t < triangles.triangles.size(); ++t) {
        const auto& v = triangles.triangles[t];
        EXPECT_NEAR(pattern_area(triangles.material[t]),
                    4 * triangle_area(star[v[0]], star[v[1]], star[v[2]]), 1e-14);
    }
}

TEST(RestFromTexcoords, NamesWhatIsMissingOrFlat) {
    PolygonMesh mesh = single_polygon({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    TriangleMesh triangles = triangulate(mesh);
    const auto act = [&] { set_material_coordinates(triangles, mesh, RestShape::texcoords); };
    const std::string missing =
        "face 0: expected a texture coordinate at every corner, as they are "
        "the pattern, found none at vertex ";
    EXPECT_EQ(message_of(act), missing + "0");
    mesh.texcoords = {{0, 0}, {1, 1}, {2, 2}};
    mesh.corner_texcoord = {0, 1, -1};
    EXPECT_EQ(message_of(act), missing + "2");
    mesh.corner_texcoord = {0, 1, 2};
    EXPECT_EQ(message_of(act), "face 0: expected a pattern with an area, found the texture "
                               "coordinates of vertices 0, 1, 2 in a line");
    // Small is not flat: a pattern in kilometres, or a panel of a tenth of a millimetre.
    for (const double scale : {1e-7, 1e3}) {
        mesh.texcoords = {{0, 0}, {scale, 0}, {0, scale}};
        EXPECT_EQ(message_of(act), "no error");
    }
}

} // namespace
} // namespace muslin
