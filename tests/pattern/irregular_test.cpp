#include "mesh/mesh_testing.h"
#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/pattern/delaunay.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace muslin {
namespace {

using testing::hash_of;
using testing::Random;

/// The documented promises: count, one piece without holes, angles, face up.
MeshQuality expect_well_shaped(const IrregularSettings& settings) {
    const PolygonMesh polygons = make_irregular(settings);
    const TriangleMesh mesh = triangulate(polygons);
    const MeshQuality q = measure_quality(mesh.positions, mesh.triangles);
    EXPECT_EQ(q.vertices, settings.vertices);
    EXPECT_EQ(q.euler, 1);
    EXPECT_EQ(q.components, 1);
    EXPECT_GE(q.min_angle, 25);
    const auto defect = find_defect(mesh.triangles, settings.vertices);
    EXPECT_FALSE(defect) << defect->text;
    for (const auto& t : mesh.triangles) {
        const Vec3 &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
        EXPECT_GT(cross(b - a, c - a).y, 0);
    }
    return q;
}

class IrregularCount : public ::testing::TestWithParam<int> {};

TEST_P(IrregularCount, SheetIsExactAndWellShaped) {
    const MeshQuality q = expect_well_shaped({.width = 1, .depth = 1, .vertices = GetParam()});
    EXPECT_NEAR(q.area, 1, 1e-12); // no part of the outline is lost
    // The edge at which equilateral triangles of that number fill the sheet.
    EXPECT_NEAR(q.mean_edge, std::sqrt(4 * q.area / (std::sqrt(3.0) * q.triangles)),
                0.03 * q.mean_edge);
}

TEST_P(IrregularCount, DiscIsExactAndWellShaped) {
    const MeshQuality q = expect_well_shaped({.width = 1, .vertices = GetParam(), .disc = true});
    // All of the regular polygon that the outline is.
    const int n = q.boundary_edges;
    EXPECT_NEAR(q.area, n / 8.0 * std::sin(2 * std::numbers::pi / n), 3e-8);
}

INSTANTIATE_TEST_SUITE_P(Counts, IrregularCount,
                         ::testing::Values(16, 17, 23, 50, 101, 500, 899, 2602, 7359, 10000,
                                           100000));

TEST(Irregular, ManyShapesSeedsAndJittersKeepThePromises) {
    Random random(5);
    for (int trial = 0; trial < 150; ++trial) {
        IrregularSettings settings;
        settings.width = random.uniform(0.1, 10);
        settings.depth = settings.width * random.uniform(0.15, 6);
        settings.vertices = static_cast<int>(random.integer(60, 1500));
        settings.seed = static_cast<unsigned>(trial);
        settings.disc = trial % 3 == 0;
        settings.jitter = random.uniform(0, 0.45);
        expect_well_shaped(settings);
    }
}

TEST(Irregular, CornersComeFirstAndExactly) {
    const double w = 0.7, d = 1.1;
    const PolygonMesh mesh = make_irregular({.width = w, .depth = d, .vertices = 777});
    const std::array<Vec2, 4> corners = {
        {{-w / 2, -d / 2}, {w / 2, -d / 2}, {w / 2, d / 2}, {-w / 2, d / 2}}};
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(mesh.positions[i].x, corners[i].x);
        EXPECT_EQ(mesh.positions[i].y, 0);
        EXPECT_EQ(mesh.positions[i].z, corners[i].y);
    }
}

TEST(Irregular, OutlineIsEvenAndLiesOnTheBorder) {
    const double w = 1.3, d = 0.6;
    const TriangleMesh mesh =
        triangulate(make_irregular({.width = w, .depth = d, .vertices = 1000}));
    const Topology topology = build_topology(mesh.triangles);
    double least = 1e9, most = 0, perimeter = 0;
    for (const auto& [a, b] : topology.boundary_edges) {
        const double length = norm(mesh.positions[b] - mesh.positions[a]);
        least = std::min(least, length);
        most = std::max(most, length);
        perimeter += length;
        // The outline's vertices follow the corners, before all inner ones.
        EXPECT_LT(std::max(a, b), static_cast<int>(topology.boundary_edges.size()));
        const Vec3 middle = 0.5 * (mesh.positions[a] + mesh.positions[b]);
        EXPECT_TRUE(std::abs(middle.x) == w / 2 || std::abs(middle.z) == d / 2);
    }
    EXPECT_NEAR(perimeter, 2 * (w + d), 1e-12);
    EXPECT_LT(most / least, 1.1);
}

