#pragma once

#include <filesystem>
#include <string>

namespace muslin {

/// The folder that a scene's choice of cache means, made if need be: "auto" is
/// $XDG_CACHE_HOME/muslin or ~/.cache/muslin, "none" is none. Empty where nothing is to be kept, or
/// where "auto" cannot be written.
std::filesystem::path cache_folder(const std::string& choice);

} // namespace muslin
