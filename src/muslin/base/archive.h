#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muslin {

/// The bytes of an archive are not those of what is read from it.
class ArchiveError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Takes values to bytes or back, so that one list of members serves both ways:
///
///     void serialise(Archive& archive, Size& s) { archive(s.length); archive.list(s.marks); }
///
/// Numbers are little-endian and keep all their bits. What is read comes from a file: counts are
/// checked against the bytes that are left before anything is made of that size.
class Archive {
public:
    /// One that is written.
    Archive() = default;
    /// One that is read; the bytes must outlive it.
    explicit Archive(std::string_view bytes) : reading_(true), source_(bytes) {}

    bool is_reading() const { return reading_; }

    /// A number, or a few of them one after the other such as a vector.
    template <class T>
    void operator()(T& value) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        raw(&value, sizeof value);
    }
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        write(&value, sizeof value);
    }
    void operator()(bool& value) {
        std::uint8_t byte = value ? 1 : 0;
        raw(&byte, 1);
        require(byte < 2, "a yes or no is neither");
        value = byte != 0;
    }
    void operator()(std::string& text) {
        text.resize(count(text.size(), 1));
        raw(text.data(), text.size());
    }

    /// A sequence of such, with its length: std::vector or LargeArray.
    template <class Sequence>
    void list(Sequence& values) {
        using T = std::remove_reference_t<decltype(values[0])>;
        if constexpr (std::is_const_v<T>) {
            (*this)(static_cast<std::uint64_t>(values.size()));
            write(values.data(), values.size() * sizeof(T));
        } else {
            values.resize(count(values.size(), sizeof(T)));
            raw(values.data(), values.size() * sizeof(T));
        }
    }
    /// A sequence of things that take more than one call: each(archive, thing).
    template <class Sequence, class Each>
    void list(Sequence& values, const Each& each) {
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(values[0])>>)
            (*this)(static_cast<std::uint64_t>(values.size()));
        else
            values.resize(count(values.size(), 1));
        for (auto& value : values)
            each(*this, value);
    }

    /// For what is read: that it fits what it is read into.
    void require(bool fits, const char* problem) const {
        if (!fits)
            throw ArchiveError(problem);
    }

    /// What has been written, without a copy.
    std::string take() { return std::move(written_); }
    std::size_t written() const { return written_.size(); }
    /// What is left to read.
    std::size_t left() const { return source_.size() - at_; }

private:
    static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

    std::size_t count(std::size_t mine, std::size_t least_bytes) {
        auto number = static_cast<std::uint64_t>(mine);
        raw(&number, sizeof number);
        if (reading_)
            require(number <= left() / least_bytes, "it ends too early");
        return static_cast<std::size_t>(number);
    }
    void raw(void* value, std::size_t size) {
        if (!reading_)
            return write(value, size);
        require(size <= left(), "it ends too early");
        if (size > 0)
            std::memcpy(value, source_.data() + at_, size);
        at_ += size;
    }
    void write(const void* value, std::size_t size) {
        if (reading_)
            throw std::logic_error("Archive: what is constant cannot be read");
        written_.append(static_cast<const char*>(value), size);
    }

    bool reading_ = false;
    std::string_view source_;
    std::size_t at_ = 0;
    std::string written_;
};

} // namespace muslin
