#pragma once

#include "muslin/math/dual.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// A formula that a user wrote, such as "0.2 * sin(2 * pi * t)": compiled once to a flat program of
/// arithmetic, which runs on a stack of fixed size. Nothing else can be done by it.
///
/// There are numbers, the variables that the caller names, pi, + - * / ^, parentheses, and the
/// functions of docs/scene-format.md; angles are in radians. ^ binds strongest and to the right,
/// then the signs: -2^2 is -4.
class Expression {
public:
    static constexpr std::size_t max_length = 4096; ///< characters
    static constexpr int max_depth = 64;            ///< of parentheses, signs and the stack

    /// Throws InputError: problem().where.column is the column of the formula, from 1, and
    /// expected and found say the rest.
    Expression(std::string_view text, std::span<const std::string_view> variables);

    const std::string& text() const { return text_; }
    /// Whether any variable occurs.
    bool is_constant() const;
    /// Whether this one does, counted as the names were given.
    bool uses(int variable) const;

    /// The value for these values of the variables, in the order of their names. May be infinite or
    /// not a number: the caller says what then.
    double operator()(std::span<const double> variables) const { return evaluate(variables); }
    /// For tests: the value, and in `gradient` its derivative by each variable.
    double differentiate(std::span<const double> variables, std::span<double> gradient) const;
    /// On any scalar that has the functions of math/dual.h.
    template <class T>
    T evaluate(std::span<const T> variables) const;

private:
    friend class ExpressionParser;
    enum class Code : std::uint8_t {
        number,
        variable,
        add,
        subtract,
        multiply,
        divide,
        power,
        negate,
        sin,
        cos,
        tan,
        asin,
        acos,
        atan,
        exp,
        log,
        sqrt,
        abs,
        floor,
        atan2,
        min,
        max,
        mod,
        step,
        smoothstep,
        clamp
    };
    struct Operation {
        Code code;
        int variable = 0;
        double number = 0;
    };
    /// How many values an operation takes from the stack.
    static int operands(Code code);
    template <class T>
    static T apply(Code code, const T& a);
    template <class T>
    static T apply(Code code, const T& a, const T& b);

    std::string text_;
    std::vector<Operation> program_;
};

namespace expression_detail {

template <class T>
T mod(const T& x, const T& y) {
    using std::floor;
    return x - y * floor(x / y);
}
template <class T>
T step(const T& edge, const T& x) {
    return T(plain(x) < plain(edge) ? 0.0 : 1.0);
}
template <class T>
T clamp(const T& x, const T& low, const T& high) {
    return plain(x) < plain(low) ? low : plain(high) < plain(x) ? high : x;
}
/// 0 up to a, 1 from b on, smooth between: 3 s^2 - 2 s^3.
template <class T>
T smoothstep(const T& a, const T& b, const T& x) {
    const T s = clamp((x - a) / (b - a), T(0.0), T(1.0));
    return s * s * (T(3.0) - T(2.0) * s);
}

} // namespace expression_detail

template <class T>
T Expression::apply(Code code, const T& a) {
    using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::exp, std::log;
    using std::sqrt, std::floor;
    switch (code) {
    case Code::sin:
        return sin(a);
    case Code::cos:
        return cos(a);
    case Code::tan:
        return tan(a);
    case Code::asin:
        return asin(a);
    case Code::acos:
        return acos(a);
    case Code::atan:
        return atan(a);
    case Code::exp:
        return exp(a);
    case Code::log:
        return log(a);
    case Code::sqrt:
        return sqrt(a);
    case Code::floor:
        return floor(a);
    case Code::abs:
        return plain(a) < 0 ? -a : a;
    default:
        return -a;
    }
}

template <class T>
T Expression::apply(Code code, const T& a, const T& b) {
    using std::atan2;
    switch (code) {
    case Code::add:
        return a + b;
    case Code::subtract:
        return a - b;
    case Code::multiply:
        return a * b;
    case Code::divide:
        return a / b;
    case Code::power:
        return power(a, b);
    case Code::atan2:
        return atan2(a, b);
    case Code::min:
        return plain(b) < plain(a) ? b : a;
    case Code::max:
        return plain(a) < plain(b) ? b : a;
    case Code::mod:
        return expression_detail::mod(a, b);
    default:
        return expression_detail::step(a, b);
    }
}

template <class T>
T Expression::evaluate(std::span<const T> variables) const {
    std::array<T, max_depth> stack;
    std::size_t height = 0;
    for (const Operation& operation : program_) {
        const int count = operands(operation.code);
        height -= static_cast<std::size_t>(count);
        T* const a = stack.data() + height++; // the operands, and then the result
        if (operation.code == Code::number)
            *a = T(operation.number);
        else if (operation.code == Code::variable)
            *a = variables[static_cast<std::size_t>(operation.variable)];
        else if (count == 1)
            *a = apply(operation.code, a[0]);
        else if (count == 2)
            *a = apply(operation.code, a[0], a[1]);
        else if (operation.code == Code::clamp)
            *a = expression_detail::clamp(a[0], a[1], a[2]);
        else
            *a = expression_detail::smoothstep(a[0], a[1], a[2]);
    }
    return stack[0];
}

} // namespace muslin
