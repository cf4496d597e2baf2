#pragma once

#include "muslin/base/hash.h"
#include "muslin/mesh/triangle_mesh.h"

#include <cstdint>
#include <string>

namespace muslin::testing {

/// Uniform numbers that are the same with every library (splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// In [low, high).
    double uniform(double low = 0, double high = 1) {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    /// In [low, high].
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
    }
    Vec3 vector(double low = -1, double high = 1) {
        const double x = uniform(low, high), y = uniform(low, high);
        return {x, y, uniform(low, high)};
    }

private:
    std::uint64_t state_;
};

inline double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
    return 0.5 * norm(cross(b - a, c - a));
}

/// Signed: negative when clockwise.
inline double pattern_area(const std::array<Vec2, 3>& u) {
    return 0.5 * cross(u[1] - u[0], u[2] - u[0]);
}

inline std::string hash_of(const PolygonMesh& mesh) {
    Hash64 hash;
    hash.add(mesh.positions.data(), mesh.positions.size() * sizeof(Vec3));
    hash.add(mesh.texcoords.data(), mesh.texcoords.size() * sizeof(Vec2));
    hash.add(mesh.corner_vertex.data(), mesh.corner_vertex.size() * sizeof(int));
    hash.add(mesh.corner_texcoord.data(), mesh.corner_texcoord.size() * sizeof(int));
    return hash.hex();
}

/// A mesh of one face over the given points.
inline PolygonMesh single_polygon(const std::vector<Vec3>& points) {
    PolygonMesh mesh;
    mesh.positions = points;
    for (int i = 0; i < static_cast<int>(points.size()); ++i)
        mesh.corner_vertex.push_back(i);
    mesh.face_begin.push_back(static_cast<int>(points.size()));
    return mesh;
}

/// A sheet of n x n vertices over the unit square in x and y, at z = height(x, y), facing +z.
template <class Height>
TriangleMesh waved_sheet(int n, Height&& height) {
    TriangleMesh mesh;
    const auto uv = [&](int v) {
        return Vec2{static_cast<double>(v % n) / (n - 1), static_cast<double>(v / n) / (n - 1)};
    };
    for (int v = 0; v < n * n; ++v)
        mesh.positions.push_back({uv(v).x, uv(v).y, height(uv(v).x, uv(v).y)});
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
            mesh.material.push_back({uv(a), uv(b), uv(d)});
            mesh.material.push_back({uv(a), uv(d), uv(c)});
        }
    return mesh;
}

} // namespace muslin::testing
