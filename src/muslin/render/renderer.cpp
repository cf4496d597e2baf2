#include "muslin/render/renderer.h"

#include "muslin/render/headless_context.h"
#include "muslin/render/painter.h"

#include <stdexcept>

namespace muslin {

namespace {

class OffscreenTarget {
public:
    OffscreenTarget(int width, int height) : width_(width), height_(height) {
        glBindRenderbuffer(GL_RENDERBUFFER, color_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
        gl::require_complete_framebuffer("picture");
    }

    int width() const { return width_; }
    int height() const { return height_; }
    GLuint framebuffer() const { return framebuffer_; }

    Image read() const {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
        std::vector<std::uint8_t> rgba(4 * static_cast<std::size_t>(width_) * height_);
        glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
        Image image(width_, height_);
        std::uint8_t* out = image.rgb.data();
        for (int y = height_ - 1; y >= 0; --y) { // OpenGL counts rows from the bottom
            const std::uint8_t* in = &rgba[4 * static_cast<std::size_t>(y) * width_];
            for (int x = 0; x < width_; ++x, in += 4)
                for (int c = 0; c < 3; ++c)
                    *out++ = in[c];
        }
        return image;
    }

private:
    int width_, height_;
    gl::Framebuffer framebuffer_;
    gl::Renderbuffer color_;
};

void require_size(const RenderSettings& settings) {
    if (settings.width < 1 || settings.height < 1 || settings.width > 8192 ||
        settings.height > 8192)
        throw std::invalid_argument("RenderSettings: width and height must be in 1 .. 8192");
}

} // namespace

struct Renderer::Parts {
    HeadlessContext context; // first: the others need it, to the end of their lives
    std::optional<Painter> painter;
    std::optional<OffscreenTarget> target;

    ~Parts() {
        try {
            context.make_current();       // the thread may have used another renderer since
        } catch (const std::exception&) { // the objects then go with the context
        }
    }
};

Renderer::Renderer() : parts_(std::make_unique<Parts>()) {
    parts_->context.make_current();
    parts_->painter.emplace();
}

Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Image Renderer::draw(std::span<const RenderMesh> meshes, const Camera& camera,
                     const RenderSettings& settings) {
    require_size(settings);
    Parts& parts = *parts_;
    parts.context.make_current();
    if (!parts.target || parts.target->width() != settings.width ||
        parts.target->height() != settings.height)
        parts.target.emplace(settings.width, settings.height);
    parts.painter->paint(meshes, camera, settings, parts.target->framebuffer());
    return parts.target->read();
}

DepthImage Renderer::draw_depth(std::span<const RenderMesh> meshes, const Camera& camera,
                                const RenderSettings& settings) {
    require_size(settings);
    parts_->context.make_current();
    return parts_->painter->depth(meshes, camera, settings);
}

} // namespace muslin
