#pragma once

#include "muslin/pattern/pattern.h"

#include <string>

namespace muslin {

/// Two sewn edges may differ this much in length: gathers of a full skirt take up 3 to 1.
inline constexpr double max_seam_ratio = 4;

// Both throw InputError, its key naming panel and edge.

/// A stitch that can be sewn: panels and edges that exist, no edge sewn twice, lengths that can be
/// eased into each other. The panels must be sound. The error has no file.
void check_stitch(const Pattern& pattern, std::size_t number);

/// All panels and stitches; names of panels differ; there is a panel. `file` is for messages.
void check_pattern(const Pattern& pattern, const std::string& file);

} // namespace muslin
