#include "muslin/collision/broad/sphere_tree.h"

#include "box_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

using namespace muslin;
using testing_boxes::Pairs;
using testing_boxes::pairs_between;
using testing_boxes::self_pairs;

namespace {

class sphere_tree : public testing::Test {
protected:
    void TearDown() override { set_thread_count(0); }
};

/// Centres in the cube of side 2, radii up to `size`; every ninth is a point.
std::vector<Sphere> random_spheres(int count, double size, std::uint64_t seed) {
    testing_math::Random random(seed);
    std::vector<Sphere> spheres;
    for (int i = 0; i < count; ++i)
        spheres.push_back({random.vec3(), i % 9 == 0 ? 0.0 : size * (0.5 + 0.5 * random.number())});
    return spheres;
}

bool touch(const Sphere& a, const Sphere& b) {
    return norm(b.centre - a.centre) <= a.radius + b.radius;
}

Pairs all_self_pairs(std::span<const Sphere> spheres) {
    Pairs pairs;
    for (int i = 0; i < static_cast<int>(spheres.size()); ++i)
        for (int j = i + 1; j < static_cast<int>(spheres.size()); ++j)
            if (touch(spheres[i], spheres[j]))
                pairs.push_back({i, j});
    return pairs;
}

void expect_right(const SphereTree& tree, std::span<const Sphere> spheres) {
    const Pairs expected = all_self_pairs(spheres), found = self_pairs(tree);
    ASSERT_EQ(found.size(), expected.size()) << spheres.size() << " balls";
    ASSERT_EQ(testing_boxes::sorted(found), expected) << spheres.size() << " balls";
}

long double distance(const Vec3& a, const Vec3& b) {
    long double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const long double d = static_cast<long double>(b[k]) - a[k];
        sum += d * d;
    }
    return std::sqrt(sum);
}

bool holds(const Sphere& outer, const Sphere& inner) {
    return inner.is_empty() || distance(outer.centre, inner.centre) + inner.radius <= outer.radius;
}

/// Every node holds its children.
void expect_enclosing(const SphereTree& tree) {
    const auto nodes = tree.nodes();
    for (std::size_t i = 1; i < nodes.size() / 2; ++i)
        for (std::size_t child : {2 * i, 2 * i + 1})
            ASSERT_TRUE(holds(nodes[i], nodes[child])) << i;
}

SphereTree built(std::span<const Sphere> spheres) {
    SphereTree tree;
    tree.build(spheres);
    return tree;
}

std::vector<Sphere> moved(std::vector<Sphere> spheres, double distance, std::uint64_t seed) {
    testing_math::Random random(seed);
    for (Sphere& s : spheres) {
        s.centre += distance * random.vec3();
        s.radius *= 1 + 0.5 * random.number();
    }
    return spheres;
}

} // namespace

TEST_F(sphere_tree, nothing_gives_nothing) {
    const SphereTree none = built({});
    EXPECT_EQ(none.chunk_count(), 0u);
    EXPECT_TRUE(self_pairs(none).empty());
    EXPECT_TRUE(none.bounds().is_empty());
    const SphereTree one = built(random_spheres(1, 1, 1));
    EXPECT_TRUE(self_pairs(one).empty());
    EXPECT_TRUE(pairs_between(one, none).empty());
    EXPECT_TRUE(pairs_between(none, one).empty());
    EXPECT_EQ(pairs_between(one, one), (Pairs{{0, 0}}));
}

TEST_F(sphere_tree, finds_the_pairs_of_all_pairs) {
    for (int count = 1; count <= 150; ++count) {
        const auto spheres = random_spheres(count, 1.0 / std::cbrt(count), 100 + count);
        ASSERT_NO_FATAL_FAILURE(expect_right(built(spheres), spheres));
    }
    const auto many = random_spheres(5000, 0.1, 7);
    ASSERT_GT(all_self_pairs(many).size(), 3000u);
    const SphereTree tree = built(many);
    ASSERT_NO_FATAL_FAILURE(expect_right(tree, many));
    ASSERT_NO_FATAL_FAILURE(expect_enclosing(tree));
    const auto others = random_spheres(700, 0.2, 8);
    Pairs expected;
    for (int i = 0; i < 5000; ++i)
        for (int j = 0; j < 700; ++j)
            if (touch(many[i], others[j]))
                expected.push_back({i, j});
    EXPECT_EQ(testing_boxes::sorted(pairs_between(tree, built(others))), expected);
}

TEST_F(sphere_tree, moved_balls_are_followed) {
    auto spheres = random_spheres(2000, 0.1, 11);
    SphereTree tree = built(spheres);
    for (const double by : {1e-3, 0.05, 0.5, 5.0, 0.0}) {
        spheres = moved(spheres, by, 12);
        tree.refit(spheres);
        ASSERT_NO_FATAL_FAILURE(expect_right(tree, spheres));
        ASSERT_NO_FATAL_FAILURE(expect_enclosing(tree));
    }
    EXPECT_THROW(tree.refit(std::span(spheres).first(10)), std::logic_error);
}

