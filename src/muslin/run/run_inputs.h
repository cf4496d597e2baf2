#pragma once

#include "muslin/scene/description.h"

#include <filesystem>
#include <string>
#include <vector>

namespace muslin {

/// The files that a scene names, each once, by name and digest of its bytes, a line each: the same
/// bits come only of the same files. Throws FileError.
std::string digest_inputs(const SceneDescription& scene);

/// Which files hold something else than they did, in words; both as digest_inputs gives them. A
/// file that one of them lacks is told of by the change of the scene that names it.
std::vector<std::string> input_changes(const std::string& before, const std::string& now);

/// Throws InputError where a run into this directory would replace a file that its scene reads, or
/// the scene itself by another text.
void protect_inputs(const SceneDescription& scene, const std::filesystem::path& directory);

} // namespace muslin
