#include "muslin/mesh/quality.h"

#include "muslin/base/find_root.h"
#include "muslin/mesh/topology.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

namespace muslin {
namespace {

int count_components(std::size_t vertices, std::span<const std::array<int, 2>> edges) {
    std::vector<int> parent(vertices);
    std::iota(parent.begin(), parent.end(), 0);
    int pieces = static_cast<int>(vertices);
    for (const auto& [a, b] : edges) {
        const int ra = find_root(parent, a), rb = find_root(parent, b);
        if (ra == rb)
            continue;
        parent[std::max(ra, rb)] = std::min(ra, rb);
        --pieces;
    }
    return pieces;
}

void measure_edges(std::span<const Vec3> positions, std::span<const std::array<int, 2>> edges,
                   MeshQuality& out) {
    double sum = 0;
    out.min_edge = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : edges) {
        const double length = norm(positions[b] - positions[a]);
        sum += length;
        out.min_edge = std::min(out.min_edge, length);
        out.max_edge = std::max(out.max_edge, length);
    }
    out.mean_edge = sum / static_cast<double>(edges.size());
}

void measure_triangles(std::span<const Vec3> positions,
                       std::span<const std::array<int, 3>> triangles, MeshQuality& out) {
    constexpr double degrees = 180 / std::numbers::pi;
    out.min_angle = 180;
    for (const auto& t : triangles) {
        const Vec3 &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
        out.area += 0.5 * norm(cross(b - a, c - a));
        for (const double angle : triangle_angles(a, b, c)) {
            out.min_angle = std::min(out.min_angle, degrees * angle);
            out.max_angle = std::max(out.max_angle, degrees * angle);
        }
    }
}

} // namespace

std::array<double, 3> triangle_angles(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    // atan2 keeps the small angles that acos would lose.
    const double area = norm(cross(ab, ca));
    return {std::atan2(area, -dot(ab, ca)), std::atan2(area, -dot(bc, ab)),
            std::atan2(area, -dot(ca, bc))};
}

MeshQuality measure_quality(std::span<const Vec3> positions,
                            std::span<const std::array<int, 3>> triangles) {
    MeshQuality out;
    const Topology topology = build_topology(triangles);
    out.vertices = static_cast<int>(positions.size());
    out.triangles = static_cast<int>(triangles.size());
    out.edges = static_cast<int>(topology.edges.size());
    out.boundary_edges = static_cast<int>(topology.boundary_edges.size());
    out.components = count_components(positions.size(), topology.edges);
    out.euler = out.vertices - out.edges + out.triangles;
    if (!triangles.empty()) {
        measure_edges(positions, topology.edges, out);
        measure_triangles(positions, triangles, out);
    }
    return out;
}

} // namespace muslin