TEST_F(sphere_tree, empty_balls_are_never_met) {
    auto spheres = random_spheres(300, 0.5, 4);
    for (std::size_t i = 0; i < spheres.size(); i += 3)
        spheres[i] = Sphere::empty();
    spheres[1].radius = 1e100;
    const auto found = self_pairs(built(spheres));
    for (const auto& [i, j] : found)
        ASSERT_TRUE(i % 3 != 0 && j % 3 != 0);
    EXPECT_EQ(testing_boxes::sorted(found), all_self_pairs(spheres));
}

TEST_F(sphere_tree, output_does_not_depend_on_threads) {
    const auto first = random_spheres(6000, 0.1, 21), second = moved(first, 0.1, 22);
    const auto body = random_spheres(500, 0.2, 23);
    Pairs self, between;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        SphereTree tree = built(first);
        tree.refit(second);
        if (threads == 1) {
            self = self_pairs(tree);
            between = pairs_between(tree, built(body));
            ASSERT_GT(tree.chunk_count(), 8u);
            ASSERT_FALSE(between.empty());
        }
        EXPECT_EQ(self_pairs(tree), self) << threads;
        EXPECT_EQ(pairs_between(tree, built(body)), between) << threads;
    }
}

// [Bayraktar07 4]: leaves.
TEST_F(sphere_tree, a_leaf_holds_its_triangle_and_is_no_larger_than_needed) {
    testing_math::Random random(31);
    int acute = 0;
    for (int i = 0; i < 20000; ++i) {
        const double scale = std::ldexp(1.0, i % 120 - 60);
        const Vec3 offset = i % 4 == 0 ? 1e3 * random.vec3() : Vec3{0, 0, 0};
        Vec3 p[3], any = random.vec3();
        for (Vec3& x : p)
            x = scale * (offset + any + (i % 3 == 0 ? 1e-6 : 1.0) * random.vec3());
        const Sphere ball = Sphere::around(p[0], p[1], p[2]);
        double longest = 0;
        for (int k = 0; k < 3; ++k) {
            ASSERT_LE(distance(ball.centre, p[k]), static_cast<long double>(ball.radius));
            longest = std::max(longest, norm(p[(k + 1) % 3] - p[k]));
        }
        // The printed radius is the longest edge; no triangle needs more than sqrt(3)/2 of it.
        const double rounding = 1e-12 * longest + 1e-15 * norm(ball.centre);
        ASSERT_LE(ball.radius, std::sqrt(0.75) * longest + rounding);
        ASSERT_GE(ball.radius, longest / 2 - rounding);
        acute += ball.radius > 0.501 * longest; // half the edge would not hold it
    }
    EXPECT_GT(acute, 1000);
}

// [Bayraktar07 4]: "the radius of a higher level sphere is calculated by finding the length of the
// line connecting the centers of the child spheres". Centred between them it holds equal children
// only where they do not overlap, and two triangles of a square of the paper's grid have one
// centre: the printed ball has no size at all.
TEST_F(sphere_tree, the_printed_parent_does_not_hold_its_children) {
    const Vec3 a = {0, 0, 0}, b = {1, 0, 0}, c = {1, 0, 1}, d = {0, 0, 1};
    const Sphere one = Sphere::around(a, b, c), two = Sphere::around(a, c, d);
    const double printed = norm(two.centre - one.centre);
    EXPECT_EQ(printed, 0);
    EXPECT_LT(printed, one.radius);
    EXPECT_TRUE(holds(Sphere::around(one, two), one) && holds(Sphere::around(one, two), two));

    // Neighbouring squares: centres 1 apart, radii 0.71.
    const Vec3 right = {1, 0, 0};
    const Sphere three = Sphere::around(a + right, b + right, c + right);
    const Sphere parent = {0.5 * (one.centre + three.centre), norm(three.centre - one.centre)};
    EXPECT_FALSE(holds(parent, one));
    EXPECT_TRUE(holds(Sphere::around(one, three), one));
    EXPECT_NEAR(Sphere::around(one, three).radius, 0.5 + std::sqrt(0.5), 1e-12);
}

TEST_F(sphere_tree, the_smallest_ball_around_two) {
    testing_math::Random random(41);
    for (int i = 0; i < 20000; ++i) {
        const Sphere a = {random.vec3(), std::ldexp(0.5 + 0.5 * random.number(), -(i % 40))};
        const Sphere b = {random.vec3(), std::ldexp(0.5 + 0.5 * random.number(), -(i % 17))};
        const Sphere both = Sphere::around(a, b);
        ASSERT_TRUE(holds(both, a) && holds(both, b));
        const double across = norm(b.centre - a.centre) + a.radius + b.radius;
        const double smallest = std::max({a.radius, b.radius, across / 2});
        ASSERT_NEAR(both.radius, smallest, 1e-13 * smallest);
    }
}
