#include "muslin/scene/compare.h"

#include "muslin/scene/toml_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace muslin {
namespace {

using Flat = std::map<std::string, std::string>; ///< values by the path of their key

std::string name_of(const TomlValue& element, std::size_t index) {
    if (const TomlTable* table = element.table())
        if (const TomlEntry* name = table->find("name"); name && name->value.text())
            return *name->value.text();
    return fmt::format("{}", index);
}

std::string text_of(const TomlValue& value) {
    TomlTable table;
    table.set("v", value);
    std::string text = write_toml(table); // v = VALUE
    text.erase(0, text.find('=') + 1);
    const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
    text.erase(0, text.find_first_not_of(" \n"));
    while (!text.empty() && is_blank(text.back()))
        text.pop_back();
    return text;
}

// Tables, and lists of them, by their keys; all other values as they are written.
void flatten(const TomlValue& value, const std::string& path, Flat& out) {
    const auto below = [&](const std::string& key) {
        return path.empty() ? key : path + "." + key;
    };
    if (const TomlTable* table = value.table()) {
        for (const TomlEntry& entry : table->entries)
            flatten(entry.value, below(entry.key), out);
        return;
    }
    const TomlValue::Array* array = value.array();
    const auto is_table = [](const TomlValue& element) { return element.table() != nullptr; };
    if (array && !array->empty() && std::all_of(array->begin(), array->end(), is_table)) {
        for (std::size_t i = 0; i < array->size(); ++i)
            flatten((*array)[i], below(name_of((*array)[i], i)), out);
        return;
    }
    out[path] = text_of(value);
}

bool counts(const std::string& key) {
    return key != "time.frames" && key != "title" && !key.starts_with("limits.");
}

} // namespace

std::vector<std::string> scene_changes(std::string_view before, std::string_view now) {
    Flat old, fresh;
    flatten(parse_toml(before, "the scene of the checkpoint"), "", old);
    flatten(parse_toml(now, "the scene"), "", fresh);
    std::vector<std::string> out;
    for (const auto& [key, value] : fresh)
        if (const auto was = old.find(key); counts(key) && was == old.end())
            out.push_back(fmt::format("{}: {}, was not given", key, value));
        else if (counts(key) && was->second != value)
            out.push_back(fmt::format("{}: {}, was {}", key, value, was->second));
    for (const auto& [key, value] : old)
        if (counts(key) && !fresh.contains(key))
            out.push_back(fmt::format("{}: not given, was {}", key, value));
    return out;
}

} // namespace muslin
