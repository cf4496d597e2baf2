#include "muslin/kernels/vertex_crossing.h"

#include <gtest/gtest.h>

using namespace muslin;

TEST(vertex_crossing, sees_what_passed_between_two_moments) {
    Vec3 begin[4] = {{0.3, 0.5, -0.3}, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}};
    Vec3 end[4] = {{0.3, -1, -0.3}, begin[1], begin[2], begin[3]};
    const auto down = vertex_crossing(begin, end);
    ASSERT_TRUE(down);
    EXPECT_NEAR(down->time, 1.0 / 3, 1e-15);
    EXPECT_TRUE(down->from_front);
    EXPECT_NEAR(down->weights.y, 0.3, 1e-15);
    const auto up = vertex_crossing(end, begin);
    ASSERT_TRUE(up);
    EXPECT_FALSE(up->from_front);
    end[0].y = 0.1;
    EXPECT_FALSE(vertex_crossing(begin, end)) << "it stays above";
    end[0] = {0.3, 0.5, 0.3};
    begin[0] = {0.3, -0.5, 0.3};
    EXPECT_FALSE(vertex_crossing(begin, end)) << "it passes beside";
}
