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
    colors_.front = mesh.front_color;
    colors_.back = mesh.back_color;
    set_back_ = mesh.set_back;
    colors_.by_place = !mesh.vertex_places.empty();
    colors_.of_vertices = !mesh.vertex_colors.empty() && !colors_.by_place;
    if (topology_.vertices != mesh.positions.size() ||
        !same_bytes(topology_.triangles, mesh.triangles) ||
        !same_bytes(topology_.material, mesh.material))
        update_topology(mesh);
    send_vertices(mesh);
    send_texture(mesh);
    send_marks(mesh);
}

void GpuMesh::update_topology(const RenderMesh& mesh) {
    require_sound(mesh);
    topology_.triangles = mesh.triangles;
    topology_.material = mesh.material;
    topology_.vertices = mesh.positions.size();
    CornerSplit split = split_corners(mesh.positions.size(), mesh.triangles, mesh.material);
    const auto edges = unique_edges(mesh.triangles);
    topology_.source = split.source;
    topology_.triangle_corners = static_cast<int>(3 * split.triangles.size());
    topology_.edge_ends = static_cast<int>(2 * edges.size());

    glBindVertexArray(array_);
    send(GL_ELEMENT_ARRAY_BUFFER, buffers_.edges, edges, GL_STATIC_DRAW);
    send(GL_ELEMENT_ARRAY_BUFFER, buffers_.triangles, split.triangles, GL_STATIC_DRAW);
    topology_.sent_triangles = std::move(split.triangles);
    std::vector<float> uv;
    uv.reserve(2 * split.uv.size());
    for (const Vec2& p : split.uv) {
        uv.push_back(static_cast<float>(p.x));
        uv.push_back(static_cast<float>(p.y));
    }
    send(GL_ARRAY_BUFFER, buffers_.material, uv, GL_STATIC_DRAW);
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
    staging_.resize(floats * topology_.source.size());
    float* out = staging_.data();
    const auto put = [&out](const Vec3& v) {
        *out++ = static_cast<float>(v.x);
        *out++ = static_cast<float>(v.y);
        *out++ = static_cast<float>(v.z);
    };
    for (const int v : topology_.source) {
        const auto i = static_cast<std::size_t>(v);
        put(mesh.positions[i]);
        put(normals[i]);
        if (colors_.by_place)
            put({mesh.vertex_places[i], 0, 0});
        else
            put(colors_.of_vertices ? mesh.vertex_colors[i] : Vec3{1, 1, 1});
    }
    glBindVertexArray(array_);
    send(GL_ARRAY_BUFFER, buffers_.vertices, staging_, GL_STREAM_DRAW);
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
    const bool changed = pattern_.image != mesh.texture;
    pattern_.image = mesh.texture;
    if (!pattern_.image)
        return;
    if (!(mesh.texture_size > 0) || pattern_.image->width < 1 || pattern_.image->height < 1)
        throw std::invalid_argument("RenderMesh: texture and texture_size must not be empty");
    pattern_.size = {mesh.texture_size,
                     mesh.texture_size * pattern_.image->height / pattern_.image->width};
    if (!changed)
        return;
    // OpenGL's first row is the lowest.
    const std::size_t row = 3 * static_cast<std::size_t>(pattern_.image->width);
    std::vector<std::uint8_t> rows(pattern_.image->rgb.size());
    for (std::size_t y = 0; y < static_cast<std::size_t>(pattern_.image->height); ++y)
        std::memcpy(&rows[rows.size() - row * (y + 1)], &pattern_.image->rgb[row * y], row);
    glBindTexture(GL_TEXTURE_2D, pattern_.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, pattern_.image->width, pattern_.image->height, 0,
                 GL_RGB, GL_UNSIGNED_BYTE, rows.data());
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
        marks.push_back(topology_.sent_triangles.at(static_cast<std::size_t>(t)));
    mark_corners_ = static_cast<int>(3 * marks.size());
    if (marks.empty())
        return;
    glBindVertexArray(array_);
    send(GL_ELEMENT_ARRAY_BUFFER, buffers_.marks, marks, GL_STREAM_DRAW);
}

void GpuMesh::draw_triangles() const {
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers_.triangles);
    glDrawElements(GL_TRIANGLES, topology_.triangle_corners, GL_UNSIGNED_INT, nullptr);
}

void GpuMesh::draw_marks() const {
    if (mark_corners_ == 0)
        return;
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers_.marks);
    glDrawElements(GL_TRIANGLES, mark_corners_, GL_UNSIGNED_INT, nullptr);
}

void GpuMesh::draw_edges() const {
    glBindVertexArray(array_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers_.edges);
    glDrawElements(GL_LINES, topology_.edge_ends, GL_UNSIGNED_INT, nullptr);
}

} // namespace muslin
