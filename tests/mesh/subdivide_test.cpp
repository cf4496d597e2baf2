#include "muslin/mesh/subdivide.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/parallel.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

using namespace testing;

/// Furthest and mean distance of points in the middles of triangles, and of vertices, from the
/// sphere around the origin.
struct Distance {
    double furthest = 0, mean = 0;
};
Distance from_sphere(const std::vector<Vec3>& x, const std::vector<std::array<int, 3>>& triangles,
                     double radius) {
    Distance out;
    for (const auto& t : triangles) {
        const Vec3 middle = (1.0 / 3) * (x[t[0]] + x[t[1]] + x[t[2]]);
        for (const Vec3& p : {middle, x[t[0]]}) {
            const double d = std::abs(norm(p) - radius);
            out.furthest = std::max(out.furthest, d);
            out.mean += d / (2.0 * static_cast<double>(triangles.size()));
        }
    }
    return out;
}

TEST(Subdivision, SphereComesCloserToTheSphere) {
    SphereSettings settings;
    settings.radius = 0.5;
    const TriangleMesh ball = triangulate(make_sphere(settings));
    const Distance coarse = from_sphere(ball.positions, ball.triangles, 0.5);
    for (const int levels : {1, 2, 3}) {
        const Subdivision finer(ball.positions.size(), ball.triangles, {}, levels);
        std::vector<Vec3> x;
        finer.apply(ball.positions, x);
        ASSERT_EQ(x.size(), finer.vertices());
        EXPECT_EQ(finer.triangles().size(),
                  ball.triangles.size() * static_cast<std::size_t>(finer.triangles_per_coarse()));
        const Distance fine = from_sphere(x, finer.triangles(), 0.5);
        EXPECT_LT(fine.furthest, 0.5 * coarse.furthest) << levels;
        EXPECT_LT(fine.mean, 0.5 * coarse.mean) << levels;
    }
}

TEST(Subdivision, FlatGridStaysFlatAndKeepsItsOutline) {
    const TriangleMesh flat = waved_sheet(7, [](double, double) { return 0.0; });
    const Subdivision finer(flat.positions.size(), flat.triangles, flat.material, 2);
    std::vector<Vec3> x;
    finer.apply(flat.positions, x);
    ASSERT_EQ(x.size(), 25U * 25U);
    for (const Vec3& p : x) {
        EXPECT_EQ(p.z, 0);
        EXPECT_TRUE(p.x > -1e-12 && p.x < 1 + 1e-12 && p.y > -1e-12 && p.y < 1 + 1e-12);
    }
    // Corners of the sheet are vertices 0, 6, 42 and 48 and stay where they are.
    for (const std::size_t v : {0, 6, 42, 48})
        EXPECT_LT(norm(x[v] - flat.positions[v]), 1e-12);
    // Places on the pattern and in space agree: the sheet is not distorted on the way.
    for (std::size_t t = 0; t < finer.triangles().size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& p = x[static_cast<std::size_t>(finer.triangles()[t][k])];
            EXPECT_NEAR(p.x, finer.material()[t][k].x, 1e-12);
            EXPECT_NEAR(p.y, finer.material()[t][k].y, 1e-12);
        }
}

TEST(Subdivision, VerticesStayWithinAFewPercentOfTheFold) {
    // A fold of radius 0.1 drawn by edges of 0.05: the surface must stay near the simulated one.
    const auto wave = [](double x, double) { return 0.05 * std::sin(2 * M_PI * x / 0.4); };
    const TriangleMesh fold = waved_sheet(21, wave);
    const Subdivision finer(fold.positions.size(), fold.triangles, fold.material, 2);
    std::vector<Vec3> x;
    finer.apply(fold.positions, x);
    for (std::size_t v = 0; v < fold.positions.size(); ++v)
        EXPECT_LT(norm(x[v] - fold.positions[v]), 0.003) << v;
}

TEST(Subdivision, BothSidesOfASeamStayTogether) {
    // Two sheets that share an edge in space but not in their vertices.
    const auto wave = [](double x, double y) { return 0.1 * std::sin(7 * x + 5 * y); };
    const TriangleMesh left = waved_sheet(9, wave);
    TriangleMesh right = waved_sheet(9, [&](double x, double y) { return wave(x + 1, y); });
    for (Vec3& p : right.positions)
        p.x += 1;
    const Subdivision finer(81, left.triangles, left.material, 2);
    std::vector<Vec3> a, b;
    finer.apply(left.positions, a);
    finer.apply(right.positions, b);
    int met = 0;
    for (const Vec3& p : a)
        for (const Vec3& q : b)
            met += norm(p - q) < 1e-12 ? 1 : 0;
    EXPECT_EQ(met, 33);
}

TEST(Subdivision, NumbersStayInTheirRangeAndOnTheirVertices) {
    const TriangleMesh flat = waved_sheet(5, [](double, double) { return 0.0; });
    const Subdivision finer(25, flat.triangles, flat.material, 3);
    std::vector<double> values(25), fine;
    for (std::size_t v = 0; v < 25; ++v)
        values[v] = static_cast<double>(v * v % 7);
    finer.apply(values, fine);
    ASSERT_EQ(fine.size(), finer.vertices());
    EXPECT_TRUE(std::equal(values.begin(), values.end(), fine.begin()));
    EXPECT_EQ(*std::max_element(fine.begin(), fine.end()),
              *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(*std::min_element(fine.begin(), fine.end()), 0);
}

TEST(Subdivision, SameBitsForAnyNumberOfThreads) {
    const TriangleMesh cloth = waved_sheet(60, [](double x, double y) {
        return 0.08 * y * std::sin(14 * x + 3 * y + 1) + 0.03 * std::sin(31 * x);
    });
    const Subdivision finer(3600, cloth.triangles, cloth.material, 2);
    std::vector<Vec3> one, four;
    set_thread_count(1);
    finer.apply(cloth.positions, one);
    set_thread_count(4);
    finer.apply(cloth.positions, four);
    set_thread_count(0);
    for (std::size_t v = 0; v < one.size(); ++v)
        ASSERT_TRUE(one[v].x == four[v].x && one[v].y == four[v].y && one[v].z == four[v].z);
}

/// Where an edge has three triangles there is no surface; it must not be a crash either.
TEST(Subdivision, TakesMeshesThatAreNoSurface) {
    const std::vector<std::array<int, 3>> fins = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {9, 9, 9}};
    const Subdivision finer(x.size(), fins, {}, 2);
    std::vector<Vec3> fine;
    finer.apply(x, fine);
    for (const Vec3& p : fine)
        EXPECT_TRUE(is_finite(p));
    EXPECT_EQ(fine[5].x, 9); // a vertex of no triangle
    EXPECT_THROW(Subdivision(x.size(), fins, {}, 9), std::invalid_argument);
}

} // namespace
} // namespace muslin
