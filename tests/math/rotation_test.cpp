#include "muslin/math/rotation.h"

#include "math/random.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

using namespace muslin;
using testing_math::Random;

namespace {

double difference(const Vec3& a, const Vec3& b) {
    return norm(a - b);
}

} // namespace

TEST(rotation, quarter_turns_are_right_handed) {
    const double tolerance = 1e-15;
    EXPECT_LT(difference(rotation_degrees({90, 0, 0}) * Vec3{0, 1, 0}, {0, 0, 1}), tolerance);
    EXPECT_LT(difference(rotation_degrees({0, 90, 0}) * Vec3{0, 0, 1}, {1, 0, 0}), tolerance);
    EXPECT_LT(difference(rotation_degrees({0, 0, 90}) * Vec3{1, 0, 0}, {0, 1, 0}), tolerance);
}

TEST(rotation, turns_about_x_then_y_then_z) {
    // About x first: y goes to z; about y next: z goes to x; the other order leaves y in place.
    EXPECT_LT(difference(rotation_degrees({90, 90, 0}) * Vec3{0, 1, 0}, {1, 0, 0}), 1e-15);

    Random random(11);
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 angles = 180.0 * random.vec3();
        const Mat3 x = rotation_degrees({angles.x, 0, 0});
        const Mat3 y = rotation_degrees({0, angles.y, 0});
        const Mat3 z = rotation_degrees({0, 0, angles.z});
        const Vec3 p = random.vec3();
        EXPECT_LT(difference(rotation_degrees(angles) * p, z * (y * (x * p))), 1e-14);
    }
}

TEST(rotation, agrees_with_eigen) {
    Random random(12);
    constexpr double degree = std::numbers::pi / 180.0;
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 angles = 180.0 * random.vec3();
        const Eigen::Matrix3d expected =
            (Eigen::AngleAxisd(degree * angles.z, Eigen::Vector3d::UnitZ()) *
             Eigen::AngleAxisd(degree * angles.y, Eigen::Vector3d::UnitY()) *
             Eigen::AngleAxisd(degree * angles.x, Eigen::Vector3d::UnitX()))
                .toRotationMatrix();
        const Mat3 rotation = rotation_degrees(angles);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(rotation(r, c), expected(r, c), 1e-14);
    }
}

TEST(rotation, keeps_lengths_angles_and_orientation) {
    Random random(13);
    for (int trial = 0; trial < 100; ++trial) {
        const Mat3 rotation = rotation_degrees(360.0 * random.vec3());
        const Vec3 a = random.vec3(), b = random.vec3();
        EXPECT_NEAR(dot(rotation * a, rotation * b), dot(a, b), 1e-14);
        EXPECT_LT(difference(cross(rotation * a, rotation * b), rotation * cross(a, b)), 1e-14);
        EXPECT_NEAR(determinant(rotation), 1, 1e-14);
    }
}

TEST(rotation, zero_angles_change_nothing) {
    const Vec3 p = {1.25, -2, 3};
    EXPECT_EQ(difference(rotation_degrees({0, 0, 0}) * p, p), 0);
}
