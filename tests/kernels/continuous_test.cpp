#include "muslin/kernels/continuous.h"

#include "muslin/kernels/distance.h"

#include "kernels/distance_referee.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <optional>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

struct Pair {
    Corners4 begin, end;
    bool edges = false;
};

std::optional<Impact> impact_of(const Pair& pair, const ContinuousSettings& settings = {}) {
    return pair.edges ? edge_edge_impact(pair.begin, pair.end, settings)
                      : vertex_face_impact(pair.begin, pair.end, settings);
}

// In long double, by the closest points that distance_test checks.
double distance_at(const Pair& pair, double time) {
    const auto x = at_time(pair.begin, pair.end, time);
    return static_cast<double>(
        std::sqrt(pair.edges ? edge_edge_distance(x[0], x[1], x[2], x[3]).squared
                             : vertex_face_distance(x[0], x[1], x[2], x[3]).squared));
}

double least_distance(const Pair& pair, double until, int samples) {
    double least = distance_at(pair, 0);
    for (int i = 1; i <= samples; ++i)
        least = std::min(least, distance_at(pair, until * i / samples));
    return least;
}

double fraction(Random& random) {
    return 0.5 + 0.5 * random.number();
}

// A pair that passes through each other at `time`, at inner points, crosswise: moving on by a
// little it is on the other side, so a contact is certain whatever rounding did to its place.
struct Hit {
    Pair pair;
    double time;
    double normal_speed; // [m] over the whole time, at the point of contact
};

Hit random_hit(Random& random, bool edges, double motion) {
    for (;;) {
        Hit hit;
        hit.pair.edges = edges;
        hit.time = 0.1 + 0.8 * fraction(random);
        Corners4 x, v;
        for (int i = 0; i < 4; ++i) {
            x[i] = random.vec3();
            v[i] = motion * random.vec3();
        }
        const double a = 0.1 + 0.4 * fraction(random), b = 0.1 + 0.4 * fraction(random);
        std::array<double, 4> w; // the difference of the points that meet is sum w[i] x[i]
        if (edges) {
            w = {1 - a, a, b - 1, -b};
            const Vec3 off = x[2] + b * (x[3] - x[2]) - (x[0] + a * (x[1] - x[0]));
            x[0] += off;
            x[1] += off;
        } else {
            w = {1, a + b - 1, -a, -b};
            x[0] = x[1] + a * (x[2] - x[1]) + b * (x[3] - x[1]);
        }
        const Vec3 normal =
            edges ? cross(x[1] - x[0], x[3] - x[2]) : cross(x[2] - x[1], x[3] - x[1]);
        if (norm(normal) < 0.3)
            continue;
        Vec3 relative = {0, 0, 0};
        for (int i = 0; i < 4; ++i)
            relative += w[i] * v[i];
        hit.normal_speed = std::abs(dot(relative, normalized(normal)));
        if (hit.normal_speed < 0.2 * motion)
            continue;
        for (int i = 0; i < 4; ++i) {
            hit.pair.begin[i] = x[i] - hit.time * v[i];
            hit.pair.end[i] = x[i] + (1 - hit.time) * v[i];
        }
        return hit;
    }
}

Pair random_pair(Random& random, double motion) {
    Pair pair;
    pair.edges = random.number() > 0;
    for (int i = 0; i < 4; ++i) {
        pair.begin[i] = random.vec3();
        pair.end[i] = pair.begin[i] + motion * random.vec3();
    }
    return pair;
}

Pair transformed(Pair pair, double scale, const Vec3& shift) {
    for (Corners4* x : {&pair.begin, &pair.end})
        for (Vec3& a : *x)
            a = scale * a + shift;
    return pair;
}

} // namespace

TEST(continuous, certain_impacts_are_found_and_timed) {
    Random random(1);
    for (const double motion : {1e-4, 1e-2, 1.0, 30.0}) {
        for (int i = 0; i < 2000; ++i) {
            const Hit hit = random_hit(random, i % 2 != 0, motion);
            ContinuousSettings settings;
            settings.tolerance = 1e-6;
            const auto impact = impact_of(hit.pair, settings);
            ASSERT_TRUE(impact) << "motion " << motion << ", pair " << i;
            ASSERT_GE(impact->time, 0);
            ASSERT_LE(impact->time, hit.time);
            // As far apart as stated, unless they start nearer.
            const double distance = distance_at(hit.pair, impact->time);
            ASSERT_LE(distance, 1.001e-6);
            ASSERT_GE(distance, std::min(0.499e-6, 0.24 * distance_at(hit.pair, 0)));
            ASSERT_GT(least_distance(hit.pair, impact->time, 100), 0.99 * distance);
        }
    }
}

