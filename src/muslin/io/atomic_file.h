#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

namespace muslin {

/// Takes a file's bytes in order. Small pieces are gathered before they go to the system, so that
/// a writer may print one number at a time.
class ByteSink {
public:
    using Drain = std::function<void(std::string_view)>;
    explicit ByteSink(Drain drain) : drain_(std::move(drain)) {}

    void put(std::string_view bytes) {
        buffer_.append(bytes.data(), bytes.data() + bytes.size());
        drain_when_full();
    }
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(fmt::appender(buffer_), format, std::forward<Args>(args)...);
        drain_when_full();
    }
    /// Passes on what has been gathered. Whoever made the sink calls it last.
    void flush() {
        drain_({buffer_.data(), buffer_.size()});
        buffer_.clear();
    }

private:
    static constexpr std::size_t full = std::size_t{1} << 18;

    void drain_when_full() {
        if (buffer_.size() >= full)
            flush();
    }

    Drain drain_;
    fmt::memory_buffer buffer_;
};

/// What a file is safe from once it is written.
enum class Durability {
    disk,    ///< a machine that stops: it is synchronised to the disk
    process, ///< a program that is killed, at any moment: the system has it
};

/// Writes a file so that it appears whole or not at all: under another name in the same directory,
/// synchronised to the disk, then renamed over `file`. When `produce` or the disk fails, what was
/// at `file` before is still there, and nothing else is left. A symbolic link keeps pointing to the
/// file it names; a pipe or device (/dev/stdout) is written directly, as it cannot be replaced.
/// Throws FileError; lets what `produce` throws pass.
void write_file_atomically(const std::filesystem::path& file,
                           const std::function<void(ByteSink&)>& produce,
                           Durability durability = Durability::disk);
void write_file_atomically(const std::filesystem::path& file, std::string_view contents,
                           Durability durability = Durability::disk);

/// Waits until what was written of a file or folder is on the disk. Throws FileError.
void synchronise(const std::filesystem::path& file);

/// Makes a folder and those above it, where they are not there yet; an empty path is the current
/// one. Throws FileError.
void make_folder(const std::filesystem::path& folder);

} // namespace muslin
