#include "mesh/enclosed_volume.h"
#include "muslin/mesh/quality.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace muslin {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

TEST(Quality, OfOneTriangleIsKnown) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
    const auto q = measure_quality(positions, Triangles{{0, 1, 2}});
    EXPECT_EQ(q.vertices, 3);
    EXPECT_EQ(q.edges, 3);
    EXPECT_EQ(q.triangles, 1);
    EXPECT_EQ(q.boundary_edges, 3);
    EXPECT_EQ(q.components, 1);
    EXPECT_EQ(q.euler, 1);
    EXPECT_DOUBLE_EQ(q.area, 6);
    EXPECT_NEAR(q.min_angle, 36.86989764584402, 1e-12);
    EXPECT_NEAR(q.max_angle, 90, 1e-12);
    EXPECT_DOUBLE_EQ(q.min_edge, 3);
    EXPECT_DOUBLE_EQ(q.mean_edge, 4);
    EXPECT_DOUBLE_EQ(q.max_edge, 5);
}

TEST(Quality, SmallAnglesKeepTheirDigits) {
    const auto angles = triangle_angles({0, 0, 0}, {1, 0, 0}, {1, 1e-9, 0});
    EXPECT_NEAR(angles[0], 1e-9, 1e-18);
    EXPECT_NEAR(angles[0] + angles[1] + angles[2], std::numbers::pi, 1e-14);
}

TEST(Quality, CountsPieces) {
    std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                   {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
    EXPECT_EQ(measure_quality(positions, Triangles{{0, 1, 2}, {3, 4, 5}}).components, 2);
    positions.push_back({9, 9, 9});
    EXPECT_EQ(measure_quality(positions, Triangles{{0, 1, 2}, {3, 4, 5}}).components, 3);
}

TEST(Quality, OfNothingIsZero) {
    const auto q = measure_quality({}, {});
    EXPECT_EQ(q.edges, 0);
    EXPECT_EQ(q.area, 0);
    EXPECT_EQ(q.min_edge, 0);
}

TEST(Quality, VolumeOfABox) {
    const auto box = triangulate(make_box({.size = {1, 2, 3}, .divisions = 2}));
    EXPECT_NEAR(test::enclosed_volume(box.positions, box.triangles), 6, 1e-13);
}

} // namespace
} // namespace muslin
