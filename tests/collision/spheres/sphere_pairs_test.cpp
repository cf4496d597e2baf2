// Which spheres interpenetrate, step after step, against all pairs; what meets bodies on the way,
// against the paper's equation.

#include "muslin/collision/spheres/sphere_pairs.h"

#include "collision/detect/proximity_samples.h"
#include "math/random.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/response/body_sweep.h"
#include "muslin/kernels/continuous.h"
#include "muslin/kernels/sweep.h"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace muslin;
using testing_math::Random;

struct Crumpled {
    Model model;
    std::vector<Vec3> start;

    Crumpled(int vertices, bool with_body) {
        State state;
        model = build_model({test::irregular_sheet("a", vertices, 1e-3, 1),
                             test::irregular_sheet("b", vertices, 1e-3, 2)},
                            {}, state);
        start = state.positions;
        raise(start, 0.01);
        if (with_body)
            model.bodies.push_back(test::body_of("ball", make_sphere({.radius = 0.3}), 0));
    }
    // The second sheet.
    void raise(std::vector<Vec3>& at, double height) const {
        for (const int i : model.cloths[1].surface.vertex_particle)
            at[i].y += height;
    }
};

std::set<std::pair<int, int>> all_pairs(const SpherePairs& pairs, int cloth,
                                        std::span<const Vec3> at, double wanted) {
    std::set<std::pair<int, int>> found;
    for (int a = 0; a < cloth; ++a)
        for (int b = a + 1; b < pairs.count(); ++b)
            if (norm(pairs.middle(a, at) - pairs.middle(b, at)) <= wanted &&
                !pairs.are_neighbours(a, b))
                found.insert({a, b});
    return found;
}

TEST(SpherePairs, FindsAllThatOverlapStepAfterStep) {
    for (const bool bodies : {false, true}) {
        const Crumpled scene(60, bodies);
        const Surfaces surfaces(scene.model);
        SpherePairSettings settings;
        settings.bodies = bodies;
        SpherePairs pairs(scene.model, surfaces, settings);
        std::vector<Vec3> at(surfaces.point_count());
        surfaces.place_bodies(0, at);
        std::vector<Oriented<SpreadContact>> found;
        std::size_t most = 0;
        for (int step = 0; step < 40; ++step) {
            const test::Crumple crumple(5, 0.05 + 0.002 * step);
            for (std::size_t i = 0; i < scene.start.size(); ++i)
                at[i] = crumple.at(scene.start[i]);
            const double slack = 0.1 * pairs.radius();
            pairs.find(at, slack, found);
            const auto expected =
                all_pairs(pairs, pairs.layer().count(), at, 2 * pairs.radius() + slack);
            ASSERT_EQ(found.size(), expected.size()) << step;
            most = std::max(most, found.size());
            auto pair = expected.begin();
            for (const auto& [c, wrong] : found) {
                const Vec3 apart = pairs.middle(pair->first, at) - pairs.middle(pair->second, at);
                EXPECT_LT(norm(c.difference(at) - apart), 1e-12);
                EXPECT_NEAR(c.gap(at), norm(apart), 1e-12);
                ++pair;
            }
        }
        EXPECT_GT(most, 100u);
        EXPECT_LT(pairs.searches(), pairs.updates() / 2);
    }
}

TEST(SpherePairs, ASheetAtRestHasNone) {
    const Crumpled scene(60, false);
    const Surfaces surfaces(scene.model);
    SpherePairs pairs(scene.model, surfaces, {});
    std::vector<Vec3> at = scene.start;
    scene.raise(at, 1);
    std::vector<Oriented<SpreadContact>> found;
    pairs.find(at, 0, found);
    EXPECT_TRUE(found.empty());
}

// The paper's (4) and the exact test agree where a triangle stands still.
TEST(Sweep, AgreesWithTheExactTestOnStandingTriangles) {
    Random random(11);
    int hits = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p0 = random.vec3(), p1 = random.vec3(), p2 = random.vec3();
        const Vec3 from = random.vec3(), to = random.vec3();
        const auto sweep = point_triangle_sweep(from, to, p0, p1, p2);
        ContinuousSettings settings;
        settings.tolerance = 1e-9;
        const auto exact = vertex_face_impact({from, p0, p1, p2}, {to, p0, p1, p2}, settings);
        if (sweep) {
            ++hits;
            ASSERT_TRUE(exact);
            EXPECT_NEAR(exact->time, sweep->t, 1e-6);
            const Vec3 at = from + sweep->t * (to - from);
            EXPECT_LT(norm(at - (p0 + sweep->u * (p1 - p0) + sweep->v * (p2 - p0))), 1e-9);
        } else {
            EXPECT_FALSE(exact) << "a sweep without a hit at " << exact->time;
        }
    }
    EXPECT_GT(hits, 500);
}

// "Not entirely sufficient, because the triangles are also in motion": where the triangle passes
// over a point that stands still, (4) sees nothing, wherever it takes the triangle to be.
TEST(Sweep, MissesMovingTriangles) {
    const Vec3 p = {0.2, 0, 0.2};
    const std::array<Vec3, 3> before = {Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 1}};
    std::array<Vec3, 3> after = before;
    for (Vec3& x : after)
        x.y = -1;
    EXPECT_FALSE(point_triangle_sweep(p, p, before[0], before[1], before[2]));
    EXPECT_FALSE(point_triangle_sweep(p, p, after[0], after[1], after[2]));
    const auto exact =
        vertex_face_impact({p, before[0], before[1], before[2]}, {p, after[0], after[1], after[2]});
    ASSERT_TRUE(exact);
    EXPECT_NEAR(exact->time, 0.5, 1e-5);
}

// Contacts with bodies are the same whenever the lists were made, and on any number of threads.
TEST(BodySweep, FindsTheSameFromAnyList) {
    const Crumpled scene(150, true);
    const Surfaces surfaces(scene.model);
    std::vector<Vec3> begin(surfaces.point_count()), end(surfaces.point_count());
    surfaces.place_bodies(0, begin);
    surfaces.place_bodies(0, end);
    BodySweep tracking(surfaces, {});
    std::size_t most = 0;
    for (int step = 0; step < 30; ++step) {
        for (std::size_t i = 0; i < scene.start.size(); ++i) {
            begin[i] = scene.start[i] + Vec3{0, 0.32 - 0.002 * step, 0};
            end[i] = begin[i] - Vec3{0, 0.002, 0};
        }
        std::vector<Oriented<SpreadContact>> tracked, fresh;
        tracking.append(begin, end, tracked);
        BodySweep once(surfaces, {});
        set_thread_count(3);
        once.append(begin, end, fresh);
        set_thread_count(0);
        ASSERT_EQ(tracked.size(), fresh.size());
        for (std::size_t k = 0; k < fresh.size(); ++k) {
            EXPECT_EQ(tracked[k].contact.points, fresh[k].contact.points);
            EXPECT_EQ(tracked[k].contact.weights, fresh[k].contact.weights);
        }
        most = std::max(most, fresh.size());
    }
    EXPECT_GT(most, 10u);
    EXPECT_LT(tracking.searches(), 15);
}

} // namespace
