#include "muslin/math/pack.h"
#include "muslin/math/vec.h"

#include "math/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

using namespace muslin;
using testing_math::Random;

// Each lane of a pack gives the bits that the same operation gives on one double.

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Ordinary numbers of several sizes, and those at the edges.
std::vector<double> samples() {
    std::vector<double> out = {0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e300, infinity, -infinity};
    Random random(21);
    for (double size = 1e-12; size < 1e13; size *= 1e3)
        for (int i = 0; i < 4; ++i)
            out.push_back(size * random.number());
    return out;
}

bool same_bits(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Compares each lane of packed(A, B) with scalar(a, b); every sample meets every lane.
template <class Packed, class Scalar>
void compare_lanes(const char* what, Packed packed, Scalar scalar) {
    const std::vector<double> numbers = samples();
    const std::size_t n = numbers.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            Pack4 a(0.0), b(0.0);
            for (int lane = 0; lane < Pack4::lanes; ++lane) {
                a.set(lane, numbers[(i + static_cast<std::size_t>(lane)) % n]);
                b.set(lane, numbers[(j + static_cast<std::size_t>(3 * lane)) % n]);
            }
            const Pack4 result = packed(a, b);
            for (int lane = 0; lane < Pack4::lanes; ++lane) {
                const double expected = scalar(a[lane], b[lane]);
                ASSERT_TRUE(same_bits(result[lane], expected))
                    << what << "(" << a[lane] << ", " << b[lane] << ") in lane " << lane << ": "
                    << result[lane] << ", on one double " << expected;
            }
        }
}

#define MUSLIN_COMPARE(expression)                                                                 \
    compare_lanes(                                                                                 \
        #expression, [](const Pack4& a, const Pack4& b) -> Pack4 { return expression; },           \
        [](double a, double b) -> double { return expression; })

} // namespace

TEST(pack, lanes_are_set_and_read) {
    Pack4 a(3.5);
    for (int lane = 0; lane < Pack4::lanes; ++lane)
        EXPECT_EQ(a[lane], 3.5);
    a.set(2, -1.0);
    EXPECT_EQ(a[1], 3.5);
    EXPECT_EQ(a[2], -1.0);
    EXPECT_EQ(a[3], 3.5);
}

TEST(pack, arithmetic) {
    MUSLIN_COMPARE(a + b);
    MUSLIN_COMPARE(a - b);
    MUSLIN_COMPARE(a * b);
    MUSLIN_COMPARE(a / b);
    compare_lanes(
        "-a", [](const Pack4& a, const Pack4&) { return -a; }, [](double a, double) { return -a; });
}

TEST(pack, maximum_and_minimum) {
    MUSLIN_COMPARE(maximum(a, b));
    MUSLIN_COMPARE(minimum(a, b));
}

TEST(pack, select_by_comparison) {
    MUSLIN_COMPARE(select(a < b, a, b));
    MUSLIN_COMPARE(select(a > b, a, b));
    MUSLIN_COMPARE(select(a < b, b - a, a + b));
}

TEST(pack, comparisons_with_not_a_number_are_false) {
    const Pack4 nan(std::numeric_limits<double>::quiet_NaN()), one(1.0), two(2.0);
    for (int lane = 0; lane < Pack4::lanes; ++lane) {
        EXPECT_EQ(select(nan < one, one, two)[lane], 2.0);
        EXPECT_EQ(select(nan > one, one, two)[lane], 2.0);
    }
}

TEST(pack, square_root) {
    const auto root = [](const auto& a) {
        using std::sqrt;
        return sqrt(a);
    };
    compare_lanes(
        "sqrt", [&](const Pack4& a, const Pack4&) { return root(a); },
        [&](double a, double) { return root(a); });
}

TEST(pack, absolute_value) {
    const std::vector<double> numbers = samples();
    for (const double x : numbers)
        for (int lane = 0; lane < Pack4::lanes; ++lane)
            EXPECT_EQ(abs(Pack4(x))[lane], std::abs(x)); // the sign of a zero is left open
}

TEST(pack, angle) {
    const auto angle = [](const auto& y, const auto& x) {
        using std::atan2;
        return atan2(y, x);
    };
    compare_lanes("atan2", angle, angle);
}

TEST(pack, vectors_of_packs_compute_four_vectors) {
    using Vec3x4 = Vec3T<Pack4>;
    Random random(22);
    for (int trial = 0; trial < 50; ++trial) {
        Vec3 a[4], b[4];
        Vec3x4 pa = {0.0, 0.0, 0.0}, pb = {0.0, 0.0, 0.0};
        for (int lane = 0; lane < 4; ++lane) {
            a[lane] = random.vec3();
            b[lane] = random.vec3();
            for (int i = 0; i < 3; ++i) {
                pa[i].set(lane, a[lane][i]);
                pb[i].set(lane, b[lane][i]);
            }
        }
        const Vec3x4 product = cross(pa, pb);
        const Pack4 length = norm(pa), inner = dot(pa, pb);
        const Vec3x4 image = outer(pa, pb) * pb;
        for (int lane = 0; lane < 4; ++lane) {
            // Contraction into fused operations may differ between the two, hence not bit by bit.
            EXPECT_NEAR(inner[lane], dot(a[lane], b[lane]), 1e-15);
            EXPECT_NEAR(length[lane], norm(a[lane]), 1e-15);
            for (int i = 0; i < 3; ++i) {
                EXPECT_NEAR(product[i][lane], cross(a[lane], b[lane])[i], 1e-15);
                EXPECT_NEAR(image[i][lane], (outer(a[lane], b[lane]) * b[lane])[i], 1e-15);
            }
        }
    }
}

TEST(pack, loads_and_stores_anywhere) {
    std::vector<double> from(9), to(9, -1);
    for (int i = 0; i < 9; ++i)
        from[i] = i;
    for (int i = 0; i <= 5; ++i) {
        store4(load4(from.data() + i), to.data() + i);
        for (int k = 0; k < 9; ++k)
            EXPECT_EQ(to[k], k < i + 4 ? k : -1);
    }
}

TEST(pack, transposes_four) {
    Pack4 row[4];
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            row[r].set(c, 10 * r + c);
    transpose4(row[0], row[1], row[2], row[3]);
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            EXPECT_EQ(row[r][c], 10 * c + r);
}

TEST(pack, copies_past_the_cache) {
    std::vector<double> from(40);
    for (int i = 0; i < 40; ++i)
        from[i] = i;
    for (int begin = 0; begin < 5; ++begin) // any alignment
        for (int count = 0; count <= 30; ++count) {
            std::vector<double> to(40, -1);
            copy_past_cache(from.data() + 3, count, to.data() + begin);
            for (int k = 0; k < 40; ++k)
                EXPECT_EQ(to[k], k >= begin && k < begin + count ? k - begin + 3 : -1);
        }
}
