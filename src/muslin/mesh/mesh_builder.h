#pragma once

#include "muslin/base/error.h"
#include "muslin/mesh/polygon_mesh.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace muslin {

// What the generators share.

/// Appends a triangle: vertices and, corner by corner, texture coordinates.
inline void add_triangle(PolygonMesh& mesh, const std::array<int, 3>& vertices,
                         const std::array<int, 3>& texcoords) {
    mesh.corner_vertex.insert(mesh.corner_vertex.end(), vertices.begin(), vertices.end());
    mesh.corner_texcoord.insert(mesh.corner_texcoord.end(), texcoords.begin(), texcoords.end());
    mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
}

/// Appends a vertex of a flat sheet, with the texture coordinate of the same index.
inline void add_sheet_vertex(PolygonMesh& mesh, double x, double z) {
    mesh.positions.push_back({x, 0, z});
    mesh.texcoords.push_back({x, 0.0 - z}); // not -z, which would make zero negative
}
inline void add_sheet_triangle(PolygonMesh& mesh, int a, int b, int c) {
    add_triangle(mesh, {a, b, c}, {a, b, c});
}

[[noreturn]] inline void reject(const std::string& key, const std::string& expected,
                                const std::string& found) {
    Problem problem;
    problem.key = key;
    problem.expected = expected;
    problem.found = found;
    throw InputError(problem);
}
template <class T>
void require(bool condition, const char* key, const char* expected, const T& found) {
    if (!condition)
        reject(key, expected, fmt::format("{}", found));
}
inline void require_length(const char* key, double value) {
    require(value > 0 && value <= 1e6, key, "a length above 0 and up to 1e6 [m]", value);
}
inline void require_count(const char* key, int value, int least) {
    if (value < least || value > 1'000'000)
        reject(key, fmt::format("a number from {} to 1000000", least), fmt::format("{}", value));
}
/// Meshes are indexed with int, and a mistyped count should not exhaust the memory.
inline void require_size(const char* key, double vertices) {
    require(vertices <= 5e7, key, "at most 50000000 vertices in all", vertices);
}

} // namespace muslin
