#include "scene/key_docs.h"

#include "muslin/model/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin::testing {
namespace {

constexpr std::string_view begin_mark = "<!-- keys: ", mark_end = " -->";
constexpr std::string_view end_mark = "<!-- end of keys -->";

/// 10000000 as 10,000,000; 1e9 as it is where it is no count.
std::string shown(double value, bool integer) {
    if (!integer) {
        std::string text = fmt::format("{:g}", value);
        for (const char* zero : {"e+0", "e-0"})
            if (const std::size_t at = text.find(zero); at != std::string::npos)
                text.replace(at, 3, zero[1] == '-' ? "e-" : "e");
        return text;
    }
    std::string text = fmt::format("{:.0f}", value);
    for (std::size_t i = text.size(); i > 3 && text[i - 4] != '-'; i -= 3)
        text.insert(i - 3, ",");
    return text;
}

std::string shown(const Range& range, bool integer) {
    const bool has_min = std::isfinite(range.min), has_max = std::isfinite(range.max);
    if (has_min && has_max && !range.min_excluded)
        return shown(range.min, integer) + " to " + shown(range.max, integer);
    if (has_min)
        return (range.min_excluded ? "> " : ">= ") + shown(range.min, integer) +
               (has_max ? ", up to " + shown(range.max, integer) : "");
    return has_max ? "<= " + shown(range.max, integer) : "";
}

std::string accepted(const Key& key) {
    if (key.kind == ValueKind::choice)
        return fmt::format("`\"{}\"`", fmt::join(key.words, "\"`, `\""));
    return shown(key.range, key.type.find("integer") != std::string::npos);
}

/// The parts that read a key, where not all do: `air_vertices`, any `contact`.
std::string readers(const KeyGroup& group, const Key& key) {
    const std::string path = fmt::format("{}.{}", group.table, key.name);
    std::vector<std::string> out;
    for (const std::string_view stage : stages) {
        std::vector<std::string> names;
        std::size_t all = 0;
        for (const Part& part : parts()) {
            if (part.stage != stage)
                continue;
            all += part.name != "none";
            if (std::find(part.reads.begin(), part.reads.end(), path) != part.reads.end())
                names.push_back(fmt::format("`{}`", part.name));
        }
        if (!names.empty() && names.size() == all)
            names = {fmt::format("any `{}`", stage)};
        out.insert(out.end(), names.begin(), names.end());
    }
    return fmt::format("{}", fmt::join(out, ", "));
}

struct Column {
    std::string_view title;
    std::function<std::string(const Key&)> cell;
};

/// The table that a mark names: "mesh", or "mesh.grid" of a kind.
const KeyGroup* find_group(const std::string& name, std::span<const KeyGroup* const> groups) {
    const std::size_t dot = name.find('.');
    for (const KeyGroup* group : groups)
        if (group->table == name.substr(0, dot))
            return dot == std::string::npos ? group : group->kind(name.substr(dot + 1));
    return nullptr;
}

} // namespace

std::string key_table(const KeyGroup& group) {
    const std::array<Column, 7> all = {
        Column{"key", [](const Key& key) { return fmt::format("`{}`", key.name); }},
        Column{"type", [](const Key& key) { return key.type; }},
        Column{"unit", [](const Key& key) { return std::string(key.range.unit); }},
        Column{"default", [](const Key& key) { return key.fallback; }},
        Column{"range", accepted},
        Column{"meaning", [](const Key& key) { return key.meaning; }},
        Column{"read by", [&](const Key& key) { return readers(group, key); }},
    };
    std::vector<const Column*> columns;
    for (const Column& column : all)
        for (const Key& key : group.keys)
            if (!column.cell(key).empty()) {
                columns.push_back(&column);
                break;
            }
    std::string out = "|", rule = "|";
    for (const Column* column : columns) {
        out += fmt::format(" {} |", column->title);
        rule += "---|";
    }
    out += '\n' + rule + '\n';
    for (const Key& key : group.keys) {
        out += '|';
        for (const Column* column : columns) {
            const std::string cell = column->cell(key);
            out += cell.empty() ? " |" : fmt::format(" {} |", cell);
        }
        out += '\n';
    }
    return out;
}

std::string with_key_tables(const std::string& page, std::span<const KeyGroup* const> groups) {
    std::istringstream lines(page);
    std::string out;
    std::set<const KeyGroup*> written;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == end_mark)
            inside = false;
        if (!inside)
            out += line + '\n';
        if (!line.starts_with(begin_mark))
            continue;
        inside = true;
        const std::string name =
            line.substr(begin_mark.size(), line.size() - begin_mark.size() - mark_end.size());
        const KeyGroup* group = find_group(name, groups);
        if (!group)
            throw std::runtime_error("no table of keys is called '" + name + "'");
        written.insert(group);
        out += '\n';
        // A kind has no heading of its own.
        if (name.find('.') != std::string::npos)
            out += fmt::format("Keys of `type = \"{}\"`:\n\n", group->table);
        out += key_table(*group) + '\n';
    }
    for (const KeyGroup* group : groups) {
        if (!written.contains(group))
            throw std::runtime_error(fmt::format("no mark for the keys of '{}'", group->table));
        for (const KeyGroup& kind : group->kinds)
            if (!written.contains(&kind))
                throw std::runtime_error(
                    fmt::format("no mark for the keys of '{}.{}'", group->table, kind.table));
    }
    return out;
}

} // namespace muslin::testing
