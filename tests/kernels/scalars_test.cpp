#include "kernels/kernel_calls.h"
#include "kernels/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

// Every kernel in float and in double, on the same numbers. How far float may be off follows from
// the inputs: as much as double is when its inputs change by the rounding of a float.

namespace muslin::test {
namespace {

constexpr double float_epsilon = std::numeric_limits<float>::epsilon();

/// Where the points of an element are.
enum class Places { anywhere, in_one, on_a_line, in_two };

/// Numbers that a float can hold, the same for every scalar.
template <class T>
class Inputs {
public:
    Inputs(std::uint64_t seed, Places places, Random* disturbance = nullptr)
        : random_(seed), places_(places), disturbance_(disturbance) {}

    T number(double low, double high) { return disturbed(random_.uniform(low, high)); }
    Vec3T<T> vector(double size) {
        if (places_ != Places::anywhere)
            return {T(0), T(0), T(0)};
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    Vec3T<T> unit() {
        const Vec3 a = random_.rotation() * Vec3{1, 0, 0};
        return {disturbed(a.x), disturbed(a.y), disturbed(a.z)};
    }
    Vec3T<T> point() {
        Vec3 at = {0.25, 0.5, 0.125};
        if (places_ == Places::anywhere)
            at = at + random_.vec(0.03);
        else if (places_ == Places::on_a_line)
            at = at + 0.015625 * std::floor(random_.uniform(0, 4)) * Vec3{1, 1, 0};
        else if (places_ == Places::in_two && random_.sign() > 0)
            at = at + Vec3{0.03125, 0, 0};
        return {disturbed(at.x), disturbed(at.y), disturbed(at.z)};
    }
    template <int Count>
    void points(Vec3T<T> (&out)[Count]) {
        for (Vec3T<T>& p : out)
            p = point();
    }
    template <int Count>
    void vectors(Vec3T<T> (&out)[Count], double size) {
        for (Vec3T<T>& p : out)
            p = vector(size);
    }

private:
    T disturbed(double a) {
        const double held = static_cast<float>(a);
        return static_cast<T>(
            disturbance_ ? held * (1 + float_epsilon * disturbance_->uniform(-1, 1)) : held);
    }

    Random random_;
    Places places_;
    Random* disturbance_;
};

/// The results of one kernel.
struct Result {
    std::string kernel;
    bool regular_only = false; ///< no degenerate input is allowed
    double slack = 0;          ///< relative: of a kernel that stops within a tolerance
    std::vector<double> values;
};

template <class T>
class Outputs {
public:
    void kernel(const char* name, double slack = 0) { results.push_back({name, false, slack, {}}); }
    void regular(const char* name) { results.push_back({name, true, 0, {}}); }
    template <class... Values>
    void add(const Values&... values) {
        (store(values), ...);
    }

    std::vector<Result> results;

private:
    void store(const T& a) { results.back().values.push_back(static_cast<double>(a)); }
    void store(const Vec3T<T>& a) {
        for (int i = 0; i < 3; ++i)
            store(a[i]);
    }
    void store(const Mat3T<T>& a) {
        for (int i = 0; i < 9; ++i)
            store(a.m[i / 3][i % 3]);
    }
};

template <class T>
std::vector<Result> all_kernels(std::uint64_t seed, Places places, Random* disturbance = nullptr) {
    Inputs<T> in(seed, places, disturbance);
    Outputs<T> out;
    call_all_kernels<T>(in, out);
    return out.results;
}

double largest(const Result& a) {
    double most = 0;
    for (const double x : a.values)
        most = std::max(most, std::abs(x));
    return most;
}

double difference(const Result& a, const Result& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        most = std::max(most, std::abs(a.values[i] - b.values[i]));
    return most;
}

} // namespace

TEST(scalars, float_agrees_with_double_within_the_rounding_of_the_inputs) {
    constexpr int samples = 300, disturbances = 12;
    std::map<std::string, int> beyond;
    for (int s = 0; s < samples; ++s) {
        const auto seed = static_cast<std::uint64_t>(s) + 1;
        const auto single = all_kernels<float>(seed, Places::anywhere);
        const auto exact = all_kernels<double>(seed, Places::anywhere);
        ASSERT_EQ(single.size(), exact.size());
        std::vector<double> allowed;
        for (const Result& result : exact)
            allowed.push_back((32 * float_epsilon + result.slack) * largest(result));
        Random disturbance(99);
        for (int d = 0; d < disturbances; ++d) {
            const auto disturbed = all_kernels<double>(seed, Places::anywhere, &disturbance);
            for (std::size_t k = 0; k < exact.size(); ++k)
                allowed[k] = std::max(allowed[k], 32 * difference(disturbed[k], exact[k]));
        }
        for (std::size_t k = 0; k < exact.size(); ++k) {
            EXPECT_FALSE(exact[k].values.empty()) << exact[k].kernel;
            if (!(difference(single[k], exact[k]) <= allowed[k]))
                ++beyond[exact[k].kernel];
        }
    }
    // A sample may lie where a kernel jumps, and float on the other side of it.
    for (const auto& [kernel, count] : beyond)
        EXPECT_LE(count, samples / 100)
            << kernel << ": float is off in " << count << " of " << samples;
}

template <class T>
void expect_numbers(Places places) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        for (const Result& result : all_kernels<T>(seed, places))
            for (const double x : result.values)
                ASSERT_TRUE(result.regular_only || std::isfinite(x))
                    << result.kernel << ", seed " << seed << ", " << sizeof(T) << " bytes";
}

TEST(scalars, degenerate_elements_give_numbers) {
    for (const Places places : {Places::in_one, Places::on_a_line, Places::in_two}) {
        expect_numbers<float>(places);
        expect_numbers<double>(places);
    }
}

TEST(scalars, constants_of_double_are_those_of_packs) {
    EXPECT_EQ(tiny_square<double>(), 1e-300);
    EXPECT_EQ(tiny_length<double>(), 1e-150);
    EXPECT_EQ(tiny_square<Pack4>()[3], 1e-300);
    EXPECT_GE(tiny_square<float>(), std::numeric_limits<float>::min());
    EXPECT_TRUE(std::isfinite(1 / tiny_square<float>()));
    EXPECT_GE(tiny_length<float>() * tiny_length<float>(), std::numeric_limits<float>::min());
}

} // namespace muslin::test