// With little rotation there is one contact alone, so that its time is known.
TEST(continuous, time_is_close_to_the_truth) {
    Random random(2);
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
        const Hit hit = random_hit(random, i % 2 != 0, 1e-2);
        const auto impact = impact_of(hit.pair);
        ASSERT_TRUE(impact);
        if (distance_at(hit.pair, 0) < 1e-3 * hit.normal_speed)
            continue;
        worst = std::max(worst, (hit.time - impact->time) * hit.normal_speed);
    }
    EXPECT_LT(worst, 1.5e-6); // [m]: the tolerance, and the motion's curvature
}

TEST(continuous, closest_points_are_those_of_the_time_of_impact) {
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        const Hit hit = random_hit(random, i % 2 != 0, 1.0);
        const auto impact = impact_of(hit.pair);
        ASSERT_TRUE(impact);
        const auto x = at_time(hit.pair.begin, hit.pair.end, impact->time);
        const Real a = impact->a, b = impact->b;
        const Real3 offset = hit.pair.edges ? x[2] + b * (x[3] - x[2]) - x[0] - a * (x[1] - x[0])
                                            : x[1] + a * (x[2] - x[1]) + b * (x[3] - x[1]) - x[0];
        EXPECT_NEAR(double(norm(offset)), distance_at(hit.pair, impact->time), 1e-12);
    }
}

// Random pairs against sampling: whatever comes within the separation is found, what is called an
// impact comes that near (up to the resolution of the samples), and not before the time given.
TEST(continuous, separation_is_honoured) {
    Random random(4);
    int impacts = 0, misses = 0;
    for (int i = 0; i < 3000; ++i) {
        const Pair pair = random_pair(random, i % 3 == 0 ? 0.3 : 2.0);
        ContinuousSettings settings;
        settings.separation = i % 2 ? 0.05 : 0.3;
        const double least = least_distance(pair, 1, 400);
        const auto impact = impact_of(pair, settings);
        if (least <= settings.separation) {
            ASSERT_TRUE(impact) << i;
        }
        if (!impact) {
            ++misses;
            continue;
        }
        ++impacts;
        // Speeds are below 2 sqrt(3) 2, so samples are off by 0.01 at most; the bound is generous.
        ASSERT_LT(least, settings.separation + 0.02) << i;
        if (distance_at(pair, 0) <= settings.separation) {
            ASSERT_EQ(impact->time, 0);
        } else {
            ASSERT_GT(least_distance(pair, impact->time, 200), settings.separation) << i;
            ASSERT_LT(distance_at(pair, impact->time), settings.separation + 1.001e-6) << i;
        }
    }
    EXPECT_GT(impacts, 500);
    EXPECT_GT(misses, 500);
}

TEST(continuous, separation_is_sharp) {
    // A vertex that slides over a face, and an edge over an edge, at height h.
    for (const double h : {0.01, 0.5}) {
        const Corners4 face = {{{-3, h, 0}, {0, 0, -1}, {-1, 0, 1}, {1, 0, 1}}};
        Corners4 face_end = face;
        face_end[0].x = 3;
        const Corners4 edge = {{{-3, h, -1}, {-3, h, 1}, {-1, 0, 0}, {1, 0, 0.2}}};
        Corners4 edge_end = edge;
        edge_end[0].x = edge_end[1].x = 3;
        for (const Pair& pair : {Pair{face, face_end, false}, Pair{edge, edge_end, true}}) {
            ContinuousSettings settings;
            EXPECT_FALSE(impact_of(pair, settings));
            settings.separation = h - 1e-12;
            EXPECT_FALSE(impact_of(pair, settings));
            settings.separation = h + 1e-12;
            EXPECT_TRUE(impact_of(pair, settings));
            settings.separation = h;
            EXPECT_TRUE(impact_of(pair, settings));
        }
    }
}

