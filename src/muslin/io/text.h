#pragma once

#include "muslin/base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace muslin {

// What the readers of text formats share: lines, words, numbers, and their complaints.

/// Throws the InputError made of these parts (line 0: not known).
[[noreturn]] void fail_input(const std::string& file, int line, std::string key,
                             std::string expected, std::string found);

/// The ending of a file's name with its dot, in small letters; empty where there is none.
std::string lower_case_ending(const std::filesystem::path& file);

/// The user's text in quotes for a message: cut where long, bytes that do not print as \xNN.
std::string quote(std::string_view text);

/// The whole word as a finite number. A number too small for a double is zero, as it would be in
/// a calculation; one too large, "nan" and "inf" are nothing.
std::optional<double> parse_finite(std::string_view word);

/// The whole word as a decimal integer.
std::optional<std::int64_t> parse_integer(std::string_view word);

/// Walks over the lines of a text that hold something: blank lines, and comments from a word that
/// begins with '#' to the end of the line, are passed over. Lines may end in LF or CRLF.
class LineReader {
public:
    enum class Continuation { none, backslash };

    explicit LineReader(std::string_view text, int first_line = 1,
                        Continuation continuation = Continuation::none);

    /// Moves to the next line; false at the end of the text.
    bool next();
    /// The next word of the line; empty when there is none.
    std::string_view word();
    /// The words left in the line, one space between them.
    std::string rest();

    /// The number of the current line (the first one of several joined by backslashes).
    int number() const { return number_; }
    /// Number of the last line of the text that has been looked at.
    int last_number() const { return next_number_ - 1; }
    /// Where in the text the next line begins.
    std::size_t offset() const { return offset_; }

private:
    std::string_view take_line();
    void join_continued(std::string_view line);

    std::string_view text_;
    std::size_t offset_ = 0;
    std::string_view line_; ///< what is left of the current line
    std::string joined_;    ///< holds the current line when it was joined from several
    int number_ = 0;
    int next_number_ = 1;
    Continuation continuation_;
};

} // namespace muslin
