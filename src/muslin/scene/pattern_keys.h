#pragma once

#include "muslin/scene/keys.h"

namespace muslin::pattern_keys {

// The keys of a sewing pattern in TOML (docs/pattern-format.md). `sizes` has the names that the
// pattern gives them.

extern const KeyGroup pattern, panel, edge, hole, wrap, seam; // keys_pattern.cpp

/// For tests and the documentation, in its order: every group.
std::vector<const KeyGroup*> all();

} // namespace muslin::pattern_keys
