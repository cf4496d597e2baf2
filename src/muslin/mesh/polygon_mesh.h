#pragma once

#include "muslin/math/vec.h"

#include <map>
#include <string>
#include <vector>

namespace muslin {

/// A mesh as a file holds it: the user's own vertices, polygons and order.
struct PolygonMesh {
    std::vector<Vec3> positions; ///< [m] once imported
    std::vector<Vec2> texcoords; ///< texture or material coordinates, referred to by corner

    /// Polygon f has the corners [face_begin[f], face_begin[f + 1]); always one more than faces.
    std::vector<int> face_begin = {0};
    std::vector<int> corner_vertex;   ///< index into positions
    std::vector<int> corner_texcoord; ///< index into texcoords, -1 for none; empty when no file vt

    std::vector<std::string> group_names;
    std::vector<int> face_group; ///< index into group_names, -1 for none; empty when no groups

    /// Per-vertex numbers by name (PLY properties, painted maps), each as long as positions.
    std::map<std::string, std::vector<double>> vertex_maps;

    /// What the reader of its file mended or left out: "FILE: what".
    std::vector<std::string> warnings = {};

    int face_count() const { return static_cast<int>(face_begin.size()) - 1; }
};

} // namespace muslin
