// What a pair of features is reduced to: weights, normal, gap.
#include "muslin/collision/detect/contact.h"

#include "kernels/distance_referee.h"
#include "math/random.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

constexpr double thickness = 1e-3; // [m]

Contact pair_of_four(bool edges) {
    Contact c = {};
    c.points = {0, 1, 2, 3};
    c.thickness = thickness;
    c.edges = edges;
    return c;
}

Corners4 random_corners(Random& random, double size) {
    Corners4 x;
    for (Vec3& p : x)
        p = size * random.vec3();
    return x;
}

Corners4 moved_by(Corners4 x, const std::array<Vec3, 4>& d) {
    for (int k = 0; k < 4; ++k)
        x[k] += d[k];
    return x;
}

Corners4 between(const Corners4& a, const Corners4& b, double time) {
    Corners4 x;
    for (int k = 0; k < 4; ++k)
        x[k] = a[k] + time * (b[k] - a[k]);
    return x;
}

// A point of each feature: the weights of one are those of a place on it.
void expect_places(const Contact& c) {
    const int cut = c.edges ? 2 : 1;
    double first = 0, second = 0;
    for (int k = 0; k < 4; ++k) {
        (k < cut ? first : second) += c.weights[k];
        EXPECT_GE(k < cut ? c.weights[k] : -c.weights[k], -1e-12);
    }
    EXPECT_NEAR(first, 1, 1e-12);
    EXPECT_NEAR(second, -1, 1e-12);
    EXPECT_NEAR(norm(c.normal), 1, 1e-12);
}

double slow_distance(bool edges, const Corners4& x) {
    return static_cast<double>(edges ? slow_edge_edge(widened(x), 70)
                                     : slow_vertex_face(widened(x), 70));
}

// The first feature at the begin is `height` on the side `up` of the second, and ends on the other.
struct Passing {
    Corners4 begin, end;
    Vec3 up;
};

// Features that keep their shapes and pass straight through each other.
Passing random_passing(Random& random, bool edges) {
    const Mat3 turn = rotation_degrees(180.0 * random.vec3());
    const double side = random.number() < 0 ? -1 : 1;
    Corners4 flat;
    if (edges)
        flat = {Vec3{-0.01, 0, 0.001}, Vec3{0.012, 0, -0.002}, Vec3{0.001, 0, -0.011},
                Vec3{-0.002, 0, 0.01}};
    else
        flat = {Vec3{0.001, 0, -0.001}, Vec3{-0.01, 0, -0.01}, Vec3{0.01, 0, -0.008},
                Vec3{0.001, 0, 0.011}};
    const Vec3 height = {0, 0.002 + 0.001 * random.number(), 0};
    const Vec3 drift = 0.0005 * random.vec3();
    Passing out;
    for (int k = 0; k < 4; ++k) {
        const bool first = k < (edges ? 2 : 1);
        const Vec3 place = 1e-3 * drift + flat[k];
        out.begin[k] = turn * (place + (first ? side * height : Vec3{0, 0, 0}));
        out.end[k] = turn * (place + drift - (first ? side * height : Vec3{0, 0, 0}));
    }
    out.up = turn * Vec3{0, side, 0};
    return out;
}

} // namespace

TEST(contact, closest_points_of_random_pairs) {
    Random random(1);
    int inside = 0, outside = 0;
    for (int i = 0; i < 400; ++i)
        for (const bool edges : {false, true}) {
            const Corners4 x = random_corners(random, 0.01);
            Contact c = pair_of_four(edges);
            double distance = -1;
            const bool facing = set_closest(c, x, distance);
            expect_places(c);
            EXPECT_NEAR(distance, slow_distance(edges, x), 1e-9);
            // From the second to the first, along the shortest way.
            EXPECT_NEAR(norm(c.difference(x) - distance * c.normal), 0, 1e-12);
            EXPECT_NEAR(c.gap(x), distance, 1e-12);
            bool free = true;
            for (int k = edges ? 0 : 1; k < 4; ++k)
                free = free && c.weights[k] != 0;
            EXPECT_EQ(facing, free) << "true where both places are inside their features";
            ++(facing ? inside : outside);
        }
    EXPECT_GT(inside, 50);
    EXPECT_GT(outside, 50);
}

