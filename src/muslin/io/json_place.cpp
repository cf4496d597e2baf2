#include "muslin/io/json_place.h"

#include "muslin/base/error.h"
#include "muslin/io/text.h"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace muslin {
namespace {

/// The text with bare NaN and Infinity in quotes; nothing if it has none.
std::optional<std::string> with_quoted_words(std::string_view text) {
    std::string out;
    bool inside = false, found = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inside && text[i] == '\\') {
            out += text.substr(i++, 2);
            continue;
        }
        inside ^= text[i] == '"';
        bool word = false;
        if (!inside)
            for (const std::string_view name : {"NaN", "Infinity", "-Infinity"})
                if (!word && text.substr(i).starts_with(name)) {
                    out += fmt::format("\"{}\"", name);
                    i += name.size() - 1;
                    word = found = true;
                }
        if (!word)
            out += text[i];
    }
    return found ? std::optional(out) : std::nullopt;
}

Source place_of(std::string_view text, std::size_t byte, const std::string& file) {
    Source where{file, 1, 1};
    for (const char c : text.substr(0, byte > 0 ? byte - 1 : 0)) {
        where.column = c == '\n' ? 1 : where.column + 1;
        where.line += c == '\n';
    }
    return where;
}

} // namespace

OrderedJson parse_json(const std::string& text, const std::string& file) {
    try {
        return OrderedJson::parse(text);
    } catch (const OrderedJson::out_of_range& error) {
        // "number overflow parsing '1e999'" is all that is known of the place.
        const std::string message = error.what();
        const std::size_t first = message.find('\''), last = message.rfind('\'');
        const std::string number =
            first < last ? message.substr(first + 1, last - first - 1) : std::string();
        const std::size_t at = number.empty() ? std::string::npos : text.find(number);
        throw InputError({at == std::string::npos ? Source{file} : place_of(text, at + 1, file), "",
                          "a number within the range of doubles", quote(number), ""});
    } catch (const OrderedJson::parse_error& error) {
        if (const auto quoted = with_quoted_words(text))
            if (OrderedJson out = OrderedJson::parse(*quoted, nullptr, false); !out.is_discarded())
                return out;
        const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
        throw InputError({place_of(text, error.byte, file), "", "JSON",
                          at < text.size() ? quote(std::string_view(text).substr(at, 12))
                                           : std::string("the end of the file"),
                          ""});
    }
}

void JsonPlace::fail(std::string_view expected) const {
    std::string found = value_->is_array() ? fmt::format("an array of {}", value_->size())
                        : value_->is_object()
                            ? std::string("an object")
                            : value_->dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
    if (found.size() > 60)
        found = found.substr(0, 57) + "...";
    fail_found(std::string(expected), std::move(found));
}

void JsonPlace::fail_found(std::string expected, std::string found) const {
    fail_input(*file_, 0, key_, std::move(expected), std::move(found));
}

bool JsonPlace::has(const char* name) const {
    return value_->is_object() && value_->contains(name);
}

std::optional<JsonPlace> JsonPlace::find(const char* name) const {
    if (!value_->is_object())
        fail("an object");
    if (!has(name) || value_->find(name)->is_null())
        return std::nullopt;
    return at(name, "");
}

JsonPlace JsonPlace::at(const char* name, std::string_view expected) const {
    if (!value_->is_object())
        fail("an object");
    const std::string key = key_.empty() ? std::string(name) : fmt::format("{}, {}", key_, name);
    const auto member = value_->find(name);
    if (member == value_->end())
        fail_input(*file_, 0, key, std::string(expected), "nothing");
    return {*member, *file_, key};
}

JsonPlace JsonPlace::item(std::size_t i) const {
    return {(*value_)[i], *file_, key_};
}

std::size_t JsonPlace::size(std::string_view expected) const {
    if (!value_->is_array())
        fail(expected);
    return value_->size();
}

double JsonPlace::number(std::string_view expected) const {
    if (!value_->is_number())
        fail(expected);
    const double number = value_->get<double>();
    if (!std::isfinite(number))
        fail(expected);
    return number;
}

int JsonPlace::integer(int low, int high, std::string_view expected) const {
    // Some writers have 3.0 for 3.
    const double number = value_->is_number() ? value_->get<double>() : NAN;
    if (!(number >= low && number <= high) || number != std::floor(number))
        fail(expected);
    return static_cast<int>(number);
}

int JsonPlace::count(std::string_view expected) const {
    return integer(0, std::numeric_limits<int>::max(), expected);
}

std::string JsonPlace::text(std::string_view expected) const {
    if (!value_->is_string())
        fail(expected);
    return value_->get<std::string>();
}

Vec2 JsonPlace::vec2(std::string_view expected) const {
    if (size(expected) != 2)
        fail(expected);
    return {item(0).number(), item(1).number()};
}

Vec3 JsonPlace::vec3(std::string_view expected) const {
    if (size(expected) != 3)
        fail(expected);
    return {item(0).number(), item(1).number(), item(2).number()};
}

} // namespace muslin
