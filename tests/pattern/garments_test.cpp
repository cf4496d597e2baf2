// The meshes of a dryer: panels of any outline, garments of two panels, the drum.
#include "mesh/enclosed_volume.h"
#include "mesh/mesh_testing.h"
#include "muslin/base/error.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/pattern/flat_garments.h"
#include "muslin/pattern/outline_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

namespace muslin {
namespace {

double polygon_area(const std::vector<Vec2>& p) {
    double area = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        area += cross(p[i], p[(i + 1) % p.size()]) / 2;
    return area;
}

MeshQuality quality_of(const OutlineMesh& mesh) {
    std::vector<Vec3> points;
    for (const Vec2& p : mesh.points)
        points.push_back({p.x, p.y, 0});
    const auto defect = find_defect(mesh.triangles, static_cast<int>(points.size()));
    EXPECT_FALSE(defect) << defect->text;
    return measure_quality(points, mesh.triangles);
}

TEST(OutlineMesh, FillsPolygonsWithGoodTriangles) {
    const std::vector<Vec2> shapes[] = {
        {{0, 0}, {1, 0}, {1, 0.6}, {0, 0.6}},
        {{0, 0}, {1, 0.1}, {0.4, 0.9}},
        {{0, 0}, {0.3, 0}, {0.3, 0.5}, {0.8, 0.4}, {0.85, 0.6}, {-0.5, 0.6}, {-0.5, 0.4}, {0, 0.5}},
        {{0, 0.3}, {0.2, 0}, {0.5, 0}, {0.4, 0.7}, {-0.4, 0.7}, {-0.5, 0}, {-0.2, 0}}};
    for (const std::vector<Vec2>& shape : shapes)
        for (const double edge : {0.06, 0.03, 0.011}) {
            const OutlineMesh mesh = mesh_outline(shape, edge);
            const MeshQuality q = quality_of(mesh);
            EXPECT_EQ(q.euler, 1);
            EXPECT_EQ(q.boundary_edges, mesh.outline);
            EXPECT_NEAR(q.area, polygon_area(shape), 1e-6);
            EXPECT_GT(q.min_angle, 20);
            EXPECT_NEAR(q.mean_edge, edge, 0.1 * edge);
            EXPECT_LT(q.max_edge, 1.8 * edge);
            for (std::size_t i = 0; i < shape.size(); ++i)
                EXPECT_EQ(norm(mesh.points[mesh.corners[i]] - shape[i]), 0);
        }
}

TEST(OutlineMesh, RefusesEdgesTooLongForTheOutline) {
    // The tip of one notch comes next to the middle of a side of the other.
    const std::vector<Vec2> notched = {{0, 0},   {0.45, 0},  {0.5, 0.48}, {0.55, 0}, {1, 0}, {1, 1},
                                       {0.8, 1}, {0.8, 0.5}, {0.2, 0.5},  {0.2, 1},  {0, 1}};
    try {
        mesh_outline(notched, 0.6);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "edge");
    }
}

/// Ready to be simulated: whole, its panels flat and facing outward, apart from itself.
MeshQuality expect_garment(const PolygonMesh& polygons, int openings, double gap) {
    TriangleMesh mesh = triangulate(polygons);
    const auto defect = find_defect(mesh.triangles, static_cast<int>(mesh.positions.size()));
    EXPECT_FALSE(defect) << defect->text;
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.components, 1);
    EXPECT_EQ(q.euler, 2 - openings); // a sphere with holes
    EXPECT_GT(q.min_angle, 20);
    EXPECT_EQ(count_self_intersections(mesh.positions, mesh.triangles), 0u);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    double front = 0, back = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const double area = testing::pattern_area(mesh.material[t]);
        EXPECT_GT(area, 0);
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec3 normal =
            cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
        (normal.y > 0 ? front : back) += area;
        // The front lies above the back.
        EXPECT_EQ(normal.y > 0,
                  mesh.positions[a].y + mesh.positions[b].y + mesh.positions[c].y > 0);
    }
    EXPECT_NEAR(front, back, 1e-12);
    const PrincipalStretch stretch = extreme_stretch(mesh.positions, mesh.triangles, mesh.material);
    EXPECT_NEAR(stretch.min, 1, 1e-9);
    EXPECT_LT(stretch.max, 1.07); // next to seams, where the panels part
    for (const Vec3& p : mesh.positions)
        EXPECT_TRUE(p.y == 0 || (std::abs(p.y) > 0.15 * q.mean_edge && std::abs(p.y) <= gap / 2) ||
                    std::abs(p.y) == gap / 2)
            << p.y;
    return q;
}

