#pragma once

#include "muslin/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace muslin {

// TOML as plain values, each with the place it was written at. The parser's own types stay in
// toml_value.cpp: they lose that place when copied, and they are slow to compile.

struct TomlValue;
struct TomlEntry;

struct TomlTable {
    std::vector<TomlEntry> entries; ///< in the order of the file

    const TomlEntry* find(std::string_view key) const;
    TomlEntry* find(std::string_view key);
    /// Replaces the value of `key`, or adds the key at the end.
    TomlValue& set(std::string_view key, TomlValue value);
};

/// A date or time: TOML has them, no scene uses them.
struct TomlDate {};

struct TomlValue {
    using Array = std::vector<TomlValue>;
    using Data = std::variant<bool, std::int64_t, double, std::string, TomlDate, Array, TomlTable>;

    Source where;
    Data data;

    const TomlTable* table() const { return std::get_if<TomlTable>(&data); }
    TomlTable* table() { return std::get_if<TomlTable>(&data); }
    const Array* array() const { return std::get_if<Array>(&data); }
    Array* array() { return std::get_if<Array>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
};

struct TomlEntry {
    std::string key;
    Source where; ///< of the key
    TomlValue value;
};

/// What a message calls the value: `-0.2`, `"denim"`, `a table`, `an array of 2`.
std::string describe(const TomlValue& value);

/// Parses a document; `file` is what messages call it. Throws InputError.
TomlValue parse_toml(std::string_view text, const std::string& file);

/// Parses one value, as after `=`; nothing if it is not one. Every part of it is at `where`.
std::optional<TomlValue> parse_toml_value(std::string_view text, const Source& where);

/// The document of a table.
std::string write_toml(const TomlTable& table);

} // namespace muslin
