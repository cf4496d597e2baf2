#pragma once

#include "muslin/scene/keys.h"

#include <span>
#include <string>

namespace muslin::testing {

/// The rows of a table of keys in Markdown. A column that no row has anything in is left out.
std::string key_table(const KeyGroup& group);

/// A page with its tables of keys as they are now: what lies between "<!-- keys: NAME -->" and
/// "<!-- end of keys -->", NAME being a table of `groups` or, as in "mesh.grid", one of its kinds.
/// Throws std::runtime_error for a NAME that is not there, and for a table that no mark names.
std::string with_key_tables(const std::string& page, std::span<const KeyGroup* const> groups);

} // namespace muslin::testing