TEST(Irregular, DiscOutlineIsRound) {
    const TriangleMesh mesh =
        triangulate(make_irregular({.width = 2, .vertices = 500, .disc = true}));
    for (const auto& [a, b] : build_topology(mesh.triangles).boundary_edges)
        EXPECT_NEAR(norm(mesh.positions[a]), 1, 1e-6);
}

/// The spread of the directions and lengths of edges tells irregular from regular.
double edge_spread(const IrregularSettings& settings) {
    const TriangleMesh mesh = triangulate(make_irregular(settings));
    const Topology topology = build_topology(mesh.triangles);
    double sum = 0, squares = 0;
    for (const auto& [a, b] : topology.edges) {
        const double length = norm(mesh.positions[b] - mesh.positions[a]);
        sum += length;
        squares += length * length;
    }
    const double n = static_cast<double>(topology.edges.size()), mean = sum / n;
    return std::sqrt(squares / n - mean * mean) / mean;
}

TEST(Irregular, StaysIrregularByItsJitter) {
    const auto spread = [](double jitter) {
        return edge_spread({.vertices = 5000, .jitter = jitter});
    };
    const double none = spread(0), some = spread(0.15), usual = spread(0.3), most = spread(0.45);
    EXPECT_LT(none, some);
    EXPECT_LT(some, usual);
    EXPECT_LT(usual, most);
    EXPECT_GT(usual, 0.08);
    EXPECT_GT(most, 0.14);
}

TEST(Irregular, EdgesHaveNoPreferredDirection) {
    // The mean of exp(2 i angle) over all edges is zero for an isotropic mesh; the mean of
    // exp(6 i angle) is one for a perfect lattice.
    const TriangleMesh mesh = triangulate(make_irregular({.vertices = 10000}));
    double c2 = 0, s2 = 0, c6 = 0, s6 = 0;
    const auto edges = build_topology(mesh.triangles).edges;
    for (const auto& [a, b] : edges) {
        const Vec3 d = mesh.positions[b] - mesh.positions[a];
        const double angle = std::atan2(d.z, d.x);
        c2 += std::cos(2 * angle);
        s2 += std::sin(2 * angle);
        c6 += std::cos(6 * angle);
        s6 += std::sin(6 * angle);
    }
    const double n = static_cast<double>(edges.size());
    EXPECT_LT(std::hypot(c2, s2) / n, 0.03);
    EXPECT_LT(std::hypot(c6, s6) / n, 0.75);
}

TEST(Irregular, SeedChangesTheMeshAndNothingElseDoes) {
    const IrregularSettings settings = {.vertices = 899};
    const std::string first = hash_of(make_irregular(settings));
    EXPECT_EQ(hash_of(make_irregular(settings)), first);
    const int threads = thread_count();
    set_thread_count(8);
    EXPECT_EQ(hash_of(make_irregular(settings)), first);
    set_thread_count(threads);
    EXPECT_NE(hash_of(make_irregular({.vertices = 899, .seed = 2})), first);
    EXPECT_NE(hash_of(make_irregular({.vertices = 899, .jitter = 0.2})), first);
}

TEST(Irregular, IsTheSameOnEveryMachine) {
    // Recorded once. A change here changes every scene that uses such a mesh: say so in the
    // CHANGELOG's heading for numerical behaviour.
    EXPECT_EQ(hash_of(make_irregular({.vertices = 2602})), "22b0060b3a19ac0f");
    EXPECT_EQ(hash_of(make_irregular({.width = 0.8, .vertices = 899, .seed = 7, .disc = true})),
              "ccd407cf0b73d0d1");
}

TEST(Irregular, ARibbonWithTooFewVerticesIsRefused) {
    try {
        make_irregular({.width = 1, .depth = 0.01, .vertices = 20});
        FAIL() << "made a mesh of slivers";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "vertices");
        EXPECT_NE(error.problem().found.find("20, which leave one of"), std::string::npos);
    }
    expect_well_shaped({.width = 1, .depth = 0.01, .vertices = 500});
}

