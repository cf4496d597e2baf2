#include "muslin/math/vec.h"

#include "math/random.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <limits>

using namespace muslin;
using testing_math::Random;

namespace {

constexpr double tolerance = 1e-14; // a few roundings of numbers of size one
constexpr int trials = 200;

Eigen::Vector3d eigen(const Vec3& a) {
    return {a.x, a.y, a.z};
}
Eigen::Matrix3d eigen(const Mat3& a) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&a.m[0][0]);
}
double difference(const Vec3& a, const Vec3& b) {
    return norm(a - b);
}
double difference(const Mat3& a, const Mat3& b) {
    return (eigen(a) - eigen(b)).norm();
}

} // namespace

TEST(vec, arithmetic_is_by_component) {
    Random random(1);
    for (int trial = 0; trial < trials; ++trial) {
        const Vec3 a = random.vec3(), b = random.vec3();
        const double s = random.number();
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ((a + b)[i], a[i] + b[i]);
            EXPECT_EQ((a - b)[i], a[i] - b[i]);
            EXPECT_EQ((-a)[i], -a[i]);
            EXPECT_EQ((s * a)[i], s * a[i]);
            EXPECT_EQ((a * s)[i], a[i] * s);
        }
        Vec3 c = a;
        c += b;
        EXPECT_EQ(difference(c, a + b), 0);
        c = a;
        c -= b;
        EXPECT_EQ(difference(c, a - b), 0);
        c = a;
        c *= s;
        EXPECT_EQ(difference(c, a * s), 0);
    }
}

TEST(vec, index_names_the_components) {
    Vec3 a = {1, 2, 3};
    EXPECT_EQ(a[0], 1);
    EXPECT_EQ(a[1], 2);
    EXPECT_EQ(a[2], 3);
    a[1] = 7;
    EXPECT_EQ(a.y, 7);
}

TEST(vec, plane_vectors) {
    Random random(2);
    for (int trial = 0; trial < trials; ++trial) {
        const Vec2 a = random.vec2(), b = random.vec2();
        const double s = random.number();
        EXPECT_EQ((a + b).x, a.x + b.x);
        EXPECT_EQ((a - b).y, a.y - b.y);
        EXPECT_EQ((s * a).y, s * a.y);
        EXPECT_NEAR(dot(a, b), a.x * b.x + a.y * b.y, tolerance);
        EXPECT_NEAR(cross(a, b), -cross(b, a), tolerance);
        EXPECT_NEAR(norm(a) * norm(a), dot(a, a), tolerance);
        // |a|^2 |b|^2 = (a . b)^2 + (a x b)^2
        EXPECT_NEAR(dot(a, a) * dot(b, b), dot(a, b) * dot(a, b) + cross(a, b) * cross(a, b),
                    tolerance);
    }
    EXPECT_EQ(cross(Vec2{1, 0}, Vec2{0, 1}), 1); // twice the area of the unit triangle
}

TEST(vec, cross_product_identities) {
    Random random(3);
    for (int trial = 0; trial < trials; ++trial) {
        const Vec3 a = random.vec3(), b = random.vec3(), c = random.vec3();
        EXPECT_LT((eigen(cross(a, b)) - eigen(a).cross(eigen(b))).norm(), tolerance);
        EXPECT_NEAR(dot(cross(a, b), a), 0, tolerance);
        EXPECT_NEAR(dot(a, cross(b, c)), dot(cross(a, b), c), tolerance);
        // a x (b x c) = b (a . c) - c (a . b)
        EXPECT_LT(difference(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c), tolerance);
        EXPECT_LT(difference(cross_matrix(a) * b, cross(a, b)), tolerance);
    }
    EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}).z, 1); // right-handed
}

TEST(vec, normalized_has_length_one_and_the_same_direction) {
    Random random(4);
    for (int trial = 0; trial < trials; ++trial) {
        const Vec3 a = random.vec3();
        EXPECT_NEAR(norm(normalized(a)), 1, tolerance);
        EXPECT_LT(norm(cross(normalized(a), a)), tolerance);
        EXPECT_GT(dot(normalized(a), a), 0);
    }
}

TEST(vec, is_finite_looks_at_every_component) {
    EXPECT_TRUE(is_finite(Vec3{0, -1, 1e300}));
    for (const double bad :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN()})
        for (int i = 0; i < 3; ++i) {
            Vec3 a = {1, 2, 3};
            a[i] = bad;
            EXPECT_FALSE(is_finite(a)) << bad << " at " << i;
        }
}

TEST(mat, products_agree_with_eigen) {
    Random random(5);
    for (int trial = 0; trial < trials; ++trial) {
        const Mat3 a = random.mat3(), b = random.mat3();
        const Vec3 x = random.vec3(), y = random.vec3();
        const double s = random.number();
        EXPECT_LT((eigen(a * b) - eigen(a) * eigen(b)).norm(), tolerance);
        EXPECT_LT((eigen(a * x) - eigen(a) * eigen(x)).norm(), tolerance);
        EXPECT_LT((eigen(a + b) - (eigen(a) + eigen(b))).norm(), tolerance);
        EXPECT_LT((eigen(a - b) - (eigen(a) - eigen(b))).norm(), tolerance);
        EXPECT_LT((eigen(s * a) - s * eigen(a)).norm(), tolerance);
        EXPECT_LT((eigen(outer(x, y)) - eigen(x) * eigen(y).transpose()).norm(), tolerance);
        EXPECT_EQ(eigen(transpose(a)), eigen(a).transpose());
        EXPECT_NEAR(determinant(a), eigen(a).determinant(), tolerance);
    }
}

TEST(mat, transpose_reverses_a_product) {
    Random random(6);
    for (int trial = 0; trial < trials; ++trial) {
        const Mat3 a = random.mat3(), b = random.mat3();
        EXPECT_LT(difference(transpose(a * b), transpose(b) * transpose(a)), tolerance);
        EXPECT_EQ(difference(transpose(transpose(a)), a), 0);
    }
}

TEST(mat, identity_diagonal_and_zero) {
    Random random(7);
    const Mat3 a = random.mat3();
    EXPECT_EQ(difference(Mat3::identity() * a, a), 0);
    EXPECT_EQ(difference(a * Mat3::identity(), a), 0);
    EXPECT_LT(difference(Mat3::diagonal(2.5) * a, 2.5 * a), tolerance);
    EXPECT_EQ(difference(Mat3::zero() + a, a), 0);
    EXPECT_EQ(eigen(Mat3::zero()), Eigen::Matrix3d::Zero());
    EXPECT_EQ(a(1, 2), a.m[1][2]);
}

TEST(mat, inverse) {
    Random random(8);
    for (int trial = 0; trial < trials; ++trial) {
        // Well away from singular, so that the rounding error stays near the last digit.
        const Mat3 a = random.mat3() + Mat3::diagonal(4.0);
        EXPECT_LT(difference(a * inverse(a), Mat3::identity()), tolerance);
        EXPECT_LT(difference(inverse(a) * a, Mat3::identity()), tolerance);
        EXPECT_LT((eigen(inverse(a)) - eigen(a).inverse()).norm(), tolerance);
    }
}

TEST(mat, inverse_of_a_badly_scaled_matrix) {
    const Mat3 a = {{{1e-8, 0, 0}, {0, 1, 0}, {0, 0, 1e8}}};
    EXPECT_LT(difference(a * inverse(a), Mat3::identity()), tolerance);
}
