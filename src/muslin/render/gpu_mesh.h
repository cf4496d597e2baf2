#pragma once

#include "muslin/render/gl_objects.h"
#include "muslin/render/renderer.h"

namespace muslin {

/// A RenderMesh in the driver's memory. Frames of an animation share their topology, which is
/// sent once; positions and normals are sent on every update.
class GpuMesh {
public:
    void update(const RenderMesh& mesh);
    void draw_triangles() const;
    void draw_edges() const;
    void draw_marks() const;

    Vec3 front_color() const { return front_color_; }
    Vec3 back_color() const { return back_color_; }
    double set_back() const { return set_back_; } ///< [m]
    bool has_vertex_colors() const { return has_vertex_colors_; }
    bool has_vertex_places() const { return has_vertex_places_; }
    bool has_material() const { return !material_.empty(); }
    bool has_texture() const { return image_ != nullptr && has_material(); }
    bool has_marks() const { return mark_corners_ > 0; }
    GLuint texture() const { return texture_; }
    Vec2 texture_size() const { return texture_size_; } ///< [m]

private:
    void update_topology(const RenderMesh& mesh);
    void send_vertices(const RenderMesh& mesh);
    void send_texture(const RenderMesh& mesh);
    void send_marks(const RenderMesh& mesh);

    std::vector<std::array<int, 3>> triangles_; // as sent, to see whether they changed
    std::vector<std::array<Vec2, 3>> material_;
    std::size_t source_vertices_ = 0;
    // OpenGL has one (u, v) per vertex; a vertex on a seam is therefore sent once per (u, v).
    std::vector<int> source_;                        // the RenderMesh vertex of each vertex sent
    std::vector<std::array<int, 3>> sent_triangles_; // over those
    int triangle_corners_ = 0, edge_ends_ = 0, mark_corners_ = 0;
    std::shared_ptr<const Image> image_; // kept, so that another image cannot take its address
    Vec2 texture_size_{};
    gl::Texture texture_;
    Vec3 front_color_{}, back_color_{};
    double set_back_ = 0;
    bool has_vertex_colors_ = false, has_vertex_places_ = false;
    std::vector<float> staging_;
    gl::VertexArray array_;
    gl::Buffer vertices_, material_buffer_, triangle_buffer_, edge_buffer_, mark_buffer_;
};

} // namespace muslin
