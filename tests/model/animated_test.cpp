// Values over time, time windows and rigid motions.
#include "muslin/model/animated.h"

#include "linalg/dense.h"
#include "muslin/model/shape.h"

#include <limits>
#include <numbers>

namespace muslin::test {
namespace {

TEST(Animated, IsConstantWithoutKeys) {
    EXPECT_EQ(Animated<double>().at(3), 0);
    const Animated<Vec3> constant(Vec3{1, 2, 3});
    for (double t : {-5.0, 0.0, 7.0})
        EXPECT_EQ(norm(constant.at(t) - Vec3{1, 2, 3}), 0);
    EXPECT_TRUE(constant.is_constant());
}

TEST(Animated, IsLinearBetweenKeysAndConstantOutside) {
    const Animated<double> a({{1.0, 10.0}, {2.0, 20.0}, {4.0, -20.0}});
    EXPECT_FALSE(a.is_constant());
    const struct {
        double time, value;
    } cases[] = {{-1, 10},  {1, 10},    {1.25, 12.5}, {2, 20},
                 {2.5, 10}, {3.5, -10}, {4, -20},     {9, -20}};
    for (const auto& c : cases)
        EXPECT_DOUBLE_EQ(a.at(c.time), c.value) << c.time;
}

TEST(Animated, HasExactlyItsKeysValuesAndNoJumpAtThem) {
    Random random(1);
    std::vector<std::pair<double, Vec3>> keys;
    double time = -1;
    for (int k = 0; k < 20; ++k)
        keys.push_back({time += random.uniform(0.01, 1), random.vec()});
    const Animated<Vec3> a(keys);
    for (const auto& [t, value] : keys) {
        EXPECT_EQ(norm(a.at(t) - value), 0);
        EXPECT_LT(norm(a.at(t - 1e-12) - value), 1e-9);
        EXPECT_LT(norm(a.at(t + 1e-12) - value), 1e-9);
    }
}

// Windows that meet leave no gap and no overlap, whatever the times of the steps.
TEST(TimeWindow, WindowsThatMeetCoverEveryTimeOnce) {
    Random random(2);
    const TimeWindow windows[] = {{0, 0.3}, {0.3, 0.7}, {0.7, 1.0}, {1.0}};
    const auto count = [&](double t) {
        int n = 0;
        for (const TimeWindow& w : windows)
            n += w.contains(t) ? 1 : 0;
        return n;
    };
    for (double t : {0.0, 0.3, 0.7, 1.0, 1e9})
        EXPECT_EQ(count(t), 1) << t;
    for (double t : {0.3, 0.7, 1.0}) {
        EXPECT_EQ(count(std::nextafter(t, 0)), 1);
        EXPECT_EQ(count(std::nextafter(t, 2)), 1);
    }
    for (int k = 0; k < 1000; ++k)
        EXPECT_EQ(count(random.uniform(0, 2)), 1);
    EXPECT_EQ(count(-1e-9), 0);
    EXPECT_TRUE(TimeWindow{}.contains(1e300));
}

TEST(Motion, TurnsAboutXThenYThenZAroundThePivotThenMoves) {
    Motion m;
    m.pivot = {1, 0, 0};
    m.rotation = Animated<Vec3>(Vec3{90, 0, 90});
    m.translation = Animated<Vec3>(Vec3{0, 0, 5});
    // (0, 1, 0) off the pivot turns about x to (0, 0, 1), which the turn about z leaves.
    EXPECT_LT(norm(m.apply(0, {1, 1, 0}) - Vec3{1, 0, 6}), 1e-15);
    // (1, 0, 0) stays under x and turns about z to (0, 1, 0).
    EXPECT_LT(norm(m.apply(0, {2, 0, 0}) - Vec3{1, 1, 5}), 1e-15);
    EXPECT_LT(norm(m.turn(0, {1, 0, 0}) - Vec3{0, 1, 0}), 1e-15);
    EXPECT_LT(norm(m.apply(0, m.pivot) - Vec3{1, 0, 5}), 1e-15);
}

TEST(Motion, IsRigidAtEveryTime) {
    Random random(3);
    for (int k = 0; k < 50; ++k) {
        Motion m;
        m.pivot = random.vec(3);
        m.rotation = Animated<Vec3>({{0.0, random.vec(180)}, {2.0, random.vec(180)}});
        m.translation = Animated<Vec3>({{0.0, random.vec()}, {1.0, random.vec()}});
        for (double t : {0.0, 0.7, 1.3, 5.0}) {
            const Vec3 a = random.vec(), b = random.vec(), c = random.vec(), d = random.vec();
            const auto at = [&](const Vec3& p) { return m.apply(t, p); };
            EXPECT_NEAR(norm(at(a) - at(b)), norm(a - b), 1e-14);
            EXPECT_NEAR(dot(cross(at(b) - at(a), at(c) - at(a)), at(d) - at(a)),
                        dot(cross(b - a, c - a), d - a), 1e-13); // and no mirror
            EXPECT_LT(norm(m.turn(t, b - a) - (at(b) - at(a))), 1e-14);
            EXPECT_LT(norm(m.undo(t, at(a)) - a), 1e-14);
        }
    }
}

TEST(Motion, OneThatDoesNothingLeavesThingsWhereTheyAre) {
    const Motion m;
    EXPECT_EQ(norm(m.apply(3, {1, 2, 3}) - Vec3{1, 2, 3}), 0);
}

} // namespace
} // namespace muslin::test