TEST(contact, features_that_touch_have_no_direction) {
    const Corners4 on_face = {Vec3{0.001, 0, 0.001}, Vec3{0, 0, 0}, Vec3{0.01, 0, 0},
                              Vec3{0, 0, 0.01}};
    const Corners4 crossed = {Vec3{-0.01, 0, 0}, Vec3{0.01, 0, 0}, Vec3{0, 0, -0.01},
                              Vec3{0, 0, 0.01}};
    for (const bool edges : {false, true}) {
        Contact c = pair_of_four(edges);
        double distance = -1;
        EXPECT_FALSE(set_closest(c, edges ? crossed : on_face, distance));
        EXPECT_NEAR(distance, 0, 1e-15);
    }
}

TEST(contact, impact_of_features_that_pass_through_each_other) {
    Random random(2);
    for (int i = 0; i < 500; ++i)
        for (const bool edges : {false, true}) {
            const Passing way = random_passing(random, edges);
            Contact c = pair_of_four(edges);
            const auto impact = find_impact(c, way.begin, way.end);
            ASSERT_TRUE(impact);
            set_impact(c, *impact, way.begin, way.end);
            expect_places(c);
            EXPECT_NEAR(dot(c.normal, way.up), 1, 1e-9) << "to the side where it began";
            EXPECT_GT(c.gap(way.begin), 0);
            EXPECT_LT(c.gap(way.end), 0);
            const Corners4 met = between(way.begin, way.end, impact->time);
            EXPECT_NEAR(norm(c.difference(met)), 0, 1.01e-3 * thickness);
        }
}

// Corners that move every way. At the time of impact the features are still apart, so the way
// between them tells the side: a normal against it would push them through each other. Steps of a
// simulation turn a feature by a few degrees.
TEST(contact, impact_normal_is_on_the_side_they_came_from) {
    for (const double turning : {0.1, 0.5, 2.0}) { // motion of a corner over the size
        Random random(3);
        int impacts = 0, wrong = 0;
        for (int i = 0; i < 40000; ++i) {
            const bool edges = i % 2 == 0;
            const Corners4 begin = random_corners(random, 0.01);
            const Corners4 end = moved_by(begin, random_corners(random, turning * 0.01));
            Contact c = pair_of_four(edges);
            double distance = 0;
            set_closest(c, begin, distance);
            if (distance < 2e-3 * thickness)
                continue;
            const auto impact = find_impact(c, begin, end);
            if (!impact)
                continue;
            set_impact(c, *impact, begin, end);
            expect_places(c);
            const Corners4 met = between(begin, end, impact->time);
            const Vec3 apart = c.difference(met);
            ++impacts;
            // Where an end of a feature is closest, the way between them leans.
            if (dot(c.normal, apart) < -1e-3 * norm(apart))
                ++wrong;
        }
        std::cout << "corners move by " << turning << " of the size: " << wrong << " of " << impacts
                  << " normals point to the wrong side\n";
        EXPECT_GT(impacts, 100);
        EXPECT_EQ(wrong, 0) << turning;
    }
}

TEST(contact, impact_of_parallel_edges) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Mat3 turn = rotation_degrees(180.0 * random.vec3());
        const double shift = 0.005 * random.number();
        Corners4 begin = {Vec3{-0.01, 0.002, 0}, Vec3{0.01, 0.002, 0}, Vec3{-0.01 + shift, 0, 0},
                          Vec3{0.01 + shift, 0, 0}};
        Corners4 end = begin;
        end[0].y = end[1].y = -0.002;
        for (int k = 0; k < 4; ++k) {
            begin[k] = turn * begin[k];
            end[k] = turn * end[k];
        }
        Contact c = pair_of_four(true);
        const auto impact = find_impact(c, begin, end);
        ASSERT_TRUE(impact);
        set_impact(c, *impact, begin, end);
        expect_places(c);
        EXPECT_GT(dot(c.normal, turn * Vec3{0, 1, 0}), 0.99);
        EXPECT_GT(c.gap(begin), 0);
        EXPECT_LT(c.gap(end), 0);
    }
}

