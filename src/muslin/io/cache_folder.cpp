#include "muslin/io/cache_folder.h"

#include <cstdlib>
#include <unistd.h>

namespace muslin {
namespace {

std::filesystem::path default_folder() {
    const auto folder = [](const char* variable, const char* below) -> std::filesystem::path {
        const char* value = std::getenv(variable);
        return value && *value ? std::filesystem::path(value) / below : std::filesystem::path();
    };
    const std::filesystem::path own = folder("XDG_CACHE_HOME", "muslin");
    return own.empty() ? folder("HOME", ".cache/muslin") : own;
}

// Makes the folder if need be; where that cannot be, nothing is kept rather than the run refused.
std::filesystem::path usable(const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.empty())
        return {};
    std::filesystem::create_directories(folder, error);
    return access(folder.c_str(), W_OK | X_OK) == 0 ? folder : std::filesystem::path();
}

} // namespace

std::filesystem::path cache_folder(const std::string& choice) {
    if (choice == "none")
        return {};
    return choice == "auto" ? usable(default_folder()) : std::filesystem::path(choice);
}

} // namespace muslin
