#include "muslin/kernels/contact_spring.h"

#include "math/random.h"

#include <gtest/gtest.h>

using namespace muslin;
using testing_math::Random;

namespace {

ContactSpring random_spring(Random& random) {
    ContactSpring s;
    s.points = {0, 1, 2, 3};
    s.normal = normalized(random.vec3());
    s.thickness = 0.3 + 0.1 * random.number();
    s.stiffness = 40 + 7 * random.number();
    s.damping = 3 + random.number();
    s.drag = 2 + random.number();
    const double b = 0.3 + 0.1 * random.number(), c = 0.4 + 0.1 * random.number();
    s.weights = {1, b + c - 1, -b, -c};
    return s;
}

Vec3 unit(int axis) {
    Vec3 e{0, 0, 0};
    e[axis] = 1;
    return e;
}

} // namespace

// The force is linear in gap and slip while normal and weights stand, so that differences of any
// size are exact. What is left out is how these two turn: the next test.
TEST(contact_spring, derivatives_match_differences) {
    Random random(5);
    for (int sample = 0; sample < 100; ++sample) {
        const ContactSpring s = random_spring(random);
        const Vec3 gap = random.vec3(), slip = random.vec3();
        const Mat3 stiffness = contact_spring_stiffness(s), damping = contact_spring_damping(s);
        const Vec3 force = contact_spring_force(s, gap, slip);
        for (int c = 0; c < 3; ++c) {
            const Vec3 by_gap = contact_spring_force(s, gap + unit(c), slip) - force;
            const Vec3 by_slip = contact_spring_force(s, gap, slip + unit(c)) - force;
            for (int r = 0; r < 3; ++r) {
                ASSERT_NEAR(-by_gap[r], stiffness(r, c), 1e-12 * s.stiffness);
                ASSERT_NEAR(-by_slip[r], damping(r, c), 1e-12 * s.stiffness);
            }
        }
    }
}

// With a normal that turns with the gap, n = gap / |gap|, the full derivative has the further term
// k C (I - n n^T) / |gap|: the one that is dropped. It goes with C and is negative where C is.
TEST(contact_spring, dropped_term_is_that_of_the_turning_normal) {
    Random random(6);
    const auto turning = [](ContactSpring s, const Vec3& gap) {
        s.normal = normalized(gap);
        return contact_spring_force(s, gap, {0, 0, 0});
    };
    for (int sample = 0; sample < 100; ++sample) {
        ContactSpring s = random_spring(random);
        const Vec3 gap = (0.2 + 0.1 * random.number()) * normalized(random.vec3());
        s.normal = normalized(gap);
        const double condition = norm(gap) - s.thickness, step = 1e-6;
        const Mat3 dropped =
            (s.stiffness * condition / norm(gap)) * (Mat3::identity() - outer(s.normal, s.normal));
        const Mat3 full = contact_spring_stiffness(s) + dropped;
        for (int c = 0; c < 3; ++c) {
            const Vec3 difference = (1 / (2 * step)) * (turning(s, gap + step * unit(c)) -
                                                        turning(s, gap - step * unit(c)));
            for (int r = 0; r < 3; ++r)
                ASSERT_NEAR(-difference[r], full(r, c), 1e-6 * s.stiffness);
        }
    }
}

TEST(contact_spring, force_is_minus_the_gradient_of_the_energy) {
    Random random(7);
    for (int sample = 0; sample < 100; ++sample) {
        const ContactSpring s = random_spring(random);
        const Vec3 gap = random.vec3(), force = contact_spring_force(s, gap, {0, 0, 0});
        for (int c = 0; c < 3; ++c) {
            const double step = 1e-4;
            const double slope = (contact_spring_energy(s, gap + step * unit(c)) -
                                  contact_spring_energy(s, gap - step * unit(c))) /
                                 (2 * step);
            ASSERT_NEAR(force[c], -slope, 1e-9 * s.stiffness);
        }
    }
}

TEST(contact_spring, pushes_out_brakes_and_takes_energy_from_slip) {
    ContactSpring s;
    s.points = {0, 1, 2, 3};
    s.weights = {1, -0.2, -0.3, -0.5};
    s.normal = {0, 1, 0};
    s.thickness = 0.1;
    s.stiffness = 50;
    s.damping = 4;
    s.drag = 3;
    EXPECT_DOUBLE_EQ(contact_spring_force(s, {0, 0.04, 0}, {0, 0, 0}).y, 50 * 0.06);
    EXPECT_DOUBLE_EQ(contact_spring_force(s, {0, -0.02, 0}, {0, 0, 0}).y, 50 * 0.12);
    const Vec3 braked = contact_spring_force(s, {0, 0.1, 0}, {2, -1, 0});
    EXPECT_DOUBLE_EQ(braked.y, 4);
    EXPECT_DOUBLE_EQ(braked.x, -6);
    double sum = 0;
    for (const double w : s.weights)
        sum += w;
    EXPECT_NEAR(sum, 0, 1e-15);
}
