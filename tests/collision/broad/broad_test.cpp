#include "box_samples.h"
#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/sort_and_sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

using namespace muslin;
using namespace muslin::testing_boxes;

namespace {

// Every test runs on both structures: all pairs is the referee of each.
template <class Broad>
class broad : public testing::Test {
protected:
    void TearDown() override { set_thread_count(0); }
};

using Structures = testing::Types<BoxTree, SortAndSweep>;
TYPED_TEST_SUITE(broad, Structures);

template <class Broad>
Broad built(std::span<const Box> boxes) {
    Broad structure;
    structure.build(boxes);
    return structure;
}

template <class Broad>
void expect_right(const Broad& structure, std::span<const Box> boxes) {
    const Pairs expected = all_self_pairs(boxes), found = self_pairs(structure);
    ASSERT_EQ(found.size(), expected.size()) << boxes.size() << " boxes";
    ASSERT_EQ(sorted(found), expected) << boxes.size() << " boxes";
}

std::vector<Box> moved(std::vector<Box> boxes, double distance, std::uint64_t seed) {
    testing_math::Random random(seed);
    for (Box& box : boxes) {
        const Vec3 by = distance * random.vec3();
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] += static_cast<float>(by[axis]);
            box.high[axis] += static_cast<float>(by[axis]);
        }
    }
    return boxes;
}

} // namespace

TYPED_TEST(broad, nothing_gives_nothing) {
    const auto none = built<TypeParam>({});
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(none.chunk_count(), 0u);
    EXPECT_TRUE(self_pairs(none).empty());
    const auto one = built<TypeParam>(random_boxes(1, 1, 1));
    EXPECT_TRUE(self_pairs(one).empty());
    EXPECT_TRUE(pairs_between(one, none).empty());
    EXPECT_TRUE(pairs_between(none, one).empty());
    EXPECT_EQ(pairs_between(one, one), (Pairs{{0, 0}}));
}

TYPED_TEST(broad, every_small_number_of_boxes) {
    for (int count = 1; count <= 300; ++count) {
        const auto boxes = random_boxes(count, 2.0 / std::cbrt(count), 100 + count);
        ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(boxes), boxes));
    }
}

TYPED_TEST(broad, many_boxes) {
    const auto boxes = random_boxes(12345, 0.2, 7);
    ASSERT_GT(all_self_pairs(boxes).size(), 10000u);
    ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(boxes), boxes));
    const auto sheet = crumpled_boxes(50);
    ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(sheet), sheet));
}

TYPED_TEST(broad, one_memory_serves_many_builds) {
    TypeParam structure;
    for (const int count : {5000, 3, 700, 0, 64, 65}) {
        const auto boxes = random_boxes(count, 0.3, count);
        structure.build(boxes);
        EXPECT_EQ(structure.size(), boxes.size());
        ASSERT_NO_FATAL_FAILURE(expect_right(structure, boxes));
    }
}

TYPED_TEST(broad, identical_boxes_all_overlap) {
    const std::size_t count = 3000;
    const std::vector<Box> boxes(count, Box::around({0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}));
    EXPECT_EQ(sorted(self_pairs(built<TypeParam>(boxes))).size(), count * (count - 1) / 2);
    const std::vector<Box> points(500, Box::around({0.1, 0.2, 0.3}));
    ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(points), points));
}

TYPED_TEST(broad, flat_boxes_that_touch) {
    std::vector<Box> boxes;
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 40; ++j)
            boxes.push_back(Box::around({1.0 * i, 0, 1.0 * j}, {i + 1.0, 0, j + 1.0}));
    const auto structure = built<TypeParam>(boxes);
    // Neighbours share sides: right 40 * 39, down as many, two diagonals of 39 * 39.
    EXPECT_EQ(self_pairs(structure).size(), 2u * 40 * 39 + 2u * 39 * 39);
    ASSERT_NO_FATAL_FAILURE(expect_right(structure, boxes));
}

TYPED_TEST(broad, a_large_box_meets_all_the_small_ones) {
    auto boxes = random_boxes(1000, 0.01, 3);
    boxes.push_back(Box::around({-2, -2, -2}, {2, 2, 2}));
    boxes.push_back(Box::around({-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}));
    boxes.push_back(Box::around({1e38, 1e38, 1e38}, {3e38, 3e38, 3e38}));
    ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(boxes), boxes));
}

TYPED_TEST(broad, empty_boxes_are_never_met) {
    auto boxes = random_boxes(500, 0.4, 4);
    for (std::size_t i = 0; i < boxes.size(); i += 3)
        boxes[i] = Box::empty();
    boxes[1] = Box::around({-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300});
    const Pairs found = self_pairs(built<TypeParam>(boxes));
    ASSERT_FALSE(found.empty());
    for (const auto& [i, j] : found)
        ASSERT_TRUE(i % 3 != 0 && j % 3 != 0);
    Pairs expected = all_self_pairs(boxes);
    std::erase_if(expected, [](const Pair& p) { return p[0] % 3 == 0 || p[1] % 3 == 0; });
    EXPECT_EQ(sorted(found), expected);
}

TYPED_TEST(broad, boxes_that_are_no_numbers_do_no_harm) {
    auto boxes = random_boxes(300, 0.4, 4);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < boxes.size(); i += 10)
        for (int axis = 0; axis < 3; ++axis)
            boxes[i].low[axis] = boxes[i].high[axis] = i % 20 == 0 ? nan : -nan;
    ASSERT_NO_FATAL_FAILURE(expect_right(built<TypeParam>(boxes), boxes));
}

