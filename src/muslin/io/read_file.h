#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace muslin {

/// A regular file, open at its begin. Throws FileError when it is missing, is not a regular file or
/// cannot be read.
std::ifstream open_file(const std::filesystem::path& file);

/// All bytes of a regular file. Throws FileError as open_file does, and when it does not fit into
/// memory; InputError when it has more bytes than `most`.
std::string read_file(const std::filesystem::path& file,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// The system's words for the last failed call (errno), for a FileError.
std::string system_reason();

} // namespace muslin
