#include "mesh/enclosed_volume.h"
#include "muslin/mesh/generators.h"
#include "muslin/pattern/irregular_sheet.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/error.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace muslin {
namespace {

using testing::pattern_area;

/// A simulation-ready sheet: whole, flat, face up, its texture coordinates the sheet itself.
void expect_sheet(const PolygonMesh& polygons, double area) {
    TriangleMesh mesh = triangulate(polygons);
    const auto defect = find_defect(mesh.triangles, static_cast<int>(mesh.positions.size()));
    EXPECT_FALSE(defect) << defect->text;
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.euler, 1);
    EXPECT_EQ(q.components, 1);
    EXPECT_NEAR(q.area, area, 1e-12 * area);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        EXPECT_GT(pattern_area(mesh.material[t]), 0);
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = mesh.positions[mesh.triangles[t][k]];
            EXPECT_EQ(p.y, 0);
            EXPECT_EQ(mesh.material[t][k].x, p.x);
            EXPECT_EQ(mesh.material[t][k].y, -p.z);
        }
    }
}

/// Closed, outward, and enclosing the given volume.
MeshQuality expect_body(const PolygonMesh& polygons, double volume) {
    const TriangleMesh mesh = triangulate(polygons);
    const auto defect = find_defect(mesh.triangles, static_cast<int>(mesh.positions.size()));
    EXPECT_FALSE(defect) << defect->text;
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.boundary_edges, 0);
    EXPECT_EQ(q.euler, 2);
    EXPECT_EQ(q.components, 1);
    EXPECT_NEAR(test::enclosed_volume(mesh.positions, mesh.triangles), volume, 1e-12 * volume);
    EXPECT_EQ(count_self_intersections(mesh.positions, mesh.triangles), 0u);
    return q;
}

/// The texture coordinates of every triangle have its edge lengths and orientation.
void expect_developed(const PolygonMesh& polygons) {
    TriangleMesh mesh = triangulate(polygons);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    const PrincipalStretch stretch = extreme_stretch(mesh.positions, mesh.triangles, mesh.material);
    EXPECT_NEAR(stretch.min, 1, 1e-9);
    EXPECT_NEAR(stretch.max, 1, 1e-9);
    for (const auto& u : mesh.material)
        EXPECT_GT(pattern_area(u), 0);
}

TEST(Grid, HasTheDocumentedVertices) {
    const PolygonMesh mesh = make_grid({.width = 2, .depth = 3, .columns = 4, .rows = 7});
    ASSERT_EQ(mesh.positions.size(), 28u);
    EXPECT_EQ(mesh.positions[0].x, -1);
    EXPECT_EQ(mesh.positions[0].z, -1.5);
    EXPECT_EQ(mesh.positions[3].x, 1);
    EXPECT_EQ(mesh.positions[27].x, 1);
    EXPECT_EQ(mesh.positions[27].z, 1.5);
    EXPECT_EQ(mesh.face_count(), 36);
}

TEST(Grid, IsASheetForEveryWayOfCutting) {
    for (const Diagonals diagonals : {Diagonals::one, Diagonals::alternating, Diagonals::crossed})
        expect_sheet(
            make_grid(
                {.width = 0.7, .depth = 1.3, .columns = 8, .rows = 5, .diagonals = diagonals}),
            0.91);
    expect_sheet(make_grid({.columns = 2, .rows = 2}), 1);
}

/// The number of edges along (+, +), (+, -) diagonals of the quads.
std::array<int, 2> count_diagonals(const PolygonMesh& polygons) {
    const TriangleMesh mesh = triangulate(polygons);
    std::array<int, 2> count = {0, 0};
    for (const auto& [a, b] : build_topology(mesh.triangles).edges) {
        const Vec3 d = mesh.positions[b] - mesh.positions[a];
        if (std::abs(d.x) > 1e-9 && std::abs(d.z) > 1e-9)
            ++count[d.x * d.z > 0 ? 0 : 1];
    }
    return count;
}

TEST(Grid, DiagonalsRunAsNamed) {
    const auto count = [](Diagonals diagonals) {
        return count_diagonals(make_grid({.columns = 5, .rows = 5, .diagonals = diagonals}));
    };
    EXPECT_EQ(count(Diagonals::one), (std::array{16, 0}));
    EXPECT_EQ(count(Diagonals::alternating), (std::array{8, 8}));
    EXPECT_EQ(count(Diagonals::crossed), (std::array{32, 32}));
    EXPECT_EQ(
        make_grid({.columns = 5, .rows = 5, .diagonals = Diagonals::crossed}).positions.size(),
        25u + 16u);
}

