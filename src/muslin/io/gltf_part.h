#pragma once

#include "muslin/io/gltf_file.h"

#include <array>
#include <string>
#include <vector>

namespace muslin {

/// The triangles of one glTF mesh with all that moves their vertices.
struct GltfPart {
    std::vector<Vec3> positions;
    std::vector<std::vector<Vec3>> morphs; ///< offsets, one list per target
    std::vector<int> influence_begin = {0};
    std::vector<int> influence_joint; ///< index into the skin's joints; sorted for each vertex
    std::vector<double> influence_weight;
    std::vector<Vec2> texcoords;      ///< v upwards
    std::vector<int> vertex_texcoord; ///< of each vertex as glTF split them, -1 for none
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 3>> texcoord_triangles; ///< texcoords of the corners, once welded
};

/// Reads all triangles of a mesh; `joints` of a skin (0: the mesh has none). Points and lines are
/// left out. Throws InputError.
GltfPart read_gltf_part(const GltfFile& gltf, int mesh, std::size_t joints,
                        const ReadLimits& limits, std::vector<std::string>& warnings);

/// Joins what glTF splits. It has one normal and one texture coordinate per vertex, so that a
/// vertex on a crease or a seam of the texture is there several times and the surface is cut open.
/// Vertices are joined that lie on a border of the triangles and agree exactly in position,
/// influences and morph targets. Inner vertices stay as they are: surfaces that touch are not
/// glued. Vertices without a triangle go, and so do triangles with a corner twice. Texture
/// coordinates stay as they are, for each corner.
void weld_gltf_part(GltfPart& part);

} // namespace muslin
