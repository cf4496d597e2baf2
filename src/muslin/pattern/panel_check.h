#pragma once

#include "muslin/pattern/pattern.h"

#include <span>
#include <string>

namespace muslin {

// What mesh_panel asks of its input beside check_panel (panel_mesh.h).

/// "panel 'NAME', edge I" and its label, the key of errors about an edge.
std::string edge_key(const PatternPanel& panel, int edge);

/// Throws InputError where edges of `length` [m], or the segments asked for, would be too many.
void check_number(const PatternPanel& panel, double length, std::span<const int> segments);

} // namespace muslin
