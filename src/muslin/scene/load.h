#pragma once

#include "muslin/scene/description.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// The recipes of the engine (sim/recipe.h), the default first.
inline std::vector<std::string> default_recipes() {
    return {"muslin", "bw98", "bridson03", "volino95", "bayraktar07", "ohta95"};
}

/// Reads and checks a scene: a TOML file, or a built-in scene by its name ("two-corner-sheet", or
/// in full "bw98/two-corner-sheet"). `overrides` are changes "key.path=value", applied before
/// anything is checked (scene/overrides.h). `recipes` are the names that `recipe` may have.
///
/// Throws InputError (file, line, column, key, expected, found) for whatever is wrong in the scene,
/// a mesh or material file that it names and that cannot be read included; FileError if the scene
/// file itself cannot be read. What only the mesh can tell, such as whether a vertex exists, is
/// checked by build_scene.
SceneDescription load_scene(const std::string& name_or_path,
                            std::span<const std::string> overrides = {},
                            const std::vector<std::string>& recipes = default_recipes());

/// The same for a text. `file` is what messages call it, `folder` where its file names count from;
/// `name` is the scene's name unless it gives one.
SceneDescription parse_scene(std::string_view text, const std::string& file,
                             const std::filesystem::path& folder, const std::string& name,
                             std::span<const std::string> overrides = {},
                             const std::vector<std::string>& recipes = default_recipes());

/// A built-in material by name, or a material file.
Material load_material(const std::string& name_or_path);

} // namespace muslin
