#include "commands.h"
#include "size_text.h"

#include "muslin/base/error.h"
#include "muslin/io/animation.h"
#include "muslin/io/fabric_file.h"
#include "muslin/io/gltf.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/pc2.h"
#include "muslin/io/text.h"
#include "muslin/io/vdb_file.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/scene/load_pattern.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

int info_mesh(const std::string& file, bool json) {
    const PolygonMesh mesh = read_mesh(file);
    const TriangleMesh triangles = triangulate(mesh);
    const MeshQuality q = measure_quality(triangles.positions, triangles.triangles);
    const auto defect =
        find_defect(triangles.triangles, static_cast<int>(triangles.positions.size()));
    if (json) {
        Json out = {{"file", file},
                    {"vertices", q.vertices},
                    {"faces", mesh.face_count()},
                    {"triangles", q.triangles},
                    {"edges", q.edges},
                    {"boundary_edges", q.boundary_edges},
                    {"components", q.components},
                    {"euler", q.euler},
                    {"area", q.area},
                    {"min_angle", q.min_angle},
                    {"mean_edge", q.mean_edge},
                    {"texcoords", mesh.texcoords.size()},
                    {"groups", mesh.group_names}};
        out["defect"] = defect ? Json(defect->text) : Json(nullptr);
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    fmt::print("{}: {} vertices, {} faces ({} triangles), {} pieces\n", file, q.vertices,
               mesh.face_count(), q.triangles, q.components);
    fmt::print("  size {}\n  area {:.6g}, edges {:.4g} to {:.4g} (mean {:.4g}), angles {:.1f} to "
               "{:.1f} degrees\n",
               size_text(mesh.positions), q.area, q.min_edge, q.max_edge, q.mean_edge, q.min_angle,
               q.max_angle);
    fmt::print("  {} texture coordinates, {} groups, {} vertex maps\n", mesh.texcoords.size(),
               mesh.group_names.size(), mesh.vertex_maps.size());
    for (const std::string& group : mesh.group_names)
        fmt::print("    group '{}'\n", group);
    for (const auto& map : mesh.vertex_maps)
        fmt::print("    map '{}'\n", map.first);
    fmt::print("  as cloth: {}\n", defect ? defect->text : "sound");
    return 0;
}

int info_cache(const std::string& file, bool json) {
    const bool mdd = lower_case_ending(file) == ".mdd";
    const PointCacheReader cache = open_point_cache(file);
    Json out = {{"file", file}, {"points", cache.points()}, {"samples", cache.samples()}};
    std::string more;
    if (mdd) {
        out["frame_rate"] = cache.frame_rate() ? Json(*cache.frame_rate()) : Json(nullptr);
        if (cache.frame_rate())
            more = fmt::format(", {:.4g} a second", *cache.frame_rate());
    } else {
        const Pc2Reader reader(file);
        out["start_frame"] = reader.header().start_frame;
        out["sample_rate"] = reader.header().sample_rate;
        more = fmt::format(" from frame {}, {} a frame", reader.header().start_frame,
                           reader.header().sample_rate);
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    else
        fmt::print("{}: {} point cache, {} points, {} samples{}\n", file, mdd ? "MDD" : "PC2",
                   cache.points(), cache.samples(), more);
    return 0;
}

int info_grids(const std::string& file, bool json) {
    const std::vector<VdbGrid> grids = describe_vdb(file);
    Json out = {{"file", file}, {"format", "OpenVDB"}, {"grids", Json::array()}};
    if (!json)
        fmt::print("{}: OpenVDB, {} grid{}\n", file, grids.size(), grids.size() == 1 ? "" : "s");
    for (const VdbGrid& g : grids) {
        const Vec3 &low = g.bounds.low, &high = g.bounds.high;
        out["grids"].push_back({{"name", g.name},
                                {"type", g.type},
                                {"class", g.kind},
                                {"voxel", {g.voxel.x, g.voxel.y, g.voxel.z}},
                                {"active_voxels", g.active_voxels},
                                {"memory", g.memory},
                                {"low", {low.x, low.y, low.z}},
                                {"high", {high.x, high.y, high.z}}});
        if (!json)
            fmt::print(
                "  '{}': {}, {}; voxel {:.6g} x {:.6g} x {:.6g}, {} active\n"
                "    from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}), {:.1f} MB in "
                "memory\n",
                g.name, g.type, g.kind, g.voxel.x, g.voxel.y, g.voxel.z, g.active_voxels, low.x,
                low.y, low.z, high.x, high.y, high.z, 1e-6 * static_cast<double>(g.memory));
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

/// A run's directory or a sequence of meshes.
int info_animation(const std::string& path, bool json) {
    const std::unique_ptr<AnimationSource> source = open_animation(path);
    Json out = {{"file", path},
                {"name", source->name()},
                {"frames", source->frames()},
                {"frame_rate", source->frame_rate()}};
    if (!json)
        fmt::print("{}: '{}', {} frames at {:.4g} Hz\n", path, source->name(), source->frames(),
                   source->frame_rate());
    for (const AnimatedObject& object : source->objects()) {
        out["objects"].push_back({{"name", object.name},
                                  {"vertices", object.mesh.positions.size()},
                                  {"faces", object.mesh.face_count()},
                                  {"body", object.is_body},
                                  {"moving", object.moves},
                                  {"fields", object.fields}});
        if (!json)
            fmt::print("  {} '{}': {} vertices, {} faces, {}{}\n",
                       object.is_body ? "body" : "cloth", object.name, object.mesh.positions.size(),
                       object.mesh.face_count(), object.moves ? "moving" : "still",
                       object.fields.empty()
                           ? std::string()
                           : fmt::format("; fields {}", fmt::join(object.fields, ", ")));
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace

int info(const std::string& file, bool json, const std::string& output, bool allow_outside) {
    const std::filesystem::path path(file);
    const std::string ending = lower_case_ending(path);
    if (!std::filesystem::is_directory(path) && !is_fabric(path) && is_sewing_pattern(file))
        return info_pattern(file, json, output);
    if (!output.empty())
        throw InputError(
            {{file, 0, 0}, "-o", "a sewing pattern, which can be drawn", "another file", ""});
    if (std::filesystem::is_directory(path) || is_pattern(path))
        return info_animation(file, json);
    if (is_point_cache(path))
        return info_cache(file, json);
    if (is_fabric(path))
        return info_fabric(file, json);
    if (ending == ".toml")
        return check(file, {}, json, allow_outside);
    if (ending == ".vdb")
        return info_grids(file, json);
    if (ending == ".state")
        return info_checkpoint(file, json);
    if (is_gltf(path))
        return info_character(file, json);
    if (ending == ".usda" || ending == ".pvd" || ending == ".vtu" || ending == ".fields")
        return info_export(file, json);
    if (ending != ".obj" && ending != ".ply" && ending != ".off") {
        if (!std::filesystem::exists(path))
            throw FileError(file, "cannot be read: no such file");
        throw InputError(
            {{file, 0, 0},
             "",
             "a file that ends in .obj, .ply, .off, .gltf, .glb, .pc2, .mdd, .fields, "
             ".usda, .pvd, .vtu, .vdb, .state, .toml or .json (a fabric or a sewing pattern), "
             "the directory of a run, or the name of a built-in pattern",
             ending.empty() ? "no ending" : "'" + ending + "'",
             ""});
    }
    return info_mesh(file, json);
}

} // namespace muslin::cli
