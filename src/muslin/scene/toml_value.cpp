#include "muslin/scene/toml_value.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

// Some texts that are no TOML break what the parser assumes of itself; the program must not end.
[[noreturn]] static void lose_way() {
    throw std::logic_error("the TOML parser lost its way");
}
#define TOML_ASSERT(expression) ((expression) ? void() : lose_way())
#include <toml++/toml.h>

namespace muslin {

const TomlEntry* TomlTable::find(std::string_view key) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const TomlEntry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

TomlEntry* TomlTable::find(std::string_view key) {
    return const_cast<TomlEntry*>(std::as_const(*this).find(key));
}

TomlValue& TomlTable::set(std::string_view key, TomlValue value) {
    TomlEntry* entry = find(key);
    if (!entry)
        entry = &entries.emplace_back(TomlEntry{std::string(key), {}, {}});
    entry->where = value.where;
    entry->value = std::move(value);
    return entry->value;
}

namespace {

template <class... Cases>
struct Overload : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>; // clang 14 does not find it by itself

Source source_of(const toml::source_region& region, const std::string& file) {
    return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

TomlValue convert(const toml::node& node, const std::string& file);

TomlTable convert_table(const toml::table& table, const std::string& file) {
    TomlTable out;
    for (const auto& [key, node] : table) {
        TomlEntry entry{std::string(key.str()), source_of(key.source(), file), convert(node, file)};
        // A table that exists only as part of a dotted key has no place of its own.
        if (entry.value.where.line == 0)
            entry.value.where = entry.where;
        out.entries.push_back(std::move(entry));
    }
    std::stable_sort(
        out.entries.begin(), out.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
            return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
        });
    return out;
}

TomlValue convert(const toml::node& node, const std::string& file) {
    TomlValue out{source_of(node.source(), file), TomlDate{}};
    if (const auto* table = node.as_table()) {
        out.data = convert_table(*table, file);
    } else if (const auto* array = node.as_array()) {
        TomlValue::Array items;
        for (const toml::node& item : *array)
            items.push_back(convert(item, file));
        out.data = std::move(items);
    } else if (const auto* text = node.as_string()) {
        out.data = text->get();
    } else if (const auto* integer = node.as_integer()) {
        out.data = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
        out.data = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
        out.data = boolean->get();
    }
    return out;
}

void set_source(TomlValue& value, const Source& where) {
    value.where = where;
    if (auto* array = value.array()) {
        for (TomlValue& item : *array)
            set_source(item, where);
    } else if (auto* table = value.table()) {
        for (TomlEntry& entry : table->entries) {
            entry.where = where;
            set_source(entry.value, where);
        }
    }
}

/// Where a string that begins at `at` ends: behind its last quote, or at the end of the text.
std::size_t skip_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string long_quote(3, quote);
    const bool is_long = text.substr(at).starts_with(long_quote);
    const std::string_view end = is_long ? std::string_view(long_quote) : text.substr(at, 1);
    for (at += end.size(); at < text.size(); ++at) {
        if (quote == '"' && text[at] == '\\')
            ++at;
        else if (text.substr(at).starts_with(end))
            return at + end.size();
        else if (!is_long && text[at] == '\n')
            return at; // the parser will say so
    }
    return text.size();
}

/// A key "a.b.c" makes a table for every dot, one in the other, and the parser has no limit for
/// them as it has for brackets: destroying enough of them exhausts the stack.
void check_dotted_keys(std::string_view text, const std::string& file) {
    constexpr int most = 64;
    int dots = 0, line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            const std::size_t end = skip_string(text, at);
            line +=
                static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                            text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
            at = end;
            continue;
        }
        if (c == '#') { // to the end of its line
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        dots = c == '.' ? dots + 1 : std::string_view("=,[]{}\n").find(c) != text.npos ? 0 : dots;
        if (dots > most)
            throw InputError(
                {{file, line, 0}, "", fmt::format("a key of at most {} parts", most), "more", ""});
        line += c == '\n';
        ++at;
    }
}

toml::table unconvert(const TomlTable& table);
toml::array unconvert(const TomlValue::Array& array);

/// Calls `add` with the value as the parser's own type.
template <class Add>
void with_node(const TomlValue& value, const Add& add) {
    std::visit(Overload{[&](const TomlTable& table) { add(unconvert(table)); },
                        [&](const TomlValue::Array& array) { add(unconvert(array)); },
                        [&](const TomlDate&) { add(std::string()); },
                        [&](auto plain) { add(std::move(plain)); }},
               value.data);
}

toml::table unconvert(const TomlTable& table) {
    toml::table out;
    for (const TomlEntry& entry : table.entries)
        with_node(entry.value,
                  [&](auto&& node) { out.insert_or_assign(entry.key, std::move(node)); });
    return out;
}

toml::array unconvert(const TomlValue::Array& array) {
    toml::array out;
    for (const TomlValue& item : array)
        with_node(item, [&](auto&& node) { out.push_back(std::move(node)); });
    return out;
}

} // namespace

std::string describe(const TomlValue& value) {
    return std::visit(
        Overload{[](bool b) { return std::string(b ? "true" : "false"); },
                 [](std::int64_t i) { return fmt::format("{}", i); },
                 [](double d) { return fmt::format("{}", d); },
                 [](const std::string& s) {
                     constexpr std::size_t longest = 60;
                     return s.size() <= longest ? '"' + s + '"'
                                                : '"' + s.substr(0, longest) + "...\"";
                 },
                 [](const TomlDate&) { return std::string("a date or time"); },
                 [](const TomlValue::Array& a) { return fmt::format("an array of {}", a.size()); },
                 [](const TomlTable&) { return std::string("a table"); }},
        value.data);
}

TomlValue parse_toml(std::string_view text, const std::string& file) {
    check_dotted_keys(text, file);
    try {
        const toml::table table = toml::parse(text);
        return {{file, 1, 1}, convert_table(table, file)};
    } catch (const toml::parse_error& error) {
        throw InputError({source_of(error.source(), file), "", "a TOML document",
                          std::string(error.description()), ""});
    } catch (const std::logic_error&) {
        throw InputError({{file, 0, 0}, "", "a TOML document", "text that is none", ""});
    }
}

std::optional<TomlValue> parse_toml_value(std::string_view text, const Source& where) {
    check_dotted_keys(text, where.file);
    try {
        const toml::table table = toml::parse("value = " + std::string(text));
        if (table.size() != 1) // a line break in the text began another key
            return std::nullopt;
        TomlValue value = convert(*table.get("value"), where.file);
        set_source(value, where);
        return value;
    } catch (const toml::parse_error&) {
        return std::nullopt;
    } catch (const std::logic_error&) {
        return std::nullopt;
    }
}

std::string write_toml(const TomlTable& table) {
    std::ostringstream out;
    out << toml::toml_formatter{unconvert(table)} << '\n';
    return out.str();
}

} // namespace muslin
