#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace muslin {

// Numbers as bytes in a stated order, whatever the order of the machine.

/// The number whose sizeof(T) bytes stand at `bytes` in the given order.
template <class T>
T load_bytes(const char* bytes, std::endian order) {
    static_assert(std::is_arithmetic_v<T>);
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes, sizeof(T));
    if (order != std::endian::native)
        std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

/// The bytes of `value` in the given order.
template <class T>
std::array<char, sizeof(T)> to_bytes(T value, std::endian order) {
    static_assert(std::is_arithmetic_v<T>);
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (order != std::endian::native)
        std::reverse(raw.begin(), raw.end());
    return raw;
}

} // namespace muslin
