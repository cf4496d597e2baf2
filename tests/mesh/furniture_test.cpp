#include "mesh/enclosed_volume.h"
#include "muslin/mesh/generators.h"

#include "muslin/base/error.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

namespace muslin {
namespace {

/// Closed pieces, so many of them, that face outward and stand on y = 0.
MeshQuality expect_furniture(const TriangleMesh& mesh, int pieces) {
    const auto defect = find_defect(mesh.triangles, static_cast<int>(mesh.positions.size()));
    EXPECT_FALSE(defect) << defect->text;
    EXPECT_TRUE(is_closed({mesh.positions, mesh.triangles}));
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.components, pieces);
    EXPECT_EQ(q.euler, 2 * pieces);
    double low = 1;
    for (const Vec3& p : mesh.positions)
        low = std::min(low, p.y);
    EXPECT_EQ(low, pieces > 1 ? 0 : low);
    return q;
}

bool inside(const TriangleMesh& mesh, const Vec3& p) {
    return find_penetration(std::vector<Vec3>{p}, {mesh.positions, mesh.triangles}).inside == 1;
}

double area_of_polygon(int sides, double width) {
    const double slope = std::tan(std::numbers::pi / sides); // width across two opposite sides
    return sides * width * width / 4 * slope;
}

TEST(Table, IsAClosedTopOnClosedLegs) {
    const TableSettings s = {.width = 1.2, .depth = 0.8};
    const TriangleMesh mesh = triangulate(make_table(s));
    EXPECT_EQ(expect_furniture(mesh, 5).triangles, 60);
    const double leg = s.leg_size * s.leg_size * (s.height - s.thickness / 2);
    EXPECT_NEAR(test::enclosed_volume(mesh.positions, mesh.triangles),
                s.width * s.depth * s.thickness + 4 * leg, 1e-12);
    EXPECT_TRUE(inside(mesh, {0, s.height - 0.01, 0}));
    EXPECT_TRUE(inside(mesh, {0.599, s.height - 0.001, -0.399}));
    EXPECT_FALSE(inside(mesh, {0, s.height - 0.05, 0}));
    EXPECT_FALSE(inside(mesh, {0, s.height + 1e-9, 0}));
    EXPECT_TRUE(inside(mesh, {0.6 - 0.06, 0.1, 0.4 - 0.06})); // a leg
    EXPECT_TRUE(inside(mesh, {-0.6 + 0.06, 0.1, -0.4 + 0.06}));
    EXPECT_FALSE(inside(mesh, {0.6 - 0.01, 0.1, 0.4 - 0.01}));
}

TEST(Table, LegsStandUnderATopOfAnySides) {
    for (const int sides : {3, 4, 5, 6, 7, 8, 12})
        for (const int legs : {0, 1, 3, 4, 5, 8}) {
            const TableSettings s = {
                .width = 1.5, .depth = 0.9, .sides = sides, .legs = legs, .leg_sides = 5};
            const TriangleMesh mesh = triangulate(make_table(s));
            EXPECT_EQ(expect_furniture(mesh, 1 + legs).triangles, 4 * sides - 4 + 16 * legs);
            EXPECT_GT(test::enclosed_volume(mesh.positions, mesh.triangles), 0);
            for (std::size_t v = 2 * sides; v < mesh.positions.size(); ++v) {
                Vec3 p = mesh.positions[v];
                p.y = s.height - s.thickness / 2;
                EXPECT_TRUE(inside(triangulate(make_table({.width = 1.5, // the top alone
                                                           .depth = 0.9,
                                                           .sides = sides,
                                                           .legs = 0})),
                                   p))
                    << sides << " sides, " << legs << " legs";
            }
        }
}

// [Bayraktar07 5]: "51 object polygons constructing the floor and the table". Closed pieces have an
// even number of triangles; so the floor has the odd one.
TEST(Table, AndFloorHaveThePolygonsOfThePaper) {
    const TriangleMesh table =
        triangulate(make_table({.sides = 8, .legs = 1, .leg_size = 0.2, .leg_sides = 6}));
    const TriangleMesh floor = triangulate(make_lattice({.width = 3, .depth = 2.6, .rows = 1}));
    EXPECT_EQ(expect_furniture(table, 2).triangles, 48);
    EXPECT_EQ(floor.triangles.size(), 3u);
    EXPECT_EQ(table.triangles.size() + floor.triangles.size(), 51u);
    const double top = area_of_polygon(8, 1) * 0.04;
    const double column = area_of_polygon(6, 0.2) * std::cos(std::numbers::pi / 6) * 0.73;
    EXPECT_NEAR(test::enclosed_volume(table.positions, table.triangles), top + column, 1e-12);
    // A rectangle on legs of three sides, and a longer floor, have as many.
    EXPECT_EQ(make_table({.leg_sides = 3}).face_count() +
                  make_lattice({.width = 5.2, .depth = 1.5, .rows = 1}).face_count(),
              51);
}

TEST(Chair, HasSeatLegsAndBack) {
    const ChairSettings s;
    const TriangleMesh mesh = triangulate(make_chair(s));
    EXPECT_EQ(expect_furniture(mesh, 6).triangles, 72);
    EXPECT_TRUE(inside(mesh, {0, s.height - 0.001, 0}));
    EXPECT_FALSE(inside(mesh, {0, s.height + 1e-9, 0}));
    EXPECT_TRUE(inside(mesh, {0.2, s.height + s.back - 0.001, -s.depth / 2 + 0.02}));
    EXPECT_FALSE(inside(mesh, {0, s.height + 0.1, s.depth / 2 - 0.02}));
    EXPECT_TRUE(inside(mesh, {s.width / 2 - s.leg_size, 0.1, s.depth / 2 - s.leg_size}));
    EXPECT_EQ(expect_furniture(triangulate(make_chair({.back = 0})), 5).triangles, 60);
}

TEST(Furniture, RefusesWhatCannotStand) {
    const auto key = [](const std::function<void()>& make) {
        try {
            make();
        } catch (const InputError& error) {
            EXPECT_NE(error.problem().expected, "");
            return error.problem().key;
        }
        return std::string("nothing");
    };
    EXPECT_EQ(key([] { make_table({.width = 0}); }), "width");
    EXPECT_EQ(key([] { make_table({.thickness = 0.8}); }), "thickness");
    EXPECT_EQ(key([] { make_table({.sides = 2}); }), "sides");
    EXPECT_EQ(key([] { make_table({.legs = -1}); }), "legs");
    EXPECT_EQ(key([] { make_table({.leg_size = 0.3}); }), "leg_size");
    EXPECT_EQ(key([] { make_table({.legs = 0, .leg_size = 0.3}); }), "nothing");
    EXPECT_EQ(key([] { make_table({.leg_sides = 1}); }), "leg_sides");
    EXPECT_EQ(key([] { make_chair({.height = -1}); }), "height");
    EXPECT_EQ(key([] { make_chair({.thickness = 0.2}); }), "thickness");
    EXPECT_EQ(key([] { make_chair({.back = -1}); }), "back");
}

} // namespace
} // namespace muslin
