#include "muslin/levelset/level_set.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

using namespace muslin;

TEST(level_set, sphere) {
    const TriangleMesh m = triangulate(make_sphere({.radius = 0.5, .rings = 64, .segments = 128}));
    const LevelSet s = LevelSet::from_mesh({m.positions, m.triangles}, {0.02, 0.1});
    EXPECT_NEAR(s.distance({0.55, 0, 0}), 0.05, 1e-3);
    EXPECT_NEAR(s.distance({0.45, 0, 0}), -0.05, 1e-3);
    EXPECT_EQ(s.distance({0, 0, 0}), -0.1);
    EXPECT_EQ(s.distance({3, 0, 0}), 0.1);
    EXPECT_NEAR(s.sample({0, 0.3, 0.45}).normal.y, 0.3 / std::hypot(0.3, 0.45), 1e-2);
}
