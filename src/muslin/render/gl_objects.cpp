#include "muslin/render/gl_objects.h"

#include <stdexcept>

namespace muslin::gl {

namespace {

GLuint compile(const char* name, GLenum stage, const std::string& source) {
    const GLuint shader = glCreateShader(stage);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE) {
        std::string log(4096, '\0');
        GLsizei length = 0;
        glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
        glDeleteShader(shader);
        log.resize(static_cast<std::size_t>(length));
        throw std::logic_error(std::string("the driver refuses shader ") + name + ": " + log);
    }
    return shader;
}

} // namespace

Program::Program(const char* name, const std::string& vertex_source,
                 const std::string& fragment_source) {
    const GLuint vertex = compile(name, GL_VERTEX_SHADER, vertex_source);
    const GLuint fragment = compile(name, GL_FRAGMENT_SHADER, fragment_source);
    program_ = glCreateProgram();
    glAttachShader(program_, vertex);
    glAttachShader(program_, fragment);
    glLinkProgram(program_);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE)
        throw std::logic_error(std::string("the driver cannot link shader ") + name);
}

Program::~Program() {
    glDeleteProgram(program_);
}

void Program::set(const char* uniform, int value) const {
    glUniform1i(location(uniform), value);
}

void Program::set(const char* uniform, double value) const {
    glUniform1f(location(uniform), static_cast<float>(value));
}

void Program::set(const char* uniform, double x, double y) const {
    glUniform2f(location(uniform), static_cast<float>(x), static_cast<float>(y));
}

void Program::set(const char* uniform, const Vec3& value) const {
    glUniform3f(location(uniform), static_cast<float>(value.x), static_cast<float>(value.y),
                static_cast<float>(value.z));
}

void Program::set(const char* uniform, const Mat4f& value) const {
    glUniformMatrix4fv(location(uniform), 1, GL_FALSE, value.data());
}

void Program::set_texture(const char* uniform, int unit, GLuint texture, GLenum kind) const {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(kind, texture);
    set(uniform, unit);
}

void allocate(const Texture& texture, int width, int height, const TextureSettings& settings) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, settings.internal_format, width, height, 0, settings.format,
                 settings.type, nullptr);
    const GLint minify = settings.mipmaps ? GL_LINEAR_MIPMAP_LINEAR : settings.filter;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, minify);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, settings.filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void require_complete_framebuffer(const char* name) {
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw std::logic_error(std::string("the driver refuses framebuffer ") + name);
}

} // namespace muslin::gl