// A vertex that starts in the plane of a face, beside it, and is caught from above or below.
TEST(contact, impact_that_starts_in_the_plane) {
    for (const double side : {1.0, -1.0}) {
        const Corners4 begin = {Vec3{0.0105, 0, 0.001}, Vec3{0, 0, 0}, Vec3{0.01, 0, 0},
                                Vec3{0, 0, 0.01}};
        Corners4 end = begin;
        end[0] = {0.003, -side * 0.001, 0.001};
        for (int k = 1; k < 4; ++k)
            end[k].y = side * 0.001;
        // It dips under the face from beside it: no impact; so it must rise before.
        Corners4 over = begin;
        over[0] = {0.003, side * 0.001, 0.001};
        Contact c = pair_of_four(false);
        const auto impact = find_impact(c, over, end);
        ASSERT_TRUE(impact);
        set_impact(c, *impact, over, end);
        expect_places(c);
        EXPECT_NEAR(c.normal.y, side, 1e-9);

        // Starting within the tolerance of the face itself: where it goes tells where it was.
        Corners4 resting = begin;
        resting[0] = {0.003, 0, 0.001};
        Corners4 sinking = resting;
        sinking[0].y = -side * 0.001;
        const auto at_once = find_impact(c, resting, sinking);
        ASSERT_TRUE(at_once);
        set_impact(c, *at_once, resting, sinking);
        expect_places(c);
        EXPECT_NEAR(c.normal.y, side, 1e-9);
        EXPECT_LT(c.gap(sinking), 0);
    }
}

TEST(contact, degenerate_impacts_have_a_unit_normal) {
    Random random(5);
    for (int i = 0; i < 200; ++i)
        for (const bool edges : {false, true})
            for (int kind = 0; kind < 4; ++kind) {
                Corners4 begin = random_corners(random, 0.01);
                if (kind == 0) // an edge without length, a face that is a segment
                    begin[3] = begin[2];
                if (kind == 1) // all at one place
                    begin = {begin[0], begin[0], begin[0], begin[0]};
                if (kind == 2) // all on one line
                    for (int k = 1; k < 4; ++k)
                        begin[k] = begin[0] + (0.3 * k) * (begin[1] - begin[0]);
                if (kind == 3) // all in one plane
                    for (Vec3& p : begin)
                        p.y = 0;
                Corners4 end = begin;
                if (i % 2 == 0)
                    end = moved_by(begin, random_corners(random, 0.02));
                if (kind == 3 && i % 4 == 0)
                    for (Vec3& p : end)
                        p.y = 0;
                Contact c = pair_of_four(edges);
                double distance = -1;
                c.normal = {0, 1, 0};
                set_closest(c, begin, distance);
                EXPECT_GE(distance, 0);
                expect_places(c);
                if (const auto impact = find_impact(c, begin, end)) {
                    set_impact(c, *impact, begin, end);
                    expect_places(c);
                }
            }
}

