#pragma once

#include "muslin/mesh/polygon_mesh.h"

namespace muslin {

// What mesh/generators.h says of texture coordinates, faces and settings out of their range holds
// for this one too.

/// A sheet, or a disc of diameter `width`, of exactly `vertices` vertices placed irregularly and
/// joined by a Delaunay triangulation with smoothed, well-shaped triangles (angles of at least 25
/// degrees). The same settings give the same mesh on every machine.
struct IrregularSettings {
    double width = 1, depth = 1; ///< along x and z [m]; a disc has no depth
    int vertices = 2602;         ///< 16 .. most_vertices
    unsigned seed = 1;
    bool disc = false;
    double jitter = 0.3; ///< 0 .. 0.45: how irregular, as a fraction of the mean edge

    static constexpr int most_vertices = 20'000'000; ///< more would be a slip of the keyboard
};
/// The vertices 0 to 3 of a sheet are its corners, exactly: (x, z) = (-w/2, -d/2), (+w/2, -d/2),
/// (+w/2, +d/2), (-w/2, +d/2). The rest of the outline follows, evenly spaced, in that sense from
/// corner 0 (of a disc: from +x towards +z), then the inner vertices in rows from the lowest z up.
/// Throws InputError where so few vertices on so narrow a sheet cannot keep the angle.
PolygonMesh make_irregular(const IrregularSettings&);

} // namespace muslin
