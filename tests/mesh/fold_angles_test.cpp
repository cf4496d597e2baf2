#include "muslin/mesh/fold_angles.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Measured {
    int folds;
    double first, later; ///< [degrees]
};

Measured measure(const PolygonMesh& start, const PolygonMesh& later) {
    const TriangleMesh mesh = triangulate(start);
    const Topology topology = build_topology(mesh.triangles);
    const FoldAngles folds(start.positions, mesh.triangles, topology.hinges);
    return {folds.count(), folds.mean(start.positions) / degree,
            folds.mean(later.positions) / degree};
}

GridSettings folded(int folds, double angle) {
    GridSettings grid;
    grid.columns = 13;
    grid.rows = 5;
    grid.folds = folds;
    grid.fold_angle = angle;
    return grid;
}

TEST(FoldAngles, AreThoseOfTheCreasesOfTheStart) {
    for (const int folds : {1, 2, 3}) {
        const Measured m = measure(make_grid(folded(folds, 80)), make_grid(folded(folds, 30)));
        EXPECT_EQ(m.folds, folds);
        EXPECT_NEAR(m.first, 80, 1e-9);
        EXPECT_NEAR(m.later, 30, 1e-9);
    }
    const Measured down = measure(make_grid(folded(1, -100)), make_grid(folded(1, 0)));
    EXPECT_NEAR(down.first, 100, 1e-9);
    EXPECT_NEAR(down.later, 0, 1e-9);
}

TEST(FoldAngles, OfABoxAreItsEdges) {
    BoxSettings box;
    box.divisions = 4;
    const Measured m = measure(make_box(box), make_box(box));
    EXPECT_EQ(m.folds, 12);
    EXPECT_NEAR(m.first, 90, 1e-9);
}

TEST(FoldAngles, NeedPieces) {
    SphereSettings sphere;
    sphere.rings = 6;
    sphere.segments = 8; // every edge is bent by more than the least angle
    EXPECT_EQ(measure(make_sphere(sphere), make_sphere(sphere)).folds, 0);
    EXPECT_EQ(measure(make_grid(folded(1, 10)), make_grid(folded(1, 10))).folds, 0);
    EXPECT_EQ(measure(make_grid(folded(0, 0)), make_grid(folded(1, 90))).later, 0);
}

} // namespace
} // namespace muslin
