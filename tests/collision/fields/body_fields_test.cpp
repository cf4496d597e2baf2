// Bodies as level sets, against bodies in closed form.

#include "muslin/collision/fields/body_fields.h"

#include "math/random.h"
#include "muslin/base/error.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <iostream>

namespace {

using namespace muslin;
using testing_math::Random;

Body make_body(PolygonMesh mesh, const Vec3& place = {0, 0, 0}) {
    Body body;
    body.name = "body";
    body.mesh = std::move(mesh);
    for (Vec3& p : body.mesh.positions)
        p += place;
    body.triangles = triangulate(body.mesh).triangles;
    return body;
}

Body make_ball(double radius, const Vec3& centre) {
    return make_body(make_sphere({.radius = radius, .rings = 40, .segments = 80}), centre);
}

TEST(BodyFields, AMovingBoxIsWhereItsMotionHasIt) {
    Body box = make_body(make_box({.size = {0.4, 0.2, 0.3}}));
    box.motion.translation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {0.5, 1, 0}}});
    box.motion.rotation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {0, 20, 90}}});
    box.motion.pivot = {0.1, 0.2, 0.3};
    const Body bodies[] = {box};
    BodyFields fields(bodies, {.voxel = 0.01, .band = 0.05, .cache = {}});
    Random random(1);
    for (const double time : {0.0, 0.3, 0.7}) {
        const double h = 0.02;
        fields.set_time(time, h);
        for (int k = 0; k < 200; ++k) {
            // Above the upper side, where a grid has planes exactly.
            const double height = 0.03 * random.number();
            const Vec3 own = {0.12 * random.number(), 0.1 + height, 0.08 * random.number()};
            const Vec3 place = box.motion.apply(time, own);
            const FieldSample at = fields.sample(place);
            EXPECT_NEAR(at.distance, height, 1e-7);
            EXPECT_EQ(at.body, 0);
            EXPECT_NEAR(norm(at.normal - box.motion.turn(time, {0, 1, 0})), 0, 1e-6);
            const Vec3 later = box.motion.apply(time + h, own);
            EXPECT_NEAR(norm(place + h * at.velocity - later), 0, 1e-12);
        }
    }
    const LevelSetWork work = fields.work();
    EXPECT_EQ(work.made + work.read, 1) << "however it moves";
}

TEST(BodyFields, TheVelocityOfTheMomentAndThatOfTheStepBefore) {
    Body ball = make_ball(0.1, {0, 0, 0});
    ball.motion.translation = Animated<Vec3>({{1, {0, 0, 0}}, {2, {3, 0, 0}}});
    const Body bodies[] = {ball};
    BodyFields fields(bodies, {.voxel = 0.01, .band = 0.05, .cache = {}});
    const auto speed = [&](double time, double interval) {
        fields.set_time(time, interval);
        return fields.sample(ball.motion.apply(time, {0, 0.11, 0})).velocity.x;
    };
    EXPECT_NEAR(speed(1, 0), 3, 1e-9);
    EXPECT_NEAR(speed(1, -0.01), 0, 1e-9);
    EXPECT_NEAR(speed(1.005, -0.01), 1.5, 1e-9) << "the mean over the step";
}

TEST(BodyFields, TheUnionIsTheNearestAndMarksWhatIsInTwo) {
    const Body bodies[] = {make_ball(0.1, {0, 0, 0}), make_ball(0.1, {0.16, 0, 0})};
    BodyFields fields(bodies, {.voxel = 0.005, .band = 0.05, .cache = {}});
    const FieldSample left = fields.sample(Vec3{-0.11, 0, 0}),
                      right = fields.sample(Vec3{0.27, 0, 0});
    EXPECT_EQ(left.body, 0);
    EXPECT_EQ(right.body, 1);
    EXPECT_NEAR(left.distance, 0.01, 3e-4);
    EXPECT_NEAR(right.distance, 0.01, 3e-4);
    const FieldSample between = fields.sample(Vec3{0.09, 0, 0}); // 1 cm in one, 3 cm in the other
    EXPECT_TRUE(between.pinched);
    EXPECT_EQ(between.body, 1);
    EXPECT_NEAR(between.distance, -0.03, 3e-4);
    EXPECT_FALSE(fields.sample(Vec3{0.04, 0, 0}).pinched);
    EXPECT_FALSE(left.pinched);
    const FieldSample far = fields.sample(Vec3{0, 1, 0});
    EXPECT_EQ(far.body, -1);
    EXPECT_EQ(far.distance, 0.05);
    EXPECT_EQ(norm(far.normal), 0);
}

