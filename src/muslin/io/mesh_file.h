#pragma once

#include "muslin/mesh/polygon_mesh.h"

#include <filesystem>
#include <span>
#include <string>

namespace muslin {

/// Limits on what a reader believes: a declared size must be backed by bytes in the file.
struct ReadLimits {
    std::size_t max_vertices = 50'000'000;
    std::size_t max_corners = 300'000'000;
};

/// Reads a mesh by its ending: .obj, .ply (ascii and binary, both byte orders), .off, .gltf, .glb.
/// Throws FileError when the file cannot be opened and InputError (file, line or byte, element,
/// expected, found) when its content is wrong: a number that is not finite, an index out of
/// range, a declared size that the file cannot hold, a truncated file, no vertex or no face.
///
/// Kept of each format, beside positions and polygons in the file's order:
/// - OBJ: texture coordinates per corner; the last `g` or `o` before a face as its group (`g` alone
///   and `g default` mean none); colours after a vertex as the maps "red", "green", "blue", zero
///   for a vertex without.
/// - PLY: scalar vertex properties as maps, colours stored as integers scaled to 0 .. 1; texture
///   coordinates from the vertex properties s,t or u,v or texture_u,texture_v, or from the face
///   list `texcoord` (u and v of each corner).
/// - glTF: the scene's meshes as io/gltf.h reads them, in the pose that the file has without an
///   animation; each mesh is a group.
/// Normals, materials, points and lines are passed over: a simulation computes its own normals.
/// What the reader of glTF mended or left out is in the mesh's `warnings`.
PolygonMesh read_mesh(const std::filesystem::path& file, const ReadLimits& limits = {});

/// Writes a mesh by its ending: .obj, .ply (binary little-endian), .off. The file appears whole
/// or not at all (written beside its place, then renamed). Every number is read back bit by bit.
/// What a format cannot hold is left out: groups in PLY, maps but colours in OBJ, both and texture
/// coordinates in OFF. A mesh that is not sound (a number not finite, an index out of range, lists
/// of unequal length) is a programmer's error: std::logic_error, and nothing is written.
void write_mesh(const std::filesystem::path& file, const PolygonMesh& mesh);

} // namespace muslin
