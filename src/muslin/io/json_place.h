#pragma once

#include "muslin/math/vec.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace muslin {

// What readers of JSON formats share: values with the words that messages have for their place.

/// Objects keep the order of the file.
using OrderedJson = nlohmann::ordered_json;

/// Parses a text; `file` is what messages call it. Writers in Python leave NaN and Infinity bare,
/// which is not JSON: they become strings, so that who reads the number can say where it is. Throws
/// InputError with line and column.
OrderedJson parse_json(const std::string& text, const std::string& file);

/// A value and where it is. Each reading gives what was asked for or throws InputError.
class JsonPlace {
public:
    JsonPlace(const OrderedJson& value, const std::string& file, std::string key)
        : value_(&value), file_(&file), key_(std::move(key)) {}

    const OrderedJson& value() const { return *value_; }
    const std::string& key() const { return key_; }
    /// The same value under another name.
    JsonPlace named(std::string key) const { return {*value_, *file_, std::move(key)}; }

    bool has(const char* name) const;
    /// A member of an object, as `at` has it; nothing where it is missing or null.
    std::optional<JsonPlace> find(const char* name) const;
    /// A member of an object, its key ", NAME" longer.
    JsonPlace at(const char* name, std::string_view expected) const;
    /// Elements of an array, with the same key.
    JsonPlace item(std::size_t i) const;
    std::size_t size(std::string_view expected) const; ///< of an array
    double number(std::string_view expected = "a number") const;
    int integer(int low, int high, std::string_view expected) const;
    /// A whole number that is not negative.
    int count(std::string_view expected = "a number of 0 or more") const;
    std::string text(std::string_view expected = "a string") const;
    /// Two numbers.
    Vec2 vec2(std::string_view expected = "two numbers") const;
    Vec3 vec3(std::string_view expected = "three numbers") const;

    [[noreturn]] void fail(std::string_view expected) const;
    [[noreturn]] void fail_found(std::string expected, std::string found) const;

private:
    const OrderedJson* value_;
    const std::string* file_;
    std::string key_;
};

} // namespace muslin
