// Interface forecasting of one point [Bridson03 5.2], against what can be said in closed form.

#include "muslin/kernels/forecast.h"

#include "math/random.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;
using testing_math::Random;

constexpr double step = 2e-3; // [s]

// A half space that moves as a whole.
struct Plane {
    Vec3 normal, point, velocity;
    double friction = 0;

    double distance(const Vec3& x, double time) const {
        return dot(normal, x - (point + time * velocity));
    }
    ForecastSurface at(const Vec3& x, double time) const {
        return {distance(x, time), normal, velocity, friction};
    }
};

Vec3 unit(const Vec3& a) {
    return (1 / norm(a)) * a;
}

Plane random_plane(Random& random, double friction = 0) {
    return {unit(random.vec3()), random.vec3(), 2.0 * random.vec3(), friction};
}

TEST(Forecast, AnApproachingPointLandsOnTheIsocontour) {
    Random random(1);
    int met = 0;
    for (int k = 0; k < 1000; ++k) {
        const Plane plane = random_plane(random, 0.3);
        const Vec3 v = 5.0 * random.vec3();
        const double height = 0.0025 + 0.0075 * random.number();
        const Vec3 x = plane.point + height * plane.normal;
        const Forecast f = forecast(v, plane.at(x, 0), step, step);
        const double uncorrected = plane.distance(x + step * v, step);
        const double landed = plane.distance(x + step * f.velocity, step);
        ASSERT_EQ(f.met, uncorrected < 0);
        EXPECT_NEAR(landed, f.met ? 0 : uncorrected, 1e-10);
        met += f.met;
    }
    EXPECT_GT(met, 300);
    EXPECT_LT(met, 900);
}

TEST(Forecast, DepthShrinksByTheRelaxationTime) {
    Random random(2);
    for (const double relaxation : {2.5 * step, 3 * step, 10 * step}) {
        const Plane plane = random_plane(random);
        Vec3 x = plane.point - 0.01 * plane.normal, v = plane.velocity;
        double depth = 0.01;
        for (int k = 0; k < 8; ++k) {
            v = forecast(v, plane.at(x, k * step), step, relaxation).velocity;
            x += step * v;
            depth *= 1 - step / relaxation;
            EXPECT_NEAR(-plane.distance(x, (k + 1) * step), depth, 1e-12);
        }
    }
}

TEST(Forecast, WhatIsOutsideIsSlowedBeforeItIsInside) {
    const ForecastSurface plane = {0.001, {0, 1, 0}, {0, 0, 0}, 0};
    const Forecast f = forecast({0, -2, 0}, plane, step, 10 * step);
    EXPECT_TRUE(f.met);
    EXPECT_DOUBLE_EQ(f.velocity.y, -0.001 / (10 * step));
    EXPECT_DOUBLE_EQ(f.push, 2 - 0.001 / (10 * step));
}

TEST(Forecast, ASeparatingPointIsLeftAlone) {
    Random random(3);
    for (int k = 0; k < 100; ++k) {
        const Plane plane = random_plane(random, 0.5);
        const Vec3 v =
            plane.velocity + 3.0 * plane.normal + 1.0 * unit(cross(plane.normal, random.vec3()));
        for (const double height : {0.0, 0.004, -0.004}) {
            const Forecast f =
                forecast(v, plane.at(plane.point + height * plane.normal, 0), step, 4 * step);
            EXPECT_FALSE(f.met);
            EXPECT_EQ(norm(f.velocity - v), 0);
            EXPECT_EQ(f.push, 0);
        }
    }
}

// Inside, and leaving faster than in the relaxation time but not within the step.
TEST(Forecast, WhatGetsOutIsNotThrown) {
    const ForecastSurface plane = {-0.01, {0, 1, 0}, {0, 0, 0}, 0};
    const Forecast f = forecast({0, 3, 0}, plane, step, 10 * step);
    EXPECT_DOUBLE_EQ(f.velocity.y, 0.01 / (10 * step));
    EXPECT_LT(f.push, 0);
}

TEST(Forecast, FrictionSlidesOrSticks) {
    const double mu = 0.4;
    const ForecastSurface plane = {0, {0, 1, 0}, {0.5, 0, 0}, mu};
    const Forecast slides = forecast({0.5 + 3, -1, 4}, plane, step, step); // 5 m/s along the plane
    EXPECT_DOUBLE_EQ(slides.push, 1);
    EXPECT_NEAR(norm(slides.velocity - Vec3{0.5 + 3 * (1 - mu / 5), 0, 4 * (1 - mu / 5)}), 0,
                1e-14);
    const Forecast sticks = forecast({0.5 + 0.2, -1, 0.3}, plane, step, step); // 0.36 m/s
    EXPECT_EQ(norm(sticks.velocity - Vec3{0.5, 0, 0}), 0);
    const Forecast just_slides = forecast({0.5, -1, 0.41}, plane, step, step);
    EXPECT_NEAR(just_slides.velocity.z, 0.01, 1e-15);
}

TEST(Forecast, DoesNotDependOnTheFrame) {
    Random random(4);
    for (int k = 0; k < 200; ++k) {
        Plane plane = random_plane(random, 0.3);
        const Vec3 v = 3.0 * random.vec3(), common = 10.0 * random.vec3();
        const Vec3 x = plane.point + (-0.0025 + 0.0075 * random.number()) * plane.normal;
        const Forecast still = forecast(v, plane.at(x, 0), step, 2 * step);
        plane.velocity += common;
        const Forecast moved = forecast(v + common, plane.at(x, 0), step, 2 * step);
        EXPECT_NEAR(norm(moved.velocity - common - still.velocity), 0, 1e-12);
        EXPECT_NEAR(moved.push, still.push, 1e-12);
    }
}

TEST(Forecast, APinchedPointComesToTheSurfaceBetween) {
    for (const double side : {-1.0, 1.0}) {
        const Pinch at = {side * 0.004, {0, 1, 0}, {0, 0.5, 0}, 0.01, 0.3};
        double across = at.across;
        for (int k = 0; k < 5; ++k) {
            Pinch here = at;
            here.across = across;
            const Forecast f = hold_pinched({0.01, -side * 7, 0}, here, step, 5 * step);
            across += step * (f.velocity.y - at.velocity.y);
            EXPECT_NEAR(across, at.across * std::pow(0.8, k + 1), 1e-12);
            EXPECT_EQ(f.velocity.x, 0) << "what two bodies press on does not slide";
        }
    }
}

} // namespace
