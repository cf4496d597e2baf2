// The surface of a level set, against the mesh it was made from.

#include "muslin/levelset/surface_mesh.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace muslin;

double volume(const TriangleView& surface) {
    double sum = 0;
    for (const auto& [i, j, k] : surface.triangles)
        sum += dot(surface.positions[i], cross(surface.positions[j], surface.positions[k])) / 6;
    return sum;
}

TEST(SurfaceMesh, OfABallIsClosedAndLiesOnIt) {
    const PolygonMesh ball = make_sphere({.radius = 0.1, .rings = 60, .segments = 120});
    const auto triangles = triangulate(ball).triangles;
    LevelSetSettings settings;
    settings.voxel = 0.008;
    settings.band = 0.03;
    const LevelSet level_set = LevelSet::from_mesh({ball.positions, triangles}, settings);
    const PolygonMesh out = surface_mesh(level_set);
    const auto out_triangles = triangulate(out).triangles;
    ASSERT_TRUE(is_closed({out.positions, out_triangles}));
    for (const Vec3& p : out.positions) {
        EXPECT_NEAR(level_set.distance(p), 0, 1e-7);
        EXPECT_NEAR(norm(p), 0.1, 3e-4); // the error of interpolation
    }
    EXPECT_NEAR(volume({out.positions, out_triangles}), 4e-3 * std::numbers::pi / 3, 4e-5)
        << "positive: the faces look outward";
}

TEST(SurfaceMesh, OfABoxKeepsItsSides) {
    const PolygonMesh box = make_box({.size = {0.2, 0.1, 0.3}});
    const auto triangles = triangulate(box).triangles;
    LevelSetSettings settings;
    settings.voxel = 0.007;
    settings.band = 0.03;
    const PolygonMesh out = surface_mesh(LevelSet::from_mesh({box.positions, triangles}, settings));
    const auto out_triangles = triangulate(out).triangles;
    EXPECT_TRUE(is_closed({out.positions, out_triangles}));
    EXPECT_NEAR(volume({out.positions, out_triangles}), 0.2 * 0.1 * 0.3, 2e-4);
}

TEST(SurfaceMesh, OfNothingIsNothing) {
    EXPECT_EQ(surface_mesh(LevelSet()).face_count(), 0);
}

} // namespace
