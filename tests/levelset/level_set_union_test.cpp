#include "muslin/levelset/level_set_union.h"

#include "muslin/math/rotation.h"

#include "levelset/shapes.h"
#include "mesh/mesh_testing.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::levelset_testing;
using muslin::testing::Random;

namespace {

/// Two spheres of 0.3 m whose middles are 0.4 m apart along x: they overlap by 0.2 m.
std::vector<PlacedLevelSet> two_spheres() {
    const LevelSet one = LevelSet::from_mesh(view(sphere(0.3, 32)), {0.02, 0.15});
    return {{one, rotation_degrees({20, 30, 40}), {-0.2, 0, 0}},
            {one, rotation_degrees({0, 0, 90}), {0.2, 0, 0}}};
}

} // namespace

TEST(level_set_union, is_the_smallest_distance_and_whose_it_is) {
    const auto parts = two_spheres();
    Random random(1);
    int pinched = 0, outside = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p = random.vector(-0.7, 0.7);
        const double a = norm(p - Vec3{-0.2, 0, 0}) - 0.3, b = norm(p - Vec3{0.2, 0, 0}) - 0.3;
        const UnionSample s = sample_union(parts, p);
        EXPECT_NEAR(s.distance, std::clamp(std::min(a, b), -0.15, 0.15), 2e-3);
        if (std::abs(std::min(a, b)) < 0.145 && std::abs(a - b) > 5e-3) {
            ASSERT_EQ(s.part, a < b ? 0 : 1);
            const Vec3 way = normalized(p - Vec3{a < b ? -0.2 : 0.2, 0, 0});
            EXPECT_GT(dot(s.normal, way), 0.99);
        }
        if (std::min(a, b) > 0.155) {
            EXPECT_EQ(s.part, -1);
            EXPECT_EQ(norm(s.normal), 0);
            ++outside;
        }
        if (std::max(a, b) < -2e-3) {
            EXPECT_TRUE(s.pinched);
            ++pinched;
        }
        if (std::max(a, b) > 2e-3) {
            EXPECT_FALSE(s.pinched);
        }
    }
    EXPECT_GT(pinched, 50);
    EXPECT_GT(outside, 1000);
}

// Across the surface where both parts are equally deep the depth, -distance, is least; following
// the normals from either side leads to it [Bridson03 5.1].
TEST(level_set_union, depth_has_its_local_minimum_between_the_parts) {
    const auto parts = two_spheres();
    for (const double r : {0.0, 0.05, 0.1, 0.15})
        for (int turn = 0; turn < 8; ++turn) {
            const double y = r * std::cos(0.785 * turn), z = r * std::sin(0.785 * turn);
            const auto at = [&](double x) { return sample_union(parts, {x, y, z}); };
            double best = 0;
            for (double x = -0.05; x <= 0.05; x += 1e-3) {
                EXPECT_TRUE(at(x).pinched);
                if (at(x).distance > at(best).distance)
                    best = x;
            }
            EXPECT_NEAR(best, 0, 4e-3);
            EXPECT_GT(-at(-0.05).distance, -at(best).distance + 0.03);
            EXPECT_GT(-at(0.05).distance, -at(best).distance + 0.03);
            // Down the depth, from either side: to where both are equal.
            for (double x : {-0.05, 0.05}) {
                for (int k = 0; k < 200; ++k)
                    x += 1e-3 * at(x).normal.x;
                EXPECT_NEAR(x, 0, 4e-3);
            }
        }
}

TEST(level_set_union, batch_is_the_same_as_one_by_one) {
    const auto parts = two_spheres();
    Random random(2);
    std::vector<Vec3> places;
    for (int i = 0; i < 2000; ++i)
        places.push_back(random.vector(-0.6, 0.6));
    std::vector<UnionSample> out(places.size());
    sample_union(parts, places, out);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const UnionSample s = sample_union(parts, places[i]);
        ASSERT_EQ(out[i].distance, s.distance);
        ASSERT_EQ(out[i].part, s.part);
        ASSERT_EQ(out[i].pinched, s.pinched);
    }
    EXPECT_EQ(sample_union({}, Vec3{0, 0, 0}).part, -1);
    EXPECT_TRUE(unite({}).empty());
}

TEST(level_set_union, as_a_grid_of_its_own) {
    const auto parts = two_spheres();
    const LevelSet whole = unite(parts);
    EXPECT_EQ(whole.voxel_size(), 0.02);
    EXPECT_EQ(whole.band(), 0.15);
    Random random(3);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p = random.vector(-0.7, 0.7);
        const double a = norm(p - Vec3{-0.2, 0, 0}) - 0.3, b = norm(p - Vec3{0.2, 0, 0}) - 0.3;
        const double expected = std::clamp(std::min(a, b), -0.15, 0.15);
        const double error = std::abs(whole.distance(p) - expected);
        if (std::abs(a - b) > 0.06) // away from the crease
            worst = std::max(worst, error);
        EXPECT_LT(error, 0.015);
    }
    EXPECT_LT(worst, 3e-3);
    EXPECT_EQ(whole.distance({-0.2, 0, 0}), -0.15);
}
