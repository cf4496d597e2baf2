#include "muslin/mesh/corner_split.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace muslin {

std::vector<std::array<Vec2, 3>> texture_corners(const PolygonMesh& mesh,
                                                 const TriangleMesh& triangles) {
    std::vector<std::array<Vec2, 3>> out;
    if (mesh.corner_texcoord.empty() || triangles.source_face.size() != triangles.triangles.size())
        return out;
    out.reserve(triangles.triangles.size());
    for (std::size_t t = 0; t < triangles.triangles.size(); ++t) {
        const auto face = static_cast<std::size_t>(triangles.source_face[t]);
        std::array<Vec2, 3> uv{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto begin = mesh.corner_vertex.begin() + mesh.face_begin[face];
            const auto end = mesh.corner_vertex.begin() + mesh.face_begin[face + 1];
            const auto corner = std::find(begin, end, triangles.triangles[t][k]);
            if (corner == end)
                return {};
            const int index =
                mesh.corner_texcoord[static_cast<std::size_t>(corner - mesh.corner_vertex.begin())];
            if (index < 0)
                return {};
            uv[k] = mesh.texcoords[static_cast<std::size_t>(index)];
        }
        out.push_back(uv);
    }
    return out;
}

CornerSplit split_corners(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                          std::span<const std::array<Vec2, 3>> uv) {
    if (!uv.empty() && uv.size() != triangles.size())
        throw std::invalid_argument("split_corners: one entry of uv per triangle");
    CornerSplit out;
    out.triangles.assign(triangles.begin(), triangles.end());
    out.source.resize(vertices);
    std::iota(out.source.begin(), out.source.end(), 0);
    if (uv.empty())
        return out;
    out.uv.resize(vertices);
    std::vector<char> used(vertices, 0);
    std::vector<int> next(vertices, -1); // further copies of the same vertex
    const auto differ = [&](std::size_t v, const Vec2& p) {
        return out.uv[v].x != p.x || out.uv[v].y != p.y;
    };
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            auto v = static_cast<std::size_t>(triangles[t][k]);
            if (!used[v]) {
                used[v] = 1;
                out.uv[v] = uv[t][k];
            }
            while (differ(v, uv[t][k]) && next[v] >= 0)
                v = static_cast<std::size_t>(next[v]);
            if (differ(v, uv[t][k])) {
                next[v] = static_cast<int>(out.source.size());
                v = out.source.size();
                out.source.push_back(triangles[t][k]);
                out.uv.push_back(uv[t][k]);
                next.push_back(-1);
            }
            out.triangles[t][k] = static_cast<int>(v);
        }
    }
    return out;
}

} // namespace muslin
