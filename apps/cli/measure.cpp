#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/run_reader.h"
#include "muslin/mesh/fold_angles.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numbers>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Worst {
    EdgeStretch edges;
    PrincipalStretch principal;
    std::size_t self = 0, body = 0;
    std::optional<double> penetration; ///< none where no body is closed [m]
    int self_frame = -1, body_frame = -1, stretch_frame = 0;
    int folds = 0;                        ///< of the start
    double fold_first = 0, fold_last = 0; ///< by how much it turns at them [degrees]
};

/// A body at the frame last shown.
struct ShownBody {
    RunObject& body;
    bool closed;
    std::vector<Vec3> positions;

    TriangleView surface() const { return {positions, body.triangles().triangles}; }
};

std::vector<ShownBody> show_bodies(RunReader& run) {
    std::vector<ShownBody> out;
    for (RunObject& body : run.bodies()) {
        out.push_back({body, false, body.mesh().positions});
        out.back().closed = is_closed(out.back().surface());
    }
    return out;
}

void measure_bodies(const std::vector<Vec3>& x, const RunObject& cloth,
                    std::vector<ShownBody>& bodies, int frame, Worst& worst) {
    std::size_t pairs = 0;
    for (ShownBody& body : bodies) {
        body.body.read(frame, body.positions);
        pairs += count_intersections_between({x, cloth.triangles().triangles}, body.surface());
        if (body.closed)
            worst.penetration =
                std::max(worst.penetration.value_or(0), find_penetration(x, body.surface()).depth);
    }
    if (pairs > worst.body)
        worst.body_frame = frame;
    worst.body = std::max(worst.body, pairs);
}

Worst measure_cloth(RunObject& cloth, std::vector<ShownBody>& bodies, int frames,
                    EdgeStretch& last) {
    const TriangleMesh& mesh = cloth.triangles();
    const PatternEdges rest = pattern_edges(mesh.triangles, mesh.material);
    std::vector<Vec3> x;
    Worst worst;
    cloth.read(0, x);
    const FoldAngles folds(x, mesh.triangles, cloth.hinges());
    constexpr double degrees = 180 / std::numbers::pi;
    worst.folds = folds.count();
    worst.fold_first = degrees * folds.mean(x);
    for (int frame = 0; frame < frames; ++frame) {
        cloth.read(frame, x);
        last = edge_stretch(x, rest.edges, rest.lengths);
        if (last.max > worst.edges.max)
            worst.stretch_frame = frame;
        worst.edges.max = std::max(worst.edges.max, last.max);
        worst.edges.min = std::min(worst.edges.min, last.min);
        worst.edges.p99 = std::max(worst.edges.p99, last.p99);
        const PrincipalStretch p = extreme_stretch(x, mesh.triangles, mesh.material);
        worst.principal.max = std::max(worst.principal.max, p.max);
        worst.principal.min = std::min(worst.principal.min, p.min);
        const std::size_t self = count_self_intersections(x, mesh.triangles);
        if (self > worst.self)
            worst.self_frame = frame;
        worst.self = std::max(worst.self, self);
        measure_bodies(x, cloth, bodies, frame, worst);
    }
    worst.fold_last = degrees * folds.mean(x);
    return worst;
}

int measure_run(const std::string& directory, bool json) {
    RunReader run(directory);
    std::vector<ShownBody> bodies = show_bodies(run);
    Json out;
    for (RunObject& cloth : run.cloths()) {
        EdgeStretch last;
        const Worst w = measure_cloth(cloth, bodies, run.frames(), last);
        out.push_back({{"cloth", cloth.name()},
                       {"stretch_max", w.edges.max},
                       {"stretch_min", w.edges.min},
                       {"stretch_99", w.edges.p99},
                       {"stretch_max_frame", w.stretch_frame},
                       {"last_frame", {{"stretch_max", last.max}, {"stretch_min", last.min}}},
                       {"principal_stretch_max", w.principal.max},
                       {"principal_stretch_min", w.principal.min},
                       {"self_intersections", w.self},
                       {"body_intersections", w.body},
                       {"body_penetration_max", w.penetration ? Json(*w.penetration) : Json()}});
        if (w.folds > 0)
            out.back()["fold_angle"] = {
                {"folds", w.folds}, {"start", w.fold_first}, {"last_frame", w.fold_last}};
        if (json)
            continue;
        fmt::print("{}: edge ratio {:.4f} to {:.4f} (99 %: {:.4f}), longest at frame {}; last "
                   "frame {:.4f} to {:.4f}\n",
                   cloth.name(), w.edges.min, w.edges.max, w.edges.p99, w.stretch_frame, last.min,
                   last.max);
        fmt::print("  principal stretch {:.4f} to {:.4f}\n", w.principal.min, w.principal.max);
        fmt::print("  self-intersecting pairs {}{}\n", w.self,
                   w.self > 0 ? fmt::format(" (frame {})", w.self_frame) : "");
        if (!bodies.empty())
            fmt::print("  pairs intersecting bodies {}{}\n", w.body,
                       w.body > 0 ? fmt::format(" (frame {})", w.body_frame) : "");
        if (w.folds > 0)
            fmt::print("  turned at {} fold{} by {:.1f} degrees at the start, {:.1f} at the last "
                       "frame\n",
                       w.folds, w.folds == 1 ? "" : "s", w.fold_first, w.fold_last);
        if (w.penetration)
            fmt::print("  deepest in a body {:.3g} m\n", *w.penetration);
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

int measure_meshes(const std::vector<std::string>& files, bool json) {
    Json out;
    std::vector<TriangleMesh> meshes;
    for (const std::string& file : files) {
        meshes.push_back(triangulate(read_mesh(file)));
        const TriangleMesh& m = meshes.back();
        const MeshQuality q = measure_quality(m.positions, m.triangles);
        const std::size_t self = count_self_intersections(m.positions, m.triangles);
        out["meshes"].push_back({{"file", file},
                                 {"area", q.area},
                                 {"mean_edge", q.mean_edge},
                                 {"min_angle", q.min_angle},
                                 {"self_intersections", self}});
        if (!json)
            fmt::print("{}: area {:.6g} m^2, mean edge {:.4g} m, smallest angle {:.1f} degrees, "
                       "self-intersecting pairs {}\n",
                       file, q.area, q.mean_edge, q.min_angle, self);
    }
    for (std::size_t i = 0; i < meshes.size(); ++i)
        for (std::size_t j = i + 1; j < meshes.size(); ++j) {
            const std::size_t count =
                count_intersections_between({meshes[i].positions, meshes[i].triangles},
                                            {meshes[j].positions, meshes[j].triangles});
            out["between"].push_back({{"a", files[i]}, {"b", files[j]}, {"pairs", count}});
            if (!json)
                fmt::print("{} and {}: intersecting pairs {}\n", files[i], files[j], count);
        }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace

int measure(const std::vector<std::string>& inputs, bool json) {
    if (inputs.size() == 1 && std::filesystem::is_directory(inputs[0]))
        return measure_run(inputs[0], json);
    for (const std::string& input : inputs)
        if (std::filesystem::is_directory(input))
            throw InputError({{input, 0, 0},
                              "INPUT",
                              "one run's directory, or mesh files",
                              "a directory among several",
                              ""});
    return measure_meshes(inputs, json);
}

} // namespace muslin::cli
