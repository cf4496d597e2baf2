#include "muslin/mesh/normals.h"

#include <cmath>

namespace muslin {

void vertex_normals(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                    std::vector<Vec3>& normals) {
    normals.assign(positions.size(), Vec3{0, 0, 0});
    for (const auto& [a, b, c] : triangles) {
        const Vec3& p = positions[static_cast<std::size_t>(a)];
        const Vec3 area = cross(positions[static_cast<std::size_t>(b)] - p,
                                positions[static_cast<std::size_t>(c)] - p);
        normals[static_cast<std::size_t>(a)] += area;
        normals[static_cast<std::size_t>(b)] += area;
        normals[static_cast<std::size_t>(c)] += area;
    }
    for (Vec3& n : normals) {
        const double length = norm(n);
        n = length > 0 && std::isfinite(length) ? (1.0 / length) * n : Vec3{0, 1, 0};
    }
}

std::vector<Vec3> vertex_normals(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 3>> triangles) {
    std::vector<Vec3> normals;
    vertex_normals(positions, triangles, normals);
    return normals;
}

} // namespace muslin
