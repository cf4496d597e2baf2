#include "muslin/render/painter.h"

#include "muslin/render/color_map.h"
#include "muslin/render/shaders_light.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

namespace {

constexpr int shadow_size = 1024;
constexpr int coverage_size = shadow_size / 4; // one texel averages 4 x 4

void attach_color(const gl::Framebuffer& target, const gl::Texture& texture, const char* name) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl::require_complete_framebuffer(name);
}

void fill_screen() {
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Ink mixes with the colour below it; what kind of thing that is, and its normal, stay.
void begin_ink() {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glDepthMask(GL_FALSE);
    glColorMaski(1, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
}

void end_ink() {
    glColorMaski(1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

/// To a colour of 8 bits, which the dither leaves alone: a plain background stays plain, and small
/// in a file.
Vec3 rounded(const Vec3& color) {
    Vec3 out{};
    for (int c = 0; c < 3; ++c)
        out[c] = std::round(255 * color[c]) / 255;
    return out;
}

/// One over the step in depth [m] that parts two surfaces.
double depth_scale(const FrameSetup& frame) {
    return 4.0 / frame.occlusion_radius;
}

/// Reading a depth texture as plain numbers and by comparison are two modes of one texture.
void compare_shadow_map(const gl::Texture& map, bool compare) {
    glBindTexture(GL_TEXTURE_2D, map);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                    compare ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
}

} // namespace

Painter::Painter() {
    gl::allocate(shadow_.map, shadow_size, shadow_size,
                 {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, GL_LINEAR});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    // Beyond the map nothing casts a shadow.
    const std::array<float, 4> lit = {1, 1, 1, 1}, bare = {0, 0, 0, 0};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit.data());
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_.target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_.map, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    gl::require_complete_framebuffer("shadow map");

    gl::allocate(shadow_.coverage, coverage_size, coverage_size,
                 {GL_RG32F, GL_RG, GL_FLOAT, GL_LINEAR, true});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, bare.data());
    attach_color(shadow_.coverage_target, shadow_.coverage, "coverage");

    std::vector<float> colors;
    for (const Vec3& color : color_table())
        for (int c = 0; c < 3; ++c)
            colors.push_back(static_cast<float>(color[c]));
    const auto count = static_cast<int>(color_table().size());
    gl::allocate(scale_, count, 1, {GL_RGB32F, GL_RGB, GL_FLOAT, GL_LINEAR});
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, count, 1, GL_RGB, GL_FLOAT, colors.data());
}

void Painter::paint(std::span<const RenderMesh> meshes, const Camera& camera,
                    const RenderSettings& settings, GLuint target) {
    const FrameSetup frame = set_up_frame(meshes, camera, settings);
    update_meshes(meshes);
    resize(settings.width, settings.height, settings.samples);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);

    glEnable(GL_DEPTH_TEST);
    if (settings.shadows)
        draw_shadow_map(frame);
    draw_geometry(frame, settings);
    if (settings.wireframe)
        draw_edges(frame);
    draw_marks(frame, settings);

    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(no_attributes_);
    if (settings.shadows && frame.draw_ground)
        draw_coverage();
    if (settings.ambient_occlusion)
        draw_occlusion(frame);
    draw_light(frame, settings);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

DepthImage Painter::depth(std::span<const RenderMesh> meshes, const Camera& camera,
                          const RenderSettings& settings) {
    RenderSettings plain = settings;
    plain.ground = false;
    const FrameSetup frame = set_up_frame(meshes, camera, plain);
    update_meshes(meshes);
    const int width = settings.width, height = settings.height;
    // One sample, in the pixel's middle, where the picture has several around it.
    const gl::Renderbuffer buffer;
    const gl::Framebuffer target;
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    gl::require_complete_framebuffer("depth");
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
    glClear(GL_DEPTH_BUFFER_BIT);
    programs_.depth.use();
    programs_.depth.set("to_clip", frame.to_clip);
    programs_.depth.set("eye", frame.eye);
    programs_.depth.set("set_back", 0.0);
    for (std::size_t i = 0; i < mesh_count_; ++i)
        meshes_[i].draw_triangles();

    const auto columns = static_cast<std::size_t>(width);
    std::vector<float> raw(columns * static_cast<std::size_t>(height));
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, raw.data());
    DepthImage out{width, height, std::vector<float>(raw.size())};
    const double near = frame.near_plane, far = frame.far_plane;
    for (std::size_t i = 0; i < raw.size(); ++i) { // OpenGL counts rows from the bottom
        const double z = raw[raw.size() - columns * (i / columns + 1) + i % columns];
        out.depth[i] = z < 1 ? static_cast<float>(near * far / (far - z * (far - near)))
                             : std::numeric_limits<float>::infinity();
    }
    return out;
}

void Painter::update_meshes(std::span<const RenderMesh> meshes) {
    mesh_count_ = meshes.size();
    while (meshes_.size() < mesh_count_)
        meshes_.emplace_back();
    for (std::size_t i = 0; i < mesh_count_; ++i)
        meshes_[i].update(meshes[i]);
}

