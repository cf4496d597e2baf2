#pragma once

#include "muslin/render/frame_setup.h"
#include "muslin/render/gpu_mesh.h"
#include "muslin/render/painter_parts.h"

#include <deque>

namespace muslin {

/// Paints one picture into any framebuffer, in passes: shadow map; coverage of the floor by
/// shadow; colour, normal and depth of what is seen, with several samples a pixel; ambient
/// occlusion at half size; light. Needs a current OpenGL context, whose window or offscreen
/// target is the caller's affair.
class Painter {
public:
    Painter();

    void paint(std::span<const RenderMesh> meshes, const Camera& camera,
               const RenderSettings& settings, GLuint target);
    /// See Renderer::draw_depth.
    DepthImage depth(std::span<const RenderMesh> meshes, const Camera& camera,
                     const RenderSettings& settings);

private:
    void update_meshes(std::span<const RenderMesh> meshes);
    void resize(int width, int height, int samples);
    void draw_shadow_map(const FrameSetup& frame);
    void draw_coverage();
    void draw_geometry(const FrameSetup& frame, const RenderSettings& settings);
    void draw_marks(const FrameSetup& frame, const RenderSettings& settings);
    void draw_edges(const FrameSetup& frame);
    void draw_occlusion(const FrameSetup& frame);
    void draw_light(const FrameSetup& frame, const RenderSettings& settings);
    void light_pixels(const gl::Program& program, double light_class);
    void read_geometry(const gl::Program& program, const FrameSetup& frame) const;

    std::deque<GpuMesh> meshes_; // a deque: growing must not move those in use
    std::size_t mesh_count_ = 0;
    int width_ = 0, height_ = 0, samples_ = 0; // that the targets are made for
    PainterPrograms programs_;
    ShadowTargets shadow_;
    GeometryTargets geometry_;
    HalfSizeTargets half_;
    PictureTargets picture_;
    gl::VertexArray no_attributes_;
    gl::Texture scale_; // the colour map
};

} // namespace muslin
