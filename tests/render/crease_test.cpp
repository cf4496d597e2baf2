#include "muslin/render/crease.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"
#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

void expect_same_surface(const TriangleMesh& mesh, const CreaseSplit& split) {
    ASSERT_EQ(split.triangles.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(split.source[static_cast<std::size_t>(split.triangles[t][k])],
                      mesh.triangles[t][k]);
}

TEST(Crease, BoxGetsOneVertexPerCornerAndSide) {
    const TriangleMesh box = triangulate(make_box({}));
    const CreaseSplit split = split_creases(box.positions, box.triangles, 38);
    EXPECT_EQ(split.source.size(), 24U);
    expect_same_surface(box, split);
}

TEST(Crease, SmoothSurfaceStaysWhole) {
    const TriangleMesh ball = triangulate(make_sphere({}));
    const CreaseSplit split = split_creases(ball.positions, ball.triangles, 38);
    EXPECT_EQ(split.source.size(), ball.positions.size());
    expect_same_surface(ball, split);
}

TEST(Crease, CappedCylinderPartsAtItsRims) {
    CylinderSettings settings;
    settings.segments = 24;
    const TriangleMesh tube = triangulate(make_cylinder(settings));
    const CreaseSplit split = split_creases(tube.positions, tube.triangles, 38);
    EXPECT_EQ(split.source.size(), tube.positions.size() + 2 * 24);
    expect_same_surface(tube, split);
}

} // namespace
} // namespace muslin
