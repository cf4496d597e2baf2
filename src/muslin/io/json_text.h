#pragma once

#include "muslin/io/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

namespace muslin {

/// What a message quotes of a value. Never what a list or an object holds: printing goes as deep as
/// the value does, and a file may go deeper than the stack.
template <class Json>
std::string found_text(const Json& value) {
    if (value.is_array())
        return fmt::format("a list of {}", value.size());
    if (value.is_object())
        return "an object";
    if (value.is_string())
        return quote(value.template get<std::string>());
    return value.dump();
}

} // namespace muslin
