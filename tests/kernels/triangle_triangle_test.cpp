#include "muslin/kernels/triangle_triangle.h"

#include "kernels/triangle_samples.h"

#include <gtest/gtest.h>

#include <iostream>

using namespace muslin;
using namespace muslin::test;

namespace {

Corners corners(const TrianglePoints& t, int first = 0, bool reversed = false) {
    const int next = reversed ? 2 : 1;
    return {&t[first], &t[(first + next) % 3], &t[(first + 2 * next) % 3]};
}

bool has_area(const TrianglePoints& t) {
    for (int k = 0; k < 3; ++k) {
        const auto seen = [&](const Vec3& p) { return Vec2{p[(k + 1) % 3], p[(k + 2) % 3]}; };
        if (orient2d(seen(t[0]), seen(t[1]), seen(t[2])) != 0)
            return true;
    }
    return false;
}

std::string text(const TriangleSample& s) {
    std::ostringstream out;
    out << std::hexfloat;
    for (const TrianglePoints* t : {&s.a, &s.b})
        for (const Vec3& p : *t)
            out << "{" << p.x << ", " << p.y << ", " << p.z << "} ";
    return out.str();
}

/// In both orders and from every corner.
void expect(const TrianglePoints& a, const TrianglePoints& b, bool meet) {
    EXPECT_EQ(exact_triangles_meet(a, b), meet) << "the referee, " << text({a, b});
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            const Corners p = corners(a, i % 3, i > 2), q = corners(b, j % 3, j > 2);
            EXPECT_EQ(triangles_intersect(p, q), meet) << i << j << text({a, b});
            EXPECT_EQ(triangles_intersect(q, p), meet) << i << j << text({a, b});
        }
}

const TrianglePoints base = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

} // namespace

TEST(triangle_triangle, known_pairs_in_space) {
    expect(base, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}}, true);    // pierced
    expect(base, {{{3, 3, -1}, {3, 3, 1}, {9, 9, 1}}}, false);   // beside it
    expect(base, {{{1, 1, 1}, {1, 1, 2}, {9, 9, 2}}}, false);    // above
    expect(base, {{{1, 1, 0}, {1, 1, 2}, {9, 9, 2}}}, true);     // a corner on the face
    expect(base, {{{2, 0, 0}, {1, 1, 2}, {9, 9, 2}}}, true);     // on an edge
    expect(base, {{{0, 0, 0}, {-1, -1, 2}, {9, 9, 2}}}, true);   // at a corner
    expect(base, {{{-1, 0, 0}, {-1, 0, 2}, {-9, 9, 2}}}, false); // in the plane, outside
    expect(base, {{{1, 1, 0}, {2, 1, 0}, {9, 9, 2}}}, true);     // an edge in the face
    expect(base, {{{-1, -1, 0}, {9, -1, 0}, {9, 9, 2}}}, false); // an edge beside it
    expect(base, {{{2, -1, -1}, {2, 1, 1}, {2, -9, 9}}}, true);  // edges that cross
    expect(base, {{{2, -1, -2}, {2, 1, 1}, {2, -9, 9}}}, true);
    expect(base, {{{2, -2, -1}, {2, 1, 1}, {2, -9, 9}}}, false);
    expect(base, {{{0, 0, 0}, {4, 0, 0}, {0, 4, 4}}}, true); // hinge
    expect(base, base, true);
}

TEST(triangle_triangle, an_ulp_decides) {
    const double eps = std::numeric_limits<double>::epsilon();
    expect(base, {{{1, 1, 1e-300 + 1e-80}, {1, 1, 2}, {9, 9, 2}}}, false);
    expect(base, {{{2, 2, -1}, {2, 2, 1}, {9, 9, 1}}}, true); // on the slanted edge
    expect(base, {{{2 + 2 * eps, 2, -1}, {2 + 2 * eps, 2, 1}, {9, 9, 1}}}, false);
    expect(base, {{{2 - eps, 2, -1}, {2 - eps, 2, 1}, {9, 9, 1}}}, true);
}

