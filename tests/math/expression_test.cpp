// Formulas: what they are worth, how they differentiate, and what their errors say.
#include "muslin/math/expression.h"

#include "muslin/base/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr std::string_view time_alone[] = {"t"};
constexpr std::string_view plane[] = {"x", "y"};

double value(std::string_view text, double t = 0) {
    return Expression(text, time_alone)(std::array{t});
}

Problem problem(std::string_view text) {
    try {
        Expression(text, time_alone);
    } catch (const InputError& error) {
        return error.problem();
    }
    ADD_FAILURE() << text << ": no error";
    return {};
}

TEST(Expression, HasTheValueOfItsArithmetic) {
    const struct {
        const char* text;
        double value;
    } cases[] = {{"0", 0},
                 {"1e3", 1000},
                 {" .5 + 2.", 2.5},
                 {"1 - 2 - 3", -4},
                 {"8 / 4 / 2", 1},
                 {"2 + 3 * 4", 14},
                 {"(2 + 3) * 4", 20},
                 {"2 ^ 3 ^ 2", 512},
                 {"-2 ^ 2", -4},
                 {"2 ^ -1", 0.5},
                 {"- - 3", 3},
                 {"2 * -3", -6},
                 {"+t", 3},
                 {"360 * t / 1.2", 900},
                 {"sin(pi / 6)", 0.5},
                 {"cos(pi)", -1},
                 {"tan(pi / 4)", 1},
                 {"asin(1) * 2", std::numbers::pi},
                 {"acos(0) * 2", std::numbers::pi},
                 {"atan(1) * 4", std::numbers::pi},
                 {"atan2(1, -1)", 0.75 * std::numbers::pi},
                 {"exp(log(7))", 7},
                 {"sqrt(16)", 4},
                 {"abs(-2.5)", 2.5},
                 {"floor(-2.5)", -3},
                 {"min(3, 1, 2)", 1},
                 {"max(1, 4)", 4},
                 {"mod(7.5, 2)", 1.5},
                 {"mod(-1, 4)", 3},
                 {"step(3, t)", 1},
                 {"step(3.1, t)", 0},
                 {"smoothstep(0, 6, t)", 0.5},
                 {"smoothstep(4, 6, t)", 0},
                 {"smoothstep(1, 2, t)", 1},
                 {"clamp(t, 4, 5)", 4},
                 {"clamp(t, 1, 2)", 2}};
    for (const auto& c : cases)
        EXPECT_NEAR(value(c.text, 3), c.value, 1e-12) << c.text;
}

TEST(Expression, KnowsWhetherAnythingVaries) {
    EXPECT_TRUE(Expression("2 * pi", time_alone).is_constant());
    EXPECT_FALSE(Expression("0 * t", time_alone).is_constant());
}

TEST(Expression, GivesWhatArithmeticGives) {
    EXPECT_TRUE(std::isinf(value("1 / t")));
    EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
}

// Every function and operator against central differences, first and second derivatives.
TEST(Expression, DifferentiatesExactly) {
    const char* texts[] = {"x * y + x / y - y",
                           "x ^ 3 + y ^ 2.5 + 2 ^ x + x ^ y",
                           "sin(x) * cos(y) + tan(x)",
                           "asin(x / 2) + acos(y / 3) + atan(x * y)",
                           "exp(-x) * log(y)",
                           "sqrt(x + y) + abs(-x)",
                           "atan2(y, x)",
                           "min(x, y) * max(x, y ^ 2)",
                           "smoothstep(0, 2, x * y)",
                           "clamp(x * y, 0, 5) + step(0, x) * y",
                           "mod(x, 0.3) + floor(y)"};
    for (const char* text : texts) {
        const Expression e(text, plane);
        const std::array at = {0.7, 1.3};
        std::array<double, 2> gradient;
        EXPECT_EQ(e.differentiate(at, gradient), e(at)) << text;
        const auto slope = [&](std::array<double, 2> p, int i) {
            std::array<double, 2> g;
            e.differentiate(p, g);
            return g[static_cast<std::size_t>(i)];
        };
        const double h = 1e-5;
        for (int i = 0; i < 2; ++i) {
            std::array low = at, high = at;
            low[i] -= h;
            high[i] += h;
            EXPECT_NEAR(gradient[i], (e(high) - e(low)) / (2 * h), 1e-8) << text;
            // Along (1, 1), by duals of duals.
            using Twice = Dual<Dual<double>>;
            const Twice x(Dual<double>(at[0], i == 0), Dual<double>(1, 0));
            const Twice y(Dual<double>(at[1], i == 1), Dual<double>(1, 0));
            const double second = e.evaluate(std::span<const Twice>(std::array{x, y})).slope.slope;
            const double difference =
                (slope(high, 0) + slope(high, 1) - slope(low, 0) - slope(low, 1)) / (2 * h);
            EXPECT_NEAR(second, difference, 1e-6) << text;
        }
    }
}

