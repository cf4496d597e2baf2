#pragma once

#include "muslin/mesh/triangle_mesh.h"

#include <filesystem>
#include <string>
#include <vector>

namespace muslin::cli {

/// A cloth of a finished run: its rest mesh and where its cache is.
struct RunCloth {
    std::string name;
    PolygonMesh mesh;
    TriangleMesh triangles; ///< with material coordinates
    std::filesystem::path cache;
};

/// What a run's directory holds. Throws InputError if it is not one.
struct RunDirectory {
    std::vector<RunCloth> cloths;
    std::vector<TriangleMesh> bodies;
};
RunDirectory open_run(const std::filesystem::path& directory);

} // namespace muslin::cli