TEST(Lattice, IsASheetOfNearlyEquilateralTriangles) {
    for (const bool along_z : {false, true}) {
        const PolygonMesh mesh =
            make_lattice({.width = 0.4, .depth = 0.2, .rows = 20, .along_z = along_z});
        expect_sheet(mesh, 0.08);
        const TriangleMesh triangles = triangulate(mesh);
        int blunt = 0; // right angles: the half triangles at the cut edges, two per row
        for (const auto& t : triangles.triangles) {
            const auto angles = triangle_angles(
                triangles.positions[t[0]], triangles.positions[t[1]], triangles.positions[t[2]]);
            const double most = *std::max_element(angles.begin(), angles.end());
            if (std::abs(most - std::numbers::pi / 2) < 1e-9)
                ++blunt;
            else
                EXPECT_NEAR(most * 180 / std::numbers::pi, 60, 2);
        }
        EXPECT_EQ(blunt, 2 * 20);
    }
}

TEST(Lattice, OneEdgeFamilyRunsAlongTheRows) {
    for (const bool along_z : {false, true}) {
        const TriangleMesh mesh =
            triangulate(make_lattice({.width = 1, .depth = 1, .rows = 8, .along_z = along_z}));
        int along = 0, across = 0; // inner edges along the named axis, and at right angles to it
        for (const auto& hinge : build_topology(mesh.triangles).hinges) {
            const Vec3 d = mesh.positions[hinge.v[1]] - mesh.positions[hinge.v[0]];
            along += std::abs(along_z ? d.x : d.z) < 1e-12;
            across += std::abs(along_z ? d.z : d.x) < 1e-12;
        }
        // 7 inner lines, 7 steps (8 pieces on the 4 odd lines of half steps at the ends).
        EXPECT_EQ(along, 3 * 7 + 4 * 8);
        EXPECT_EQ(across, 0);
    }
}

TEST(Lattice, OneRowOnANarrowSheetWorks) {
    expect_sheet(make_lattice({.width = 0.1, .depth = 1, .rows = 1}), 0.1);
}

TEST(Sphere, HasTheDocumentedCounts) {
    const PolygonMesh mesh = make_sphere({.radius = 0.25, .rings = 11, .segments = 32});
    EXPECT_EQ(mesh.positions.size(), 322u);
    EXPECT_EQ(mesh.face_count(), 640);
    for (const Vec3& p : mesh.positions)
        EXPECT_NEAR(norm(p), 0.25, 1e-15);
    EXPECT_EQ(mesh.positions.front().y, -0.25);
    EXPECT_EQ(mesh.positions.back().y, 0.25);
}

TEST(Sphere, IsClosedOutwardAndRound) {
    double previous = 1;
    for (const int rings : {8, 16, 32}) { // the missing volume falls with the square of the size
        const TriangleMesh mesh =
            triangulate(make_sphere({.radius = 1, .rings = rings, .segments = 2 * rings}));
        const double volume = test::enclosed_volume(mesh.positions, mesh.triangles);
        expect_body(make_sphere({.radius = 1, .rings = rings, .segments = 2 * rings}), volume);
        const double missing = 1 - volume / (4.0 / 3.0 * std::numbers::pi);
        EXPECT_GT(missing, 0);
        EXPECT_LT(missing, previous);
        previous = missing / 3.5;
    }
    expect_body(make_sphere({.radius = 1, .rings = 2, .segments = 3}), std::sqrt(3.0) / 2);
}

TEST(Sphere, TextureIsNotMirrored) {
    const PolygonMesh polygons = make_sphere({.radius = 1, .rings = 6, .segments = 8});
    TriangleMesh mesh = triangulate(polygons);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    for (const auto& u : mesh.material)
        EXPECT_GT(pattern_area(u), 0);
}

TEST(Cylinder, CappedIsClosedAndDeveloped) {
    const CylinderSettings settings = {.radius = 0.2, .height = 0.7, .segments = 12, .bands = 3};
    const double base = 0.5 * 12 * 0.04 * std::sin(2 * std::numbers::pi / 12);
    const MeshQuality q = expect_body(make_cylinder(settings), 0.7 * base);
    EXPECT_EQ(q.vertices, 12 * 4 + 2);
    EXPECT_EQ(q.triangles, 12 * 3 * 2 + 24);
    expect_developed(make_cylinder(settings));
}