TEST(contact, takes_thickness_and_friction_from_both_sides) {
    std::vector<ClothInput> cloths(2);
    for (int i = 0; i < 2; ++i) {
        cloths[i].name = i == 0 ? "a" : "b";
        cloths[i].mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 2, .rows = 2});
        for (Vec3& p : cloths[i].mesh.positions)
            p.y = i;
        cloths[i].material.thickness = i == 0 ? 0.002 : 0.006;
        cloths[i].material.friction = i == 0 ? 0.2 : 0.6;
    }
    State start;
    Model model = build_model(cloths, {}, start);
    for (int b = 0; b < 2; ++b) {
        Body body;
        body.name = b == 0 ? "rough" : "plain";
        body.mesh = make_box({});
        body.triangles = triangulate(body.mesh).triangles;
        body.thickness = 0.01;
        if (b == 0)
            body.friction = 0.9;
        model.bodies.push_back(body);
    }
    const Surfaces surfaces(model);
    const auto triangle_of = [&](const std::string& owner) {
        for (int t = 0; t < static_cast<int>(surfaces.triangles.size()); ++t)
            if (surfaces.owner_of_triangle(t) == owner)
                return t;
        return -1;
    };
    const int a = triangle_of("cloth 'a'"), b = triangle_of("cloth 'b'");
    const int rough = triangle_of("body 'rough'"), plain = triangle_of("body 'plain'");
    ASSERT_TRUE(a >= 0 && b >= 0 && rough >= 0 && plain >= 0);
    const auto pair = [&](int first, int second, bool edges) {
        return edges ? make_contact(
                           surfaces,
                           {surfaces.triangle_edges[first][0], surfaces.triangle_edges[second][0]},
                           true)
                     : make_contact(surfaces, {surfaces.triangles[first][0], second}, false);
    };
    for (const bool edges : {false, true}) {
        EXPECT_NEAR(pair(a, b, edges).thickness, 0.004, 1e-15);
        EXPECT_NEAR(pair(a, b, edges).friction, 0.4, 1e-15);
        EXPECT_NEAR(pair(b, b, edges).friction, 0.6, 1e-15);
        for (const bool swapped : {false, true}) {
            const Contact on_rough = swapped ? pair(rough, a, edges) : pair(a, rough, edges);
            EXPECT_NEAR(on_rough.thickness, 0.011, 1e-15);
            EXPECT_NEAR(on_rough.friction, 0.9, 1e-15) << "the body's own";
            const Contact on_plain = swapped ? pair(plain, b, edges) : pair(b, plain, edges);
            EXPECT_NEAR(on_plain.friction, 0.6, 1e-15) << "the cloth's";
        }
    }
}

TEST(contact, keys_tell_pairs_apart) {
    const int large = std::numeric_limits<int>::max();
    std::vector<std::uint64_t> keys;
    for (const bool edges : {false, true})
        for (const int first : {0, 1, 77, large - 1, large})
            for (const int second : {0, 1, 77, large - 1, large}) {
                Contact c = pair_of_four(edges);
                c.first = first;
                c.second = second;
                keys.push_back(c.key());
            }
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

// What keeps a gap along some direction is at least that far apart at all times, between those of
// the begin and the end as they are; and most pairs that are far show it along their middles.
TEST(contact, what_keeps_a_gap_stays_apart) {
    Random random(61);
    int kept = 0, shown = 0;
    for (int round = 0; round < 20000; ++round) {
        const Contact c = pair_of_four(round % 2 == 0);
        Corners4 begin = random_corners(random, 0.01);
        for (int k = 0; k < (c.edges ? 2 : 1); ++k)
            begin[k].y += 0.015;
        const double size = 0.004 * (1 + random.number());
        const Corners4 end = moved_by(begin, random_corners(random, size));
        const double at_begin = 0.002 * (1 + random.number());
        const double at_end = 0.002 * (1 + random.number());
        const bool by_middles =
            keeps_gap(c, between_middles(c, begin, end), begin, end, at_begin, at_end);
        shown += by_middles;
        if (!by_middles && !keeps_gap(c, random.vec3(), begin, end, at_begin, at_end))
            continue;
        ++kept;
        for (const double time : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
            Contact at = c;
            double distance;
            set_closest(at, between(begin, end, time), distance);
            EXPECT_GE(distance, (1 - 1e-9) * (at_begin + time * (at_end - at_begin)));
        }
        EXPECT_FALSE(find_impact(c, begin, end));
    }
    EXPECT_GT(shown, 2000);
    EXPECT_GE(kept, shown);
}
