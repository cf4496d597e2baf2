#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/forces/bend.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/scene/build.h"
#include "muslin/scene/load.h"
#include "muslin/sim/judge.h"
#include "muslin/sim/recipe.h"
#include "muslin/sim/start_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string size_text(std::span<const Vec3> points) {
    if (points.empty())
        return "empty";
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    return fmt::format("{:.4g} x {:.4g} x {:.4g}, from ({:.4g}, {:.4g}, {:.4g})", high.x - low.x,
                       high.y - low.y, high.z - low.z, low.x, low.y, low.z);
}

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
        fmt::print("{}\n", out.dump(2));
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
    Pc2Reader reader(file);
    const Pc2Header& h = reader.header();
    if (json)
        fmt::print("{}\n", Json({{"file", file},
                                 {"points", h.points},
                                 {"samples", h.samples},
                                 {"start_frame", h.start_frame},
                                 {"sample_rate", h.sample_rate}})
                               .dump(2));
    else
        fmt::print("{}: PC2 point cache, {} points, {} samples from frame {}, {} a frame\n", file,
                   h.points, h.samples, h.start_frame, h.sample_rate);
    return 0;
}

} // namespace

int check(const std::string& name, const std::vector<std::string>& overrides, bool json) {
    const SceneDescription scene = load_scene(name, overrides);
    const Recipe recipe = choose_recipe(scene.recipe, scene.parts);
    const BuiltScene built = build_scene(scene);
    const Model& model = built.model;
    const std::vector<Tangle> tangles = check_start(scene, model, built.start);
    for (const Tangle& tangle : tangles)
        fmt::print(stderr, "muslin: warning: the start is tangled: {}\n", describe(tangle));
    const Verdict start = Judge(model).judge(built.start.positions, built.start.time);
    double mass = 0;
    for (double m : model.mass)
        mass += m;
    Json out = {{"scene", scene.name},
                {"recipe", recipe.name},
                {"particles", model.particle_count()},
                {"triangles", model.dynamics.triangles.size()},
                {"mass", mass},
                {"frames", scene.time.frames},
                {"self_intersections", start.self_intersections},
                {"body_intersections", start.body_intersections}};
    if (!json) {
        fmt::print("{}: {}. Recipe {}, {} frames at {} Hz\n", scene.name,
                   tangles.empty() ? "sound" : "tangled at the start", recipe.name,
                   scene.time.frames, scene.time.frame_rate);
        fmt::print("  {} particles, {} triangles, {:.4g} kg, {} pins, {} bodies\n",
                   model.particle_count(), model.dynamics.triangles.size(), mass, model.pins.size(),
                   model.bodies.size());
    }
    for (const Body& body : model.bodies) {
        const bool closed = is_closed({body.mesh.positions, body.triangles});
        out["bodies"].push_back({{"name", body.name},
                                 {"triangles", body.triangles.size()},
                                 {"closed", closed},
                                 {"moving", is_moving(body)}});
        if (!json)
            fmt::print("  body '{}': {} triangles, {}, {}\n", body.name, body.triangles.size(),
                       closed ? "closed" : "open (depth in it is not judged)",
                       is_moving(body) ? "moving" : "still");
    }
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const BendCalibration bend = bend_calibration(model, static_cast<int>(c));
        out["cloths"].push_back({{"name", model.cloths[c].name},
                                 {"bend_lowest", bend.lowest},
                                 {"bend_highest", bend.highest}});
        if (!json)
            fmt::print("  cloth '{}': bends {:.2f} to {:.2f} times as stiffly as its fabric, by "
                       "direction{}\n",
                       model.cloths[c].name, bend.lowest, bend.highest,
                       bend.highest > 1.25 * bend.lowest
                           ? " (this mesh has a grain: near-equilateral triangles bend evenly)"
                           : "");
    }
    if (json)
        fmt::print("{}\n", out.dump(2));
    return 0;
}

int info(const std::string& file, bool json) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".pc2")
        return info_cache(file, json);
    if (ending == ".toml")
        return check(file, {}, json);
    return info_mesh(file, json);
}

int convert(const std::string& in, const std::string& out, int frame) {
    const std::filesystem::path source(in);
    if (source.extension() != ".pc2") {
        write_mesh(out, read_mesh(source));
        return 0;
    }
    PolygonMesh mesh = read_mesh(std::filesystem::path(source).replace_extension(".obj"));
    Pc2Reader cache(source);
    const int last = cache.header().samples - 1;
    const int wanted = frame < 0 ? last : frame;
    if (wanted > last || cache.header().points != static_cast<int>(mesh.positions.size()))
        throw InputError({{in, 0, 0},
                          wanted > last ? "--frame" : "points",
                          wanted > last
                              ? fmt::format("0 to {}", last)
                              : fmt::format("{}, as in the mesh beside it", mesh.positions.size()),
                          std::to_string(wanted > last ? wanted : cache.header().points),
                          {}});
    cache.read(wanted, mesh.positions);
    write_mesh(out, mesh);
    return 0;
}

} // namespace muslin::cli