// A point between two bodies that overlap, with gravity and a thrust that changes sides.
TEST(BodyFields, APinchedPointStaysOnTheSurfaceBetween) {
    const Body bodies[] = {make_ball(0.1, {0, 0, 0}), make_ball(0.1, {0.17, 0, 0})};
    BodyFields fields(bodies, {.voxel = 0.005, .band = 0.05, .cache = {}});
    const double h = 1e-3, relaxation = 10e-3;
    Vec3 x = {0.078, 0, 0.01}, v = {0, 0, 0};
    double last = 1, largest = 0;
    for (int k = 0; k < 400; ++k) {
        v += h * Vec3{k % 20 < 10 ? 100.0 : -100.0, -9.81, 0};
        const FieldSample at = fields.sample(x);
        ASSERT_TRUE(at.pinched) << k;
        Pinch pinch = fields.pinch(x);
        pinch.friction = 0.4;
        v = hold_pinched(v, pinch, h, relaxation).velocity;
        x += h * v;
        last = std::abs(x.x - 0.085);
        if (k > 100)
            largest = std::max(largest, norm(v));
    }
    std::cout << "pinched: " << last << " m from the surface between, at most " << largest
              << " m/s\n";
    EXPECT_LT(last, 1e-4);
    EXPECT_LT(largest, 1e-2) << "no jitter";
}

TEST(BodyFields, GridsFitTheirBodies) {
    const BodyFieldsSettings automatic;
    EXPECT_NEAR(level_set_settings(make_ball(0.3, {0, 0, 0}), automatic).voxel, 0.006, 1e-4);
    const Body plate = make_body(make_box({.size = {1, 0.004, 1}}));
    const LevelSetSettings thin = level_set_settings(plate, automatic);
    EXPECT_LT(thin.voxel, 0.00134) << "three voxels through the plate";
    EXPECT_GT(thin.voxel, 0.0013);
    EXPECT_NEAR(thin.band, 10 * thin.voxel, 1e-12);
    const BodyFieldsSettings given = {.voxel = 0.02, .band = 0.07, .cache = {}};
    EXPECT_EQ(level_set_settings(plate, given).voxel, 0.02);
    EXPECT_EQ(level_set_settings(plate, given).band, 0.07);
    const Body ball = make_ball(0.1, {0, 0, 0});
    const LevelSetSettings grid = level_set_settings(ball, automatic);
    const Body bodies[] = {ball};
    const double bytes = static_cast<double>(BodyFields(bodies, {}).memory());
    EXPECT_LT(std::abs(std::log2(level_set_bytes(ball, grid) / bytes)), 0.7) << bytes;
}

// A box of 0.2 m at frames of 1/30 s, each turned and moved as given.
Body make_animated(const Vec3& size, int frames, const Vec3& shift, const Vec3& angles) {
    Body body = make_body(make_box({.size = size, .divisions = 6}));
    body.frame_rate = 30;
    for (int f = 0; f < frames; ++f) {
        const Mat3 turn = rotation_degrees(double(f) * angles);
        std::vector<Vec3> points;
        for (const Vec3& p : body.mesh.positions)
            points.push_back(turn * p + double(f) * shift);
        body.frames.push_back(points);
    }
    return body;
}

// Between frames the mesh itself says where the body is.
struct Worst {
    double distance = 0, normal = 0, velocity = 0;
    int compared = 0;
};
Worst compare_with_mesh(const Body& body, double time, const BodyFieldsSettings& settings) {
    const Body bodies[] = {body};
    BodyFields fields(bodies, settings);
    fields.set_time(time, 1e-4);
    Body still = body;
    still.frames.clear();
    body_positions(body, time, still.mesh.positions);
    std::vector<Vec3> later(still.mesh.positions.size());
    body_positions(body, time + 1e-4, later);
    const Body frozen[] = {still};
    const BodyFields exact(frozen, settings);
    Random random(5);
    Worst worst;
    for (int k = 0; k < 3000; ++k) {
        // Near a vertex, off the surface by up to a third of the band.
        const std::size_t i = static_cast<std::size_t>(std::abs(random.number()) *
                                                       static_cast<double>(later.size() - 1));
        const Vec3 place = still.mesh.positions[i] + settings.band / 3 * random.vec3();
        const FieldSample a = fields.sample(place), b = exact.sample(place);
        if (b.body < 0 || std::abs(b.distance) > settings.band / 2)
            continue;
        ++worst.compared;
        EXPECT_EQ(a.body, 0) << b.distance;
        worst.distance = std::max(worst.distance, std::abs(a.distance - b.distance));
        if (b.distance > 0.5 * settings.voxel && b.distance < 2 * settings.voxel) {
            const Vec3 v = 1e4 * (later[i] - still.mesh.positions[i]);
            worst.velocity = std::max(worst.velocity, norm(a.velocity - v));
        }
    }
    return worst;
}

