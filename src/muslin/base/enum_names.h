#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace muslin {

/// The names that scenes and messages have for the values of an enumeration, in the order of the
/// values, which count from 0. Each enumeration that a scene can choose from has them beside it.
template <class E>
inline constexpr std::array<std::string_view, 0> enum_names = {};

template <class E>
constexpr std::string_view name_of(E value) {
    return enum_names<E>[static_cast<std::size_t>(value)];
}

} // namespace muslin
