#pragma once

#include "muslin/base/enum_names.h"
#include "muslin/mesh/polygon_mesh.h"

#include <array>
#include <vector>

namespace muslin {

/// A triangle mesh with its material (pattern) coordinates. These are kept per corner, not per
/// vertex: a vertex on a seam has one (u, v) for each panel that meets there [BW98 2.1].
struct TriangleMesh {
    std::vector<Vec3> positions;               ///< [m]
    std::vector<std::array<int, 3>> triangles; ///< counter-clockwise seen from outside
    std::vector<std::array<Vec2, 3>> material; ///< (u, v) of each corner [m]
    std::vector<int> source_face;              ///< the polygon each triangle was cut from
};

/// Cuts every polygon into triangles: a quad along the diagonal that gives the better shapes,
/// others by ear clipping in the polygon's mean plane, so that concave polygons stay covered once;
/// vertices keep their order. Material coordinates are left empty. Throws InputError, naming the
/// face (from 0), for one of fewer than three corners or with a vertex that does not exist.
TriangleMesh triangulate(const PolygonMesh& mesh);

/// How a cloth gets its rest shape.
enum class RestShape {
    positions, ///< each triangle laid flat as it is in space; the grain (u) follows texcoords or x
    texcoords, ///< the file's texture coordinates are the pattern, in metres
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<RestShape> = {"positions", "texcoords"};

/// Fills `material` of every triangle of triangulate(source).
///
/// RestShape::positions lays each triangle flat without deforming it, counter-clockwise. Its u axis
/// follows the gradient of the texture coordinate u over that triangle; where it has no texture
/// coordinates, or degenerate ones, the world's x projected on it (z where it faces x).
///
/// RestShape::texcoords keeps (u, v) as given: a mirrored panel has triangles of negative area, and
/// consumers take its absolute value.
///
/// Throws InputError, naming the face (from 0; the caller adds the file), for a triangle without
/// area in the space that counts, and with RestShape::texcoords for a corner that has none.
void set_material_coordinates(TriangleMesh& triangles, const PolygonMesh& source, RestShape rest);

} // namespace muslin
