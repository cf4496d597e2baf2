#include "muslin/base/error.h"

#include <fmt/format.h>

namespace muslin {
namespace {

// What a user wrote may hold line ends, and worse; a message is one line.
std::string on_one_line(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out;
}

// It may also go on for pages.
std::string shown(const std::string& text) {
    constexpr std::size_t longest = 800;
    std::string out = on_one_line(text);
    if (out.size() <= longest)
        return out;
    std::size_t end = longest;
    while (end > longest - 4 && (out[end] & 0xc0) == 0x80) // a letter of UTF-8 is not cut in two
        --end;
    return out.substr(0, end) + "...";
}

} // namespace

std::string describe(const Problem& problem) {
    std::string text;
    if (!problem.where.file.empty()) {
        text += on_one_line(problem.where.file);
        if (problem.where.line > 0)
            text += fmt::format(":{}", problem.where.line);
        if (problem.where.line > 0 && problem.where.column > 0)
            text += fmt::format(":{}", problem.where.column);
        text += ": ";
    }
    if (!problem.key.empty())
        text += shown(problem.key) + ": ";
    text += "expected " + shown(problem.expected) + ", found " + shown(problem.found);
    if (!problem.hint.empty())
        text += " (" + shown(problem.hint) + ")";
    return text;
}

InputError::InputError(Problem problem)
    : std::runtime_error(describe(problem)), problem_(std::move(problem)) {}

FileError::FileError(const std::string& file, const std::string& reason)
    : std::runtime_error(on_one_line(file) + ": " + shown(reason)) {}

} // namespace muslin
