#pragma once

#include "muslin/scene/description.h"
#include "muslin/scene/toml_value.h"

namespace muslin {

/// Throws InputError for a key that the scene itself gives and that none of its parts reads, while
/// others would (Part::reads): it would change nothing. What comes with a fabric that is named is
/// no concern of the scene's, and neither are the numbers that a fabric of its own must have; where
/// `of_materials` is false, nothing of a fabric is.
void check_keys_are_read(const TomlValue& document, const SceneDescription& scene,
                         bool of_materials = true);

} // namespace muslin