TEST(Garments, AShirtIsOpenAtNeckCuffsAndHem) {
    for (const double edge : {0.04, 0.025, 0.015}) {
        ShirtSettings s;
        s.edge = edge;
        const MeshQuality q = expect_garment(make_shirt(s), 4, s.gap);
        EXPECT_NEAR(q.mean_edge, edge, 0.1 * edge);
    }
    ShirtSettings child = {0.34, 0.44, 0.14, 0.12, 0.11, 0.0225, 0.012};
    expect_garment(make_shirt(child), 4, child.gap);
}

TEST(Garments, ShortsAreOpenAtWaistAndLegs) {
    for (const double edge : {0.04, 0.025, 0.015}) {
        ShortsSettings s;
        s.edge = edge;
        expect_garment(make_shorts(s), 3, s.gap);
    }
}

TEST(Garments, RefuseWhatCannotBeSewn) {
    const auto key = [](const std::function<void()>& make) {
        try {
            make();
        } catch (const InputError& error) {
            EXPECT_NE(error.problem().expected, "");
            return error.problem().key;
        }
        return std::string("nothing");
    };
    EXPECT_EQ(key([] { make_shirt({.edge = 0.3}); }), "edge");
    EXPECT_EQ(key([] { make_shirt({.neck = 0.6}); }), "neck");
    EXPECT_EQ(key([] { make_shirt({.cuff = 0.6}); }), "cuff");
    EXPECT_EQ(key([] { make_shirt({.sleeve = 0.02}); }), "sleeve");
    EXPECT_EQ(key([] { make_shirt({.gap = 0}); }), "gap");
    EXPECT_EQ(key([] { make_shorts({.rise = 0.5}); }), "rise");
    EXPECT_EQ(key([] { make_shorts({.leg = -1}); }), "leg");
    EXPECT_EQ(key([] { make_shorts({.edge = 0.2}); }), "edge");
    EXPECT_EQ(key([] { make_drum({.wall = 0}); }), "wall");
    EXPECT_EQ(key([] { make_drum({.paddles = 30}); }), "paddles");
    EXPECT_EQ(key([] { make_drum({.paddle_height = 0.25}); }), "paddle_height");
    EXPECT_EQ(key([] { make_drum({.paddle_width = 0.6}); }), "paddle_width");
    EXPECT_EQ(key([] { make_drum({.segments = 4}); }), "segments");
}

TEST(Drum, IsSolidAndOpenAtItsUpperEnd) {
    for (const int paddles : {0, 1, 3, 4}) {
        DrumSettings s;
        s.paddles = paddles;
        const TriangleMesh mesh = triangulate(make_drum(s));
        const auto defect = find_defect(mesh.triangles, static_cast<int>(mesh.positions.size()));
        EXPECT_FALSE(defect) << defect->text;
        const TriangleView view = {mesh.positions, mesh.triangles};
        EXPECT_TRUE(is_closed(view));
        EXPECT_EQ(measure_quality(mesh.positions, mesh.triangles).euler, 2);
        EXPECT_EQ(count_self_intersections(mesh.positions, mesh.triangles), 0u);
        EXPECT_GT(test::enclosed_volume(mesh.positions, mesh.triangles), 0);
        const auto inside = [&](const Vec3& p) {
            return find_penetration(std::vector<Vec3>{p}, view).inside == 1;
        };
        EXPECT_FALSE(inside({0, 0, 0}));                                          // the room
        EXPECT_FALSE(inside({0.6 * s.radius, 0.45 * s.height, -0.6 * s.radius})); // up to its mouth
        EXPECT_TRUE(inside({0, -s.height / 2 - 0.5 * s.wall, 0}));                // the floor
        EXPECT_TRUE(inside({0, 0, s.radius + 0.5 * s.wall}));                     // the wall
        EXPECT_EQ(inside({s.radius - 0.5 * s.paddle_height, 0, 0}), paddles > 0);
    }
}

} // namespace
} // namespace muslin