// Lengths in other units, a place far away: the very same answer, as both are exact here.
TEST(continuous, scale_and_place_do_not_matter) {
    Random random(5);
    int impacts = 0;
    for (int i = 0; i < 1000; ++i) {
        Pair pair = i % 2 ? random_hit(random, i % 4 == 1, 1.0).pair : random_pair(random, 2.0);
        for (Corners4* x : {&pair.begin, &pair.end})
            for (Vec3& a : *x) // on a grid, so that a shift rounds nothing
                a = 0x1p-20 * Vec3{std::round(0x1p20 * a.x), std::round(0x1p20 * a.y),
                                   std::round(0x1p20 * a.z)};
        const ContinuousSettings settings;
        const auto impact = impact_of(pair, settings);
        impacts += impact.has_value();
        const auto expect_same = [&](const std::optional<Impact>& other) {
            ASSERT_EQ(other.has_value(), impact.has_value());
            if (impact) {
                EXPECT_EQ(other->time, impact->time);
                EXPECT_EQ(other->a, impact->a);
                EXPECT_EQ(other->b, impact->b);
            }
        };
        for (const int exponent : {-60, -20, 20, 60}) {
            ContinuousSettings scaled = settings;
            scaled.tolerance = std::ldexp(settings.tolerance, exponent);
            expect_same(impact_of(transformed(pair, std::ldexp(1.0, exponent), {0, 0, 0}), scaled));
        }
        expect_same(impact_of(transformed(pair, 1, {0x1p30, -0x1p29, 0x1p31}), settings));
    }
    EXPECT_GT(impacts, 500);
}

// Rounded at 10 km from the origin, a pair is another pair, but what certainly hits still does.
TEST(continuous, far_away_nothing_is_missed) {
    Random random(6);
    for (int i = 0; i < 1000; ++i) {
        const Hit hit = random_hit(random, i % 2 != 0, 1.0);
        const auto impact = impact_of(transformed(hit.pair, 1, 1e4 * random.vec3()));
        ASSERT_TRUE(impact);
        EXPECT_LE(impact->time, hit.time + 1e-9);
    }
}

TEST(continuous, common_motion_does_not_matter) {
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        Hit hit = random_hit(random, i % 2 != 0, 1e-3);
        for (Vec3& a : hit.pair.end)
            a += Vec3{100, -50, 20};
        const auto impact = impact_of(hit.pair);
        ASSERT_TRUE(impact);
        EXPECT_LE(impact->time, hit.time + 1e-9);
    }
}

TEST(continuous, time_runs_both_ways) {
    Random random(8);
    int hits = 0;
    for (int i = 0; i < 3000; ++i) {
        const Pair pair = random_pair(random, 2.0);
        const Pair back = {pair.end, pair.begin, pair.edges};
        const bool hit = impact_of(pair).has_value();
        EXPECT_EQ(hit, impact_of(back).has_value()) << i;
        hits += hit;
    }
    EXPECT_GT(hits, 100);
}

// However small the budget, what is not decided is an impact.
TEST(continuous, an_exhausted_budget_never_misses) {
    Random random(9);
    for (int i = 0; i < 1000; ++i) {
        const Hit hit = random_hit(random, i % 2 != 0, 1.0);
        for (const int steps : {0, 1, 2, 5}) {
            ContinuousSettings settings;
            settings.max_steps = steps;
            const auto impact = impact_of(hit.pair, settings);
            ASSERT_TRUE(impact);
            ASSERT_LE(impact->time, hit.time);
        }
    }
}

// Contacts that are exact in the numbers as stored: everything lies on a grid, weights and time are
// multiples of 1/8, and nothing is rounded. Contact may be at a corner, and as often as not it is a
// touch without crossing, which only exactness or a safe bound can tell from a miss.
TEST(continuous, exact_touches_are_never_missed) {
    Random random(10);
    const auto grid = [&random](double steps) {
        return Vec3{std::round(steps * random.number()), std::round(steps * random.number()),
                    std::round(steps * random.number())};
    };
    const auto eighth = [&random] { return std::round(4 + 4.49 * random.number()) / 8; };
    for (int i = 0; i < 40000; ++i) {
        Pair pair;
        pair.edges = i % 2 != 0;
        const double steps = i % 3 == 0 ? 2 : 1000; // 2: all kinds of degenerate shapes
        Corners4 x, v;
        for (int k = 0; k < 4; ++k) {
            x[k] = 64.0 * grid(steps);
            v[k] = (i % 5 == 0 ? 8.0 : 0x1p-10) * grid(steps);
        }
        const double a = eighth(), b = eighth(), time = eighth();
        if (pair.edges) {
            const Vec3 off = x[2] + b * (x[3] - x[2]) - (x[0] + a * (x[1] - x[0]));
            x[0] += off;
            x[1] += off;
        } else {
            x[0] = x[1] + a * (x[2] - x[1]) + (b * (1 - a)) * (x[3] - x[1]);
        }
        if (i % 4 < 2) { // all corners move in one plane, the one that they touch in
            const Vec3 e = 0x1p-14 * (x[1] - x[0]), f = 0x1p-14 * (x[2] - x[0]);
            for (Vec3& velocity : v)
                velocity =
                    std::round(8 * random.number()) * e + std::round(8 * random.number()) * f;
        }
        const Vec3 shift = i % 7 == 0 ? 0x1p24 * grid(1000) : Vec3{0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            pair.begin[k] = x[k] - time * v[k] + shift;
            pair.end[k] = x[k] + (1 - time) * v[k] + shift;
        }
        const double unit = std::ldexp(1.0, i % 11 - 30);
        pair = transformed(pair, unit, {0, 0, 0});
        for (const double resolution : {0.0, 1e-9}) {
            ContinuousSettings settings;
            settings.resolution = resolution;
            const auto impact = impact_of(pair, settings);
            ASSERT_TRUE(impact) << i;
            ASSERT_LE(impact->time, time) << i;
        }
    }
}

