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

    Vec3 front_color() const { return colors_.front; }
    Vec3 back_color() const { return colors_.back; }
    double set_back() const { return set_back_; } ///< [m]
    bool has_vertex_colors() const { return colors_.of_vertices; }
    bool has_vertex_places() const { return colors_.by_place; }
    bool has_material() const { return !topology_.material.empty(); }
    bool has_texture() const { return pattern_.image != nullptr && has_material(); }
    bool has_marks() const { return mark_corners_ > 0; }
    GLuint texture() const { return pattern_.texture; }
    Vec2 texture_size() const { return pattern_.size; } ///< [m]

private:
    void update_topology(const RenderMesh& mesh);
    void send_vertices(const RenderMesh& mesh);
    void send_texture(const RenderMesh& mesh);
    void send_marks(const RenderMesh& mesh);

    /// As sent, to see whether it changed. OpenGL has one (u, v) per vertex; a vertex on a seam is
    /// therefore sent once per (u, v).
    struct Topology {
        std::vector<std::array<int, 3>> triangles;
        std::vector<std::array<Vec2, 3>> material;
        std::size_t vertices = 0;
        std::vector<int> source; ///< the RenderMesh vertex of each vertex sent
        std::vector<std::array<int, 3>> sent_triangles; ///< over those
        int triangle_corners = 0, edge_ends = 0;
    };
    struct Buffers {
        gl::Buffer vertices, material, triangles, edges, marks;
    };
    struct Pattern {
        std::shared_ptr<const Image> image; ///< kept, so that another image cannot take its address
        Vec2 size{};                        ///< [m]
        gl::Texture texture;
    };
    struct Colors {
        Vec3 front{}, back{};
        bool of_vertices = false, by_place = false; ///< by_place: places on the colour map
    };

    Topology topology_;
    int mark_corners_ = 0;
    Pattern pattern_;
    Colors colors_;
    double set_back_ = 0;
    std::vector<float> staging_;
    gl::VertexArray array_;
    Buffers buffers_;
};

} // namespace muslin