TEST(DeformingBodies, AThinPlateDoesNotVanishBetweenFrames) {
    // 4 mm thick, 5 cm a frame.
    const Body plate = make_animated({0.2, 0.004, 0.2}, 4, {0, 0.05, 0}, {0, 0, 0});
    const BodyFieldsSettings settings = {.voxel = 0.002, .band = 0.024, .cache = {}};
    for (const double frame : {0.25, 0.5, 1.37, 2.9}) {
        const double time = frame / 30;
        const Body bodies[] = {plate};
        BodyFields fields(bodies, settings);
        fields.set_time(time, 1e-3);
        for (const double off : {-0.001, 0.0, 0.001, 0.003, 0.01}) {
            const FieldSample at = fields.sample(Vec3{0.01, 0.05 * frame + off, 0.02});
            // Within a voxel of the middle, where it has a kink, the grid makes less of the depth.
            const double tolerance = off == 0 ? 1e-3 : std::abs(off) < 0.002 ? 2e-4 : 1e-6;
            EXPECT_NEAR(at.distance, std::abs(off) - 0.002, tolerance) << off;
            if (off != 0) {
                EXPECT_NEAR(at.normal.y, off > 0 ? 1 : -1, 1e-6);
            }
            EXPECT_NEAR(at.velocity.y, 1.5, 1e-6) << "5 cm in 1/30 s";
        }
    }
    EXPECT_EQ(level_set_count(plate, level_set_settings(plate, settings), 10), 3 * 7 + 1);
    EXPECT_EQ(level_set_count(plate, level_set_settings(plate, settings), 1.0 / 30), 8);
}

TEST(DeformingBodies, ABodyThatTurnsOrGrowsIsWhereItsMeshIs) {
    const BodyFieldsSettings settings = {.voxel = 0.004, .band = 0.04, .cache = {}};
    const Body turning = make_animated({0.2, 0.1, 0.15}, 3, {0.01, 0, 0}, {0, 4, 0});
    const Worst turned = compare_with_mesh(turning, 0.4 / 30, settings);
    Body ball = make_ball(0.1, {0, 0, 0});
    for (int f = 0; f < 3; ++f) {
        std::vector<Vec3> points;
        for (const Vec3& p : ball.mesh.positions)
            points.push_back({p.x, (1 + 0.05 * f) * p.y, (1 - 0.02 * f) * p.z});
        ball.frames.push_back(points);
    }
    const Worst grown = compare_with_mesh(ball, 1.6 / 30, settings);
    std::cout << "deforming bodies: distances off by " << turned.distance << " m (turning), "
              << grown.distance << " m (growing) where 7 and 5 mm are moved; velocities by "
              << turned.velocity << " and " << grown.velocity << " m/s of 0.4 and 0.15\n";
    EXPECT_GT(turned.compared, 500);
    EXPECT_GT(grown.compared, 500);
    EXPECT_LT(turned.distance, settings.voxel / 4) << "at the edges of the box; less elsewhere";
    EXPECT_LT(grown.distance, 1e-4);
}

TEST(DeformingBodies, LevelSetsAreMadeOnce) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "muslin_body_fields";
    std::filesystem::remove_all(folder);
    const Body bodies[] = {make_animated({0.2, 0.1, 0.2}, 6, {0, 0.005, 0}, {0, 0, 0}),
                           make_ball(0.1, {1, 0, 0})};
    const BodyFieldsSettings settings = {.voxel = 0.01, .band = 0.05, .cache = folder};
    std::size_t memory = 0;
    for (int run = 0; run < 2; ++run) {
        BodyFields fields(bodies, settings);
        std::vector<int> told;
        fields.prepare(1, [&](int done, int all) {
            EXPECT_EQ(all, 6);
            told.push_back(done);
        });
        EXPECT_EQ(told.size(), run == 0 ? 4u : 0u) << "two frames are there from the start";
        for (int k = 0; k <= 50; ++k) {
            fields.set_time(k / 300.0, 1e-3);
            memory = std::max(memory, fields.memory());
        }
        EXPECT_EQ(fields.work().made, run == 0 ? 7 : 0);
        EXPECT_GT(fields.work().read, 3);
    }
    const BodyFields one(std::span<const Body>(bodies, 1), settings);
    EXPECT_LT(memory, 2 * one.memory()) << "of the frames, two are in memory";
    std::filesystem::remove_all(folder);
}

TEST(BodyFields, OpenBodiesAreRefusedByName) {
    const Body bodies[] = {make_body(make_grid({}))};
    try {
        BodyFields fields(bodies, {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.problem().key.find("body 'body'"), std::string::npos);
    }
}

} // namespace
