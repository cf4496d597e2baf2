#pragma once

#include "muslin/scene/toml_value.h"

#include <span>
#include <string>

namespace muslin {

/// Applies `key.path=value` changes to a scene, in order, before anything is checked.
///
/// A part of the path is a key, or, in an array, an index from 0 or the `name` of an element:
/// "cloth.sheet.mesh.vertices=500", "cloth[0].material.bend_u=1e-3". The value is read as TOML and,
/// if it is none, as a string. Tables on the way are made as needed, elements of arrays are not; a
/// material or mesh given by name becomes a table that starts from it. A path that leads nowhere
/// throws InputError with the key "--set key.path"; whether its last keys mean anything is for the
/// checks that follow.
void apply_overrides(TomlValue& scene, std::span<const std::string> overrides);

/// Whether a value was given by --set: then its file names count from the working directory.
bool is_override(const Source& where);

} // namespace muslin
