#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// Two triangles that share an edge. v[0] -> v[1] is the shared edge as triangle t[0] runs along
/// it; v[2] is the third vertex of t[0], v[3] that of t[1].
struct Hinge {
    std::array<int, 4> v;
    std::array<int, 2> t;
};

/// Edges of a triangle mesh, in an order that depends on the triangles alone.
struct Topology {
    std::vector<std::array<int, 2>> edges;          ///< each once, smaller vertex first, sorted
    std::vector<Hinge> hinges;                      ///< one per inner edge, in the order of `edges`
    std::vector<std::array<int, 2>> boundary_edges; ///< directed as their triangle runs
};

/// Defined for any triangles whose indices are not negative. An edge of more than two triangles is
/// listed in `edges` alone; of the two triangles of a hinge, t[0] is the earlier one.
Topology build_topology(std::span<const std::array<int, 3>> triangles);

/// What makes a triangle mesh unfit for simulation, in words that name the place ("edge 12-40
/// is shared by 3 triangles"), or nothing. Vertices count from 0 here; a reader adds the file's
/// own numbering. Checked: index range, repeated corner, an edge with more than two triangles,
/// two triangles that run along an edge the same way, a vertex in no triangle. The kinds are looked
/// for in this order, the first place of the first kind found is told.
struct MeshDefect {
    enum class Kind { index, repeated_corner, non_manifold_edge, orientation, unused_vertex };
    Kind kind;
    std::string text;
};
std::optional<MeshDefect> find_defect(std::span<const std::array<int, 3>> triangles,
                                      int vertex_count);

} // namespace muslin
