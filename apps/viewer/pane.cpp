#include "viewer/pane.h"

#include "muslin/mesh/palette.h"
#include "muslin/mesh/quality.h"
#include "muslin/render/color_map.h"
#include "muslin/render/crease.h"
#include "muslin/render/marks.h"
#include "muslin/render/painter.h"

#include <chrono>
#include <numeric>

namespace muslin::viewer {

struct Pane::Picture {
    Painter painter;
    gl::Framebuffer target;
    gl::Renderbuffer color;
    View view;
    int width = 0, height = 0;

    void resize(int w, int h) {
        if (w == width && h == height)
            return;
        width = w;
        height = h;
        glBindRenderbuffer(GL_RENDERBUFFER, color);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, w, h);
        glBindFramebuffer(GL_FRAMEBUFFER, target);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        gl::require_complete_framebuffer("pane");
    }
};

namespace {

bool same(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same(const Pane::View& a, const Pane::View& b) {
    return same(a.toward_light, b.toward_light) && same(a.camera.eye, b.camera.eye) &&
           same(a.camera.target, b.camera.target) && same(a.bounds.lower, b.bounds.lower) &&
           same(a.bounds.upper, b.bounds.upper) && a.width == b.width && a.height == b.height &&
           a.draft == b.draft;
}

} // namespace

Pane::Pane(std::unique_ptr<FrameSource> source) : source_(std::move(source)) {
    std::size_t cloths = 0;
    for (const Surface& surface : source_->surfaces()) {
        RenderMesh mesh;
        std::vector<int> vertices;
        if (surface.is_body) {
            CreaseSplit split = split_creases(surface.start, surface.triangles, body_crease);
            vertices = std::move(split.source);
            mesh.triangles = std::move(split.triangles);
            mesh.front_color = mesh.back_color = body_color;
        } else {
            vertices.resize(surface.start.size());
            std::iota(vertices.begin(), vertices.end(), 0);
            mesh.triangles = surface.triangles;
            mesh.material = surface.material;
            const ClothColors colors = cloth_colors(cloths++);
            mesh.front_color = colors.front;
            mesh.back_color = colors.back;
        }
        meshes_.push_back(std::move(mesh));
        vertices_.push_back(std::move(vertices));
    }
    points_.resize(meshes_.size());
    finer_.resize(meshes_.size());
    show(0, {});
}

Pane::~Pane() = default;
Pane::Pane(Pane&&) noexcept = default;

void Pane::show(int number, const Look& look) {
    auto frame = source_->frame(number);
    if (frame == frame_ && look == look_)
        return;
    frame_ = std::move(frame);
    if (look.smooth != look_.smooth)
        set_smooth(look.smooth);
    look_ = look;
    update_meshes(look);
    changed_ = true;
}

void Pane::update_meshes(const Look& look) {
    for (std::size_t s = 0; s < meshes_.size(); ++s) {
        const Surface& surface = source_->surfaces()[s];
        RenderMesh& mesh = meshes_[s];
        points_[s] = positions_of(surface, *frame_, s);
        if (finer_[s]) {
            finer_[s]->apply(points_[s], mesh.positions);
        } else {
            mesh.positions.resize(vertices_[s].size());
            for (std::size_t i = 0; i < vertices_[s].size(); ++i)
                mesh.positions[i] = points_[s][vertices_[s][i]];
        }
        mesh.vertex_places.clear();
        if (!look.color || surface.is_body)
            continue;
        std::vector<double> values = source_->field(*look.color, s, frame_->number);
        if (finer_[s] && !values.empty()) {
            std::vector<double> fine;
            finer_[s]->apply(values, fine);
            values = std::move(fine);
        }
        for (double value : values)
            mesh.vertex_places.push_back(
                static_cast<float>((value - look.low) / (look.high - look.low)));
    }
    for (RenderMesh& mesh : meshes_)
        mesh.marked.clear();
    if (look.marks)
        mark();
}

// Two levels where the cloth is coarse; more triangles than this are drawn slowly.
void Pane::set_smooth(bool on) {
    constexpr std::size_t few = 12000;
    double edge = 0;
    for (std::size_t s = 0; s < meshes_.size(); ++s) {
        const Surface& surface = source_->surfaces()[s];
        if (surface.is_body)
            continue;
        finer_[s].reset();
        if (on)
            finer_[s].emplace(surface.start.size(), surface.triangles, surface.material,
                              surface.triangles.size() < few ? 2 : 1);
        meshes_[s].triangles = on ? finer_[s]->triangles() : surface.triangles;
        meshes_[s].material = on ? finer_[s]->material() : surface.material;
        edge = std::max(edge, measure_quality(surface.start, surface.triangles).mean_edge);
    }
    // Smoothing moves the cloth by a small part of its edges: bodies step back behind it.
    for (std::size_t s = 0; s < meshes_.size(); ++s)
        if (source_->surfaces()[s].is_body)
            meshes_[s].set_back = on ? 0.25 * edge : 0;
}

void Pane::mark() {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<MarkedSurface> all;
    for (std::size_t s = 0; s < meshes_.size(); ++s) {
        const Surface& surface = source_->surfaces()[s];
        all.push_back({{points_[s], surface.triangles}, surface.is_body, {}});
    }
    const auto marks = find_marks(all);
    for (std::size_t s = 0; s < meshes_.size(); ++s)
        if (!source_->surfaces()[s].is_body) {
            const int parts = finer_[s] ? finer_[s]->triangles_per_coarse() : 1;
            for (int t : marks[s])
                for (int i = 0; i < parts; ++i)
                    meshes_[s].marked.push_back(t * parts + i);
        }
    mark_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool Pane::paint(const View& view) {
    if (!picture_)
        picture_ = std::make_unique<Picture>();
    else if (!changed_ && same(view, picture_->view))
        return false;
    RenderSettings settings;
    settings.width = view.width;
    settings.height = view.height;
    settings.wireframe = look_.wireframe;
    settings.checker = look_.checker && !look_.color;
    settings.flat = look_.flat;
    settings.ground = look_.ground;
    settings.shadows = look_.shadows;
    settings.bounds = view.bounds;
    settings.toward_light = view.toward_light;
    settings.mark_color = alarm_color;
    settings.even_light = look_.color ? even_light_of_colors : 0;
    if (view.draft > 0) {
        settings.samples = 1;
        settings.ambient_occlusion = false;
    }
    if (view.draft > 1) {
        settings.width = (view.width + 1) / 2;
        settings.height = (view.height + 1) / 2;
    }
    picture_->resize(settings.width, settings.height);
    picture_->painter.paint(meshes_, view.camera, settings, picture_->target);
    picture_->view = view;
    changed_ = false;
    return true;
}

void Pane::put(int x, int y) const {
    if (!picture_)
        return;
    const int w = picture_->view.width, h = picture_->view.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_->target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, picture_->width, picture_->height, x, y, x + w, y + h,
                      GL_COLOR_BUFFER_BIT, picture_->width == w ? GL_NEAREST : GL_LINEAR);
}

void Pane::close_picture() {
    picture_.reset();
    changed_ = true;
}

std::optional<SurfaceHit> Pane::pick(const Ray& ray) const {
    std::optional<SurfaceHit> best;
    for (std::size_t s = 0; s < points_.size(); ++s) {
        const auto& triangles = source_->surfaces()[s].triangles;
        const auto hit = viewer::pick(ray, points_[s], triangles);
        if (hit && (!best || hit->distance < best->hit.distance))
            best = SurfaceHit{s, triangles[hit->triangle][hit->corner], *hit};
    }
    return best;
}

} // namespace muslin::viewer
