#pragma once

#include "muslin/mesh/pattern.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// The length of an edge along its curve [m].
double edge_length(const PatternPanel& panel, int edge);

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
/// is cut; where it is shorter than the list of edges or has a zero, by `length`. Deterministic.
/// Throws InputError, its key naming panel and edge, for an outline that is no outline: open,
/// crossing itself, of no length, not finite; and for details that edges of this length cannot
/// keep.
PanelMesh mesh_panel(const PatternPanel& panel, double length, std::span<const int> segments = {});

} // namespace muslin
