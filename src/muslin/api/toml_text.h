#pragma once

#include "muslin/vec.h"

#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace muslin::api {

// Values as TOML writes them. Numbers keep all their bits.
std::string toml(double value);
std::string toml(int value);
std::string toml(bool value);
std::string toml(std::string_view text);
std::string toml(const char* text);
std::string toml(const Vec2& value);
std::string toml(const Vec3& value);
std::string toml(const std::map<std::string, double>& values);

template <class T>
std::string toml(std::span<const T> values) {
    std::string out = "[";
    for (const T& value : values)
        out += (out.size() > 1 ? ", " : "") + toml(value);
    return out + "]";
}

/// A table, key by key. Keys with their default value are left out.
class TomlText {
public:
    /// `[[name]]`.
    explicit TomlText(std::string_view name);

    void write(std::string_view key, const std::string& toml_value) {
        text_ += std::string(key) + " = " + toml_value + "\n";
    }
    template <class T>
    void add(std::string_view key, const T& value) {
        write(key, toml(value));
    }
    template <class T>
    void add(std::string_view key, const std::optional<T>& value) {
        if (value)
            add(key, *value);
    }
    /// Where it is not empty.
    void add_text(std::string_view key, const std::string& value) {
        if (!value.empty())
            add(key, value);
    }
    template <class T>
    void add_list(std::string_view key, std::span<const T> values) {
        if (!values.empty())
            write(key, toml(values));
    }
    /// Where it differs from the default.
    void add_number(std::string_view key, double value, double usual) {
        if (!(value == usual))
            add(key, value);
    }
    void add_vector(std::string_view key, const Vec3& value) {
        if (!(value.x == 0 && value.y == 0 && value.z == 0))
            add(key, value);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

} // namespace muslin::api