TEST(Expression, APowerWithAConstantExponentHasASlopeAtZero) {
    std::array<double, 1> gradient;
    EXPECT_EQ(Expression("t ^ 2", time_alone).differentiate(std::array{0.0}, gradient), 0);
    EXPECT_EQ(gradient[0], 0);
    Expression("t ^ 1", time_alone).differentiate(std::array{0.0}, gradient);
    EXPECT_EQ(gradient[0], 1);
    Expression("3", {}).differentiate({}, {});
}

TEST(Expression, SaysWhereItIsWrong) {
    const struct {
        const char* text;
        int column;
        const char *expected, *found;
    } cases[] = {
        {"", 1, "a number, a name or '('", "the end of the formula"},
        {"  ", 3, "a number, a name or '('", "the end of the formula"},
        {"2 +", 4, "a number, a name or '('", "the end of the formula"},
        {"2 * * 3", 5, "a number, a name or '('", "'*'"},
        {"(1 + 2", 7, "')'", "the end of the formula"},
        {"1 + 2)", 6, "an operator", "')'"},
        {"2 t", 3, "an operator", "'t'"},
        {"t < 2", 3, "an operator", "'<'"},
        {"1.2.3", 1, "a number", "'1.2.3'"},
        {"2x", 1, "a number", "'2x'"},
        {"1e999", 1, "a number", "'1e999'"},
        {"sin t", 5, "'(' after sin", "'t'"},
        {"sin()", 5, "a number, a name or '('", "')'"},
        {"sin(1, 2)", 6, "')' after 1 argument of sin", "','"},
        {"atan2(1)", 8, "2 arguments of atan2", "')'"},
        {"clamp(1, 2)", 11, "3 arguments of clamp", "')'"},
        {"min(1)", 6, "2 arguments of min", "')'"},
        {"max(1, 2", 9, "',' or ')'", "the end of the formula"},
        {"1 + \xc3\xa9", 5, "a number, a name or '('", "'\xc3\xa9'"},
    };
    for (const auto& c : cases) {
        const Problem p = problem(c.text);
        EXPECT_EQ(p.where.column, c.column) << c.text;
        EXPECT_EQ(p.expected, c.expected) << c.text;
        EXPECT_EQ(p.found, c.found) << c.text;
    }
    const Problem name = problem("360 * tt");
    EXPECT_EQ(name.where.column, 7);
    EXPECT_EQ(name.expected.substr(0, 22), "one of t, pi, sin, cos");
    EXPECT_EQ(name.found, "'tt'");
    EXPECT_EQ(problem("system(1)").found, "'system'");
}

// A null byte is a character like any other, not the end.
TEST(Expression, DoesNotEndAtANullByte) {
    EXPECT_THROW(Expression(std::string_view("1\0+ 2", 5), time_alone), InputError);
}

TEST(Expression, CannotExhaustTheStack) {
    const auto repeated = [](const std::string& part, int count) {
        std::string out;
        for (int i = 0; i < count; ++i)
            out += part;
        return out;
    };
    for (const std::string part : {"(", "-", "+", "sin(", "2^", "1+(", "max(1,"})
        EXPECT_NE(problem(repeated(part, 4000 / static_cast<int>(part.size()))).found, "") << part;
    EXPECT_EQ(problem(repeated("(", 100)).expected, "at most 64 levels of parentheses and signs");
    EXPECT_EQ(problem(repeated("1", 5000)).expected, "a formula of at most 4096 characters");
    EXPECT_EQ(value(repeated("(", 60) + "t" + repeated(")", 60), 2), 2);
    EXPECT_EQ(value("1" + repeated("+1", 2000)), 2001);
    EXPECT_EQ(value(repeated("1+(", 60) + "1" + repeated(")", 60)), 61);
}

} // namespace
} // namespace muslin
