#include "run_directory.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/penetration.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace muslin::cli {

RunBody::RunBody(const std::filesystem::path& mesh, const std::filesystem::path& cache) {
    TriangleMesh triangles = triangulate(read_mesh(mesh));
    positions_ = std::move(triangles.positions);
    triangles_ = std::move(triangles.triangles);
    closed_ = is_closed(surface());
    if (cache.empty())
        return;
    cache_.emplace(cache);
    if (static_cast<std::size_t>(cache_->header().points) != positions_.size())
        throw InputError({{cache.string(), 0, 0},
                          "points",
                          fmt::format("{}, as in the mesh beside it", positions_.size()),
                          std::to_string(cache_->header().points),
                          {}});
}

void RunBody::show(int frame) {
    if (cache_ && cache_->header().samples > 0)
        cache_->read(std::min(frame, cache_->header().samples - 1), positions_);
}

RunDirectory open_run(const std::filesystem::path& directory) {
    const std::filesystem::path report_file = directory / "report.json";
    std::ifstream stream(report_file);
    const auto report = nlohmann::json::parse(stream, nullptr, false);
    if (!report.is_object() || !report.contains("cloths"))
        throw InputError({{directory.string(), 0, 0},
                          {},
                          "the directory of a finished run, with report.json",
                          stream ? "a report.json that lists no cloths" : "no report.json",
                          {}});
    RunDirectory run;
    for (const auto& entry : report["cloths"]) {
        RunCloth cloth;
        cloth.name = entry.value("name", "");
        cloth.mesh = read_mesh(directory / (cloth.name + ".obj"));
        cloth.triangles = triangulate(cloth.mesh);
        set_material_coordinates(cloth.triangles, cloth.mesh,
                                 entry.value("rest", "") == "texcoords" ? RestShape::texcoords
                                                                        : RestShape::positions);
        cloth.cache = directory / (cloth.name + ".pc2");
        run.cloths.push_back(std::move(cloth));
    }
    std::vector<std::filesystem::path> bodies;
    for (const auto& file : std::filesystem::directory_iterator(directory))
        if (file.path().filename().string().starts_with("body-") &&
            file.path().extension() == ".obj")
            bodies.push_back(file.path());
    std::sort(bodies.begin(), bodies.end());
    for (const auto& file : bodies) {
        const auto cache = std::filesystem::path(file).replace_extension(".pc2");
        run.bodies.emplace_back(file, std::filesystem::exists(cache) ? cache : "");
    }
    return run;
}

} // namespace muslin::cli
