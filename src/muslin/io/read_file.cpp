#include "muslin/io/read_file.h"

#include "muslin/base/error.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace muslin {

std::string system_reason() {
    const int code = errno;
    return code != 0 ? std::generic_category().message(code) : "input/output error";
}

std::ifstream open_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status))
        throw FileError(file.string(), "cannot be read: " + error.message());
    if (std::filesystem::is_directory(status))
        throw FileError(file.string(), "cannot be read: it is a directory");
    // A device or pipe may have no end.
    if (!std::filesystem::is_regular_file(status))
        throw FileError(file.string(), "cannot be read: it is not a regular file");

    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw FileError(file.string(), "cannot be read: " + system_reason());
    return stream;
}

std::string read_file(const std::filesystem::path& file, std::uint64_t most) {
    std::ifstream stream = open_file(file);
    errno = 0;
    stream.seekg(0, std::ios::end);
    const std::streamoff size = stream.tellg();
    if (size > 0 && static_cast<std::uint64_t>(size) > most)
        throw InputError({{file.string(), 0, 0},
                          "",
                          fmt::format("a file of at most {} MiB", most >> 20),
                          fmt::format("one of {} MiB", (size >> 20) + 1),
                          ""});
    std::string bytes;
    try {
        bytes.resize(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)));
    } catch (const std::exception&) {
        throw FileError(file.string(), "cannot be read: too large for memory");
    }
    stream.seekg(0);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (size < 0 || stream.gcount() != static_cast<std::streamsize>(bytes.size()))
        throw FileError(file.string(), "cannot be read: " + system_reason());
    return bytes;
}

} // namespace muslin
