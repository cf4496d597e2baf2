#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace muslin {
namespace {

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view without_leading_space(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && is_space(text[i]))
        ++i;
    return text.substr(i);
}

// from_chars knows no plus sign, which printf("%+g") writes; a second sign stays an error.
std::string_view without_plus(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+')
        word.remove_prefix(1);
    return word;
}

// Of a number that from_chars found to be out of range: is it too small rather than too large?
bool is_tiny(std::string_view word) {
    const std::size_t exponent = word.find_first_of("eE");
    if (exponent != std::string_view::npos)
        return word.substr(exponent + 1).starts_with('-');
    const std::size_t digit = word.find_first_not_of("-0");
    return digit != std::string_view::npos && word[digit] == '.';
}

} // namespace

void fail_input(const std::string& file, int line, std::string key, std::string expected,
                std::string found) {
    throw InputError({{file, line, 0}, std::move(key), std::move(expected), std::move(found), {}});
}

std::string lower_case_ending(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return ending;
}

std::string quote(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out = "'";
    for (char c : text.substr(0, longest)) {
        if (c >= ' ' && c <= '~')
            out += c;
        else
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return out + (text.size() > longest ? "...'" : "'");
}

std::optional<double> parse_finite(std::string_view word) {
    word = without_plus(word);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error == std::errc::invalid_argument)
        return std::nullopt;
    if (error == std::errc::result_out_of_range)
        return is_tiny(word) ? std::optional(0.0) : std::nullopt;
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
    word = without_plus(word);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error != std::errc{})
        return std::nullopt;
    return value;
}

LineReader::LineReader(std::string_view text, int first_line, Continuation continuation)
    : text_(text), next_number_(first_line), continuation_(continuation) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark))
        offset_ = byte_order_mark.size();
}

std::string_view LineReader::take_line() {
    const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
    std::string_view line = text_.substr(offset_, end - offset_);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    offset_ = std::min(end + 1, text_.size());
    ++next_number_;
    return line;
}

void LineReader::join_continued(std::string_view line) {
    joined_.clear();
    while (line.ends_with('\\')) {
        joined_ += line.substr(0, line.size() - 1);
        joined_ += ' ';
        line = offset_ < text_.size() ? take_line() : std::string_view();
    }
    joined_ += line;
    line_ = without_leading_space(joined_);
}

bool LineReader::next() {
    while (offset_ < text_.size()) {
        number_ = next_number_;
        const std::string_view line = take_line();
        line_ = without_leading_space(line);
        // A comment is not continued: it may end in the backslash of a Windows path.
        if (line_.empty() || line_.front() == '#')
            continue;
        if (continuation_ == Continuation::backslash && line_.ends_with('\\'))
            join_continued(line_);
        return true;
    }
    return false;
}

std::string_view LineReader::word() {
    line_ = without_leading_space(line_);
    if (line_.empty() || line_.front() == '#')
        return {};
    std::size_t size = 1;
    while (size < line_.size() && !is_space(line_[size]))
        ++size;
    const std::string_view found = line_.substr(0, size);
    line_.remove_prefix(size);
    return found;
}

std::string LineReader::rest() {
    std::string text;
    for (std::string_view next_word = word(); !next_word.empty(); next_word = word()) {
        if (!text.empty())
            text += ' ';
        text += next_word;
    }
    return text;
}

} // namespace muslin
