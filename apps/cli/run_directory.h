#pragma once

#include "muslin/io/pc2.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/triangle_mesh.h"

#include <array>
#include <filesystem>
#include <optional>
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

/// A body of a finished run, at the frame last shown.
class RunBody {
public:
    /// `cache` may be empty: the body then stands still. Throws InputError if it does not fit.
    RunBody(const std::filesystem::path& mesh, const std::filesystem::path& cache);
    void show(int frame); ///< the last one beyond its end
    bool closed() const { return closed_; }
    TriangleView surface() const { return {positions_, triangles_}; }

private:
    std::vector<Vec3> positions_;
    std::vector<std::array<int, 3>> triangles_;
    std::optional<Pc2Reader> cache_;
    bool closed_;
};

/// What a run's directory holds. Throws InputError if it is not one.
struct RunDirectory {
    std::vector<RunCloth> cloths;
    std::vector<RunBody> bodies;
};
RunDirectory open_run(const std::filesystem::path& directory);

} // namespace muslin::cli