TEST(continuous, degenerate_pairs) {
    const Vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0};
    const auto still = [](const Corners4& corners, bool edges) {
        return impact_of({corners, corners, edges});
    };
    // Touching from the start: at time 0.
    for (const bool edges : {false, true}) {
        const auto one_place = still({o, o, o, o}, edges);
        ASSERT_TRUE(one_place);
        EXPECT_EQ(one_place->time, 0);
    }
    ASSERT_TRUE(still({0.5 * x, o, x, y}, false));
    ASSERT_TRUE(still({o, x, 0.25 * x, 2.0 * x}, true));
    // Apart and at rest, without area or length.
    EXPECT_FALSE(still({y, o, o, o}, false));
    EXPECT_FALSE(still({y, o, x, 2.0 * x}, false));
    EXPECT_FALSE(still({o, o, x, x}, true));
    EXPECT_FALSE(still({o, x, 2.0 * x, 3.0 * x}, true));
    // A face that collapses to a line through the vertex.
    const auto collapse = vertex_face_impact({o, {-1, 1, 0}, {1, 1, 0}, {0, 2, 1}},
                                             {o, {-1, 0, 0}, {1, 0, 0}, {0.5, 0, 0}});
    ASSERT_TRUE(collapse);
    EXPECT_GT(collapse->time, 0.9);
    // Two vertices that meet head on, at time 1/2.
    const auto head_on = edge_edge_impact({-1.0 * x, -2.0 * x, x, 2.0 * x}, {x, o, -1.0 * x, o});
    ASSERT_TRUE(head_on);
    EXPECT_NEAR(head_on->time, 0.5, 1e-6);
    EXPECT_EQ(head_on->a, 0);
    EXPECT_EQ(head_on->b, 0);
}

// Where the plane of a pair has no direction to speak of, another one must keep them apart.
TEST(continuous, thin_pairs_that_stay_apart) {
    Random random(11);
    for (int i = 0; i < 4000; ++i) {
        Pair pair;
        pair.edges = i % 2 != 0;
        const double tiny = std::pow(10.0, 5 * random.number() - 13); // 1e-18 to 1e-8
        const Vec3 a = random.vec3(), along = random.vec3(), drift = 1e-3 * random.vec3();
        const Vec3 aside = 0.01 * normalized(cross(along, random.vec3()));
        if (norm(along) < 0.1)
            continue;
        if (pair.edges)
            pair.begin = {a, a + along, a + aside + random.number() * along,
                          a + aside + random.number() * along};
        else
            pair.begin = {a + aside + fraction(random) * along, a, a + along,
                          a + fraction(random) * along};
        for (Vec3& x : pair.begin)
            x += tiny * random.vec3();
        for (int k = 0; k < 4; ++k)
            pair.end[k] = pair.begin[k] + drift + tiny * random.vec3();
        EXPECT_FALSE(impact_of(pair)) << i;
        ContinuousSettings settings;
        settings.separation = 0.009;
        EXPECT_FALSE(impact_of(pair, settings)) << i;
        settings.separation = 0.011;
        const bool near = distance_at(pair, 0) < 0.011;
        EXPECT_TRUE(!near || impact_of(pair, settings)) << i;
    }
}

// Contacts exactly at the end, or at a corner: they count, and rounding must not lose them.
TEST(continuous, contact_at_the_last_moment_counts) {
    const Corners4 begin = {{{0.25, 1, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
    for (const Vec3& target :
         {Vec3{0.25, 0, 0.25}, Vec3{0, 0, 0}, Vec3{0.5, 0, 0.5}, Vec3{1, 0, 0}}) {
        Corners4 end = begin;
        end[0] = target;
        const auto impact = vertex_face_impact(begin, end);
        ASSERT_TRUE(impact);
        EXPECT_GT(impact->time, 0.999);
    }
    Corners4 short_of = begin;
    short_of[0] = {0.25, 1e-12, 0.25};
    EXPECT_FALSE(vertex_face_impact(begin, short_of));
}
