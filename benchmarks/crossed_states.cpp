#include "crossed_states.h"

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/proximity_detector.h"
#include "muslin/engine/start_check.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/model/build_model.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

namespace muslin::bench {
namespace {

constexpr double thickness = 1e-3; // [m]

double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

std::string scene_text(Kind kind, unsigned seed) {
    const std::string material = fmt::format(
        "material = {{ base = \"cotton\", thickness = {}, friction = 0.3 }}\n", thickness);
    const std::string floor =
        "[[body]]\nname = \"floor\"\nmesh = { type = \"box\", size = [2, 0.2, "
        "2] }\nposition = [0, -0.1, 0]\nfriction = 0.5\n";
    const auto sheet = [&](const char* name, double width, double depth, int vertices, unsigned s) {
        return fmt::format("[[cloth]]\nname = \"{}\"\nmesh = {{ type = \"irregular\", width = {}, "
                           "depth = {}, vertices = {}, seed = {} }}\n{}",
                           name, width, depth, vertices, s, material);
    };
    const std::string time = "[time]\nframes = 60\nframe_rate = 50\n";
    switch (kind) {
    case Kind::sheets:
        return time + sheet("lower", 0.3, 0.3, 400, seed) + "position = [0, 0.004, 0]\n" +
               sheet("upper", 0.26, 0.28, 350, seed + 100) +
               "position = [0.01, 0.012, 0]\nrotation = [0, 25, 0]\nvelocity = [0.4, -0.1, 0]\n" +
               floor;
    case Kind::ribbon:
        return time + sheet("ribbon", 0.08, 0.7, 500, seed) +
               "position = [0, 0.36, 0]\nrotation = [86, 0, 0]\n" + floor;
    case Kind::crumple:
        return time + sheet("sheet", 0.3, 0.6, 800, seed) +
               "position = [0, 0.33, 0]\nrotation = [86, 15, 8]\n" + floor;
    case Kind::box:
        return time + sheet("sheet", 0.34, 0.34, 600, seed) +
               "position = [0, 0.105, 0]\n[[body]]\nname = \"box\"\nmesh = { type = \"box\", size "
               "= "
               "[0.14, 0.1, 0.12], divisions = 6 }\nposition = [0, 0.05, 0]\nfriction = 0.4\n" +
               floor;
    }
    return {};
}

/// The distance along the edges of the cloth from a point, up to `reach` [m].
std::vector<double> distances(const Surfaces& surfaces, const Adjacency& adjacency,
                              std::span<const Vec3> x, int from, double reach) {
    std::vector<double> out(x.size(), std::numeric_limits<double>::infinity());
    using Item = std::pair<double, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> waiting;
    out[from] = 0;
    waiting.push({0, from});
    while (!waiting.empty()) {
        const auto [distance, p] = waiting.top();
        waiting.pop();
        if (distance > out[p])
            continue;
        for (int e : adjacency.point_edges[p]) {
            const int q = surfaces.edges[e][0] + surfaces.edges[e][1] - p;
            const double further = distance + norm(x[q] - x[p]);
            if (further < out[q] && further < reach) {
                out[q] = further;
                waiting.push({further, q});
            }
        }
    }
    return out;
}

double mean_edge(const Surfaces& surfaces, std::span<const Vec3> x) {
    double sum = 0;
    for (int e = 0; e < surfaces.cloth_edge_count(); ++e)
        sum += norm(x[surfaces.edges[e][0]] - x[surfaces.edges[e][1]]);
    return sum / surfaces.cloth_edge_count();
}

} // namespace

const char* name_of(Kind kind) {
    constexpr const char* names[] = {"sheets", "ribbon", "crumple", "box"};
    return names[static_cast<int>(kind)];
}

std::size_t count_tangled(const Model& model, const State& state) {
    std::size_t sum = 0;
    for (const Tangle& tangle : find_tangles(model, state))
        sum += tangle.pairs + tangle.inside;
    return sum;
}

CleanRun make_clean_run(Kind kind, unsigned seed) {
    CleanRun run;
    run.kind = kind;
    run.scene = parse_scene(scene_text(kind, seed), "crossed-states", ".", name_of(kind));
    run.simulation = std::make_unique<Simulation>(run.scene);
    constexpr int first = 20;
    for (int frame = 1; frame <= run.scene.time.frames; ++frame) {
        run.simulation->advance_frame();
        const State& state = run.simulation->state();
        if (frame >= first && frame % 4 == 0 && count_tangled(run.simulation->model(), state) == 0)
            run.frames.push_back(state);
    }
    return run;
}

bool push_through(const CleanRun& run, int depth, std::mt19937& random, CrossedState& out) {
    const Model& model = run.simulation->model();
    const Surfaces surfaces(model);
    ProximityDetector detector(surfaces);
    const Adjacency& adjacency = detector.adjacency();
    const State& clean = run.frames[random() % run.frames.size()];
    std::vector<Vec3> x(surfaces.point_count(), Vec3{0, 0, 0});
    surfaces.place_bodies(clean.time, x);
    std::copy(clean.positions.begin(), clean.positions.end(), x.begin());
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    detector.find_all(x, thickness, near, crossing);
    std::erase_if(near, [&](const Proximity& p) {
        const bool with_body = p.contact.second >= surfaces.cloth_triangle_count();
        return p.kind != ProximityKind::vertex_triangle || !surfaces.is_cloth(p.contact.first) ||
               with_body != (run.kind == Kind::box);
    });
    const double edge = mean_edge(surfaces, x);
    for (int attempt = 0; attempt < 20 && !near.empty(); ++attempt) {
        const Contact& contact = near[random() % near.size()].contact;
        const int v = contact.first;
        const double reach = edge * uniform(random, 1.5, 3.5);
        // Neither end may be a neighbour of the other along the cloth.
        const std::vector<double> away = distances(surfaces, adjacency, x, v, reach + 2 * edge);
        const auto& face = surfaces.triangles[contact.second];
        if (std::any_of(face.begin(), face.end(), [&](int p) { return std::isfinite(away[p]); }))
            continue;
        const double way = contact.gap(x) + depth * contact.thickness;
        out.clean = clean;
        out.crossed = clean;
        // The motion: at constant speed, with nothing to stop it.
        constexpr int steps = 20;
        for (int step = 1; step <= steps; ++step)
            for (int p = 0; p < surfaces.particle_count(); ++p) {
                if (away[p] >= reach)
                    continue;
                const double share = 0.5 + 0.5 * std::cos(std::numbers::pi * away[p] / reach);
                out.crossed.positions[p] -= (share * way / steps) * contact.normal;
            }
        std::fill(out.crossed.velocities.begin(), out.crossed.velocities.end(), Vec3{0, 0, 0});
        out.pairs = count_tangled(model, out.crossed);
        out.run = &run;
        out.depth = depth;
        if (out.pairs > 0)
            return true;
    }
    return false;
}

void keep_as_scene(const CleanRun& run, const State& state, const std::filesystem::path& folder,
                   const std::string& name) {
    make_folder(folder);
    std::string text = fmt::format("name = \"{}\"\n", name) + run.scene.source_text;
    for (const Cloth& cloth : run.simulation->model().cloths) {
        PolygonMesh mesh = cloth.surface.mesh;
        surface_positions(cloth, state, mesh.positions);
        const std::string file = fmt::format("{}-{}.obj", name, cloth.name);
        write_mesh(folder / file, mesh);
        text += fmt::format("\n[[start]]\ncloth = \"{}\"\npath = \"{}\"\n", cloth.name, file);
    }
    write_file_atomically(folder / (name + ".toml"), text);
}

} // namespace muslin::bench
