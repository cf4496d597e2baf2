#pragma once

#include "muslin/mesh/pattern.h"

#include <span>
#include <string>

namespace muslin {

/// "panel 'NAME', edge I", the key of errors about an edge.
std::string edge_key(const PatternPanel& panel, int edge);

/// Throws InputError where the loops of a panel are no outline that can be cut from cloth, or edges
/// of `length` [m] would be too many (panel_mesh.h).
void check_panel(const PatternPanel& panel, double length, std::span<const int> segments);

} // namespace muslin
