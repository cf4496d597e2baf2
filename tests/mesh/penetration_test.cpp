// Points inside closed surfaces: the exact test against solid angles, and depths against formulas.
#include "muslin/mesh/penetration.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/parallel.h"
#include "muslin/mesh/generators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

using testing::Random;

struct Surface {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;
    TriangleView view() const { return {positions, triangles}; }
};

Surface surface_of(const PolygonMesh& mesh) {
    TriangleMesh triangles = triangulate(mesh);
    return {triangles.positions, triangles.triangles};
}

Surface joined(const Surface& a, const Surface& b, const Vec3& shift) {
    Surface out = a;
    const int first = static_cast<int>(a.positions.size());
    for (const Vec3& p : b.positions)
        out.positions.push_back(p + shift);
    for (const auto& t : b.triangles)
        out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return out;
}

/// The winding number by solid angles [van Oosterom, Strackee 1983]: another way to the same
/// answer, good away from the surface.
double solid_winding(const Surface& s, const Vec3& p) {
    double total = 0;
    for (const auto& t : s.triangles) {
        const Vec3 a = s.positions[t[0]] - p, b = s.positions[t[1]] - p, c = s.positions[t[2]] - p;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        total += 2 * std::atan2(dot(a, cross(b, c)),
                                la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return total / (4 * std::numbers::pi);
}

std::vector<char> inside_flags(const std::vector<Vec3>& points, const Surface& s) {
    std::vector<char> out(points.size(), 0);
    for (int i : find_inside(points, s.view()))
        out[i] = 1;
    return out;
}

TEST(IsClosed, TellsClosedSurfacesFromOpenOnes) {
    EXPECT_TRUE(is_closed(surface_of(make_box({})).view()));
    EXPECT_TRUE(is_closed(surface_of(make_sphere({})).view()));
    EXPECT_TRUE(is_closed(surface_of(make_cylinder({})).view()));
    CylinderSettings open;
    open.capped = false;
    EXPECT_FALSE(is_closed(surface_of(make_cylinder(open)).view()));
    EXPECT_FALSE(is_closed(surface_of(make_grid({})).view()));
    EXPECT_FALSE(is_closed({}));
    Surface hole = surface_of(make_sphere({}));
    hole.triangles.pop_back();
    EXPECT_FALSE(is_closed(hole.view()));
    Surface flipped = surface_of(make_sphere({}));
    std::swap(flipped.triangles[7][0], flipped.triangles[7][1]);
    EXPECT_FALSE(is_closed(flipped.view()));
}

TEST(IsClosed, JoinsVerticesAtOnePlace) {
    const Surface box = surface_of(make_box({}));
    Surface soup;
    for (const auto& t : box.triangles) {
        const int first = static_cast<int>(soup.positions.size());
        for (int v : t)
            soup.positions.push_back(box.positions[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_TRUE(is_closed(soup.view()));
    soup.positions[0].x += 1e-9;
    EXPECT_FALSE(is_closed(soup.view()));
}

TEST(FindInside, AgreesWithSolidAngles) {
    CylinderSettings tall;
    tall.segments = 7;
    Surface inside_out = surface_of(make_sphere({}));
    for (auto& t : inside_out.triangles)
        std::swap(t[0], t[1]);
    const Surface surfaces[] = {
        surface_of(make_box({})), surface_of(make_sphere({})), surface_of(make_cylinder(tall)),
        // Two that cross, as limbs do: wound around twice where they overlap.
        joined(surface_of(make_sphere({})), surface_of(make_sphere({})), {0.4, 0.3, 0.1}),
        inside_out};
    Random random(1);
    for (const Surface& s : surfaces) {
        std::vector<Vec3> points;
        for (int i = 0; i < 2000; ++i)
            points.push_back(random.vector());
        const std::vector<char> inside = inside_flags(points, s);
        int count = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double winding = solid_winding(s, points[i]);
            ASSERT_NEAR(winding, std::round(winding), 1e-6);
            EXPECT_EQ(inside[i], std::round(winding) != 0) << i;
            count += inside[i];
        }
        EXPECT_GT(count, 100);
        EXPECT_LT(count, 1900);
    }
}

TEST(FindInside, IsSureWhereRaysMeetEdgesAndVertices) {
    // Every point's ray runs through edges, vertices or in the plane of faces.
    BoxSettings settings;
    settings.size = {4, 4, 4};
    settings.divisions = 4;
    const Surface box = surface_of(make_box(settings));
    std::vector<Vec3> points;
    for (int x = -6; x <= 6; ++x)
        for (int y = -6; y <= 6; ++y)
            for (int z = -6; z <= 6; ++z)
                points.push_back({x * 0.5, y * 0.5, z * 0.5});
    const std::vector<char> inside = inside_flags(points, box);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3& p = points[i];
        const bool within = std::abs(p.x) < 2 && std::abs(p.y) < 2 && std::abs(p.z) < 2;
        EXPECT_EQ(inside[i], within) << p.x << ' ' << p.y << ' ' << p.z;
    }
}

TEST(FindInside, KnowsTheLastBitAcrossAFace) {
    const Surface box = surface_of(make_box({}));
    const auto contains = [&](double x) {
        return !find_inside(std::vector<Vec3>{{x, 0.1, 0.2}}, box.view()).empty();
    };
    EXPECT_TRUE(contains(std::nextafter(0.5, 0)));
    EXPECT_FALSE(contains(0.5));
    EXPECT_FALSE(contains(std::nextafter(0.5, 1)));
    EXPECT_TRUE(contains(std::nextafter(-0.5, 0)));
    EXPECT_FALSE(contains(-0.5));
}

TEST(FindPenetration, GivesTheDepthInABox) {
    const Surface box = surface_of(make_box({}));
    Random random(2);
    std::vector<Vec3> points;
    double deepest = 0;
    std::size_t count = 0;
    int which = -1;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 p = random.vector();
        const double depth =
            std::min({0.5 - std::abs(p.x), 0.5 - std::abs(p.y), 0.5 - std::abs(p.z)});
        count += depth > 0;
        if (depth > deepest) {
            deepest = depth;
            which = i;
        }
        points.push_back(p);
    }
    for (int threads : {1, 2, 4}) {
        set_thread_count(threads);
        const Penetration found = find_penetration(points, box.view());
        EXPECT_EQ(found.inside, count);
        EXPECT_EQ(found.deepest, which);
        EXPECT_NEAR(found.depth, deepest, 1e-15);
    }
    set_thread_count(0);
}

TEST(FindPenetration, GivesTheDistanceToTheNearestTriangle) {
    const Surface sphere = surface_of(make_sphere({}));
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = 0.27 * random.vector();
        const Penetration found = find_penetration(std::vector<Vec3>{p}, sphere.view());
        ASSERT_EQ(found.deepest, 0);
        // For a convex body the depth is the least distance to the planes of its faces.
        double expected = 1;
        for (const auto& t : sphere.triangles) {
            const Vec3 &a = sphere.positions[t[0]], &b = sphere.positions[t[1]],
                       &c = sphere.positions[t[2]];
            expected = std::min(expected, dot(a - p, normalized(cross(b - a, c - a))));
        }
        EXPECT_NEAR(found.depth, expected, 1e-14);
    }
}

TEST(FindPenetration, IsNothingOutside) {
    const Penetration found = find_penetration(std::vector<Vec3>{{2, 0, 0}, {0.5, 0, 0}},
                                               surface_of(make_box({})).view());
    EXPECT_EQ(found.inside, 0u);
    EXPECT_EQ(found.deepest, -1);
    EXPECT_EQ(found.depth, 0);
}

TEST(FindPenetration, PassesOverPointsWhoseNearestTriangleIsSo) {
    const Surface box = surface_of(make_box({})); // of size 1, centred
    const std::vector<Vec3> points = {{0.4, 0.05, 0.1}, {-0.3, 0.05, 0.1}, {0.7, 0.05, 0.1}};
    const std::vector<int> nearest = nearest_triangles(points, box.view(), 0.15);
    EXPECT_GE(nearest[0], 0);
    EXPECT_EQ(nearest[1], -1) << "0.2 m from the side";
    EXPECT_EQ(nearest[2], -1);
    std::vector<std::uint8_t> passed(box.triangles.size(), 0);
    passed[nearest[0]] = 1;
    const Penetration found = find_penetration(points, box.view(), passed);
    EXPECT_EQ(found.inside, 1u);
    EXPECT_EQ(found.passed_over, 1u);
    EXPECT_EQ(found.deepest, 1);
    EXPECT_NEAR(found.depth, 0.2, 1e-15);
}

TEST(SurfaceDistances, OfABoxFollowItsFormula) {
    const Surface box = surface_of(make_box({})); // centred
    Vec3 half = {0, 0, 0};
    for (const Vec3& p : box.positions)
        half = {std::max(half.x, p.x), std::max(half.y, p.y), std::max(half.z, p.z)};
    Random random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i)
        points.push_back({random.uniform(-2, 2) * half.x, random.uniform(-2, 2) * half.y,
                          random.uniform(-2, 2) * half.z});
    const std::vector<double> found = surface_distances(points, box.view());
    Surface open = box;
    open.triangles.pop_back();
    const std::vector<double> unsigned_ones = surface_distances(points, open.view());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 q = {std::abs(points[i].x) - half.x, std::abs(points[i].y) - half.y,
                        std::abs(points[i].z) - half.z};
        const Vec3 out = {std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
        const double wanted = norm(out) + std::min(0.0, std::max({q.x, q.y, q.z}));
        EXPECT_NEAR(found[i], wanted, 1e-12);
        EXPECT_GE(unsigned_ones[i], 0) << "an open surface has no inside";
    }
}

} // namespace
} // namespace muslin
