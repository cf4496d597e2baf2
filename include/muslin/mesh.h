#pragma once

#include "muslin/vec.h"

#include <array>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace muslin::api {

/// A surface of polygons: the shape of a cloth or of a body. Vertices and polygons are counted from
/// 0 and keep their order in everything that is read back. Seen from the front of a cloth, or from
/// outside a body, the corners of a polygon go counter-clockwise.
struct Mesh {
    std::vector<Vec3> positions = {}; ///< of the vertices [m]
    std::vector<int> corners = {};    ///< the vertices of one polygon after the other
    /// How many corners each polygon has, 3 or more; empty: all are triangles.
    std::vector<int> sizes = {};
    /// Where each vertex, or each of `corners`, lies on the flat pattern [m]: the rest shape of a
    /// cloth, x along the weft. Empty: the cloth rests in the shape of `positions`.
    std::vector<Vec2> uv = {};
    std::map<std::string, std::vector<int>> groups = {}; ///< polygons by name, each in at most one
    /// Numbers by name, one for each vertex: painted maps, from which regions are chosen.
    std::map<std::string, std::vector<double>> maps = {};

    std::size_t polygon_count() const { return sizes.empty() ? corners.size() / 3 : sizes.size(); }
};

/// A mesh of triangles from arrays [m]; `uv` as above, or none.
Mesh triangle_mesh(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const Vec2> uv = {});

/// The mesh of a cloth that a scene can describe, in metres: the name of a file (.obj, .ply, .off,
/// .gltf, .glb), or a table as a scene file has it, such as "{ type = 'sphere', radius = 0.3 }"
/// (`mesh` in docs/scene-format.md has all types). Throws InputError and FileError.
Mesh make_mesh(const std::string& description);

/// Writes a mesh by the ending of the name: .obj, .ply or .off [m]. Throws FileError, and
/// InputError where the lists of the mesh do not fit each other.
void write_mesh(const std::filesystem::path& file, const Mesh& mesh);

} // namespace muslin::api
