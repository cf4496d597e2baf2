#pragma once

#include <filesystem>
#include <string>

namespace muslin {

/// All bytes of a regular file. Throws FileError when it is missing, is not a regular file, cannot
/// be read, or does not fit into memory.
std::string read_file(const std::filesystem::path& file);

/// The system's words for the last failed call (errno), for a FileError.
std::string system_reason();

} // namespace muslin
