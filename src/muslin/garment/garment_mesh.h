#pragma once

#include "muslin/mesh/polygon_mesh.h"
#include "muslin/pattern/panel_mesh.h"

#include <array>
#include <string>
#include <vector>

namespace muslin {

/// A pattern cut and laid out: all panels in one mesh, not yet sewn.
struct GarmentMesh {
    /// Sides that are sewn together, point by point.
    struct Seam {
        std::string name;
        int stage = 0;
        std::vector<std::array<int, 2>> joints; ///< vertices of the mesh; never one with itself
    };
    /// Each panel is a group of faces, its outer side out; the texture coordinates are the pattern
    /// [m]. Labels of edges are vertex maps: see edge_map.
    PolygonMesh mesh;
    std::vector<int> vertex_panel;
    std::vector<Seam> seams;
};

/// Cuts every panel in triangles of about `edge` [m] and places it. Both sides of a seam get as
/// many points as the longer one needs. Throws InputError, its key naming panel and edge, for
/// panels that cannot be meshed.
GarmentMesh make_garment(const Pattern& pattern, double edge);

/// One at the vertices of the edges that `name` means, falling to zero 0.1 m from them on their
/// panel: a threshold of 0.8 is what lies within 2 cm. A name is a label of edges, or
/// "PANEL.EDGE" by number or label. Empty where the pattern has no such edge.
std::vector<double> edge_map(const Pattern& pattern, const GarmentMesh& garment,
                             const std::string& name);

} // namespace muslin