TEST(triangle_triangle, known_pairs_in_one_plane) {
    expect(base, {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true);       // within
    expect(base, {{{-9, -9, 0}, {99, -9, 0}, {-9, 99, 0}}}, true); // around
    expect(base, {{{2, 2, 0}, {9, 2, 0}, {9, 9, 0}}}, true);       // a corner on an edge
    expect(base, {{{3, 2, 0}, {9, 2, 0}, {9, 9, 0}}}, false);
    expect(base, {{{-1, 1, 0}, {9, 1, 0}, {9, 2, 0}}}, true);  // edges cross, no corner inside
    expect(base, {{{1, 0, 0}, {3, 0, 0}, {2, -1, 0}}}, true);  // edges overlap
    expect(base, {{{4, 0, 0}, {9, 0, 0}, {9, -1, 0}}}, true);  // corners
    expect(base, {{{5, 0, 0}, {9, 0, 0}, {9, -1, 0}}}, false); // in line with an edge
    expect(base, {{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}}, false);  // parallel planes
}

TEST(triangle_triangle, triangles_without_area_are_segments_and_points) {
    const TrianglePoints through = {{{1, 1, -1}, {1, 1, 1}, {1, 1, 0.5}}};
    const TrianglePoints beside = {{{3, 3, -1}, {3, 3, 0.5}, {3, 3, 1}}};
    const TrianglePoints in_plane = {{{-1, 1, 0}, {9, 1, 0}, {0, 1, 0}}};
    const TrianglePoints outside = {{{5, 1, 0}, {9, 1, 0}, {7, 1, 0}}};
    const TrianglePoints point = {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}};
    const TrianglePoints other_point = {{{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}};
    expect(base, through, true);
    expect(base, beside, false);
    expect(base, in_plane, true);
    expect(base, outside, false);
    expect(base, point, true);
    expect(base, other_point, false);
    expect(through, in_plane, true); // segments that cross
    expect(beside, in_plane, false); // skew
    expect(in_plane, outside, true); // overlap on a line
    expect(outside, {{{-1, 1, 0}, {4, 1, 0}, {0, 1, 0}}}, false);
    expect(outside, {{{-1, 2, 0}, {9, 2, 0}, {0, 2, 0}}}, false); // parallel
    expect(point, through, true);
    expect(point, in_plane, true);
    expect(point, point, true);
    expect(point, other_point, false);
}

// The long run of the same, a million and more, is `make triangle-referee`.
TEST(triangle_triangle, exact_arithmetic_agrees_on_hard_pairs) {
    TriangleSamples samples(7);
    constexpr int rounds = 50000 / TriangleSamples::kinds;
    int all_open = 0;
    for (int kind = 0; kind < TriangleSamples::kinds; ++kind) {
        int met = 0, open = 0;
        for (int i = 0; i < rounds; ++i) {
            const TriangleSample s = samples.next(kind);
            const bool expected = exact_triangles_meet(s.a, s.b);
            bool exact = false;
            ASSERT_EQ(triangles_intersect(corners(s.a), corners(s.b), exact), expected)
                << TriangleSamples::name(kind) << ": " << text(s);
            ASSERT_EQ(triangles_intersect(corners(s.b, i % 3, i % 2), corners(s.a, i % 3)),
                      expected)
                << TriangleSamples::name(kind) << ": " << text(s);
            // The judge leaves what has no area to its neighbours.
            if (has_area(s.a) || has_area(s.b)) {
                ASSERT_EQ(triangles_meet(corners(s.a), corners(s.b)), expected)
                    << "judge, " << TriangleSamples::name(kind) << ": " << text(s);
            }
            met += expected;
            open += exact;
        }
        all_open += open;
        EXPECT_GT(met, rounds / 50) << "too easy: " << TriangleSamples::name(kind);
        EXPECT_LT(met, rounds) << "too easy: " << TriangleSamples::name(kind);
    }
    constexpr int pairs = rounds * TriangleSamples::kinds;
    std::cout << pairs << " pairs of triangles, " << all_open << " by exact arithmetic\n";
    EXPECT_GT(all_open, pairs / 4) << "too easy";
}

TEST(triangle_triangle, rounding_decides_what_is_clear) {
    TriangleSamples samples(8);
    int open = 0;
    for (int i = 0; i < 10000; ++i) {
        const TriangleSample s = samples.next(0);
        bool exact = false;
        triangles_intersect(corners(s.a), corners(s.b), exact);
        open += exact;
    }
    EXPECT_EQ(open, 0);
}
