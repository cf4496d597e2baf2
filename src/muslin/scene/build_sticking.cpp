#include "muslin/base/error.h"
#include "muslin/scene/build_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace muslin {
namespace {

[[noreturn]] void reject(const Source& where, const std::string& key, const std::string& expected,
                         const std::string& found) {
    throw InputError({where, key, expected, found, {}});
}

template <class Named>
int index_of(const std::vector<Named>& all, const std::string& name) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name)
            return static_cast<int>(i);
    throw std::logic_error("the scene loader let the unknown name '" + name + "' through");
}

bool contains(const std::vector<int>& increasing, int value) {
    return std::binary_search(increasing.begin(), increasing.end(), value);
}

/// The edges of one triangle alone with both ends in a region, with their lengths in the pattern.
std::map<std::array<int, 2>, double> border_edges(const Model& model, const Region& region) {
    std::map<std::array<int, 2>, double> out;
    std::map<std::array<int, 2>, int> count;
    const auto [begin, end] = model.cloths[region.cloth].triangle_range;
    for (int t = begin; t < end; ++t)
        for (int i = 0; i < 3; ++i) {
            const auto& corners = model.dynamics.triangles[t];
            const auto& pattern = model.dynamics.pattern[t];
            const int j = (i + 1) % 3;
            std::array<int, 2> edge = {corners[i], corners[j]};
            std::sort(edge.begin(), edge.end());
            if (!contains(region.particles, edge[0]) || !contains(region.particles, edge[1]))
                continue;
            if (++count[edge] == 1)
                out[edge] = norm(pattern[j] - pattern[i]);
            else
                out.erase(edge);
        }
    return out;
}

std::vector<std::array<int, 3>> body_triangles(const StickingDescription& d, const Body& body) {
    const int count = static_cast<int>(body.mesh.positions.size());
    for (const int v : d.body_vertices)
        if (v >= count)
            reject(d.where, d.table + ".body_vertices",
                   fmt::format("vertex numbers 0 to {} of body '{}'", count - 1, body.name),
                   std::to_string(v));
    const auto is_chosen = [&](int v) {
        if (d.body_box) {
            const Vec3 &p = body.mesh.positions[v], &low = d.body_box->min, &high = d.body_box->max;
            return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
                   p.z <= high.z;
        }
        return d.body_vertices.empty() || std::find(d.body_vertices.begin(), d.body_vertices.end(),
                                                    v) != d.body_vertices.end();
    };
    std::vector<std::array<int, 3>> out;
    for (const auto& t : body.triangles)
        if (std::all_of(t.begin(), t.end(), is_chosen))
            out.push_back(t);
    if (out.empty())
        reject(d.where, d.table,
               fmt::format("a part of body '{}' that holds all corners of at least one triangle",
                           body.name),
               "none");
    return out;
}

/// Tacks hold to any triangle at the region, so that a line of vertices will do.
std::vector<std::array<int, 3>> cloth_triangles(const StickingDescription& d, const Model& model,
                                                const Region& region) {
    const auto holds = [&](int p) { return contains(region.particles, p); };
    std::vector<std::array<int, 3>> out;
    const auto [begin, end] = model.cloths[region.cloth].triangle_range;
    for (int k = begin; k < end; ++k) {
        const auto& t = model.dynamics.triangles[k];
        if (d.nearest ? std::any_of(t.begin(), t.end(), holds)
                      : std::all_of(t.begin(), t.end(), holds))
            out.push_back(t);
    }
    if (out.empty())
        reject(d.where, d.table + ".to_region",
               "a region that holds all corners of at least one triangle", "'" + d.to_region + "'");
    return out;
}

} // namespace

void add_weights(const SceneDescription& scene, Model& model) {
    const std::vector<double> own = model.mass; // weights do not attract each other
    for (const WeightDescription& d : scene.weights) {
        const Region& region = model.regions[index_of(model.regions, d.region)];
        if (d.mass) {
            double sum = 0;
            for (const int p : region.particles)
                sum += own[p];
            for (const int p : region.particles)
                model.mass[p] += sum > 0 ? *d.mass * own[p] / sum
                                         : *d.mass / static_cast<double>(region.particles.size());
            continue;
        }
        const auto edges = border_edges(model, region);
        if (edges.empty())
            reject(d.where, "weight.mass_per_length",
                   "a region with edges of the cloth's border: a hem", "'" + d.region + "'");
        for (const auto& [edge, length] : edges)
            for (const int p : edge)
                model.mass[p] += 0.5 * *d.mass_per_length * length;
    }
}

void add_stickings(const SceneDescription& scene, Model& model) {
    for (const StickingDescription& d : scene.stickings) {
        Sticking s;
        s.name = d.name.empty() ? d.region : d.name;
        s.particles = model.regions[index_of(model.regions, d.region)].particles;
        if (!d.body.empty()) {
            s.body = index_of(model.bodies, d.body);
            s.triangles = body_triangles(d, model.bodies[s.body]);
        } else {
            s.triangles =
                cloth_triangles(d, model, model.regions[index_of(model.regions, d.to_region)]);
        }
        s.tolerance = d.tolerance;
        s.break_distance = d.break_distance;
        s.stiffness = d.stiffness;
        s.damping = d.damping;
        s.interval = d.interval;
        s.nearest = d.nearest;
        s.strength = d.strength;
        s.window = d.window;
        model.stickings.push_back(std::move(s));
    }
}

} // namespace muslin
