// Bodies that cut into themselves step back for contact, and only there.
#include "muslin/garment/part_body.h"

#include "muslin/base/parallel.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace muslin;
using Triangles = std::vector<std::array<int, 3>>;

constexpr double gap = 4e-3; // [m]

/// Two balls of radius 0.1 m, the ends of one body, `apart` [m] from each other.
Body two_balls(double apart) {
    Body body;
    body.mesh = make_sphere({0.1, 24, 48});
    body.triangles = triangulate(body.mesh).triangles;
    const int n = static_cast<int>(body.mesh.positions.size());
    const Triangles one = body.triangles;
    for (auto t : one) {
        for (int& v : t)
            v += n;
        body.triangles.push_back(t);
    }
    const std::vector<Vec3> ball = body.mesh.positions;
    for (int v = 0; v < n; ++v) {
        body.mesh.positions[v].x -= 0.1 + apart / 2;
        body.mesh.positions.push_back(ball[v] + Vec3{0.1 + apart / 2, 0, 0});
    }
    return body;
}

bool same(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Vec3& p, const Vec3& q) { return norm(p - q) == 0; });
}

/// From each vertex of one ball to the surface of the other [m].
double least_distance(std::span<const Vec3> x, const Triangles& triangles) {
    const std::size_t half = triangles.size() / 2;
    const TriangleView second = {x, std::span(triangles).subspan(half)};
    double out = 1;
    for (const double d : surface_distances(x.first(x.size() / 2), second))
        out = std::min(out, d);
    return out;
}

TEST(PartBody, PartsWhatOverlapsAndLeavesTheRest) {
    for (const double apart : {-0.02, -0.005, 0.0, 0.002}) {
        const Body body = two_balls(apart);
        const std::vector<Vec3>& x = body.mesh.positions;
        std::vector<Vec3> out;
        std::vector<std::uint8_t> flagged;
        part_body(x, body.triangles, gap, out, &flagged);
        EXPECT_LT(least_distance(x, body.triangles), 0.6 * gap);
        EXPECT_GT(least_distance(out, body.triangles), 0.7 * gap) << apart;
        EXPECT_EQ(count_self_intersections(out, body.triangles), 0u) << apart;
        const double rim = std::sqrt(0.1 * 0.1 - std::pow(0.1 + apart / 2 - gap, 2)) + 0.08;
        for (std::size_t v = 0; v < x.size(); ++v) {
            const bool far = std::abs(x[v].x) > 0.06 || std::hypot(x[v].y, x[v].z) > rim;
            const double step = norm(out[v] - x[v]);
            EXPECT_EQ(step > 0, flagged[v] != 0);
            EXPECT_LE(step, far ? 0.0 : 0.5 * (gap - apart) + gap) << apart << " " << v;
        }
    }
}

TEST(PartBody, LeavesThinLimbsAndWhatIsApart) {
    Body limb, plate;
    limb.mesh = make_cylinder({0.006, 0.1, 24, 20, true});
    plate.mesh = make_box({{0.1, 0.002, 0.1}, 10});
    for (Body* thin : {&limb, &plate})
        thin->triangles = triangulate(thin->mesh).triangles;
    for (Body body : {limb, plate, two_balls(2 * gap)}) {
        part_body(body, gap);
        EXPECT_TRUE(body.parted.empty());
    }
}

TEST(PartBody, AFingerThatIsDeepInAThighMakesRoomThere) {
    // Deeper than it is thick: its far side is nearer than the skin that it went through.
    Body body;
    body.mesh = make_cylinder({0.08, 0.4, 24, 20, true});
    const PolygonMesh finger = make_cylinder({0.008, 0.07, 12, 12, true});
    const std::size_t first = body.mesh.positions.size();
    body.triangles = triangulate(body.mesh).triangles;
    const Triangles thigh = body.triangles;
    const std::vector<Vec3> skin = body.mesh.positions;
    for (auto t : triangulate(finger).triangles) {
        for (int& v : t)
            v += static_cast<int>(first);
        body.triangles.push_back(t);
    }
    const auto at = [&](double x) {
        std::vector<Vec3> out = skin;
        for (const Vec3& p : finger.positions)
            out.push_back(p + Vec3{x, 0, 0});
        return out;
    };
    const auto nearest = [&](const std::vector<Vec3>& x) {
        const std::vector<double> d =
            surface_distances(std::span(x).subspan(first), TriangleView{x, thigh});
        return *std::min_element(d.begin(), d.end());
    };
    body.mesh.positions = at(0.2);
    body.frames = {at(0.05)};
    part_body(body, gap);
    EXPECT_LT(nearest(at(0.05)), -0.035);
    EXPECT_GT(nearest(body.frames[0]), 0.7 * gap);
    EXPECT_EQ(count_self_intersections(body.frames[0], body.triangles), 0u);
    for (std::size_t v = first; v < body.mesh.positions.size(); ++v)
        EXPECT_LT(norm(body.frames[0][v] - at(0.05)[v]), 0.0045) << "a finger stays a finger";
}

TEST(PartBody, WhatIsShownStaysAndThreadsDoNotMatter) {
    Body body = two_balls(0.05);
    for (const double apart : {0.05, 0.01, -0.01, 0.05})
        body.frames.push_back(two_balls(apart).mesh.positions);
    body.frame_rate = 10;
    Body parted = body, again = body;
    set_thread_count(1);
    part_body(parted, gap);
    set_thread_count(2);
    part_body(again, gap);
    set_thread_count(0);
    ASSERT_EQ(parted.parted.size(), 4u);
    std::vector<Vec3> x(body.mesh.positions.size()), y(x);
    for (const double time : {0.0, 0.1, 0.15, 0.2, 0.26, 0.3}) {
        body_positions(body, time, x);
        shown_positions(parted, time, y);
        for (std::size_t v = 0; v < x.size(); ++v)
            ASSERT_LT(norm(x[v] - y[v]), 1e-15) << time;
        body_positions(parted, time, x);
        body_positions(again, time, y);
        EXPECT_TRUE(same(x, y));
        EXPECT_GT(least_distance(x, body.triangles), 0.7 * gap) << time;
    }
    shown_positions(body, 0.2, x);
    EXPECT_TRUE(same(x, body.frames[2])) << "nothing is parted";
}

} // namespace
