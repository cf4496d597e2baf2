#pragma once

#include "muslin/pattern/pattern.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Throws InputError, its key "panel 'NAME', edge I", where the loops of a panel are no outline
/// that can be cut from cloth: an index without a vertex, a coordinate that is not finite, an edge
/// of no length, an arc whose radius is less than half its chord, an open loop, a loop around no
/// area, edges that cross or touch (the other one is named in `found`), a hole that is not in the
/// cloth. The functions below need a panel that passes.
void check_panel(const PatternPanel& panel);

/// The length of an edge along its curve [m].
double edge_length(const PatternPanel& panel, int edge);

/// Into how many parts of about `length` [m] an edge is cut where nobody asks for a number. Both
/// sides of a seam are to get the larger one of theirs.
/// For tests; mesh_panel counts by itself.
int edge_segments(const PatternPanel& panel, int edge, double length);

/// `segments` + 1 points along an edge from its start to its end, evenly by arc length.
std::vector<Vec2> sample_edge(const PatternPanel& panel, int edge, int segments);

/// Twice the area that the outer loop goes around, counter-clockwise positive [m^2].
double doubled_area(const PatternPanel& panel);

/// A panel in well-shaped triangles.
struct PanelMesh {
    std::vector<Vec2> points;                  ///< [m]; those of the loops first
    std::vector<std::array<int, 3>> triangles; ///< counter-clockwise on the panel, holes left out
    /// For each edge its points from start to end, both included.
    std::vector<std::vector<int>> edge_points;
};

/// Meshes a panel with edges of about `length` [m]. `segments` says into how many parts each edge
/// is cut, evenly and for good; where it is shorter than the list of edges or has a zero, the edge
/// is cut by `length`, and finer where the cloth is narrow. No angle is below 25 degrees but at
/// corners of the outline that are as sharp (docs/panels.md says which). Deterministic. Throws
/// InputError as check_panel does, for a length that is not positive or gives more than 5,000,000
/// triangles, and, naming the edge and a length that would do, for details that edges of this
/// length cannot keep.
PanelMesh mesh_panel(const PatternPanel& panel, double length, std::span<const int> segments = {});

} // namespace muslin