void Painter::resize(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_)
        return;
    width_ = width;
    height_ = height;
    samples_ = samples;
    GLint most_colors = 1, most_depths = 1;
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &most_colors);
    glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &most_depths);
    const int wanted = std::clamp(samples, 1, std::min(most_colors, most_depths));

    glBindFramebuffer(GL_FRAMEBUFFER, geometry_.target);
    const auto attach = [&](const gl::Texture& texture, GLenum format, GLenum place) {
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
        glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, wanted, format, width, height, GL_TRUE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, place, GL_TEXTURE_2D_MULTISAMPLE, texture, 0);
    };
    attach(geometry_.color, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    attach(geometry_.normal, GL_RG16, GL_COLOR_ATTACHMENT1);
    attach(geometry_.depth, GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT);
    const std::array<GLenum, 2> outputs = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(static_cast<GLsizei>(outputs.size()), outputs.data());
    gl::require_complete_framebuffer("geometry");
    glGetIntegerv(GL_SAMPLES, &geometry_.samples);
    geometry_.samples = std::max(geometry_.samples, 1);

    const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    gl::allocate(half_.normal_depth, half_width, half_height, {GL_RGBA32F, GL_RGBA, GL_FLOAT});
    gl::allocate(half_.visibility, half_width, half_height, {GL_RG32F, GL_RG, GL_FLOAT});
    gl::allocate(half_.scratch, half_width, half_height, {GL_RG32F, GL_RG, GL_FLOAT});
    attach_color(half_.normal_depth_target, half_.normal_depth, "half-size geometry");
    attach_color(half_.visibility_target, half_.visibility, "visibility");
    attach_color(half_.scratch_target, half_.scratch, "visibility scratch");

    glBindFramebuffer(GL_FRAMEBUFFER, picture_.target);
    const auto store = [&](const gl::Renderbuffer& buffer, GLenum format, GLenum place) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
    };
    store(picture_.color, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    store(picture_.class_depth, GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT);
    gl::require_complete_framebuffer("picture");
}

void Painter::draw_shadow_map(const FrameSetup& frame) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_.target);
    glViewport(0, 0, shadow_size, shadow_size);
    glClear(GL_DEPTH_BUFFER_BIT);
    programs_.depth.use();
    programs_.depth.set("to_clip", frame.to_light);
    programs_.depth.set("eye", frame.eye);
    for (std::size_t i = 0; i < mesh_count_; ++i) {
        // As the picture has it: what is drawn further back must not lie in its own shadow.
        programs_.depth.set("set_back", meshes_[i].set_back());
        meshes_[i].draw_triangles();
    }
}

void Painter::draw_coverage() {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_.coverage_target);
    glViewport(0, 0, coverage_size, coverage_size);
    programs_.coverage.use();
    programs_.coverage.set_texture("shadow_depth", 0, shadow_.map);
    compare_shadow_map(shadow_.map, false);
    fill_screen();
    glBindTexture(GL_TEXTURE_2D, shadow_.coverage);
    glGenerateMipmap(GL_TEXTURE_2D);
}

