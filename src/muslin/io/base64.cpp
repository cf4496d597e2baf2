#include "muslin/io/base64.h"

#include <algorithm>
#include <array>

namespace muslin {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<signed char, 256> values_of_letters() {
    std::array<signed char, 256> out{};
    out.fill(-1);
    for (std::size_t i = 0; i < letters.size(); ++i)
        out[static_cast<unsigned char>(letters[i])] = static_cast<signed char>(i);
    return out;
}

} // namespace

std::string base64(std::string_view bytes) {
    std::string out;
    out.reserve(4 * ((bytes.size() + 2) / 3));
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        unsigned word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    static constexpr std::array<signed char, 256> values = values_of_letters();
    if (text.size() % 4 == 0) {
        if (text.ends_with('='))
            text.remove_suffix(1);
        if (text.ends_with('='))
            text.remove_suffix(1);
    }
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string out;
    out.reserve(3 * (text.size() / 4) + 2);
    unsigned word = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = values[static_cast<unsigned char>(c)];
        if (value < 0)
            return std::nullopt;
        word = (word << 6 | static_cast<unsigned>(value)) & 0xFFFFFF;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(word >> bits & 0xFF);
        }
    }
    return out;
}

} // namespace muslin