TYPED_TEST(broad, moved_boxes_are_followed) {
    auto boxes = random_boxes(2000, 0.2, 11);
    auto structure = built<TypeParam>(boxes);
    for (const double distance : {1e-3, 0.05, 0.5, 5.0, 0.0}) {
        boxes = moved(boxes, distance, 12);
        structure.refit(boxes);
        ASSERT_NO_FATAL_FAILURE(expect_right(structure, boxes));
    }
    for (int frame = 0; frame < 5; ++frame) {
        const auto sheet = crumpled_boxes(20, 0.05 * frame);
        if (frame == 0)
            structure.build(sheet);
        else
            structure.refit(sheet);
        ASSERT_NO_FATAL_FAILURE(expect_right(structure, sheet));
    }
    EXPECT_THROW(structure.refit(boxes), std::logic_error);
}

TYPED_TEST(broad, pairs_of_two_sets) {
    const int counts[][2] = {{1, 1}, {1, 500}, {500, 1}, {37, 1000}, {3000, 200}, {900, 900}};
    for (const auto& [many, others] : counts) {
        auto a = random_boxes(many, 0.3, 21);
        auto b = random_boxes(others, 0.6, 22);
        auto one = built<TypeParam>(a), other = built<TypeParam>(b);
        EXPECT_EQ(sorted(pairs_between(one, other)), all_pairs(a, b));
        a = moved(a, 0.2, 23);
        b = moved(b, 0.2, 24);
        one.refit(a);
        other.refit(b);
        const Pairs expected = all_pairs(a, b);
        EXPECT_EQ(sorted(pairs_between(one, other)), expected);
    }
}

TYPED_TEST(broad, sets_that_spread_along_different_axes) {
    std::vector<Box> along_x, along_z;
    for (int i = 0; i < 400; ++i) {
        along_x.push_back(Box::around({0.01 * i - 2, -0.1, -0.1}, {0.01 * i - 1.98, 0.1, 0.1}));
        along_z.push_back(Box::around({-0.1, -0.1, 0.01 * i - 2}, {0.1, 0.1, 0.01 * i - 1.98}));
    }
    const Pairs expected = all_pairs(along_x, along_z);
    ASSERT_GT(expected.size(), 100u);
    EXPECT_EQ(sorted(pairs_between(built<TypeParam>(along_x), built<TypeParam>(along_z))),
              expected);
}

TYPED_TEST(broad, output_does_not_depend_on_threads) {
    const auto first = crumpled_boxes(40), second = crumpled_boxes(40, 0.1);
    const auto body = random_boxes(900, 0.3, 31);
    Pairs self, between;
    std::size_t chunks = 0;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        auto cloth = built<TypeParam>(first);
        cloth.refit(second);
        const auto solid = built<TypeParam>(body);
        if (threads == 1) {
            self = self_pairs(cloth);
            between = pairs_between(cloth, solid);
            chunks = cloth.chunk_count();
            ASSERT_GT(chunks, 8u) << "too few to share";
            ASSERT_FALSE(between.empty());
        }
        EXPECT_EQ(cloth.chunk_count(), chunks);
        EXPECT_EQ(self_pairs(cloth), self) << threads << " threads";
        EXPECT_EQ(pairs_between(cloth, solid), between) << threads << " threads";
    }
}

TEST(box_tree, bounds_hold_every_box) {
    EXPECT_TRUE(BoxTree().bounds().is_empty());
    const auto boxes = random_boxes(1000, 0.3, 5);
    Box all = Box::empty();
    for (const Box& box : boxes)
        all.merge(box);
    const Box found = built<BoxTree>(boxes).bounds();
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(found.low[axis], all.low[axis]);
        EXPECT_EQ(found.high[axis], all.high[axis]);
    }
}

TEST(box_tree, inflation_tells_when_to_build_again) {
    const auto boxes = random_boxes(4000, 0.05, 41);
    auto tree = built<BoxTree>(boxes);
    EXPECT_EQ(tree.inflation(), 1.0);
    tree.refit(moved(boxes, 0.001, 42));
    EXPECT_NEAR(tree.inflation(), 1.0, 0.01);
    tree.refit(moved(boxes, 0.1, 42));
    EXPECT_GT(tree.inflation(), 1.3);
    const auto far = moved(boxes, 1.0, 43);
    tree.refit(far);
    EXPECT_GT(tree.inflation(), 5.0);
    tree.build(far);
    EXPECT_EQ(tree.inflation(), 1.0);
    tree.refit(boxes);
    tree.refit(far);
    EXPECT_EQ(tree.inflation(), 1.0) << "depends on the boxes, not on the way to them";
    EXPECT_EQ(BoxTree().inflation(), 1.0);
}

TEST(sort_and_sweep, sweeps_along_the_widest_axis) {
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<Box> boxes;
        for (int i = 0; i < 10; ++i) {
            Vec3 p{0.1 * (i % 2), 0.1 * (i % 3), 0.1 * (i % 4)};
            p[axis] = i;
            boxes.push_back(Box::around(p));
        }
        EXPECT_EQ(built<SortAndSweep>(boxes).axis(), axis);
    }
}
