#pragma once

#include "muslin/scene/description.h"
#include "muslin/scene/given.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muslin {

/// What becomes of keys that none of the scene's parts reads (scene/unread_keys.h).
enum class UnreadKeys {
    refuse,             ///< they are bad input
    allow_of_materials, ///< but for those of materials: a program has fabrics for every recipe
    allow,
};

struct LoadOptions {
    /// Whether the scene may name files outside its directory. Else one that does, after symbolic
    /// links are resolved, is bad input; files that `overrides` or MUSLIN_DATA name are the
    /// caller's choice in any case.
    bool allow_outside = false;
    UnreadKeys unread_keys = UnreadKeys::refuse;
    const GivenInputs* given = nullptr; ///< what a program gives in place of files; may be null
};

/// Reads and checks a scene: a TOML file, or a built-in scene by its name ("two-corner-sheet", or
/// in full "bw98/two-corner-sheet"). `overrides` are changes "key.path=value", applied before
/// anything is checked (scene/overrides.h). Nothing in a scene is run: its formulas are arithmetic.
///
/// Throws InputError (file, line, column, key, expected, found) for whatever is wrong in the scene,
/// a mesh or material file that it names and that cannot be read included; FileError if the scene
/// file itself cannot be read. What only the mesh can tell, such as whether a vertex exists, is
/// checked by build_scene.
SceneDescription load_scene(const std::string& name_or_path,
                            std::span<const std::string> overrides = {},
                            const LoadOptions& options = {});

/// A scene before it is read.
struct SceneText {
    std::string text;
    std::string label;            ///< what messages call it
    std::filesystem::path folder; ///< that its file names count from
    std::string name;
    std::filesystem::path file; ///< empty for a built-in scene
};
/// The text that load_scene would read. Throws InputError and FileError as that does.
SceneText find_scene(const std::string& name_or_path);

/// The same for a text. `file` is what messages call it, `folder` the directory that its file names
/// count from; `name` is the scene's name unless it gives one.
SceneDescription parse_scene(std::string_view text, const std::string& file,
                             const std::filesystem::path& folder, const std::string& name,
                             std::span<const std::string> overrides = {},
                             const LoadOptions& options = {});

/// A built-in material by name, or a material file; one that it starts from (`base`) lies in its
/// directory too unless `allow_outside`.
Material load_material(const std::string& name_or_path, bool allow_outside = false);

/// The numbers of a material by their keys, in the units of those. What no scene can say, such as
/// a yield that never comes, is left out.
std::vector<std::pair<std::string_view, double>> material_numbers(const Material& material);

} // namespace muslin