TEST(Irregular, AnySettingsGiveAGoodMeshOrAnError) {
    Random random(6);
    int made = 0, refused = 0;
    for (int trial = 0; trial < 400; ++trial) {
        IrregularSettings settings;
        settings.width = std::pow(10, random.uniform(-3, 3));
        settings.depth = settings.width * std::pow(10, random.uniform(-3, 3));
        settings.vertices = static_cast<int>(random.integer(16, 300));
        settings.seed = static_cast<unsigned>(trial);
        settings.jitter = random.uniform(0, 0.45);
        if (trial % 10 == 0) // beyond what a lattice can hold
            settings.depth = trial % 20 == 0 ? 1e-9 : 1e6;
        try {
            expect_well_shaped(settings);
            ++made;
        } catch (const InputError& error) {
            EXPECT_EQ(error.problem().key, "vertices") << error.what();
            ++refused;
        }
    }
    EXPECT_GT(made, 100);
    EXPECT_GT(refused, 100);
}

// ---------------------------------------------------------------------------------- Delaunay

std::vector<LatticePoint> random_points_in_square(Random& random, int inner, int size) {
    std::vector<LatticePoint> points = {{0, 0}, {size, 0}, {size, size}, {0, size}};
    for (int i = 0; i < inner; ++i)
        points.push_back({static_cast<int>(random.integer(1, size - 1)),
                          static_cast<int>(random.integer(1, size - 1))});
    const auto less = [](LatticePoint a, LatticePoint b) {
        return a.x < b.x || (a.x == b.x && a.y < b.y);
    };
    const auto same = [](LatticePoint a, LatticePoint b) { return a.x == b.x && a.y == b.y; };
    std::sort(points.begin(), points.end(), less);
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    return points;
}

/// No point inside the circumcircle of any triangle, by comparing each with each in exact integers
/// (coordinates up to 2^13: the terms stay below 2^60).
void expect_delaunay(const Delaunay& mesh, std::int64_t doubled_hull) {
    std::int64_t sum = 0;
    for (const auto& t : mesh.triangles()) {
        const LatticePoint a = mesh.points()[t[0]], b = mesh.points()[t[1]],
                           c = mesh.points()[t[2]];
        const std::int64_t area = doubled_area(a, b, c);
        ASSERT_GT(area, 0);
        sum += area;
        for (const LatticePoint d : mesh.points()) {
            const auto row = [&](LatticePoint p) {
                const std::int64_t x = p.x - d.x, y = p.y - d.y;
                return std::array<std::int64_t, 3>{x, y, x * x + y * y};
            };
            const auto [ax, ay, aw] = row(a);
            const auto [bx, by, bw] = row(b);
            const auto [cx, cy, cw] = row(c);
            ASSERT_LE(
                aw * (bx * cy - by * cx) + bw * (cx * ay - cy * ax) + cw * (ax * by - ay * bx), 0);
        }
    }
    EXPECT_EQ(sum, doubled_hull);
}

TEST(Delaunay, EmptyCirclesForRandomAndForRepeatedlyCocircularPoints) {
    Random random(9);
    for (const int size : {8, 30, 8000}) { // small squares are full of rectangles
        const auto points = random_points_in_square(random, 150, size);
        expect_delaunay(Delaunay(points), 2ll * size * size);
    }
}

TEST(Delaunay, StaysSoWhilePointsMove) {
    Random random(10);
    const int size = 8000;
    Delaunay mesh(random_points_in_square(random, 200, size));
    int moved = 0;
    for (int round = 0; round < 10; ++round) {
        for (int v = 0; v < static_cast<int>(mesh.points().size()); ++v) {
            const LatticePoint p = mesh.points()[v];
            if (p.x == 0 || p.y == 0 || p.x == size || p.y == size)
                continue;
            moved += mesh.move(v, {p.x + static_cast<int>(random.integer(-300, 300)),
                                   p.y + static_cast<int>(random.integer(-300, 300))});
        }
        mesh.restore();
        expect_delaunay(mesh, 2ll * size * size);
    }
    EXPECT_GT(moved, 500);
}

TEST(Delaunay, RefusesAMoveThatTurnsATriangleOver) {
    Delaunay mesh({{0, 0}, {10, 0}, {10, 10}, {0, 10}, {5, 5}});
    EXPECT_FALSE(mesh.move(4, {11, 5}));
    EXPECT_EQ(mesh.points()[4].x, 5);
    EXPECT_TRUE(mesh.move(4, {2, 7}));
    EXPECT_EQ(mesh.ring(4).size(), 4u);
}

} // namespace
} // namespace muslin
