#include "muslin/scene/overrides.h"

#include "muslin/scene/keys.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace muslin {

namespace {

constexpr std::string_view option = "--set ";

/// One `key.path=value`.
struct Override {
    Source where;
    std::string key; ///< the path as the user wrote it, for messages
    std::vector<std::string> path;
    TomlValue value;

    [[noreturn]] void fail(std::string expected, std::string found, std::string hint = {}) const {
        throw InputError({{},
                          std::string(option) + key,
                          std::move(expected),
                          std::move(found),
                          std::move(hint)});
    }
};

/// What messages show of an argument, which may be of any length.
std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 80;
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

/// Whether all bytes are letters of UTF-8, which TOML is made of: each with as many bytes after its
/// first as that says, in its shortest form, and none of the halves of UTF-16.
bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i++]);
        if (first < 0x80)
            continue;
        const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4)
            return false;
        unsigned code = first & (0x3fU >> more);
        for (int k = 0; k < more; ++k, ++i) {
            if (i == text.size() || (text[i] & 0xc0) != 0x80)
                return false;
            code = code << 6 | (text[i] & 0x3fU);
        }
        constexpr unsigned least[] = {0x80, 0x800, 0x10000};
        if (code < least[more - 1] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
    }
    return true;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

/// "cloth[0].mesh" as "cloth", "0", "mesh".
std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> parts(1);
    for (char c : path) {
        if (c == '.' || c == '[')
            parts.emplace_back();
        else if (c != ']')
            parts.back() += c;
    }
    return parts;
}

Override parse_override(const std::string& text) {
    Override out;
    out.where = {std::string(option) + shortened(text), 0, 0};
    const std::size_t equals = text.find('=');
    const std::string key(trimmed(std::string_view(text).substr(0, equals)));
    out.key = shortened(key);
    if (!is_utf8(text))
        out.fail("text in UTF-8", "other bytes");
    if (equals == std::string::npos)
        out.fail("key.path=value", '\'' + shortened(text) + '\'', "there is no '='");
    out.path = split_path(key);
    if (std::any_of(out.path.begin(), out.path.end(),
                    [](const std::string& part) { return part.empty(); }))
        out.fail("key.path=value", '\'' + shortened(text) + '\'', "a part of the path is empty");
    // Tables are made as deep as the path goes; no scene has any deeper.
    constexpr std::size_t deepest = 16;
    if (out.path.size() > deepest)
        out.fail(fmt::format("a path of at most {} parts", deepest),
                 fmt::format("{}", out.path.size()));
    const std::string_view value = trimmed(std::string_view(text).substr(equals + 1));
    if (std::optional<TomlValue> parsed = parse_toml_value(value, out.where))
        out.value = std::move(*parsed);
    else
        out.value = {out.where, std::string(value)};
    return out;
}

std::string joined(const Override& change, std::size_t parts) {
    std::string out;
    for (std::size_t i = 0; i < parts; ++i)
        out += (i > 0 ? "." : "") + change.path[i];
    return out;
}

TomlValue& element(TomlValue::Array& array, const Override& change, std::size_t part) {
    const std::string& word = change.path[part];
    const std::string owner = joined(change, part);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (error == std::errc() && end == word.data() + word.size()) {
        if (index >= array.size())
            change.fail(array.empty()
                            ? fmt::format("an element of '{}'", owner)
                            : fmt::format("an index from 0 to {} in '{}'", array.size() - 1, owner),
                        word, array.empty() ? "it is empty" : "");
        return array[index];
    }
    std::vector<std::string_view> names;
    for (TomlValue& item : array) {
        const TomlEntry* name = item.table() ? item.table()->find("name") : nullptr;
        if (!name || !name->value.text())
            continue;
        if (*name->value.text() == word)
            return item;
        names.push_back(*name->value.text());
    }
    change.fail(fmt::format("the index or the name of an element of '{}'", owner),
                '\'' + word + '\'', suggest(word, names));
}

/// The table that a shorter way of writing stands for: material = "cotton", mesh = "shirt.obj".
/// An absent material is cotton, so changing one number of it starts from cotton too.
TomlTable written_out(std::string_view key, const TomlValue* short_form, const Source& where) {
    TomlTable table;
    if (key == "material")
        table.set("base", short_form ? *short_form : TomlValue{where, std::string("cotton")});
    else if (key == "mesh" && short_form)
        table.set("path", *short_form);
    return table;
}

/// A part of the path that the scene does not have yet: one of its tables, or part of an element.
void check_new(const Override& change, std::size_t part) {
    if (part > 0)
        return;
    const std::string& key = change.path[part];
    const Key* known = keys::scene.find(key);
    if (known && known->kind == ValueKind::table)
        return;
    if (!known)
        change.fail("a key of the scene", '\'' + key + '\'', suggest(key, keys::scene.names()));
    change.fail(fmt::format("an element of '{}'", key), fmt::format("a scene without [[{}]]", key));
}

/// The value under the next key, ready to have parts of its own.
TomlValue& child(TomlTable& table, const Override& change, std::size_t part) {
    const std::string& key = change.path[part];
    TomlEntry* entry = table.find(key);
    if (!entry) {
        check_new(change, part);
        return table.set(key, {change.where, written_out(key, nullptr, change.where)});
    }
    if (entry->value.text() && (key == "material" || key == "mesh"))
        entry->value = {entry->value.where, written_out(key, &entry->value, change.where)};
    return entry->value;
}

void apply(TomlValue& scene, Override change) {
    TomlValue* at = &scene;
    for (std::size_t part = 0; part < change.path.size(); ++part) {
        const bool last = part + 1 == change.path.size();
        if (TomlTable* table = at->table()) {
            if (last)
                table->set(change.path[part], std::move(change.value));
            else
                at = &child(*table, change, part);
        } else if (TomlValue::Array* array = at->array()) {
            at = &element(*array, change, part);
            if (last)
                *at = std::move(change.value);
        } else {
            change.fail("a table or an array",
                        fmt::format("'{}' = {}", joined(change, part), describe(*at)));
        }
    }
}

} // namespace

void apply_overrides(TomlValue& scene, std::span<const std::string> overrides) {
    for (const std::string& text : overrides)
        apply(scene, parse_override(text));
}

bool is_override(const Source& where) {
    // A file may be called so too; what is read from it has a line.
    return where.line == 0 && where.file.starts_with(option);
}

} // namespace muslin
