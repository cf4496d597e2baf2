#include "muslin/render/gpu_mesh.h"

#include "muslin/mesh/corner_split.h"
#include "muslin/mesh/normals.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace muslin {

namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
void send(GLenum target, const gl::Buffer& buffer, const std::vector<T>& data, GLenum usage) {
    glBindBuffer(target, buffer);
    glBufferData(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), usage);
}

void require_sound(const RenderMesh& mesh) {
    const int count = static_cast<int>(mesh.positions.size());
    for (const auto& triangle : mesh.triangles)
        for (const int v : triangle)
            if (v < 0 || v >= count)
                throw std::out_of_range("RenderMesh: a triangle names a vertex that is not there");
    if (!mesh.material.empty() && mesh.material.size() != mesh.triangles.size())
        throw std::invalid_argument("RenderMesh: material must have one entry per triangle");
    if (!mesh.vertex_colors.empty() && mesh.vertex_colors.size() != mesh.positions.size())
        throw std::invalid_argument("RenderMesh: vertex_colors must have one entry per vertex");
    if (!mesh.vertex_places.empty() && mesh.vertex_places.size() != mesh.positions.size())
        throw std::invalid_argument("RenderMesh: vertex_places must have one entry per vertex");
}

std::vector<std::array<int, 2>> unique_edges(const std::vector<std::array<int, 3>>& triangles) {
    std::vector<std::array<int, 2>> edges;
    edges.reserve(3 * triangles.size());
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

} // namespace

void GpuMesh::update(const RenderMesh& mesh) {
    front_color_ = mesh.front_color;
    back_color_ = mesh.back_color;
    set_back_ = mesh.set_back;
    has_vertex_places_ = !mesh.vertex_places.empty();
    has_vertex_colors_ = !mesh.vertex_colors.empty() && !has_vertex_places_;
    if (source_vertices_ != mesh.positions.size() || !same_bytes(triangles_, mesh.triangles) ||
        !same_bytes(material_, mesh.material))
        update_topology(mesh);
    send_vertices(mesh);
    send_texture(mesh);
    send_marks(mesh);
}

void GpuMesh::update_topology(const RenderMesh& mesh) {
    require_sound(mesh);
    triangles_ = mesh.triangles;
    material_ = mesh.material;
    source_vertices_ = mesh.positions.size();
    CornerSplit split = split_corners(mesh.positions.size(), mesh.triangles, mesh.material);
    const auto edges = unique_edges(mesh.triangles);
    source_ = split.source;
    triangle_corners_ = static_cast<int>(3 * split.triangles.size());
    edge_ends_ = static_cast<int>(2 * edges.size());

    glBindVertexArray(array_);
    send(GL_ELEMENT_ARRAY_BUFFER, edge_buffer_, edges, GL_STATIC_DRAW);
    send(GL_ELEMENT_ARRAY_BUFFER, triangle_buffer_, split.triangles, GL_STATIC_DRAW);
    sent_triangles_ = std::move(split.triangles);
    std::vector<float> uv;
    uv.reserve(2 * split.uv.size());
    for (const Vec2& p : split.uv) {
        uv.push_back(static_cast<float>(p.x));
        uv.push_back(static_cast<float>(p.y));
    }
    send(GL_ARRAY_BUFFER, material_buffer_, uv, GL_STATIC_DRAW);
    if (uv.empty()) {
        glDisableVertexAttribArray(2);
    } else {
        glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(2);
    }
}

void GpuMesh::send_vertices(const RenderMesh& mesh) {
    if (mesh.vertex_colors.size() + mesh.vertex_places.size() > 0)
        require_sound(mesh);
    const std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.triangles);
    constexpr std::size_t floats = 9; // position, normal, colour
    staging_.resize(floats * source_.size());
    float* out = staging_.data();
    const auto put = [&out](const Vec3& v) {
        *out++ = static_cast<float>(v.x);
        *out++ = static_cast<float>(v.y);
        *out++ = static_cast<float>(v.z);
    };
    for (const int v : source_) {
        const auto i = static_cast<std::size_t>(v);
        put(mesh.positions[i]);
        put(normals[i]);
        if (has_vertex_places_)
            put({mesh.vertex_places[i], 0, 0});
        else
            put(has_vertex_colors_ ? mesh.vertex_colors[i] : Vec3{1, 1, 1});
    }
    glBindVertexArray(array_);
    send(GL_ARRAY_BUFFER, vertices_, staging_, GL_STREAM_DRAW);
    constexpr GLsizei stride = floats * sizeof(float);
    const std::array<GLuint, 3> slots = {0, 1, 3};
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::size_t offset = 3 * sizeof(float) * i;
        glVertexAttribPointer(slots[i], 3, GL_FLOAT, GL_FALSE, stride,
                              reinterpret_cast<const void*>(offset)); // NOLINT: OpenGL's interface
        glEnableVertexAttribArray(slots[i]);
    }
}

void GpuMesh::send_texture(const RenderMesh& mesh) {
    const bool changed = image_ != mesh.texture;
    image_ = mesh.texture;
    if (!image_)
        return;
    if (!(mesh.texture_size > 0) || image_->width < 1 || image_->height < 1)
        throw std::invalid_argument("RenderMesh: texture and texture_size must not be empty");
    texture_size_ = {mesh.texture_size, mesh.texture_size * image_->height / image_->width};
    if (!changed)
        return;
    // OpenGL's first row is the lowest.
    const std::size_t row = 3 * static_cast<std::size_t>(image_->width);
    std::vector<std::uint8_t> rows(image_->rgb.size());
    for (std::size_t y = 0; y < static_cast<std::size_t>(image_->height); ++y)
        std::memcpy(&rows[rows.size() - row * (y + 1)], &image_->rgb[row * y], row);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image_->width, image_->height, 0, GL_RGB,
                 GL_UNSIGNED_BYTE, rows.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    // Cloth is seen at grazing angles everywhere; drivers without the extension ignore this.
    constexpr GLenum max_anisotropy = 0x84FE;
    glTexParameterf(GL_TEXTURE_2D, max_anisotropy, 8);
    while (glGetError() != GL_NO_ERROR) {
    }
}

void GpuMesh::send_marks(const RenderMesh& mesh) {
    std::vector<std::array<int, 3>> marks;
    marks.reserve(mesh.marked.size());
    for (const int t : mesh.marked)
        marks.push_back(sent_triangles_.at(static_cast<std::size_t>(t)));
    mark_corners_ = static_cast<int>(3 * marks.size());
    if (marks.empty())
        return;
    glBindVertexArray(array_);
    send(GL_ELEMENT_ARRAY_BUFFER, mark_buffer_, marks, GL_STREAM_DRAW);
}

void GpuMesh::draw_triangles() const {
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, triangle_buffer_);
    glDrawElements(GL_TRIANGLES, triangle_corners_, GL_UNSIGNED_INT, nullptr);
}

void GpuMesh::draw_marks() const {
    if (mark_corners_ == 0)
        return;
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mark_buffer_);
    glDrawElements(GL_TRIANGLES, mark_corners_, GL_UNSIGNED_INT, nullptr);
}

void GpuMesh::draw_edges() const {
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, edge_buffer_);
    glDrawElements(GL_LINES, edge_ends_, GL_UNSIGNED_INT, nullptr);
}

} // namespace muslin
