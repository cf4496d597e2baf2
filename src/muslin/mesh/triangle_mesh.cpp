#include "muslin/mesh/triangle_mesh.h"

#include "muslin/mesh/ear_clipping.h"
#include "muslin/mesh/mesh_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>

namespace muslin {
namespace {

// A triangle whose doubled area is below this fraction of its longest edge squared has no usable
// direction across that edge: files hold about seven digits.
constexpr double flat_triangle = 1e-9;

[[noreturn]] void reject_face(int face, const std::string& expected, const std::string& found) {
    reject(fmt::format("face {}", face), expected, found);
}

std::span<const int> face_corners(const PolygonMesh& mesh, int face) {
    const int begin = mesh.face_begin[face], end = mesh.face_begin[face + 1];
    return std::span(mesh.corner_vertex).subspan(begin, end - begin);
}

void check_face(const PolygonMesh& mesh, int face, std::span<const int> corners) {
    if (corners.size() < 3)
        reject_face(face, "at least 3 corners", fmt::format("{}", corners.size()));
    for (const int v : corners)
        if (v < 0 || v >= static_cast<int>(mesh.positions.size()))
            reject_face(face, fmt::format("a vertex below {}", mesh.positions.size()),
                        fmt::format("{}", v));
}

/// Twice the vector area: its direction is the normal of the polygon's mean plane, also for a
/// polygon that is not flat (Newell).
Vec3 doubled_area(std::span<const Vec3> polygon) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < polygon.size(); ++i)
        sum += cross(polygon[i] - polygon[0], polygon[(i + 1) % polygon.size()] - polygon[0]);
    return sum;
}

/// The polygon seen along its mean normal, counter-clockwise.
std::vector<Vec2> flatten(std::span<const Vec3> polygon) {
    const Vec3 area = doubled_area(polygon);
    std::vector<Vec2> flat(polygon.size(), Vec2{0, 0});
    const double size = norm(area);
    if (!(size > 0))
        return flat; // no plane: every cut is as good as another
    const Vec3 normal = (1 / size) * area;
    const Vec3 axis = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 right = normalized(cross(axis, normal)), up = cross(normal, right);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 arm = polygon[i] - polygon[0];
        flat[i] = {dot(arm, right), dot(arm, up)};
    }
    return flat;
}

double longest_edge_squared(const Vec2& p, const Vec2& q) {
    const Vec2 r = q - p;
    return std::max({dot(p, p), dot(q, q), dot(r, r)});
}

/// The texture coordinates of one triangle's corners, where all three have one.
class TriangleTexcoords {
public:
    TriangleTexcoords(const TriangleMesh& triangles, const PolygonMesh& source, std::size_t t) {
        const int face = triangles.source_face[t];
        const int begin = source.face_begin[face], end = source.face_begin[face + 1];
        for (int k = 0; k < 3; ++k) {
            const auto first = source.corner_vertex.begin();
            const auto at = std::find(first + begin, first + end, triangles.triangles[t][k]);
            assert(at != first + end); // the triangle was cut from this face
            const int index =
                source.corner_texcoord.empty() ? -1 : source.corner_texcoord[at - first];
            if (index < 0 && missing < 0)
                missing = triangles.triangles[t][k];
            else if (index >= 0)
                corner[k] = source.texcoords[index];
        }
    }

    std::array<Vec2, 3> corner = {};
    int missing = -1; ///< the first vertex without one
};

/// The direction in which the texture coordinate u grows fastest over the triangle (0, p, q) in
/// space, or nothing where the texture is degenerate: grad u = (du2 n x p - du1 n x q) / |p x q|.
std::optional<Vec3> texture_direction(const std::array<Vec2, 3>& uv, const Vec3& p, const Vec3& q,
                                      const Vec3& normal) {
    const Vec2 d1 = uv[1] - uv[0], d2 = uv[2] - uv[0];
    if (!(std::abs(cross(d1, d2)) > flat_triangle * longest_edge_squared(d1, d2)))
        return std::nullopt;
    const Vec3 gradient = d2.x * cross(normal, p) - d1.x * cross(normal, q);
    return normalized(gradient);
}

