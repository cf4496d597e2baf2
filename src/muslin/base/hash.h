#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace muslin {

/// A 64-bit digest of bytes, equal on every run and machine of one byte order; not cryptographic.
class Hash64 {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (; size >= 8; size -= 8, bytes += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            mix(word);
        }
        if (size > 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, size);
            mix(word ^ (static_cast<std::uint64_t>(size) << 56));
        }
    }
    std::uint64_t value() const { return state_ ^ (state_ >> 29); }
    std::string hex() const {
        std::string text;
        hex(text);
        return text;
    }
    /// The same into a string that keeps its memory.
    void hex(std::string& text) const {
        static constexpr char digits[] = "0123456789abcdef";
        text.assign(16, '0');
        std::uint64_t v = value();
        for (int i = 15; i >= 0; --i, v >>= 4)
            text[static_cast<std::size_t>(i)] = digits[v & 15];
    }

private:
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
        state_ ^= state_ >> 32;
    }
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

} // namespace muslin