TEST(Cylinder, OpenIsATube) {
    const PolygonMesh polygons = make_cylinder({.segments = 10, .bands = 4, .capped = false});
    const TriangleMesh mesh = triangulate(polygons);
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.euler, 0);
    EXPECT_EQ(q.boundary_edges, 20);
    expect_developed(polygons);
}

TEST(Box, IsClosedWeldedAndDeveloped) {
    for (const int n : {1, 2, 5}) {
        const MeshQuality q = expect_body(make_box({.size = {0.5, 1, 2}, .divisions = n}), 1.0);
        EXPECT_EQ(q.vertices, 6 * n * n + 2);
        EXPECT_EQ(q.triangles, 12 * n * n);
        EXPECT_NEAR(q.area, 2 * (0.5 + 1 + 2), 1e-13);
        expect_developed(make_box({.size = {0.5, 1, 2}, .divisions = n}));
    }
}

/// What a profile with straight pieces encloses, with `segments` flat facets for the circle.
double turned_volume(const std::vector<Vec2>& profile, int segments) {
    double volume = 0; // of frustums: the facets' circle has this area times the radius squared
    const double circle = 0.5 * segments * std::sin(2 * std::numbers::pi / segments);
    for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
        const auto &a = profile[i], &b = profile[i + 1];
        volume += circle / 3 * (b.y - a.y) * (a.x * a.x + a.x * b.x + b.x * b.x);
    }
    return volume;
}

TEST(Revolution, OfAProfileFromAxisToAxisIsASolid) {
    const std::vector<Vec2> bottle = {{0, -1}, {0.5, -1}, {0.6, 0}, {0.2, 0.5}, {0.2, 1}, {0, 1}};
    const std::vector<Vec2> reversed(bottle.rbegin(), bottle.rend());
    for (const auto& profile : {bottle, reversed}) { // outward whichever way it runs
        const PolygonMesh mesh = make_revolution({.profile = profile, .segments = 12});
        const MeshQuality q = expect_body(mesh, turned_volume(bottle, 12));
        EXPECT_EQ(q.vertices, 4 * 12 + 2);
        EXPECT_EQ(q.triangles, 3 * 24 + 2 * 12);
    }
}

TEST(Revolution, OfAClosedProfileIsARing) {
    const std::vector<Vec2> wall = {
        {0.1, -0.5}, {0.12, -0.5}, {0.5, 0.3}, {0.48, 0.3}, {0.1, -0.5}};
    const std::vector<Vec2> reversed(wall.rbegin(), wall.rend());
    for (const auto& profile : {wall, reversed}) {
        const PolygonMesh polygons = make_revolution({.profile = profile, .segments = 20});
        const TriangleMesh mesh = triangulate(polygons);
        const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
        EXPECT_FALSE(find_defect(mesh.triangles, static_cast<int>(mesh.positions.size())));
        EXPECT_EQ(q.boundary_edges, 0);
        EXPECT_EQ(q.euler, 0); // a torus
        EXPECT_EQ(q.vertices, 4 * 20);
        EXPECT_NEAR(test::enclosed_volume(mesh.positions, mesh.triangles), turned_volume(wall, 20),
                    1e-14);
        EXPECT_EQ(count_self_intersections(mesh.positions, mesh.triangles), 0u);
    }
}

TEST(Revolution, OfAnOpenProfileFacesToItsRight) {
    const TriangleMesh bowl =
        triangulate(make_revolution({.profile = {{0, 0}, {1, 0}, {1.5, 1}}, .segments = 8}));
    const MeshQuality q = measure_quality(bowl.positions, bowl.triangles);
    EXPECT_EQ(q.boundary_edges, 8);
    EXPECT_EQ(q.euler, 1);
    for (const auto& t : bowl.triangles) {
        const Vec3 n = cross(bowl.positions[t[1]] - bowl.positions[t[0]],
                             bowl.positions[t[2]] - bowl.positions[t[0]]);
        EXPECT_LT(n.y, 0); // to the right of a way outward and up is below
    }
}