void Painter::draw_geometry(const FrameSetup& frame, const RenderSettings& settings) {
    glBindFramebuffer(GL_FRAMEBUFFER, geometry_.target);
    glViewport(0, 0, width_, height_);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (std::size_t i = 0; i < mesh_count_; ++i) {
        const GpuMesh& mesh = meshes_[i];
        const gl::Program& program = programs_.for_surface(
            {settings.flat, settings.checker && mesh.has_material(), mesh.has_vertex_colors(),
             mesh.has_texture(), mesh.has_vertex_places()});
        program.use();
        program.set("to_clip", frame.to_clip);
        program.set("eye", frame.eye);
        program.set("set_back", mesh.set_back());
        program.set("front_color", mesh.front_color());
        program.set("back_color", mesh.back_color());
        program.set("checker_size", settings.checker_size);
        if (mesh.has_texture()) {
            program.set_texture("image", 0, mesh.texture());
            program.set("image_size", mesh.texture_size().x, mesh.texture_size().y);
        }
        if (mesh.has_vertex_places())
            program.set_texture("scale", 1, scale_);
        mesh.draw_triangles();
    }
    if (!frame.draw_ground)
        return;
    programs_.ground.use();
    programs_.ground.set("to_clip", frame.to_clip);
    programs_.ground.set("ground_center", frame.ground_center);
    programs_.ground.set("ground_radius", frame.ground_radius);
    programs_.ground.set("background", rounded(settings.background));
    glBindVertexArray(no_attributes_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// Marks on what is seen; and through what hides them, since cloth intersects inside its folds.
void Painter::draw_marks(const FrameSetup& frame, const RenderSettings& settings) {
    const bool any = std::any_of(meshes_.begin(), meshes_.begin() + mesh_count_,
                                 [](const GpuMesh& mesh) { return mesh.has_marks(); });
    if (!any)
        return;
    begin_ink();
    programs_.ink.use();
    programs_.ink.set("to_clip", frame.to_clip);
    programs_.ink.set("eye", frame.eye);
    for (const bool hidden : {true, false}) {
        glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
        programs_.ink.set("ink", settings.mark_color);
        programs_.ink.set("opacity", hidden ? 0.4 : 1.0);
        for (std::size_t i = 0; i < mesh_count_; ++i)
            meshes_[i].draw_marks();
    }
    glDepthFunc(GL_LEQUAL);
    end_ink();
}

void Painter::draw_edges(const FrameSetup& frame) {
    begin_ink();
    programs_.ink.use();
    programs_.ink.set("ink", Vec3{0.12, 0.13, 0.16});
    programs_.ink.set("opacity", 0.45);
    programs_.ink.set("to_clip", frame.to_clip);
    programs_.ink.set("eye", frame.eye);
    for (std::size_t i = 0; i < mesh_count_; ++i)
        meshes_[i].draw_edges();
    end_ink();
}

/// What the geometry pass left, and how the camera saw it.
void Painter::read_geometry(const gl::Program& program, const FrameSetup& frame) const {
    program.use();
    program.set("view_right", frame.basis.right);
    program.set("view_up", frame.basis.up);
    program.set("view_back", frame.basis.back);
    program.set("half_extent", frame.tan_x, frame.tan_y);
    program.set("depth_range", frame.near_plane, frame.far_plane);
    program.set("depth_scale", depth_scale(frame));
    program.set_texture("color_map", 0, geometry_.color, GL_TEXTURE_2D_MULTISAMPLE);
    program.set_texture("normal_map", 1, geometry_.normal, GL_TEXTURE_2D_MULTISAMPLE);
    program.set_texture("depth_map", 2, geometry_.depth, GL_TEXTURE_2D_MULTISAMPLE);
}

void Painter::draw_occlusion(const FrameSetup& frame) {
    glViewport(0, 0, (width_ + 1) / 2, (height_ + 1) / 2);
    glBindFramebuffer(GL_FRAMEBUFFER, half_.normal_depth_target);
    read_geometry(programs_.halve, frame);
    fill_screen();

    glBindFramebuffer(GL_FRAMEBUFFER, half_.visibility_target);
    read_geometry(programs_.occlusion, frame);
    programs_.occlusion.set_texture("normal_depth", 3, half_.normal_depth);
    programs_.occlusion.set("radius", frame.occlusion_radius);
    programs_.occlusion.set("scene_center", frame.scene_center - frame.eye);
    programs_.occlusion.set("scene_radius", frame.scene_radius);
    fill_screen();

    programs_.blur.use();
    programs_.blur.set("depth_scale", depth_scale(frame));
    glBindFramebuffer(GL_FRAMEBUFFER, half_.scratch_target);
    programs_.blur.set_texture("visibility_depth", 3, half_.visibility);
    programs_.blur.set("direction", 1.0, 0.0);
    fill_screen();
    glBindFramebuffer(GL_FRAMEBUFFER, half_.visibility_target);
    programs_.blur.set_texture("visibility_depth", 3, half_.scratch);
    programs_.blur.set("direction", 0.0, 1.0);
    fill_screen();
}

void Painter::draw_light(const FrameSetup& frame, const RenderSettings& settings) {
    glBindFramebuffer(GL_FRAMEBUFFER, picture_.target);
    glViewport(0, 0, width_, height_);
    for (const gl::Program* program : {&programs_.classify, &programs_.light_surface,
                                       &programs_.light_ground, &programs_.light_edge}) {
        read_geometry(*program, frame);
        program->set("samples", geometry_.samples);
        program->set("eye", frame.eye);
        program->set("background", rounded(settings.background));
        program->set("toward_light", frame.toward_light);
        program->set("ground_center", frame.ground_center);
        program->set("ground_radius", frame.ground_radius);
        program->set("even_light", settings.even_light);
        program->set("use_occlusion", settings.ambient_occlusion ? 1 : 0);
        program->set_texture("occlusion", 3, half_.visibility);
        program->set("use_shadow", settings.shadows ? 1 : 0);
        program->set("to_shadow", frame.to_shadow);
        program->set("shadow_texel", frame.shadow_extent / shadow_size);
        program->set("shadow_spread", 3.5 / shadow_size);
        program->set("shadow_range", frame.shadow_range);
        program->set("shadow_extent", frame.shadow_extent);
        program->set_texture("coverage", 4, shadow_.coverage);
        program->set_texture("shadow_map", 5, shadow_.map);
    }
    compare_shadow_map(shadow_.map, true);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    programs_.classify.use();
    fill_screen();
    glDepthFunc(GL_EQUAL);
    glDepthMask(GL_FALSE);
    light_pixels(programs_.light_ground, shaders::LightClass::ground);
    light_pixels(programs_.light_surface, shaders::LightClass::surface);
    light_pixels(programs_.light_edge, shaders::LightClass::edge);
    glDepthMask(GL_TRUE);
}

void Painter::light_pixels(const gl::Program& program, double light_class) {
    program.use();
    glDepthRange(light_class, light_class);
    fill_screen();
    glDepthRange(0, 1);
}

} // namespace muslin
