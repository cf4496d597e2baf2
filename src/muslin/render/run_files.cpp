#include "muslin/render/run_files.h"

#include "muslin/mesh/corner_split.h"
#include "muslin/render/crease.h"
#include "muslin/render/palette.h"

#include <algorithm>
#include <numeric>

namespace muslin {

namespace {

namespace fs = std::filesystem;

} // namespace

RunSurface::RunSurface(RunObject& object) : object_(&object) {
    const TriangleMesh& triangles = object.triangles();
    if (is_body()) {
        CreaseSplit split = split_creases(triangles.positions, triangles.triangles, body_crease);
        source_ = std::move(split.source);
        mesh_.triangles = std::move(split.triangles);
    } else {
        source_.resize(triangles.positions.size());
        std::iota(source_.begin(), source_.end(), 0);
        mesh_.material = texture_corners(object.mesh(), triangles);
        mesh_.triangles = triangles.triangles;
    }
    for (const int v : source_)
        mesh_.positions.push_back(triangles.positions[static_cast<std::size_t>(v)]);
}

void RunSurface::show(int frame) {
    if (!moves())
        return;
    object_->read(frame, sample_);
    for (std::size_t i = 0; i < source_.size(); ++i)
        mesh_.positions[i] = sample_[static_cast<std::size_t>(source_[i])];
}

void RunSurface::set_colors(const Vec3& front, const Vec3& back) {
    mesh_.front_color = front;
    mesh_.back_color = back;
}

RunFiles::RunFiles(const fs::path& directory) : reader_(std::make_unique<RunReader>(directory)) {
    std::size_t cloths = 0;
    for (RunObject& cloth : reader_->cloths()) {
        const ClothColors colors = cloth_colors(cloths++);
        surfaces_.emplace_back(cloth).set_colors(colors.front, colors.back);
    }
    for (RunObject& body : reader_->bodies())
        surfaces_.emplace_back(body).set_colors(body_color, body_color);
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
