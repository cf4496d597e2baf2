#include "muslin/collision/broad/box.h"

#include "math/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace muslin;

namespace {

constexpr float float_max = std::numeric_limits<float>::max();
constexpr float float_tiny = std::numeric_limits<float>::denorm_min();
constexpr float float_inf = std::numeric_limits<float>::infinity();

// Numbers whose rounding goes wrong first, of both signs.
std::vector<double> awkward_numbers() {
    std::vector<double> numbers = {0.0,
                                   0.1,
                                   1.0,
                                   1.0 + 0x1p-24,
                                   1.0 + 0x1p-52,
                                   1.0 - 0x1p-53,
                                   16777217.0,
                                   double{float_max},
                                   double{float_max} * (1 + 0x1p-26),
                                   double{float_max} * (1 + 0x1p-24),
                                   1e39,
                                   1e300,
                                   double{float_tiny},
                                   0.5 * double{float_tiny},
                                   0.75 * double{float_tiny},
                                   1.5 * double{float_tiny},
                                   0x1p-126,
                                   0x1.fffffffp-127,
                                   std::numeric_limits<double>::denorm_min(),
                                   std::numeric_limits<double>::min()};
    for (std::size_t i = numbers.size(); i-- > 0;)
        numbers.push_back(-numbers[i]);
    testing_math::Random random(3);
    for (int i = 0; i < 20000; ++i)
        numbers.push_back(random.number() * std::pow(2.0, 160 * random.number()));
    return numbers;
}

} // namespace

TEST(box, rounding_is_outward_and_tight) {
    for (const double x : awkward_numbers()) {
        const float down = round_down(x), up = round_up(x);
        ASSERT_LE(double{down}, x);
        ASSERT_GE(double{up}, x);
        ASSERT_GT(double{std::nextafter(down, float_inf)}, x) << "not the largest below " << x;
        ASSERT_LT(double{std::nextafter(up, -float_inf)}, x) << "not the smallest above " << x;
    }
}

TEST(box, zero_stays_zero) {
    EXPECT_EQ(round_down(0.0), 0.0f);
    EXPECT_EQ(round_up(-0.0), 0.0f);
}

TEST(box, holds_its_points) {
    const auto numbers = awkward_numbers();
    for (std::size_t i = 0; i + 8 < numbers.size(); i += 9) {
        const Vec3 p[3] = {{numbers[i], numbers[i + 1], numbers[i + 2]},
                           {numbers[i + 3], numbers[i + 4], numbers[i + 5]},
                           {numbers[i + 6], numbers[i + 7], numbers[i + 8]}};
        const Box together = Box::around(p[0], p[1], p[2]);
        Box one_by_one = Box::empty();
        for (const Vec3& point : p)
            one_by_one.add(point);
        for (int axis = 0; axis < 3; ++axis) {
            const double least = std::min({p[0][axis], p[1][axis], p[2][axis]});
            const double most = std::max({p[0][axis], p[1][axis], p[2][axis]});
            ASSERT_EQ(together.low[axis], round_down(least));
            ASSERT_EQ(together.high[axis], round_up(most));
            ASSERT_EQ(one_by_one.low[axis], together.low[axis]);
            ASSERT_EQ(one_by_one.high[axis], together.high[axis]);
        }
    }
}

// long double holds these sums exactly where the two numbers are within 2^11 of each other.
TEST(box, growing_never_falls_short) {
    testing_math::Random random(8);
    int exact_in_double = 0;
    for (int i = 0; i < 20000; ++i) {
        const double x = double{round_down(random.number() * std::pow(2.0, 8 * random.number()))};
        const double distance = std::abs(random.number()) * std::pow(2.0, -20 * (i % 2));
        Box box = Box::around({x, x, x});
        box.grow(distance);
        const long double high = static_cast<long double>(x) + static_cast<long double>(distance);
        const long double low = static_cast<long double>(x) - static_cast<long double>(distance);
        ASSERT_GE(static_cast<long double>(box.high[1]), high);
        ASSERT_LE(static_cast<long double>(box.low[1]), low);
        ASSERT_LT(static_cast<long double>(std::nextafter(box.high[1], -float_inf)), high);
        ASSERT_GT(static_cast<long double>(std::nextafter(box.low[1], float_inf)), low);
        exact_in_double += static_cast<long double>(x + distance) == high;
    }
    EXPECT_LT(exact_in_double, 15000) << "the samples hardly test the second rounding";
}

