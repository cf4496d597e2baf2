#include "muslin/levelset/fold_projection.h"

#include "levelset/analytic_fields.h"
#include "mesh/mesh_testing.h"
#include "muslin/base/parallel.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace muslin {
namespace {

using testing::cube_field;
using testing::FunctionField;
using testing::sphere_field;
using testing::sphere_sample;
using testing::waved_sheet;

constexpr double radius = 0.3; // of the ball [m]

/// A sheet on the top of the ball, at the height over it that `height(x, y)` says.
template <class Height>
TriangleMesh sheet_on_ball(int n, Height&& height) {
    TriangleMesh mesh = waved_sheet(n, [](double, double) { return 0.0; });
    for (Vec3& p : mesh.positions) {
        const Vec3 out = normalized(Vec3{p.x - 0.5, p.y - 0.5, 1.2});
        p = (radius + height(p.x, p.y)) * out;
    }
    return mesh;
}

FoldSettings settings_for(double depth) {
    FoldSettings settings;
    settings.band = {5e-4, usual_tau(5e-4, depth), depth};
    return settings;
}

std::vector<double> distances(const DistanceField& field, const std::vector<Vec3>& x) {
    std::vector<FieldSample> samples(x.size());
    field.sample(x, samples);
    std::vector<double> out;
    for (const FieldSample& s : samples)
        out.push_back(s.distance);
    return out;
}

TEST(FoldProjection, KeepsTheWrinklesThatPlainProjectionFlattens) {
    // Wrinkles of 4 mm, most of them inside; 10,201 points.
    const auto wave = [](double x, double y) {
        return -3e-3 + 2e-3 * std::sin(60 * x + 9 * y) * std::cos(25 * y);
    };
    const TriangleMesh sheet = sheet_on_ball(101, wave);
    const FunctionField ball = sphere_field(radius);
    std::vector<Vec3> x = sheet.positions;
    FoldProjection projection(settings_for(5e-3), sheet.triangles);
    const FoldReport report = projection.project(ball, {}, x);
    EXPECT_EQ(report.wrinkle.points, 10201U);
    EXPECT_EQ(report.moved, 10201U);
    EXPECT_EQ(report.unreached, 0U);
    fmt::print("wrinkles of {:.2f} mm: {:.1f} % kept, by plain projection {:.1f} %\n",
               1e3 * report.wrinkle.before, 100 * report.wrinkle.after / report.wrinkle.before,
               100 * report.wrinkle.plain / report.wrinkle.before);
    EXPECT_GT(report.wrinkle.after, 0.7 * report.wrinkle.before);
    EXPECT_LT(report.wrinkle.plain, 0.05 * report.wrinkle.before);
    EXPECT_NEAR(report.deepest_before, 5e-3, 1e-4);
    EXPECT_LT(report.largest_move, 5e-3 + 2e-3);

    const std::vector<double> before = distances(ball, sheet.positions), after = distances(ball, x);
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return before[a] < before[b]; });
    const double tolerance = projection.settings().tolerance;
    const FoldMap map(projection.settings().band);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        ASSERT_GE(after[order[i + 1]] - after[order[i]], -2 * tolerance) << i;
        ASSERT_GE(after[order[i]], 5e-4 - tolerance);
        ASSERT_NEAR(after[order[i]], map(before[order[i]]), tolerance);
    }
}

TEST(FoldProjection, LeavesFarAndPinchedPointsAlone) {
    // Two balls that overlap: what is inside both belongs to neither side.
    const FunctionField balls([](const Vec3& p) {
        FieldSample a = sphere_sample(p, {-0.05, 0, 0}, 0.1, 0);
        const FieldSample b = sphere_sample(p, {0.05, 0, 0}, 0.1, 1);
        const bool pinched = a.distance < 0 && b.distance < 0;
        if (b.distance < a.distance)
            a = b;
        a.pinched = pinched;
        return a;
    });
    std::vector<Vec3> x = {{0, 0, 0}, {0.01, 0.02, 0}, {0.149, 0, 0}, {0.3, 0, 0}};
    const std::vector<Vec3> start = x;
    const FoldReport report = FoldProjection(settings_for(1e-3), {}).project(balls, {}, x);
    EXPECT_EQ(report.pinched, 2U);
    EXPECT_EQ(report.moved, 1U);
    for (const std::size_t i : {0, 1, 3})
        EXPECT_EQ(norm(x[i] - start[i]), 0) << i;
    EXPECT_GT(x[2].x, 0.15 + 5e-4 - 1e-6);
    EXPECT_NEAR(report.deepest_before, 1e-3, 1e-12) << "pinched ones do not count";
}

TEST(FoldProjection, ReachesItsPlaceWhereTheFieldHasCreases) {
    testing::Random random(5);
    const FunctionField cube = cube_field(0.1);
    std::vector<Vec3> x;
    for (int i = 0; i < 4000; ++i)
        x.push_back(random.vector(-0.104, 0.104));
    std::vector<Vec3> start = x;
    FoldProjection projection(settings_for(0.1), {});
    const FoldReport report = projection.project(cube, {}, x);
    EXPECT_EQ(report.unreached, 0U) << report.unreached_worst;
    EXPECT_LT(report.iterations, 10);
    const FoldMap map(projection.settings().band);
    const std::vector<double> before = distances(cube, start), after = distances(cube, x);
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(after[i], map(before[i]), 1e-6);
}

