#include "muslin/collision/detect/surfaces.h"

#include "muslin/mesh/topology.h"
#include "muslin/model/body.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin {

Surfaces::Surfaces(const Model& model, Bodies bodies)
    : model_(model), counts_{.particles = model.particle_count()} {
    mass = model.mass;
    for (double thickness : model.collision.thickness)
        half_thickness.push_back(thickness / 2);
    friction = model.collision.friction;
    triangles = model.collision.triangles;
    counts_.cloth_triangles = static_cast<int>(triangles.size());

    area.assign(counts_.particles, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = model.collision_pattern()[t];
        for (int p : triangles[t])
            area[p] += std::abs(cross(b - a, c - a)) / 6;
    }

    add_features(0);
    counts_.cloth_edges = static_cast<int>(edges.size());
    if (bodies == Bodies::none)
        return;
    for (const Body& body : model.bodies) {
        const int first_point = point_count();
        const int first_triangle = static_cast<int>(triangles.size());
        bodies_.first_point.push_back(first_point);
        bodies_.first_triangle.push_back(first_triangle);
        bodies_.move = bodies_.move || is_moving(body);
        half_thickness.resize(first_point + body.mesh.positions.size(), body.thickness);
        friction.resize(half_thickness.size(), body.friction.value_or(-1));
        for (const auto& [i, j, k] : body.triangles)
            triangles.push_back({first_point + i, first_point + j, first_point + k});
        add_features(first_triangle);
    }
}

// Appends the edges of the triangles from `first_triangle` on, and lets the first triangle of each
// point and edge own it.
void Surfaces::add_features(int first_triangle) {
    const auto fresh = std::span(triangles).subspan(first_triangle);
    const int first_edge = static_cast<int>(edges.size());
    const Topology topology = build_topology(fresh);
    edges.insert(edges.end(), topology.edges.begin(), topology.edges.end());
    for (const auto& [a, b] : topology.edges)
        edge_half_thickness.push_back(std::max(half_thickness[a], half_thickness[b]));
    owners_.of_edge.resize(edges.size(), -1);
    owners_.of_point.resize(half_thickness.size(), -1);
    for (std::size_t t = 0; t < fresh.size(); ++t) {
        std::array<int, 3> of_triangle;
        std::uint8_t owns = 0;
        const int triangle = first_triangle + static_cast<int>(t);
        for (int k = 0; k < 3; ++k) {
            const int a = fresh[t][k], b = fresh[t][(k + 1) % 3];
            const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
            const auto found = std::lower_bound(edges.begin() + first_edge, edges.end(), edge);
            of_triangle[k] = static_cast<int>(found - edges.begin());
            if (owners_.of_point[a] < 0) {
                owners_.of_point[a] = triangle;
                owns |= std::uint8_t(1 << k);
            }
            if (owners_.of_edge[of_triangle[k]] < 0) {
                owners_.of_edge[of_triangle[k]] = triangle;
                owns |= std::uint8_t(8 << k);
            }
        }
        triangle_half_thickness.push_back(
            std::max({half_thickness[fresh[t][0]], half_thickness[fresh[t][1]],
                      half_thickness[fresh[t][2]]}));
        triangle_edges.push_back(of_triangle);
        owned.push_back(owns);
    }
}

void Surfaces::place_bodies(double time, std::span<Vec3> points) const {
    for (std::size_t b = 0; b < bodies_.first_point.size(); ++b)
        body_positions(
            model_.bodies[b], time,
            points.subspan(bodies_.first_point[b], model_.bodies[b].mesh.positions.size()));
}

std::string Surfaces::owner_of_triangle(int triangle) const {
    if (triangle < counts_.cloth_triangles)
        return fmt::format("cloth '{}'", model_.cloths[model_.collision_cloths()[triangle]].name);
    const auto after =
        std::upper_bound(bodies_.first_triangle.begin(), bodies_.first_triangle.end(), triangle);
    return fmt::format("body '{}'", model_.bodies[after - bodies_.first_triangle.begin() - 1].name);
}

double Surfaces::friction_between(int a, int b) const {
    if (friction[a] < 0)
        return friction[b];
    if (friction[b] < 0 || !is_cloth(a))
        return friction[a];
    return is_cloth(b) ? (friction[a] + friction[b]) / 2 : friction[b];
}

} // namespace muslin
