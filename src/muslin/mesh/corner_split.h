#pragma once

#include "muslin/mesh/triangle_mesh.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// The texture coordinates of every corner of triangulate(mesh), or nothing where the mesh has
/// none or a corner lacks one.
std::vector<std::array<Vec2, 3>> texture_corners(const PolygonMesh& mesh,
                                                 const TriangleMesh& triangles);

/// Vertices with one texture coordinate each, as graphics hardware and glTF have them.
struct CornerSplit {
    /// The mesh's vertex of each of these: the mesh's own first, in its order, then a copy for
    /// every further coordinate of a vertex on a seam.
    std::vector<int> source;
    std::vector<Vec2> uv; ///< empty without texture coordinates; (0, 0) where no triangle is
    std::vector<std::array<int, 3>> triangles;
};

/// Splits the vertices of triangles whose corners have the coordinates `uv` (empty, or one entry
/// per triangle).
CornerSplit split_corners(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                          std::span<const std::array<Vec2, 3>> uv);

} // namespace muslin
