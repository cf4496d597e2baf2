#pragma once

#include "muslin/render/frame_setup.h"
#include "muslin/render/gpu_mesh.h"
#include "muslin/render/shaders_geometry.h"

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
    const gl::Program& surface_program(const shaders::SurfaceVariant& variant);
    void light_pixels(const gl::Program& program, double light_class);
    void read_geometry(const gl::Program& program, const FrameSetup& frame) const;

    std::deque<GpuMesh> meshes_; // a deque: growing must not move those in use
    std::size_t mesh_count_ = 0;
    int width_ = 0, height_ = 0, samples_ = 0;
    int actual_samples_ = 1; // what the driver gave

    gl::Program depth_, coverage_, ground_, ink_, halve_, occlusion_, blur_;
    gl::Program classify_, light_surface_, light_ground_, light_edge_;
    std::array<std::unique_ptr<gl::Program>, 32> surface_; // by variant, made when first needed
    gl::VertexArray no_attributes_;
    gl::Texture shadow_map_, coverage_map_, scale_;              // scale_: the colour map
    gl::Texture color_map_, normal_map_, depth_map_;             // several samples a pixel
    gl::Texture normal_depth_, visibility_, visibility_scratch_; // half the picture's size
    gl::Renderbuffer picture_, class_depth_;
    gl::Framebuffer shadow_target_, coverage_target_, geometry_target_, halve_target_,
        visibility_target_, scratch_target_, picture_target_;
};

} // namespace muslin
