#pragma once

#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/triangle_mesh.h"

#include <cmath>
#include <numbers>

namespace muslin::levelset_testing {

inline TriangleView view(const TriangleMesh& mesh) {
    return {mesh.positions, mesh.triangles};
}

/// A sphere of `rings` bands about the origin.
inline TriangleMesh sphere(double radius, int rings) {
    return triangulate(make_sphere({.radius = radius, .rings = rings, .segments = 2 * rings}));
}

/// About the y axis; `around` quads along the large circle, `across` along the small one.
inline TriangleMesh torus(double large, double small, int around, int across) {
    TriangleMesh mesh;
    const double turn = 2 * std::numbers::pi;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = turn * i / around, b = turn * j / across;
            const double r = large + small * std::cos(b);
            mesh.positions.push_back({r * std::cos(a), small * std::sin(b), r * std::sin(a)});
        }
    const auto at = [&](int i, int j) { return i % around * across + j % across; };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
    for (Vec3& p : mesh.positions)
        p += by;
    return mesh;
}

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
    const int first = static_cast<int>(a.positions.size());
    a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
    for (const auto& t : b.triangles)
        a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return a;
}

} // namespace muslin::levelset_testing
