#include "muslin/base/error.h"

#include <fmt/format.h>

namespace muslin {

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
    return text;
}

InputError::InputError(Problem problem)
    : std::runtime_error(describe(problem)), problem_(std::move(problem)) {}

FileError::FileError(const std::string& file, const std::string& reason)
    : std::runtime_error(file + ": " + reason) {}

} // namespace muslin