TEST(Sculpture, OfOneBallIsAGeodesicSphere) {
    const TriangleMesh mesh = triangulate(make_sculpture({.balls = {{{1, 2, 3}, 0.5}}}));
    EXPECT_EQ(mesh.positions.size(), 10u * 16 * 16 + 2);
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.boundary_edges, 0);
    EXPECT_EQ(q.euler, 2);
    EXPECT_GT(q.min_angle, 45);
    for (const Vec3& p : mesh.positions)
        EXPECT_NEAR(norm(p - Vec3{1, 2, 3}), 0.5, 1e-9);
    EXPECT_NEAR(test::enclosed_volume(mesh.positions, mesh.triangles),
                4.0 / 3 * std::numbers::pi * 0.125, 0.002);
}

TEST(Sculpture, IsOnTheBlendOfItsBallsInEvenTriangles) {
    const SculptureSettings figure{.balls = {{{0, 0.1, 0}, 0.1},
                                             {{0, 0.24, 0}, 0.05},
                                             {{0.09, 0.05, 0.06}, 0.04},
                                             {{-0.09, 0.05, 0.06}, 0.04}},
                                   .blend = 0.015,
                                   .frequency = 24};
    const TriangleMesh mesh = triangulate(make_sculpture(figure));
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.euler, 2);
    EXPECT_GT(q.min_angle, 20);
    EXPECT_LT(q.max_edge, 5 * q.min_edge);
    for (const Vec3& p : mesh.positions) {
        double sum = 0; // the surface as its definition has it
        for (const SculptureBall& ball : figure.balls)
            sum += std::exp(-(norm(p - ball.center) - ball.radius) / figure.blend);
        EXPECT_NEAR(figure.blend * std::log(sum), 0, 1e-6);
    }
    EXPECT_EQ(count_self_intersections(mesh.positions, mesh.triangles), 0u);
    EXPECT_GT(test::enclosed_volume(mesh.positions, mesh.triangles), 0);
}

template <class Make>
std::string key_of(const Make& make) {
    try {
        make();
    } catch (const InputError& error) {
        return error.problem().key;
    }
    return "no error";
}

TEST(Generators, NameTheSettingThatIsWrong) {
    EXPECT_EQ(key_of([] { make_grid({.columns = 1}); }), "columns");
    EXPECT_EQ(key_of([] { make_grid({.columns = 100000, .rows = 100000}); }), "columns");
    EXPECT_EQ(key_of([] { make_grid({.width = 0}); }), "width");
    EXPECT_EQ(key_of([] { make_grid({.depth = std::nan("")}); }), "depth");
    EXPECT_EQ(key_of([] { make_lattice({.rows = 0}); }), "rows");
    EXPECT_EQ(key_of([] { make_lattice({.width = 1000, .depth = 1e-3, .rows = 1000}); }), "rows");
    EXPECT_EQ(key_of([] { make_sphere({.rings = 1}); }), "rings");
    EXPECT_EQ(key_of([] { make_sphere({.segments = 2}); }), "segments");
    EXPECT_EQ(key_of([] { make_cylinder({.bands = 0}); }), "bands");
    EXPECT_EQ(key_of([] { make_box({.size = {1, -1, 1}}); }), "size.y");
    for (const std::vector<Vec2>& profile :
         std::vector<std::vector<Vec2>>{{},
                                        {{1, 0}},
                                        {{1, 0}, {1, 0}},
                                        {{0, 0}, {0, 1}},
                                        {{1, 0}, {0, 1}, {1, 2}},
                                        {{1, 0}, {-1, 1}},
                                        {{1, 0}, {1, 0}, {1, 1}},
                                        {{1, 0}, {std::nan(""), 1}},
                                        {{1, 0}, {1, std::nan("")}},
                                        {{1, 0}, {2, 0}, {1, 0}},
                                        {{0, 0}, {1, 0}, {1, 1}, {0, 0}}})
        EXPECT_EQ(key_of([&] { make_revolution({.profile = profile}); }), "profile")
            << profile.size();
    EXPECT_EQ(key_of([] { make_revolution({.segments = 2}); }), "segments");
    EXPECT_EQ(key_of([] { make_sculpture({.balls = {}}); }), "balls");
    EXPECT_EQ(key_of([] { make_sculpture({.balls = {{{0, 0, 0}, 0}}}); }), "balls");
    EXPECT_EQ(key_of([] { make_sculpture({.blend = 0}); }), "blend");
    EXPECT_EQ(key_of([] { make_sculpture({.frequency = 0}); }), "frequency");
    EXPECT_EQ(key_of([] { make_irregular({.vertices = 15}); }), "vertices");
    EXPECT_EQ(key_of([] { make_irregular({.jitter = 0.5}); }), "jitter");
}

} // namespace
} // namespace muslin
