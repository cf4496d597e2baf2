#include "muslin/api/toml_text.h"

#include <fmt/format.h>

namespace muslin::api {

std::string toml(double value) {
    return fmt::format("{}", value);
}

std::string toml(int value) {
    return fmt::format("{}", value);
}

std::string toml(bool value) {
    return value ? "true" : "false";
}

std::string toml(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

std::string toml(const char* text) {
    return toml(std::string_view(text));
}

std::string toml(const Vec2& value) {
    return fmt::format("[{}, {}]", value.x, value.y);
}

std::string toml(const Vec3& value) {
    return fmt::format("[{}, {}, {}]", value.x, value.y, value.z);
}

std::string toml(const std::map<std::string, double>& values) {
    std::string out;
    for (const auto& [name, value] : values)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", toml(name), toml(value));
    return "{ " + out + " }";
}

TomlText::TomlText(std::string_view name) : text_(fmt::format("\n[[{}]]\n", name)) {}

} // namespace muslin::api
