// Where a body is over time: still, moved as a whole, deformed.
#include "muslin/model/body.h"

#include "linalg/dense.h"
#include "muslin/mesh/generators.h"

namespace muslin::test {
namespace {

Body unit_box() {
    Body body;
    body.mesh = make_box({});
    return body;
}

std::vector<Vec3> positions_at(const Body& body, double time) {
    std::vector<Vec3> out(body.mesh.positions.size());
    body_positions(body, time, out);
    return out;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, norm(a[i] - b[i]));
    return largest;
}

TEST(Body, StandsStillExactlyWhereItIsPlaced) {
    Body body = unit_box();
    body.motion.pivot = {0.1, 0.7, 1e5}; // would round
    EXPECT_FALSE(is_moving(body));
    EXPECT_EQ(largest_difference(positions_at(body, 2.5), body.mesh.positions), 0);
}

TEST(Body, MovesAsItsMotionSays) {
    Body body = unit_box();
    body.motion.translation = Animated<Vec3>({{0.0, {0, 0, 0}}, {2.0, {4, 0, 0}}});
    body.motion.rotation = Animated<Vec3>({{0.0, {0, 0, 0}}, {1.0, {0, 90, 0}}});
    body.motion.pivot = {0.5, 0, 0};
    EXPECT_TRUE(is_moving(body));
    for (double time : {-1.0, 0.0, 0.3, 1.0, 1.7, 9.0}) {
        const std::vector<Vec3> x = positions_at(body, time);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_LT(norm(x[i] - body.motion.apply(time, body.mesh.positions[i])), 1e-14) << time;
    }
}

TEST(Body, KeepsItsShapeWhileItTurns) {
    Body body = unit_box();
    body.motion.rotation = Animated<Vec3>({{0.0, {0, 0, 0}}, {1.0, {0, 0, 180}}});
    EXPECT_TRUE(is_moving(body));
    // Half-way along the chord of half a turn a corner would be at the middle.
    const std::vector<Vec3> x = positions_at(body, 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(norm(x[i]), norm(body.mesh.positions[i]), 1e-14);
        EXPECT_NEAR(x[i].y, body.mesh.positions[i].x, 1e-14);
    }
}

TEST(Body, InterpolatesItsFramesAndHoldsTheFirstAndTheLast) {
    Body body = unit_box();
    body.frame_rate = 10;
    for (double height : {0.0, 1.0, 5.0}) {
        body.frames.push_back(body.mesh.positions);
        for (Vec3& p : body.frames.back())
            p.y += height;
    }
    EXPECT_TRUE(is_moving(body));
    const struct {
        double time, height;
    } cases[] = {{-1, 0}, {0, 0}, {0.05, 0.5}, {0.1, 1}, {0.175, 4}, {0.2, 5}, {7, 5}};
    for (const auto& c : cases) {
        const std::vector<Vec3> x = positions_at(body, c.time);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(x[i].y - body.mesh.positions[i].y, c.height, 1e-14) << c.time;
    }
}

TEST(Body, OfOneFrameStandsStillThere) {
    Body body = unit_box();
    body.frames.push_back(std::vector<Vec3>(body.mesh.positions.size(), Vec3{1, 2, 3}));
    EXPECT_FALSE(is_moving(body));
    EXPECT_EQ(largest_difference(positions_at(body, 4), body.frames[0]), 0);
}

TEST(Body, IsMovedAfterItIsDeformed) {
    Body body = unit_box();
    body.frames.push_back(std::vector<Vec3>(body.mesh.positions.size(), Vec3{1, 0, 0}));
    body.motion.rotation = Animated<Vec3>(Vec3{0, 0, 90});
    EXPECT_LT(norm(positions_at(body, 0)[0] - Vec3{0, 1, 0}), 1e-15);
}

TEST(Body, RefusesAnotherNumberOfPositions) {
    std::vector<Vec3> few(3);
    EXPECT_THROW(body_positions(unit_box(), 0, few), std::logic_error);
}

// In the arithmetic of frames, whether the path is counted in frames or in seconds.
TEST(Body, FollowsTheGivenPathInPlaceOfItsMotion) {
    Body body = unit_box();
    body.motion.translation = Animated<Vec3>(Vec3{9, 9, 9});
    const auto path = std::make_shared<GivenPath>();
    body.path = path;
    EXPECT_EQ(largest_difference(positions_at(body, 5), positions_at(body, 0)), 0);
    EXPECT_FALSE(is_moving(body));

    Body in_frames = unit_box();
    in_frames.frames.resize(8, in_frames.mesh.positions);
    for (int frame = 0; frame < 8; ++frame)
        for (Vec3& p : in_frames.frames[frame])
            p = (1 + 0.1 * frame) * p + Vec3{0.3 * frame, 0, 0};
    in_frames.frame_rate = 24;
    *path = {{in_frames.frames[5], in_frames.frames[6]}, {0, 5, 24}};
    EXPECT_TRUE(is_moving(body));
    for (const double time : {5.0 / 24, 0.21, 0.2345, 6.0 / 24})
        EXPECT_EQ(largest_difference(positions_at(body, time), positions_at(in_frames, time)), 0);
    EXPECT_EQ(largest_difference(positions_at(body, 0), path->frames[0]), 0);
    EXPECT_EQ(largest_difference(positions_at(body, 9), path->end()), 0);
    EXPECT_FALSE(path->time.has_ended(0.249));
    EXPECT_TRUE(path->time.has_ended(6.0 / 24));

    *path = {{in_frames.frames[0], in_frames.frames[2]}, {0.1, 0, 4}};
    EXPECT_DOUBLE_EQ(path->time.end(), 0.35);
    EXPECT_LT(largest_difference(positions_at(body, 0.225), in_frames.frames[1]), 1e-14);
}

// A body has grown to its size once the lowest layer is sewn, and waits for the others.
TEST(Body, FramesStandStillInAPause) {
    Body body;
    body.mesh.positions = {{0, 0, 0}};
    body.frames = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}};
    body.frame_rate = 1;
    body.frames_start = -12;
    body.pause = {-1, 10};
    const auto x_at = [&](double time) {
        Vec3 out;
        body_positions(body, time, {&out, 1});
        return out.x;
    };
    EXPECT_DOUBLE_EQ(x_at(-20), 0);
    EXPECT_DOUBLE_EQ(x_at(-11.5), 0.5);
    EXPECT_DOUBLE_EQ(x_at(-11), 1);
    EXPECT_DOUBLE_EQ(x_at(-5), 1);
    EXPECT_DOUBLE_EQ(x_at(-1), 1);
    EXPECT_DOUBLE_EQ(x_at(-0.5), 1.5);
    EXPECT_DOUBLE_EQ(x_at(0), 2);
}

} // namespace
} // namespace muslin::test