/// The world axis that a triangle without texture coordinates takes its grain from: x, or z where
/// the triangle faces x within about 8 degrees.
Vec3 world_direction(const Vec3& normal) {
    const Vec3 axis = std::abs(normal.x) < 0.99 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    return normalized(axis - dot(axis, normal) * normal);
}

std::array<Vec2, 3> lay_flat(const TriangleMesh& mesh, const PolygonMesh& source, std::size_t t) {
    const auto& v = mesh.triangles[t];
    const Vec3 origin = mesh.positions[v[0]];
    const Vec3 p = mesh.positions[v[1]] - origin, q = mesh.positions[v[2]] - origin;
    const Vec3 area = cross(p, q), r = q - p;
    const double scale = std::max({dot(p, p), dot(q, q), dot(r, r)});
    if (!(norm(area) > flat_triangle * scale))
        reject_face(mesh.source_face[t], "triangles with an area",
                    fmt::format("vertices {}, {}, {} in a line", v[0], v[1], v[2]));
    const Vec3 normal = normalized(area);
    const TriangleTexcoords uv(mesh, source, t);
    std::optional<Vec3> grain;
    if (uv.missing < 0)
        grain = texture_direction(uv.corner, p, q, normal);
    const Vec3 u = grain ? *grain : world_direction(normal);
    const Vec3 w = cross(normal, u);
    return {Vec2{0, 0}, Vec2{dot(p, u), dot(p, w)}, Vec2{dot(q, u), dot(q, w)}};
}

std::array<Vec2, 3> pattern_of(const TriangleMesh& mesh, const PolygonMesh& source, std::size_t t) {
    const TriangleTexcoords uv(mesh, source, t);
    const int face = mesh.source_face[t];
    if (uv.missing >= 0)
        reject_face(face, "a texture coordinate at every corner, as they are the pattern",
                    fmt::format("none at vertex {}", uv.missing));
    const Vec2 p = uv.corner[1] - uv.corner[0], q = uv.corner[2] - uv.corner[0];
    if (!(std::abs(cross(p, q)) > flat_triangle * longest_edge_squared(p, q))) {
        const auto& v = mesh.triangles[t];
        reject_face(face, "a pattern with an area",
                    fmt::format("the texture coordinates of vertices {}, {}, {} in a line", v[0],
                                v[1], v[2]));
    }
    return uv.corner;
}

} // namespace

TriangleMesh triangulate(const PolygonMesh& mesh) {
    TriangleMesh out;
    out.positions = mesh.positions;
    out.triangles.reserve(mesh.corner_vertex.size());
    std::vector<Vec3> polygon;
    for (int face = 0; face < mesh.face_count(); ++face) {
        const auto corners = face_corners(mesh, face);
        check_face(mesh, face, corners);
        if (corners.size() == 3) {
            out.triangles.push_back({corners[0], corners[1], corners[2]});
        } else {
            polygon.clear();
            for (const int v : corners)
                polygon.push_back(mesh.positions[v]);
            for (const auto& t : cut_polygon(flatten(polygon)))
                out.triangles.push_back({corners[t[0]], corners[t[1]], corners[t[2]]});
        }
        out.source_face.resize(out.triangles.size(), face);
    }
    return out;
}

void set_material_coordinates(TriangleMesh& triangles, const PolygonMesh& source, RestShape rest) {
    assert(triangles.source_face.size() == triangles.triangles.size());
    std::vector<std::array<Vec2, 3>> material(triangles.triangles.size());
    for (std::size_t t = 0; t < material.size(); ++t)
        material[t] = rest == RestShape::texcoords ? pattern_of(triangles, source, t)
                                                   : lay_flat(triangles, source, t);
    triangles.material = std::move(material);
}

} // namespace muslin
