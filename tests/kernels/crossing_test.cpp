#include "muslin/kernels/crossing.h"

#include "muslin/io/mesh_file.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"

#include "kernels/distance_referee.h"
#include "math/random.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

struct Segment {
    Vec3 p, q;
};

// How far segment and triangle are apart: a convex function of the place along the segment.
double slow_distance(const Segment& s, const std::array<Vec3, 3>& t) {
    const Real3 p = widened(s.p), q = widened(s.q);
    return static_cast<double>(convex_minimum(0, 1, 60, [&](Real at) {
        const Real3 x = p + at * (q - p);
        return std::sqrt(
            vertex_face_distance(x, widened(t[0]), widened(t[1]), widened(t[2])).squared);
    }));
}

// How far the place that find_crossing names is from being a place of both.
double place_error(const Segment& s, const std::array<Vec3, 3>& t, const Crossing& crossing) {
    EXPECT_TRUE(crossing.along >= 0 && crossing.along <= 1);
    const Vec3& w = crossing.weights;
    EXPECT_GE(std::min({w.x, w.y, w.z}), 0.0);
    EXPECT_NEAR(w.x + w.y + w.z, 1, 1e-15);
    return norm(s.p + crossing.along * (s.q - s.p) - (w.x * t[0] + w.y * t[1] + w.z * t[2]));
}

using TrianglePair = std::array<int, 2>;

// The pairs of triangles of which one is crossed by an edge of the other that shares no vertex with
// it, by a sweep along x.
std::vector<TrianglePair> pairs_by_crossings(const TriangleMesh& mesh, int& crossings) {
    std::map<std::array<int, 2>, std::vector<int>> triangles_at; // an edge
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
            triangles_at[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(t));
        }
    const auto& x = mesh.positions;
    const auto edges = build_topology(mesh.triangles).edges;
    const auto left_of = [&](const std::array<int, 2>& e) {
        return std::min(x[e[0]].x, x[e[1]].x);
    };
    std::vector<int> by_left(edges.size());
    std::iota(by_left.begin(), by_left.end(), 0);
    std::sort(by_left.begin(), by_left.end(),
              [&](int a, int b) { return left_of(edges[a]) < left_of(edges[b]); });
    double longest = 0;
    for (const auto& e : edges)
        longest = std::max(longest, std::abs(x[e[0]].x - x[e[1]].x));

    std::set<TrianglePair> pairs;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const double left = std::min({x[a].x, x[b].x, x[c].x}) - longest;
        const double right = std::max({x[a].x, x[b].x, x[c].x});
        auto at = std::lower_bound(by_left.begin(), by_left.end(), left,
                                   [&](int e, double value) { return left_of(edges[e]) < value; });
        for (; at != by_left.end() && left_of(edges[*at]) <= right; ++at) {
            const auto& e = edges[*at];
            const auto shares = [&](int v) { return v == a || v == b || v == c; };
            if (shares(e[0]) || shares(e[1]))
                continue;
            const Segment segment = {x[e[0]], x[e[1]]};
            const auto crossing = find_crossing(segment.p, segment.q, x[a], x[b], x[c]);
            if (!crossing)
                continue;
            ++crossings;
            EXPECT_LT(place_error(segment, {x[a], x[b], x[c]}, *crossing), 1e-12);
            for (const int other : triangles_at.at(e)) {
                const int self = static_cast<int>(t);
                pairs.insert({std::min(self, other), std::max(self, other)});
            }
        }
    }
    return {pairs.begin(), pairs.end()};
}

void expect_same_pairs(const std::filesystem::path& file, bool intersects) {
    const TriangleMesh mesh = triangulate(read_mesh(file));
    int crossings = 0;
    const auto pairs = pairs_by_crossings(mesh, crossings);
    EXPECT_EQ(pairs, find_self_intersections(mesh.positions, mesh.triangles)) << file;
    EXPECT_EQ(!pairs.empty(), intersects) << file;
    std::printf("  %s: %d crossings, %zu pairs of triangles\n", file.filename().c_str(), crossings,
                pairs.size());
}

} // namespace

TEST(crossing, two_cubes) {
    MUSLIN_NEED_DATA(intersecting, "ccd/two-cubes-intersecting.ply");
    expect_same_pairs(intersecting, true);
    MUSLIN_NEED_DATA(close, "ccd/two-cubes-close.ply");
    expect_same_pairs(close, false);
    MUSLIN_NEED_DATA(far, "ccd/two-cubes-far.ply");
    expect_same_pairs(far, false);
}

TEST(crossing, real_body) {
    MUSLIN_NEED_DATA(body, "bodies/f_smpl_template.obj");
    expect_same_pairs(body, true);
}

// On a grid of few places every way of touching occurs, and what does not touch is far apart.
TEST(crossing, touching_counts) {
    Random random(1);
    int meet = 0, apart = 0;
    for (int i = 0; i < 4000; ++i) {
        const auto place = [&random] {
            const Vec3 a = 2.49 * random.vec3();
            return Vec3{std::round(a.x), std::round(a.y), std::round(a.z)};
        };
        const Segment s = {place(), place()};
        const std::array<Vec3, 3> t = {place(), place(), place()};
        if (norm(cross(t[1] - t[0], t[2] - t[0])) == 0)
            continue;
        const double distance = slow_distance(s, t);
        const auto crossing = find_crossing(s.p, s.q, t[0], t[1], t[2]);
        ASSERT_EQ(crossing.has_value(), distance < 1e-7) << i << ": " << distance;
        ASSERT_EQ(crossing.has_value(), segment_crosses_triangle(s.p, s.q, t[0], t[1], t[2]));
        (crossing ? meet : apart)++;
        if (crossing) {
            ASSERT_LT(place_error(s, t, *crossing), 1e-14) << i;
        }
    }
    EXPECT_GT(meet, 500);
    EXPECT_GT(apart, 500);
}

// Off by the last bit: exact where rounded arithmetic is not.
TEST(crossing, one_unit_in_the_last_place_decides) {
    const Vec3 a = {0.1, 0.3, 0.7}, b = {1.3, 0.3, 0.2}, c = {0.4, 0.3, 1.9};
    const Vec3 p = {0.5, 0.9, 0.8};
    for (const double y : {0.3, std::nextafter(0.3, 0.0)})
        EXPECT_TRUE(segment_crosses_triangle(p, {0.55, y, 0.75}, a, b, c));
    EXPECT_FALSE(segment_crosses_triangle(p, {0.55, std::nextafter(0.3, 1.0), 0.75}, a, b, c));
    EXPECT_FALSE(segment_crosses_triangle(p, {0.55, 0.2, 0.75}, a, a, a));
}
