#include "muslin/render/run_files.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/render/crease.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace muslin {

namespace {

namespace fs = std::filesystem;

struct ClothColors {
    Vec3 front, back;
};

/// Linen first; the others keep its lightness, so that folds read as well on them.
constexpr std::array<ClothColors, 5> palette = {{
    {{0.87, 0.80, 0.69}, {0.47, 0.57, 0.66}}, // linen, slate blue
    {{0.55, 0.66, 0.75}, {0.85, 0.79, 0.70}}, // washed indigo, linen
    {{0.80, 0.58, 0.49}, {0.87, 0.80, 0.71}}, // terracotta, linen
    {{0.64, 0.71, 0.58}, {0.84, 0.78, 0.68}}, // sage, linen
    {{0.85, 0.72, 0.45}, {0.60, 0.60, 0.62}}, // ochre, grey
}};
constexpr Vec3 body_color = {0.66, 0.645, 0.635};
constexpr double body_crease = 38; // [degrees]

/// (u, v) of every triangle corner, or nothing where a corner has none.
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

bool is_body_name(const std::string& stem) {
    return stem.rfind("body-", 0) == 0;
}

std::vector<fs::path> sorted_meshes(const fs::path& directory) {
    std::error_code failure;
    if (!fs::is_directory(directory, failure))
        throw FileError(directory.string(), fs::exists(directory, failure)
                                                ? "is not a directory; expected that of a run"
                                                : "no such directory");
    std::vector<fs::path> out;
    for (fs::directory_iterator it(directory, failure), end; !failure && it != end;
         it.increment(failure))
        if (it->path().extension() == ".obj")
            out.push_back(it->path());
    if (failure)
        throw FileError(directory.string(), "cannot be read: " + failure.message());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

RunSurface::RunSurface(std::string name, bool is_body, const fs::path& mesh, const fs::path& cache)
    : name_(std::move(name)), is_body_(is_body) {
    const PolygonMesh polygons = read_mesh(mesh);
    TriangleMesh triangles = triangulate(polygons);
    if (is_body) {
        CreaseSplit split = split_creases(triangles.positions, triangles.triangles, body_crease);
        source_ = std::move(split.source);
        mesh_.triangles = std::move(split.triangles);
    } else {
        source_.resize(triangles.positions.size());
        std::iota(source_.begin(), source_.end(), 0);
        mesh_.material = texture_corners(polygons, triangles);
        mesh_.triangles = std::move(triangles.triangles);
    }
    for (const int v : source_)
        mesh_.positions.push_back(triangles.positions[static_cast<std::size_t>(v)]);
    if (cache.empty())
        return;
    cache_.emplace(cache);
    if (static_cast<std::size_t>(cache_->header().points) != triangles.positions.size())
        throw InputError({{cache.string()},
                          "points",
                          fmt::format("the {} vertices of {}", triangles.positions.size(),
                                      mesh.filename().string()),
                          fmt::format("{}", cache_->header().points),
                          "the two files belong to different runs"});
}

int RunSurface::frames() const {
    return cache_ ? cache_->header().samples : 1;
}

void RunSurface::show(int frame) {
    if (!cache_)
        return;
    cache_->read(frame, sample_);
    for (std::size_t i = 0; i < source_.size(); ++i)
        mesh_.positions[i] = sample_[static_cast<std::size_t>(source_[i])];
}

void RunSurface::set_colors(const Vec3& front, const Vec3& back) {
    mesh_.front_color = front;
    mesh_.back_color = back;
}

RunFiles::RunFiles(const fs::path& directory) {
    std::size_t cloths = 0;
    frames_ = std::numeric_limits<int>::max();
    for (const fs::path& mesh : sorted_meshes(directory)) {
        const std::string stem = mesh.stem().string();
        fs::path cache = mesh;
        cache.replace_extension(".pc2");
        const bool is_body = is_body_name(stem), has_cache = fs::exists(cache);
        if (!is_body && !has_cache)
            continue; // a mesh that a user or an export put there
        surfaces_.emplace_back(is_body ? stem.substr(5) : stem, is_body, mesh,
                               has_cache ? cache : fs::path());
        const ClothColors& colors = palette[cloths % palette.size()];
        surfaces_.back().set_colors(is_body ? body_color : colors.front,
                                    is_body ? body_color : colors.back);
        cloths += is_body ? 0 : 1;
        if (surfaces_.back().moves())
            frames_ = std::min(frames_, surfaces_.back().frames());
    }
    if (cloths == 0)
        throw InputError({{directory.string()},
                          "",
                          "the directory of a run, with NAME.obj and NAME.pc2 for each cloth",
                          "no such pair",
                          ""});
    if (frames_ == 0)
        throw InputError({{directory.string()}, "", "a run with at least one frame", "none", ""});
}

void RunFiles::show(int frame) {
    for (RunSurface& surface : surfaces_)
        surface.show(frame);
}

std::vector<RenderMesh> RunFiles::meshes() const {
    std::vector<RenderMesh> out;
    for (const RunSurface& surface : surfaces_)
        out.push_back(surface.mesh());
    return out;
}

} // namespace muslin
