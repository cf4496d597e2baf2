#include "muslin/math/expression.h"

#include "muslin/base/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace muslin {

// A parser by recursive descent; each rule appends its operations.
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = { "+" | "-" } power
//   power   = atom [ "^" signed ]
//   atom    = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
class ExpressionParser {
    using Code = Expression::Code;
    struct Function {
        std::string_view name;
        Code code;
        /// Whether it takes two arguments or more, folded from the left.
        bool takes_many() const { return code == Code::min || code == Code::max; }
    };
    static constexpr Function functions[] = {{"sin", Code::sin},
                                             {"cos", Code::cos},
                                             {"tan", Code::tan},
                                             {"asin", Code::asin},
                                             {"acos", Code::acos},
                                             {"atan", Code::atan},
                                             {"exp", Code::exp},
                                             {"log", Code::log},
                                             {"sqrt", Code::sqrt},
                                             {"abs", Code::abs},
                                             {"floor", Code::floor},
                                             {"atan2", Code::atan2},
                                             {"min", Code::min},
                                             {"max", Code::max},
                                             {"mod", Code::mod},
                                             {"step", Code::step},
                                             {"smoothstep", Code::smoothstep},
                                             {"clamp", Code::clamp}};

public:
    ExpressionParser(std::string_view text, std::span<const std::string_view> variables,
                     std::vector<Expression::Operation>& program)
        : text_(text), variables_(variables), program_(program) {}

    void parse() {
        if (text_.size() > Expression::max_length)
            fail(0, fmt::format("a formula of at most {} characters", Expression::max_length),
                 std::to_string(text_.size()));
        sum();
        peek();
        if (at_ < text_.size())
            fail_here("an operator");
        check_stack();
    }

private:
    [[noreturn]] static void fail(std::size_t at, std::string expected, std::string found) {
        throw InputError(
            {{"", 0, static_cast<int>(at) + 1}, "", std::move(expected), std::move(found), ""});
    }
    [[noreturn]] void fail_here(std::string expected) {
        if (at_ >= text_.size())
            fail(at_, std::move(expected), "the end of the formula");
        std::size_t end = at_ + 1;
        if (is_word(text_[at_]))
            while (end < text_.size() && is_word(text_[end]))
                ++end;
        while (end < text_.size() && (text_[end] & 0xc0) == 0x80) // the rest of a letter in UTF-8
            ++end;
        fail(at_, std::move(expected), shown(text_.substr(at_, end - at_)));
    }
    /// A word may be as long as a formula.
    static std::string shown(std::string_view word) {
        constexpr std::size_t longest = 40;
        return word.size() <= longest ? fmt::format("'{}'", word)
                                      : fmt::format("'{}...'", word.substr(0, longest));
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
    static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

    /// The next character that is not blank, '\0' at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (peek() != c || at_ >= text_.size())
            return false;
        ++at_;
        return true;
    }
    void emit(Code code) { program_.push_back({code}); }

    /// Counts how deep the rules call each other; a formula must not exhaust the program's stack.
    struct Deeper {
        explicit Deeper(ExpressionParser& p) : parser(p) {
            if (++parser.depth_ > Expression::max_depth)
                fail(parser.at_,
                     fmt::format("at most {} levels of parentheses and signs",
                                 Expression::max_depth),
                     "more");
        }
        ~Deeper() { --parser.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        ExpressionParser& parser;
    };

    void sum() {
        product();
        for (;;) {
            const bool plus = take('+');
            if (!plus && !take('-'))
                return;
            product();
            emit(plus ? Code::add : Code::subtract);
        }
    }
    void product() {
        signed_power();
        for (;;) {
            const bool times = take('*');
            if (!times && !take('/'))
                return;
            signed_power();
            emit(times ? Code::multiply : Code::divide);
        }
    }
    void signed_power() {
        const Deeper deeper(*this);
        if (take('+')) {
            signed_power();
        } else if (take('-')) {
            signed_power();
            emit(Code::negate);
        } else {
            atom();
            if (take('^')) {
                signed_power();
                emit(Code::power);
            }
        }
    }
    void atom() {
        const char c = peek();
        if (is_digit(c) || c == '.')
            number();
        else if (is_letter(c))
            name();
        else if (take('('))
            group();
        else
            fail_here("a number, a name or '('");
    }
    void group() {
        sum();
        if (!take(')'))
            fail_here("')'");
    }
    void number() {
        double value = 0;
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc{} || !std::isfinite(value) || (stop < end && is_word(*stop)))
            fail_here("a number");
        at_ += static_cast<std::size_t>(stop - begin);
        program_.push_back({Code::number, 0, value});
    }
    void name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        for (const Function& function : functions)
            if (function.name == word)
                return call(function);
        const auto variable = std::find(variables_.begin(), variables_.end(), word);
        if (variable != variables_.end())
            program_.push_back({Code::variable, static_cast<int>(variable - variables_.begin())});
        else if (word == "pi")
            program_.push_back({Code::number, 0, std::numbers::pi});
        else
            fail(begin, known_names(), shown(word));
    }
    void call(const Function& function) {
        if (!take('('))
            fail_here(fmt::format("'(' after {}", function.name));
        const int wanted = Expression::operands(function.code);
        int count = 0;
        do {
            sum();
            if (++count >= wanted && function.takes_many())
                emit(function.code);
        } while ((count < wanted || function.takes_many()) && take(','));
        if (count < wanted)
            fail_here(fmt::format("{} arguments of {}", wanted, function.name));
        if (!take(')'))
            fail_here(function.takes_many() || count < wanted
                          ? "',' or ')'"
                          : fmt::format("')' after {} argument{} of {}", wanted,
                                        wanted == 1 ? "" : "s", function.name));
        if (!function.takes_many())
            emit(function.code);
    }
    std::string known_names() const {
        std::string out = "one of ";
        for (const std::string_view variable : variables_)
            out += fmt::format("{}, ", variable);
        out += "pi";
        for (const Function& function : functions)
            out += fmt::format(", {}", function.name);
        return out;
    }
    void check_stack() const {
        int height = 0;
        for (const Expression::Operation& operation : program_) {
            height += 1 - Expression::operands(operation.code);
            if (height > Expression::max_depth)
                fail(0, fmt::format("at most {} values to be kept at once", Expression::max_depth),
                     "more");
        }
    }

    std::string_view text_;
    std::span<const std::string_view> variables_;
    std::vector<Expression::Operation>& program_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Expression::Expression(std::string_view text, std::span<const std::string_view> variables)
    : text_(text) {
    ExpressionParser(text_, variables, program_).parse();
}

int Expression::operands(Code code) {
    if (code <= Code::variable)
        return 0;
    if (code == Code::negate || (code >= Code::sin && code <= Code::floor))
        return 1;
    return code >= Code::smoothstep ? 3 : 2;
}

bool Expression::is_constant() const {
    return std::none_of(program_.begin(), program_.end(),
                        [](const Operation& o) { return o.code == Code::variable; });
}

bool Expression::uses(int variable) const {
    return std::any_of(program_.begin(), program_.end(), [&](const Operation& o) {
        return o.code == Code::variable && o.variable == variable;
    });
}

double Expression::differentiate(std::span<const double> variables,
                                 std::span<double> gradient) const {
    std::vector<Dual<double>> at(variables.begin(), variables.end());
    double value = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i].slope = 1;
        const Dual<double> result = evaluate(std::span<const Dual<double>>(at));
        at[i].slope = 0;
        value = result.value;
        gradient[i] = result.slope;
    }
    return at.empty() ? evaluate(variables) : value;
}

} // namespace muslin
