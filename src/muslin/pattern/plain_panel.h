#pragma once

#include "muslin/mesh/polygon_mesh.h"

#include <string>
#include <vector>

namespace muslin {

// What mesh/generators.h says of texture coordinates, faces and settings out of their range holds
// for this one too.

/// A section of cloth cut along an outline: what garments are sewn from.
struct PanelSettings {
    /// The outline's points in turn, either way round [m]; y of the outline is v.
    std::vector<Vec2> outline = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    /// The side from each point to the next. Points in a row with one name are one side, such as
    /// the curve of an armhole. Empty: "side0", "side1" and so on.
    std::vector<std::string> sides;
    /// Edges along each side, in the order in which the sides begin; 0, or none: by `edge`. Sides
    /// that are to be sewn together need as many.
    std::vector<int> counts;
    double edge = 0.025; ///< of triangles, about [m]
    /// By how much the panel is bent round an axis along v at the start, its middle up and its face
    /// outward [degrees]. The pattern stays flat.
    double roll = 0;
};
/// Every side is cut evenly; its ends are corners of the mesh, points within it need not be. The
/// vertices of each side have the value 1 in the vertex map of its name. Texture coordinates are
/// the outline's own.
PolygonMesh make_panel(const PanelSettings&);

} // namespace muslin
