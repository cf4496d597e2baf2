#pragma once

#include "muslin/levelset/level_set.h"
#include "muslin/mesh/polygon_mesh.h"

namespace muslin {

/// The zero isocontour of a level set as quads, counter-clockwise seen from outside: one vertex in
/// each cell of the grid that the surface passes through, one face for each edge of the grid that
/// it crosses [Gibson: Constrained elastic surface nets, 1998]. The surface is closed. Vertices lie
/// where the interpolated distance is zero.
PolygonMesh surface_mesh(const LevelSet& level_set);

} // namespace muslin
