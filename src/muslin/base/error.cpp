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

} // namespace

std::string describe(const Problem& problem) {
    std::string text;
    if (!problem.where.file.empty()) {
        text += problem.where.file;
        if (problem.where.line > 0)
            text += fmt::format(":{}", problem.where.line);
        if (problem.where.line > 0 && problem.where.column > 0)
            text += fmt::format(":{}", problem.where.column);
        text += ": ";
    }
    if (!problem.key.empty())
        text += problem.key + ": ";
    text += "expected " + problem.expected + ", found " + problem.found;
    if (!problem.hint.empty())
        text += " (" + problem.hint + ")";
    return on_one_line(text);
}

InputError::InputError(Problem problem)
    : std::runtime_error(describe(problem)), problem_(std::move(problem)) {}

FileError::FileError(const std::string& file, const std::string& reason)
    : std::runtime_error(on_one_line(file + ": " + reason)) {}

} // namespace muslin
