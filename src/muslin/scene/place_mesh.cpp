// A mesh of the user's, where the scene puts it.
#include "muslin/math/rotation.h"
#include "muslin/scene/build_parts.h"

namespace muslin {

void place_mesh(PolygonMesh& mesh, const Placement& placement, RestShape rest) {
    const Mat3 turn = rotation_degrees(placement.rotation);
    for (Vec3& p : mesh.positions)
        p = turn * (placement.scale * p) + placement.position;
    if (rest == RestShape::texcoords)
        for (Vec2& uv : mesh.texcoords)
            uv = placement.scale * uv;
}

RestShape rest_shape(const MeshSource& source, const PolygonMesh& mesh) {
    if (const auto* file = std::get_if<MeshFile>(&source))
        return file->rest;
    // A sphere's texcoords are longitude and latitude, and those of other round bodies are like
    // them; a staggered cylinder's facets do not unroll exactly.
    const auto* cylinder = std::get_if<CylinderSettings>(&source);
    if (std::holds_alternative<SphereSettings>(source) ||
        std::holds_alternative<RevolutionSettings>(source) || (cylinder && cylinder->staggered))
        return RestShape::positions;
    return mesh.texcoords.empty() ? RestShape::positions : RestShape::texcoords;
}

} // namespace muslin
