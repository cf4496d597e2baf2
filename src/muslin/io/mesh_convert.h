#pragma once

#include "muslin/mesh/polygon_mesh.h"

namespace muslin {

// From a file's own unit and up axis to those of the engine, metres and y up. Positions alone
// change: texture coordinates are the pattern, whose unit the scene states by itself.

/// Brings positions in units of `unit` [m], with z up when `z_up`, to metres with y up:
/// (x, y, z) with z up becomes (x, z, -y), which keeps the faces' orientation.
void to_metres_y_up(PolygonMesh& mesh, double unit, bool z_up);

} // namespace muslin