// 1 + 1e-20 is 1 in double and in float: the box must not end there.
TEST(box, growing_by_almost_nothing_still_grows) {
    Box box = Box::around({1, -1, 0});
    box.grow(1e-20);
    EXPECT_EQ(box.high[0], std::nextafter(1.0f, 2.0f));
    EXPECT_EQ(box.low[0], std::nextafter(1.0f, 0.0f));
    EXPECT_EQ(box.high[1], std::nextafter(-1.0f, 0.0f));
    EXPECT_EQ(box.low[1], std::nextafter(-1.0f, -2.0f));
    EXPECT_EQ(box.high[2], round_up(1e-20));
    EXPECT_EQ(box.low[2], round_down(-1e-20));
}

TEST(box, growing_by_nothing_changes_nothing) {
    Box box = Box::around({1, -2, 0.1}, {3, 0, 1e39});
    const Box before = box;
    box.grow(0);
    for (int axis = 0; axis < 4; ++axis) {
        EXPECT_EQ(box.low[axis], before.low[axis]);
        EXPECT_EQ(box.high[axis], before.high[axis]);
    }
}

TEST(box, overlap_is_closed_and_needs_every_axis) {
    const Box unit = Box::around({0, 0, 0}, {1, 1, 1});
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
            Vec3 shift{0, 0, 0};
            shift[axis] = sign;
            const Box touching = Box::around(shift, shift + Vec3{1, 1, 1});
            EXPECT_TRUE(unit.overlaps(touching));
            EXPECT_TRUE(touching.overlaps(unit));
            shift[axis] = sign * (1 + 1e-6);
            const Box apart = Box::around(shift, shift + Vec3{1, 1, 1});
            EXPECT_FALSE(unit.overlaps(apart));
            EXPECT_FALSE(apart.overlaps(unit));
        }
    EXPECT_TRUE(unit.overlaps(Box::around({0.5, 0.5, 0.5})));
    EXPECT_TRUE(Box::around({1, 2, 3}).overlaps(Box::around({1, 2, 3})));
}

TEST(box, the_empty_box_overlaps_nothing) {
    const Box empty = Box::empty();
    EXPECT_TRUE(empty.is_empty());
    EXPECT_EQ(empty.area(), 0.0);
    Box everything = Box::around({-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300});
    EXPECT_EQ(everything.high[0], float_inf);
    EXPECT_FALSE(empty.overlaps(everything));
    EXPECT_FALSE(everything.overlaps(empty));
    EXPECT_FALSE(empty.overlaps(empty));
    EXPECT_TRUE(everything.overlaps(everything));

    Box grown = empty;
    grown.grow(1);
    EXPECT_TRUE(grown.is_empty());
    grown.merge(Box::around({1, 2, 3}));
    EXPECT_FALSE(grown.is_empty());
    EXPECT_EQ(grown.low[1], 2.0f);
    EXPECT_EQ(grown.high[1], 2.0f);
}

TEST(box, area_of_its_six_sides) {
    EXPECT_DOUBLE_EQ(Box::around({0, 0, 0}, {1, 2, 3}).area(), 22.0);
    EXPECT_DOUBLE_EQ(Box::around({0, 0, 0}, {1, 2, 0}).area(), 4.0);
    EXPECT_EQ(Box::around({5, 5, 5}).area(), 0.0);
}
