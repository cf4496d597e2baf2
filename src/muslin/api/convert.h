#pragma once

#include "muslin/math/vec.h"
#include "muslin/mesh.h"
#include "muslin/mesh/polygon_mesh.h"

#include <string>
#include <vector>

namespace muslin::api {

// Between the types of the public face and those of the engine, which have the same names.

inline Vec3 to_public(const muslin::Vec3& v) {
    return {v.x, v.y, v.z};
}
inline muslin::Vec3 to_engine(const Vec3& v) {
    return {v.x, v.y, v.z};
}

template <class Vectors>
std::vector<Vec3> to_public(const Vectors& vectors) {
    std::vector<Vec3> out;
    out.reserve(vectors.size());
    for (const muslin::Vec3& v : vectors)
        out.push_back(to_public(v));
    return out;
}
template <class Vectors>
std::vector<muslin::Vec3> to_engine(const Vectors& vectors) {
    std::vector<muslin::Vec3> out;
    out.reserve(vectors.size());
    for (const Vec3& v : vectors)
        out.push_back(to_engine(v));
    return out;
}

/// Throws InputError, with `key` as the key, where the lists of the mesh do not fit each other or
/// hold a number that is not finite.
PolygonMesh to_engine(const Mesh& mesh, const std::string& key);
Mesh to_public(const PolygonMesh& mesh);

} // namespace muslin::api
