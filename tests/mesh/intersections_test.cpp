#include "muslin/mesh/measure.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/predicates.h"
#include "muslin/mesh/quality.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace muslin {
namespace {

using testing::Random;
using Triangles = std::vector<std::array<int, 3>>;
using Pairs = std::vector<std::array<int, 2>>;
__extension__ typedef __int128 Wide;

// -------------------------------------------------------------------------------- predicates

struct Integer3 {
    std::int64_t x, y, z;
};

int exact_orientation(const Integer3& a, const Integer3& b, const Integer3& c, const Integer3& d) {
    const auto minus = [](const Integer3& p, const Integer3& q) {
        return std::array<Wide, 3>{p.x - q.x, p.y - q.y, p.z - q.z};
    };
    const auto [ax, ay, az] = minus(a, d);
    const auto [bx, by, bz] = minus(b, d);
    const auto [cx, cy, cz] = minus(c, d);
    const Wide det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    return (det > 0) - (det < 0);
}

Vec3 scaled(const Integer3& p, double scale) {
    return {scale * static_cast<double>(p.x), scale * static_cast<double>(p.y),
            scale * static_cast<double>(p.z)};
}

/// Compares with the referee in 128-bit integers at several scales; returns the sign.
int expect_exact(const std::array<Integer3, 4>& p) {
    const int expected = exact_orientation(p[0], p[1], p[2], p[3]);
    for (const double scale : {1.0, 0x1p-40, 0x1p-90})
        EXPECT_EQ(orient3d(scaled(p[0], scale), scaled(p[1], scale), scaled(p[2], scale),
                           scaled(p[3], scale)),
                  expected);
    return expected;
}

/// Points that miss a common plane by one unit of 2^39 or not at all.
TEST(Predicates, OrientationInSpaceIsExactNextToAPlane) {
    Random random(31);
    const std::int64_t range = std::int64_t{1} << 38;
    std::array<int, 3> seen = {0, 0, 0};
    for (int trial = 0; trial < 10000; ++trial) {
        const auto point = [&] {
            const auto x = random.integer(-range, range), y = random.integer(-range, range);
            return Integer3{x, y, random.integer(-range, range)};
        };
        const Integer3 a = point(), b = point(), c = point();
        // The fourth corner of a parallelogram is in the plane; then nudge it.
        Integer3 d = {a.x + b.x - c.x, a.y + b.y - c.y, a.z + b.z - c.z};
        d.x += random.integer(-1, 1);
        d.z += random.integer(-1, 1);
        ++seen[expect_exact({a, b, c, d}) + 1];
    }
    for (const int count : seen)
        EXPECT_GT(count, 500);
}

/// Points next to a common line: the determinant is 2^-76 of its terms, below the reach of double
/// and of long double.
TEST(Predicates, OrientationInSpaceIsExactNextToALine) {
    Random random(33);
    const std::int64_t range = std::int64_t{1} << 36;
    std::array<int, 3> seen = {0, 0, 0};
    for (int trial = 0; trial < 10000; ++trial) {
        const Integer3 along = {random.integer(range / 2, range), random.integer(range / 2, range),
                                random.integer(range / 2, range)};
        std::array<Integer3, 4> p;
        for (int k = 0; k < 4; ++k) {
            const std::int64_t steps = k - 2;
            const auto x = steps * along.x + random.integer(-1, 1);
            const auto y = steps * along.y + random.integer(-1, 1);
            p[k] = {x, y, steps * along.z + random.integer(-1, 1)};
        }
        ++seen[expect_exact(p) + 1];
    }
    for (const int count : seen)
        EXPECT_GT(count, 200);
}

TEST(Predicates, OrientationInThePlaneIsExact) {
    Random random(32);
    const std::int64_t range = std::int64_t{1} << 51;
    std::array<int, 3> seen = {0, 0, 0};
    for (int trial = 0; trial < 20000; ++trial) {
        const std::int64_t ax = random.integer(-range, range), ay = random.integer(-range, range);
        const std::int64_t dx = random.integer(-range, range) / 4;
        const std::int64_t dy = random.integer(-range, range) / 4;
        const std::int64_t bx = ax + dx, by = ay + dy;
        const std::int64_t cx = ax + 2 * dx + random.integer(-1, 1);
        const std::int64_t cy = ay + 2 * dy + random.integer(-1, 1);
        const Wide det =
            static_cast<Wide>(bx - ax) * (cy - ay) - static_cast<Wide>(by - ay) * (cx - ax);
        const int expected = (det > 0) - (det < 0);
        ++seen[expected + 1];
        const auto vec = [](std::int64_t x, std::int64_t y) {
            return Vec2{static_cast<double>(x), static_cast<double>(y)};
        };
        ASSERT_EQ(orient2d(vec(ax, ay), vec(bx, by), vec(cx, cy)), expected);
    }
    for (const int count : seen)
        EXPECT_GT(count, 500);
}

// ------------------------------------------------------- a referee by separating axes, in integers

using Points = std::vector<Integer3>;

Integer3 operator-(const Integer3& a, const Integer3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Integer3 cross(const Integer3& a, const Integer3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
bool is_zero(const Integer3& a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/// Whether a plane across the axis has the two sets strictly on different sides.
bool separates(const Integer3& axis, const Points& a, const Points& b) {
    const auto range = [&](const Points& points) {
        std::int64_t low = INT64_MAX, high = INT64_MIN;
        for (const Integer3& p : points) {
            const std::int64_t s = axis.x * p.x + axis.y * p.y + axis.z * p.z;
            low = std::min(low, s);
            high = std::max(high, s);
        }
        return std::array{low, high};
    };
    const auto ra = range(a), rb = range(b);
    return ra[1] < rb[0] || rb[1] < ra[0];
}

/// Whether the convex hulls of two or three points each have a point in common: they have none if
/// and only if one of these axes separates them.
bool hulls_meet(const Points& a, const Points& b) {
    const auto edges = [](const Points& p) {
        Points out;
        for (std::size_t i = 0; i < p.size(); ++i)
            out.push_back(p[(i + 1) % p.size()] - p[i]);
        return out;
    };
    Points axes;
    for (const Integer3& e : edges(a))
        for (const Integer3& f : edges(b))
            axes.push_back(cross(e, f));
    for (const Points* p : {&a, &b}) {
        if (p->size() != 3)
            continue;
        const Integer3 normal = cross((*p)[1] - (*p)[0], (*p)[2] - (*p)[0]);
        axes.push_back(normal);
        for (const Points* q : {&a, &b}) // within one plane
            for (const Integer3& e : edges(*q))
                axes.push_back(cross(normal, e));
    }
    return std::none_of(axes.begin(), axes.end(),
                        [&](const Integer3& axis) { return separates(axis, a, b); });
}

/// The documented meaning of an intersection within one mesh.
bool referee_pair(const Points& points, const std::array<int, 3>& a, const std::array<int, 3>& b) {
    Points pa, pb, rest_a, rest_b;
    int shared = 0;
    for (int i = 0; i < 3; ++i) {
        pa.push_back(points[a[i]]);
        pb.push_back(points[b[i]]);
        if (std::find(b.begin(), b.end(), a[i]) == b.end())
            rest_a.push_back(points[a[i]]);
        else
            ++shared;
        if (std::find(a.begin(), a.end(), b[i]) == a.end())
            rest_b.push_back(points[b[i]]);
    }
    if (shared >= 2)
        return false;
    if (shared == 1)
        return hulls_meet(rest_a, pb) || hulls_meet(rest_b, pa);
    return hulls_meet(pa, pb);
}

/// A soup of triangles over few lattice points: full of shared corners, touching corners and edges,
/// and coplanar overlaps.
struct Soup {
    Soup(Random& random, int points, int count, int range) {
        for (int i = 0; i < points; ++i) {
            const auto x = random.integer(0, range), y = random.integer(0, range);
            integers.push_back({x, y, random.integer(0, range)});
            positions.push_back(scaled(integers.back(), 1));
        }
        while (static_cast<int>(triangles.size()) < count) {
            const auto pick = [&] { return static_cast<int>(random.integer(0, points - 1)); };
            const std::array<int, 3> t = {pick(), pick(), pick()};
            if (!is_zero(cross(integers[t[1]] - integers[t[0]], integers[t[2]] - integers[t[0]])))
                triangles.push_back(t);
        }
    }
    Points integers;
    std::vector<Vec3> positions;
    Triangles triangles;
};

TEST(SelfIntersections, AgreeWithAllPairsOnDegenerateSoups) {
    Random random(41);
    std::size_t total = 0;
    for (const int range : {2, 3, 6, 20, 1000}) {
        for (int trial = 0; trial < 20; ++trial) {
            const Soup soup(random, 40, 60, range);
            Pairs expected;
            for (int a = 0; a < 60; ++a)
                for (int b = a + 1; b < 60; ++b)
                    if (referee_pair(soup.integers, soup.triangles[a], soup.triangles[b]))
                        expected.push_back({a, b});
            ASSERT_EQ(find_self_intersections(soup.positions, soup.triangles), expected)
                << "range " << range << " trial " << trial;
            EXPECT_EQ(count_self_intersections(soup.positions, soup.triangles), expected.size());
            total += expected.size();
        }
    }
    EXPECT_GT(total, 10000u);
}

TEST(SelfIntersections, StretchingTheLatticeChangesNothing) {
    // Powers of two per axis are exact, so touching stays touching in awkward proportions.
    Random random(42);
    const Soup soup(random, 40, 80, 4);
    std::vector<Vec3> stretched;
    for (const Vec3& p : soup.positions)
        stretched.push_back({0x1p-20 * p.x, 0x1p13 * p.y, 3 * p.z});
    EXPECT_EQ(find_self_intersections(stretched, soup.triangles),
              find_self_intersections(soup.positions, soup.triangles));
}

TEST(IntersectionsBetween, AgreeWithAllPairsOnDegenerateSoups) {
    Random random(43);
    for (const int range : {2, 5, 50}) {
        const Soup a(random, 60, 50, range), b(random, 60, 70, range);
        Pairs expected;
        for (int i = 0; i < 50; ++i) {
            for (int j = 0; j < 70; ++j) {
                const auto hull = [](const Soup& soup, int t) {
                    Points out;
                    for (const int v : soup.triangles[t])
                        out.push_back(soup.integers[v]);
                    return out;
                };
                if (hulls_meet(hull(a, i), hull(b, j)))
                    expected.push_back({i, j});
            }
        }
        EXPECT_EQ(
            find_intersections_between({a.positions, a.triangles}, {b.positions, b.triangles}),
            expected);
        EXPECT_EQ(
            count_intersections_between({b.positions, b.triangles}, {a.positions, a.triangles}),
            expected.size());
    }
}

// ------------------------------------------------------------------------- known configurations

std::size_t count(const std::vector<Vec3>& positions, const Triangles& triangles) {
    return count_self_intersections(positions, triangles);
}

TEST(SelfIntersections, KnownPairs) {
    const Triangles two = {{0, 1, 2}, {3, 4, 5}};
    const std::vector<Vec3> floor = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const auto with = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        std::vector<Vec3> all = floor;
        all.insert(all.end(), {a, b, c});
        return count(all, two);
    };
    EXPECT_EQ(with({1, 1, -1}, {1, 1, 1}, {5, 5, 0}), 1u); // an edge pierces the face
    EXPECT_EQ(with({1, 1, 1}, {1, 1, 2}, {5, 5, 1}), 0u);  // above
    EXPECT_EQ(with({1, 1, 0}, {1, 1, 2}, {2, 2, 2}), 1u);  // a corner touches the face
    EXPECT_EQ(with({4, 0, 0}, {5, 0, 1}, {5, 0, -1}), 1u); // two corners at the same place
    EXPECT_EQ(with({5, 0, 0}, {6, 0, 0}, {5, 1, 0}), 0u);  // side by side in one plane
    EXPECT_EQ(with({1, 1, 0}, {2, 1, 0}, {1, 2, 0}), 1u);  // one inside the other, in one plane
    EXPECT_EQ(with({-9, -9, 0}, {20, -9, 0}, {-9, 20, 0}), 1u);  // around the other
    EXPECT_EQ(with({2, 2, 0}, {4, 4, 0}, {2, 4, 0}), 1u);        // touching along the long side
    EXPECT_EQ(with({-1, 1, 1}, {5, 1, 1}, {1, 1, -1e-300}), 1u); // below by next to nothing
    EXPECT_EQ(with({-1, 1, 1}, {5, 1, 1}, {1, 1, 1e-300}), 0u);  // above by next to nothing
}

TEST(SelfIntersections, TrianglesThatShareACorner) {
    const Triangles two = {{0, 1, 2}, {0, 3, 4}};
    const auto with = [&](const Vec3& d, const Vec3& e) {
        return count({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, d, e}, two);
    };
    EXPECT_EQ(with({-4, 0, 0}, {0, -4, 0}), 0u); // opposite, in one plane
    EXPECT_EQ(with({1, 1, 1}, {2, 1, 1}), 0u);   // standing on the corner
    EXPECT_EQ(with({1, 1, 1}, {1, 1, -1}), 1u);  // through the face
    EXPECT_EQ(with({5, 5, 1}, {5, 5, -1}), 1u);  // through the far edge
    EXPECT_EQ(with({2, 1, 0}, {1, 2, 0}), 1u);   // folded flat onto it
    EXPECT_EQ(with({1, 1, 0}, {1, 1, 5}), 1u);   // an edge lies in the face
    EXPECT_EQ(with({8, 0, 0}, {8, 0, 1}), 1u);   // an edge along the edge
}

TEST(SelfIntersections, TrianglesThatShareAnEdgeArePassedOver) {
    EXPECT_EQ(count({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.5, 0}}, {{0, 1, 2}, {1, 0, 3}}), 0u);
}

TEST(SelfIntersections, NoneInNothing) {
    EXPECT_EQ(count({}, {}), 0u);
    EXPECT_EQ(count_intersections_between({}, {}), 0u);
}

// -------------------------------------------------------------------------------- whole cloths

/// A sheet bent by place(x, z).
template <class Place>
TriangleMesh bent_sheet(int vertices, Place&& place) {
    TriangleMesh mesh = triangulate(make_irregular({.width = 1, .depth = 1, .vertices = vertices}));
    for (Vec3& p : mesh.positions)
        p = place(p.x, p.z);
    return mesh;
}

TEST(SelfIntersections, NoneInAFlatSheetHoweverTurned) {
    for (const Vec3& angles : {Vec3{0, 0, 0}, Vec3{90, 0, 0}, Vec3{30, 0, 0}, Vec3{12, 34, 56}}) {
        const Mat3 turn = rotation_degrees(angles);
        const auto sheet = bent_sheet(2602, [&](double x, double z) {
            return turn * Vec3{x, 0, z};
        });
        EXPECT_EQ(count(sheet.positions, sheet.triangles), 0u);
    }
    const auto grid = triangulate(make_grid({.columns = 30, .rows = 30}));
    EXPECT_EQ(count(grid.positions, grid.triangles), 0u);
}

TEST(SelfIntersections, ARollIsFreeUntilItsTurnsCoincide) {
    const auto roll = [](double growth) {
        return bent_sheet(2602, [=](double x, double z) {
            const double angle = 4 * std::numbers::pi * (x + 0.5);
            const double r = 0.08 + growth * angle;
            return Vec3{r * std::cos(angle), r * std::sin(angle), z};
        });
    };
    const auto open = roll(2e-3), tight = roll(1e-7);
    EXPECT_EQ(count(open.positions, open.triangles), 0u);
    EXPECT_GT(count(tight.positions, tight.triangles), 1000u);
}

TEST(SelfIntersections, AgreeWithAllPairsOnACrumpledSheet) {
    Random random(51);
    auto sheet = bent_sheet(400, [](double x, double z) {
        return Vec3{0.2 * std::sin(9 * x), 0.2 * std::cos(7 * z), 0.2 * std::sin(5 * (x + z))};
    });
    for (Vec3& p : sheet.positions)
        p += 0.005 * random.vector();
    Pairs expected;
    const int n = static_cast<int>(sheet.triangles.size());
    for (int a = 0; a < n; ++a) {
        for (int b = a + 1; b < n; ++b) {
            // The predicates without the tree: two triangles are a mesh of their own.
            const Triangles two = {sheet.triangles[a], sheet.triangles[b]};
            if (count(sheet.positions, two) > 0)
                expected.push_back({a, b});
        }
    }
    EXPECT_GT(expected.size(), 300u);
    EXPECT_EQ(find_self_intersections(sheet.positions, sheet.triangles), expected);
}

TEST(SelfIntersections, ThreadCountChangesNothing) {
    auto sheet = bent_sheet(5000, [](double x, double z) {
        return Vec3{0.2 * std::sin(9 * x), 0.2 * std::cos(7 * z), 0.2 * std::sin(5 * (x + z))};
    });
    const int threads = thread_count();
    set_thread_count(1);
    const Pairs expected = find_self_intersections(sheet.positions, sheet.triangles);
    EXPECT_GT(expected.size(), 1000u);
    for (const int count : {2, 8}) {
        set_thread_count(count);
        EXPECT_EQ(find_self_intersections(sheet.positions, sheet.triangles), expected);
        EXPECT_EQ(count_self_intersections(sheet.positions, sheet.triangles), expected.size());
    }
    set_thread_count(threads);
}

TEST(IntersectionsBetween, ClothAroundASphere) {
    const auto ball = triangulate(make_sphere({.radius = 0.3, .rings = 24, .segments = 48}));
    const auto sheet_at = [](double height) {
        return bent_sheet(2602, [=](double x, double z) { return Vec3{x, height, z}; });
    };
    const auto apart = sheet_at(0.31), cut = sheet_at(0.1);
    const TriangleView body = {ball.positions, ball.triangles};
    EXPECT_EQ(count_intersections_between({apart.positions, apart.triangles}, body), 0u);
    const Pairs pairs = find_intersections_between({cut.positions, cut.triangles}, body);
    EXPECT_GT(pairs.size(), 48u); // at least once around
    EXPECT_EQ(count_intersections_between(body, {cut.positions, cut.triangles}), pairs.size());
    for (const auto& pair : pairs) { // all of them along the circle where the plane cuts the ball
        for (const int v : cut.triangles[pair[0]]) {
            const Vec3& p = cut.positions[v];
            EXPECT_NEAR(std::hypot(p.x, p.z), std::sqrt(0.09 - 0.01), 0.05);
        }
    }
}

TEST(IntersectionsBetween, SheetsThatCrossAtSharedPlacesAreNotMissed) {
    // Every crossing is degenerate: the vertices of one grid lie on vertices of the other.
    const auto flat = triangulate(make_grid({.columns = 11, .rows = 11}));
    auto upright = flat;
    for (Vec3& p : upright.positions)
        p = {0, p.x, p.z};
    EXPECT_GE(count_intersections_between({flat.positions, flat.triangles},
                                          {upright.positions, upright.triangles}),
              40u);
}

} // namespace
} // namespace muslin