TEST(FoldProjection, SaysWhatItCannotReach) {
    // Known down to 20 mm only.
    const FunctionField shallow([](const Vec3& p) {
        FieldSample s = sphere_sample(p, {0, 0, 0}, radius);
        if (s.distance < -0.02)
            s = {-0.02, {0, 0, 0}, {0, 0, 0}, -1, false};
        return s;
    });
    std::vector<Vec3> x = {{0, 0.1, 0}, {0, 0.295, 0}};
    const FoldReport report = FoldProjection(settings_for(5e-3), {}).project(shallow, {}, x);
    EXPECT_EQ(report.unreached, 1U);
    EXPECT_NEAR(report.unreached_worst, 0.0205, 1e-3);
    EXPECT_EQ(x[0].y, 0.1);
    EXPECT_GT(x[1].y, radius);

    // A field whose normals lead nowhere.
    const FunctionField wrong([](const Vec3&) {
        return FieldSample{-1e-3, {0, 1, 0}, {0, 0, 0}, 0, false};
    });
    std::vector<Vec3> y = {{0, 0, 0}};
    const FoldReport stuck = FoldProjection(settings_for(5e-3), {}).project(wrong, {}, y);
    EXPECT_EQ(stuck.unreached, 1U);
    EXPECT_EQ(stuck.iterations, FoldSettings{}.max_iterations);
    EXPECT_EQ(norm(y[0]), 0);
}

/// A coarse sheet folded over the edge of a box: corners outside, triangles through the edge.
TEST(FoldProjection, RaisesTrianglesThatCutAnEdge) {
    TriangleMesh sheet = waved_sheet(14, [](double, double) { return 0.0; });
    for (Vec3& p : sheet.positions) {
        const double s = 0.26 * (p.x - 0.46), z = 0.15 * (p.y - 0.5);
        p = s < 0 ? Vec3{0.1 + s, 0.1 + 3e-4, z} : Vec3{0.1 + 3e-4, 0.1 - s, z};
    }
    const TriangleMesh box = triangulate(make_box({{0.2, 0.2, 0.2}, 8}));
    const TriangleView body = {box.positions, box.triangles};
    const FunctionField cube = cube_field(0.1);
    const FoldSettings settings = settings_for(5e-4);

    std::vector<Vec3> points_only = sheet.positions, x = sheet.positions;
    FoldProjection(settings, sheet.triangles).project(cube, {}, points_only);
    EXPECT_GT(count_intersections_between({points_only, sheet.triangles}, body), 10U);

    const FoldReport report =
        FoldProjection(settings, sheet.triangles).project(cube, std::span(&body, 1), x);
    EXPECT_EQ(report.crossings, 0U);
    EXPECT_EQ(count_intersections_between({x, sheet.triangles}, body), 0U);
    EXPECT_GT(report.rounds, 0);
    EXPECT_GT(report.raised, 0U);
    EXPECT_LT(report.raised, x.size() * 3 / 4) << "only near the edge";
    EXPECT_LT(report.largest_raise, settings.max_raise);
    EXPECT_EQ(count_self_intersections(x, sheet.triangles), 0U);
}

TEST(FoldProjection, LayersKeepTheirOrder) {
    // Three layers 0.4 mm apart, waved together, the lower two inside, on a ball of coarse facets.
    const int n = 41;
    std::vector<Vec3> x;
    std::vector<std::array<int, 3>> triangles;
    for (int layer = 0; layer < 3; ++layer) {
        const TriangleMesh sheet = sheet_on_ball(n, [&](double u, double v) {
            return 0.4e-3 * (layer - 2) - 1e-4 + 6e-4 * std::sin(20 * u) * std::sin(18 * v);
        });
        const int first = static_cast<int>(x.size());
        x.insert(x.end(), sheet.positions.begin(), sheet.positions.end());
        for (const auto& t : sheet.triangles)
            triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    SphereSettings coarse;
    coarse.radius = radius * 1.0005;
    coarse.rings = 60;
    coarse.segments = 120;
    const TriangleMesh ball = triangulate(make_sphere(coarse));
    const TriangleView body = {ball.positions, ball.triangles};
    EXPECT_EQ(count_self_intersections(x, triangles), 0U);
    EXPECT_GT(count_intersections_between({x, triangles}, body), 0U);
    const FunctionField field = sphere_field(radius);
    const FoldReport report =
        FoldProjection(settings_for(1.6e-3), triangles).project(field, std::span(&body, 1), x);
    EXPECT_EQ(report.crossings, 0U);
    EXPECT_EQ(count_self_intersections(x, triangles), 0U);
    for (int v = 0; v < n * n; ++v)
        EXPECT_LT(norm(x[v]) + 0.2e-3, norm(x[v + n * n])) << v;
}

TEST(FoldProjection, SameBitsForAnyNumberOfThreads) {
    const TriangleMesh sheet =
        sheet_on_ball(61, [](double x, double y) { return 3e-3 * std::sin(31 * x + 17 * y); });
    const TriangleMesh ball = triangulate(make_sphere({radius, 24, 48}));
    const TriangleView body = {ball.positions, ball.triangles};
    std::vector<Vec3> one = sheet.positions, four = sheet.positions;
    FoldProjection projection(settings_for(3e-3), sheet.triangles);
    set_thread_count(1);
    projection.project(sphere_field(radius), std::span(&body, 1), one);
    set_thread_count(4);
    projection.project(sphere_field(radius), std::span(&body, 1), four);
    set_thread_count(0);
    for (std::size_t i = 0; i < one.size(); ++i)
        ASSERT_TRUE(one[i].x == four[i].x && one[i].y == four[i].y && one[i].z == four[i].z);
}

} // namespace
} // namespace muslin
