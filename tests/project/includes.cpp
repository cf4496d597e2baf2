#include "includes.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace muslin::project {
namespace {

// The path between the quotes or angle brackets of an #include line.
std::optional<std::string> included(std::string_view line) {
    const auto skip_spaces = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    skip_spaces();
    if (!line.starts_with('#'))
        return std::nullopt;
    line.remove_prefix(1);
    skip_spaces();
    if (!line.starts_with("include"))
        return std::nullopt;
    line.remove_prefix(7);
    skip_spaces();
    if (line.empty() || (line[0] != '"' && line[0] != '<'))
        return std::nullopt;
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    return std::string(line.substr(1, end - 1));
}

} // namespace

std::vector<Include> find_includes(const SourceFile& file) {
    std::vector<Include> out;
    for (std::size_t i = 0; i < file.lines.size(); ++i)
        if (auto path = included(file.lines[i]))
            out.push_back({std::move(*path), static_cast<int>(i + 1)});
    return out;
}

} // namespace muslin::project
