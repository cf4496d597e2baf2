#include "muslin/render/run_surfaces.h"

#include "muslin/mesh/corner_split.h"
#include "muslin/mesh/palette.h"
#include "muslin/mesh/quality.h"
#include "muslin/render/crease.h"
#include "muslin/render/marks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muslin {

namespace {

namespace fs = std::filesystem;

double pattern_area(const std::vector<std::array<Vec2, 3>>& corners) {
    double sum = 0;
    for (const auto& [a, b, c] : corners)
        sum += 0.5 * std::abs(cross(b - a, c - a));
    return sum;
}

/// Texture coordinates that are not the pattern, such as those of a unit square, are brought to its
/// size, so that squares and textures have the size they are given.
void measure_in_metres(std::vector<std::array<Vec2, 3>>& corners,
                       const std::vector<std::array<Vec2, 3>>& pattern) {
    const double area = pattern_area(corners), wanted = pattern_area(pattern);
    if (!(area > 0) || !(wanted > 0) || std::abs(area / wanted - 1) < 0.02)
        return;
    const double scale = std::sqrt(wanted / area);
    for (auto& triangle : corners)
        for (Vec2& uv : triangle)
            uv = scale * uv;
}

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
        measure_in_metres(mesh_.material, triangles.material);
        mesh_.triangles = triangles.triangles;
    }
    sample_ = triangles.positions;
    place();
}

void RunSurface::place() {
    if (finer_) {
        finer_->apply(sample_, mesh_.positions);
        return;
    }
    mesh_.positions.resize(source_.size());
    for (std::size_t i = 0; i < source_.size(); ++i)
        mesh_.positions[i] = sample_[static_cast<std::size_t>(source_[i])];
}

void RunSurface::show(int frame) {
    if (!moves())
        return;
    object_->read(frame, sample_);
    place();
}

void RunSurface::subdivide(int levels) {
    if (is_body() || levels == 0)
        return;
    const TriangleMesh& triangles = object_->triangles();
    finer_.emplace(triangles.positions.size(), triangles.triangles,
                   mesh_.material.empty() ? triangles.material : mesh_.material, levels);
    mesh_.triangles = finer_->triangles();
    if (!mesh_.material.empty())
        mesh_.material = finer_->material();
    place();
}

void RunSurface::set_texture(std::shared_ptr<const Image> image, double size) {
    mesh_.texture = std::move(image);
    mesh_.texture_size = size;
}

void RunSurface::set_values(std::span<const double> values, double low, double high) {
    if (finer_)
        finer_->apply(values, values_);
    else
        values_.assign(values.begin(), values.end());
    mesh_.vertex_places.resize(values_.size());
    for (std::size_t v = 0; v < values_.size(); ++v)
        mesh_.vertex_places[v] = static_cast<float>((values_[v] - low) / (high - low));
}

void RunSurface::set_marks(std::span<const int> triangles) {
    mesh_.marked.clear();
    const int parts = finer_ ? finer_->triangles_per_coarse() : 1;
    for (const int t : triangles)
        for (int i = 0; i < parts; ++i)
            mesh_.marked.push_back(t * parts + i);
}

void RunSurface::set_colors(const Vec3& front, const Vec3& back) {
    mesh_.front_color = front;
    mesh_.back_color = back;
}

RunSurfaces::RunSurfaces(const fs::path& directory)
    : reader_(std::make_unique<RunReader>(directory)) {
    std::size_t cloths = 0;
    for (RunObject& cloth : reader_->cloths()) {
        const ClothColors colors = cloth_colors(cloths++);
        surfaces_.emplace_back(cloth).set_colors(colors.front, colors.back);
    }
    for (RunObject& body : reader_->bodies())
        if (body.visible())
            surfaces_.emplace_back(body).set_colors(body_color, body_color);
}

void RunSurfaces::show(int frame) {
    for (RunSurface& surface : surfaces_)
        surface.show(frame);
}

void RunSurfaces::subdivide(int levels) {
    if (levels == 0)
        return;
    // Smoothing moves cloth by a small part of its edges: where a sheet with edges of 10 mm lies on
    // the vertices of a coarse ball, by 0.6 mm.
    double edge = 0;
    for (RunSurface& surface : surfaces_)
        if (!surface.is_body()) {
            const TriangleView cloth = surface.simulated();
            edge = std::max(edge, measure_quality(cloth.positions, cloth.triangles).mean_edge);
            surface.subdivide(levels);
        }
    for (RunSurface& surface : surfaces_)
        if (surface.is_body())
            surface.set_back(0.25 * edge);
}

void RunSurfaces::mark(int frame) {
    std::vector<MarkedSurface> all;
    for (RunSurface& surface : surfaces_)
        all.push_back({surface.simulated(), surface.is_body(), {}});
    std::vector<double> pinch;
    for (std::size_t cloth = 0; cloth < reader_->cloths().size(); ++cloth)
        if (reader_->read_pinch(cloth, frame, pinch))
            all[cloth].pinched = pinch;
    const std::vector<std::vector<int>> marks = find_marks(all);
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
        surfaces_[s].set_marks(marks[s]);
}

void RunSurfaces::unmark() {
    for (RunSurface& surface : surfaces_)
        surface.set_marks({});
}

std::vector<RenderMesh> RunSurfaces::meshes() const {
    std::vector<RenderMesh> out;
    for (const RunSurface& surface : surfaces_)
        out.push_back(surface.mesh());
    return out;
}

} // namespace muslin
