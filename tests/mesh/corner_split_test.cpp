#include "muslin/mesh/corner_split.h"
#include "muslin/mesh/normals.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

/// Two quads that share an edge, each with a pattern of its own: vertices 1 and 4 lie on a seam.
PolygonMesh seamed() {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
    mesh.texcoords = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {5, 0}, {6, 0}, {6, 1}, {5, 1}};
    mesh.face_begin = {0, 4, 8};
    mesh.corner_vertex = {0, 1, 4, 3, 1, 2, 5, 4};
    mesh.corner_texcoord = {0, 1, 2, 3, 4, 5, 6, 7};
    return mesh;
}

TEST(CornerSplit, SeamVerticesAreCopiedAfterTheMeshsOwn) {
    const PolygonMesh mesh = seamed();
    const TriangleMesh triangles = triangulate(mesh);
    const auto uv = texture_corners(mesh, triangles);
    ASSERT_EQ(uv.size(), 4u);
    const CornerSplit split = split_corners(mesh.positions.size(), triangles.triangles, uv);
    ASSERT_EQ(split.source.size(), 8u);
    for (int v = 0; v < 6; ++v)
        EXPECT_EQ(split.source[v], v) << "the user's order is kept";
    EXPECT_EQ(std::min(split.source[6], split.source[7]), 1);
    EXPECT_EQ(std::max(split.source[6], split.source[7]), 4);
    for (std::size_t t = 0; t < 4; ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const int v = split.triangles[t][k];
            EXPECT_EQ(split.source[v], triangles.triangles[t][k]);
            EXPECT_EQ(split.uv[v].x, uv[t][k].x);
            EXPECT_EQ(split.uv[v].y, uv[t][k].y);
        }
}

TEST(CornerSplit, WithoutCoordinatesNothingIsSplit) {
    PolygonMesh mesh = seamed();
    mesh.corner_texcoord[3] = -1;
    const TriangleMesh triangles = triangulate(mesh);
    EXPECT_TRUE(texture_corners(mesh, triangles).empty()) << "a corner has none";
    const CornerSplit split = split_corners(mesh.positions.size(), triangles.triangles, {});
    EXPECT_EQ(split.source.size(), 6u);
    EXPECT_TRUE(split.uv.empty());
    EXPECT_EQ(split.triangles, triangles.triangles);
    const std::vector<std::array<Vec2, 3>> one(1);
    EXPECT_THROW(split_corners(6, triangles.triangles, one), std::invalid_argument);
}

// A roof of two slopes of unequal area; a vertex of no triangle.
TEST(VertexNormals, AreTheMeanByArea) {
    const std::vector<Vec3> x = {{0, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, -2, 0}, {9, 9, 9}};
    const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {0, 3, 1}};
    const std::vector<Vec3> n = vertex_normals(x, triangles);
    EXPECT_NEAR(norm(n[0] - Vec3{2, 1, 0} * (1 / std::sqrt(5.0))), 0, 1e-15);
    EXPECT_NEAR(norm(n[2] - Vec3{0, 1, 0}), 0, 1e-15);
    EXPECT_NEAR(norm(n[3] - Vec3{1, 0, 0}), 0, 1e-15);
    EXPECT_EQ(n[4].y, 1) << "no area: the vertical";
}

} // namespace
} // namespace muslin
