#include "muslin/mesh.h"

#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/io/mesh_file.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin::api {
namespace {

/// Checks the lists of a mesh and says what is wrong with the first that is.
class MeshCheck {
public:
    MeshCheck(const Mesh& mesh, const std::string& key) : mesh_(mesh), key_(key) {}

    void run() const {
        for (const Vec3& p : mesh_.positions)
            require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "positions",
                    "finite numbers", "another");
        for (const Vec2& p : mesh_.uv)
            require(std::isfinite(p.x) && std::isfinite(p.y), "uv", "finite numbers", "another");
        std::size_t corners = 3 * mesh_.polygon_count();
        if (!mesh_.sizes.empty()) {
            corners = 0;
            for (const int size : mesh_.sizes) {
                require(size >= 3, "sizes", "3 or more corners of each polygon",
                        fmt::to_string(size));
                corners += static_cast<std::size_t>(size);
            }
        }
        require(corners == mesh_.corners.size(), "corners",
                mesh_.sizes.empty() ? "three for each triangle"
                                    : fmt::format("{}, as many as sizes add up to", corners),
                fmt::to_string(mesh_.corners.size()));
        const auto vertices = static_cast<int>(mesh_.positions.size());
        for (const int v : mesh_.corners)
            require(v >= 0 && v < vertices, "corners",
                    fmt::format("vertices 0 to {}", vertices - 1), fmt::to_string(v));
        require(mesh_.uv.empty() || mesh_.uv.size() == mesh_.positions.size() ||
                    mesh_.uv.size() == mesh_.corners.size(),
                "uv",
                fmt::format("one for each of {} vertices or {} corners", mesh_.positions.size(),
                            mesh_.corners.size()),
                fmt::to_string(mesh_.uv.size()));
        check_groups();
        for (const auto& [name, values] : mesh_.maps)
            require(values.size() == mesh_.positions.size(), "maps",
                    fmt::format("{} numbers of '{}', one for each vertex", vertices, name),
                    fmt::to_string(values.size()));
    }

private:
    void check_groups() const {
        std::vector<char> taken(mesh_.polygon_count(), 0);
        for (const auto& [name, polygons] : mesh_.groups)
            for (const int f : polygons) {
                require(f >= 0 && f < static_cast<int>(taken.size()), "groups",
                        fmt::format("polygons 0 to {} in '{}'", static_cast<int>(taken.size()) - 1,
                                    name),
                        fmt::to_string(f));
                require(!taken[f], "groups", "each polygon in at most one group",
                        fmt::format("polygon {} in '{}' and another", f, name));
                taken[f] = 1;
            }
    }
    void require(bool sound, const char* list, const std::string& expected,
                 const std::string& found) const {
        if (!sound)
            reject(key_ + "." + list, expected, found);
    }

    const Mesh& mesh_;
    const std::string& key_;
};

} // namespace

PolygonMesh to_engine(const Mesh& mesh, const std::string& key) {
    MeshCheck(mesh, key).run();
    PolygonMesh out;
    out.positions = to_engine(mesh.positions);
    out.corner_vertex = mesh.corners;
    for (std::size_t f = 0; f < mesh.polygon_count(); ++f)
        out.face_begin.push_back(out.face_begin.back() + (mesh.sizes.empty() ? 3 : mesh.sizes[f]));
    for (const Vec2& uv : mesh.uv)
        out.texcoords.push_back({uv.x, uv.y});
    if (mesh.uv.size() == mesh.positions.size()) {
        out.corner_texcoord = mesh.corners;
    } else if (!mesh.uv.empty()) {
        for (std::size_t c = 0; c < mesh.corners.size(); ++c)
            out.corner_texcoord.push_back(static_cast<int>(c));
    }
    if (!mesh.groups.empty())
        out.face_group.assign(mesh.polygon_count(), -1);
    for (const auto& [name, polygons] : mesh.groups) {
        for (const int f : polygons)
            out.face_group[f] = static_cast<int>(out.group_names.size());
        out.group_names.push_back(name);
    }
    out.vertex_maps = mesh.maps;
    return out;
}

Mesh to_public(const PolygonMesh& mesh) {
    Mesh out;
    out.positions = to_public(mesh.positions);
    out.corners = mesh.corner_vertex;
    bool triangles = true;
    for (int f = 0; f < mesh.face_count(); ++f) {
        out.sizes.push_back(mesh.face_begin[f + 1] - mesh.face_begin[f]);
        triangles = triangles && out.sizes.back() == 3;
    }
    if (triangles)
        out.sizes.clear();
    // A corner without a place leaves no pattern to speak of.
    const auto& places = mesh.corner_texcoord;
    if (!mesh.texcoords.empty() && !places.empty() &&
        std::find(places.begin(), places.end(), -1) == places.end()) {
        const bool by_vertex =
            places == mesh.corner_vertex && mesh.texcoords.size() == mesh.positions.size();
        for (std::size_t i = 0; i < (by_vertex ? mesh.texcoords.size() : places.size()); ++i) {
            const muslin::Vec2& uv = mesh.texcoords[by_vertex ? i : places[i]];
            out.uv.push_back({uv.x, uv.y});
        }
    }
    for (std::size_t f = 0; f < mesh.face_group.size(); ++f)
        if (mesh.face_group[f] >= 0)
            out.groups[mesh.group_names[mesh.face_group[f]]].push_back(static_cast<int>(f));
    out.maps = mesh.vertex_maps;
    return out;
}

Mesh triangle_mesh(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const Vec2> uv) {
    Mesh out;
    out.positions.assign(positions.begin(), positions.end());
    for (const auto& corners : triangles)
        out.corners.insert(out.corners.end(), corners.begin(), corners.end());
    out.uv.assign(uv.begin(), uv.end());
    return out;
}

Mesh make_mesh(const std::string& description) {
    return guarded(nullptr, [&] {
        const std::string change = "cloth[0].mesh=" + description;
        LoadOptions options;
        options.allow_outside = true;
        const SceneDescription scene =
            parse_scene("[[cloth]]\nmesh = { type = \"grid\" }\n", "mesh", {}, "mesh",
                        std::span(&change, 1), options);
        const MeshSource& source = scene.cloths.front().mesh;
        PolygonMesh mesh = muslin::make_mesh(source);
        if (rest_shape(source, mesh) == RestShape::positions) {
            mesh.texcoords.clear(); // a picture's, not a pattern
            mesh.corner_texcoord.clear();
        }
        return to_public(mesh);
    });
}

void write_mesh(const std::filesystem::path& file, const Mesh& mesh) {
    guarded(nullptr, [&] { muslin::write_mesh(file, to_engine(mesh, "mesh")); });
}

} // namespace muslin::api
