#pragma once

// Private to the render folder: no other header of the project may include OpenGL's.

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include "muslin/render/camera.h"

#include <string>
#include <utility>

namespace muslin::gl {

/// Owns one OpenGL object. The context that made it must be current when it is destroyed.
template <void (*generate)(GLsizei, GLuint*), void (*destroy)(GLsizei, const GLuint*)>
class Object {
public:
    Object() { generate(1, &name_); }
    ~Object() {
        if (name_ != 0)
            destroy(1, &name_);
    }
    Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    operator GLuint() const { return name_; }

private:
    GLuint name_ = 0;
};

// Wrapped because the entry points are not constant expressions on every platform.
inline void gen_buffers(GLsizei n, GLuint* o) {
    glGenBuffers(n, o);
}
inline void del_buffers(GLsizei n, const GLuint* o) {
    glDeleteBuffers(n, o);
}
inline void gen_arrays(GLsizei n, GLuint* o) {
    glGenVertexArrays(n, o);
}
inline void del_arrays(GLsizei n, const GLuint* o) {
    glDeleteVertexArrays(n, o);
}
inline void gen_textures(GLsizei n, GLuint* o) {
    glGenTextures(n, o);
}
inline void del_textures(GLsizei n, const GLuint* o) {
    glDeleteTextures(n, o);
}
inline void gen_targets(GLsizei n, GLuint* o) {
    glGenFramebuffers(n, o);
}
inline void del_targets(GLsizei n, const GLuint* o) {
    glDeleteFramebuffers(n, o);
}
inline void gen_storages(GLsizei n, GLuint* o) {
    glGenRenderbuffers(n, o);
}
inline void del_storages(GLsizei n, const GLuint* o) {
    glDeleteRenderbuffers(n, o);
}

using Buffer = Object<gen_buffers, del_buffers>;
using VertexArray = Object<gen_arrays, del_arrays>;
using Texture = Object<gen_textures, del_textures>;
using Framebuffer = Object<gen_targets, del_targets>;
using Renderbuffer = Object<gen_storages, del_storages>;

/// A linked vertex and fragment shader. Uniforms are set by name: a handful a pass, so that the
/// look-up costs nothing beside the drawing.
class Program {
public:
    /// `name` says in an error message which program the driver refused.
    Program(const char* name, const std::string& vertex_source, const std::string& fragment_source);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void use() const { glUseProgram(program_); }
    void set(const char* uniform, int value) const;
    void set(const char* uniform, double value) const;
    void set(const char* uniform, double x, double y) const;
    void set(const char* uniform, const Vec3& value) const;
    void set(const char* uniform, const Mat4f& value) const;
    /// Binds the texture to the unit and points the sampler at it.
    void set_texture(const char* uniform, int unit, GLuint texture,
                     GLenum kind = GL_TEXTURE_2D) const;

private:
    GLint location(const char* uniform) const { return glGetUniformLocation(program_, uniform); }
    GLuint program_ = 0;
};

struct TextureSettings {
    GLint internal_format;
    GLenum format, type;
    GLint filter = GL_NEAREST;
    bool mipmaps = false;
};

/// Gives the texture an empty image of this size, clamped at its edges.
void allocate(const Texture& texture, int width, int height, const TextureSettings& settings);

/// Throws std::logic_error when the bound framebuffer cannot be drawn to.
void require_complete_framebuffer(const char* name);

} // namespace muslin::gl
