#pragma once

#include "muslin/mesh/pattern.h"

#include <string>

namespace muslin {

/// Two sewn edges may differ this much in length: gathers of a full skirt take up 3 to 1.
inline constexpr double max_seam_ratio = 4;

/// What messages call an edge: panel 'front', edge 3 'side' (the label where there is one).
std::string edge_name(const PatternPanel& panel, int edge);

// Both throw InputError, its key naming panel and edge, with no file: the reader knows it.

/// An outline that can be cut: numbers finite, loops closed, edges of some length, arcs that reach
/// their ends, nothing crossing or touching, holes inside, some area.
void check_pattern_panel(const PatternPanel& panel);

/// Seams that can be sewn: panels and edges that exist, no edge sewn twice, lengths that may be
/// eased into each other. The panels must be sound.
void check_stitch(const Pattern& pattern, std::size_t stitch);

/// All panels and stitches; names of panels differ; there is a panel. `file` is for messages.
void check_pattern(const Pattern& pattern, const std::string& file);

} // namespace muslin
