#pragma once

#include <string>

// The GLSL that draws geometry, one function per program stage. Surfaces are first drawn as plain
// facts (colour, normal, depth) and every pixel is lit once, after that: on a software driver a
// small triangle is shaded in blocks of 16 pixels, most of them for nothing.

namespace muslin::shaders {

inline constexpr const char* version = "#version 330 core\n";

/// Depth only, for the shadow map.
inline std::string depth_vertex() {
    return std::string(version) + R"glsl(
layout(location = 0) in vec3 position;
uniform mat4 to_clip;
uniform vec3 eye;
uniform float set_back; // [m]
void main() { gl_Position = to_clip * vec4(position + set_back * normalize(position - eye), 1.0); }
)glsl";
}
inline std::string depth_fragment() {
    return std::string(version) + "void main() {}\n";
}

/// What the surface program of a mesh must carry; the plain cloth carries its normal alone.
struct SurfaceVariant {
    bool flat = false, checker = false, tint = false, texture = false, scale = false;
};

inline std::string surface_prologue(const SurfaceVariant& variant) {
    return std::string(version) + (variant.flat ? "#define FLAT\n" : "") +
           (variant.checker ? "#define CHECKER\n" : "") + (variant.tint ? "#define TINT\n" : "") +
           (variant.texture ? "#define TEXTURE\n" : "") + (variant.scale ? "#define SCALE\n" : "");
}

inline std::string surface_vertex(const SurfaceVariant& variant) {
    return surface_prologue(variant) + R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 material;
layout(location = 3) in vec3 color;
uniform mat4 to_clip;
uniform vec3 eye;
uniform float set_back; // [m]
out vec3 direction; // the normal, or the position, from which the flat normal is found
out vec2 uv;
out vec3 tint;
void main() {
    direction = normal;
#ifdef FLAT
    direction = position;
#endif
    uv = vec2(0.0);
#if defined(CHECKER) || defined(TEXTURE)
    uv = material;
#endif
    tint = vec3(0.0);
#if defined(TINT) || defined(SCALE)
    tint = color;
#endif
    gl_Position = to_clip * vec4(position + set_back * normalize(position - eye), 1.0);
}
)glsl";
}

/// What a sample of the geometry shows, in the alpha of its colour: 0 is the background.
inline constexpr const char* kinds = R"glsl(
const float ground_kind = 0.5, surface_kind = 1.0;
)glsl";

/// Unit vectors in two numbers, 0 .. 1, by folding the octahedron (Cigolle et al. 2014).
inline constexpr const char* octahedron = R"glsl(
vec2 fold(vec2 v) { return (1.0 - abs(v.yx)) * mix(vec2(-1.0), vec2(1.0), step(0.0, v)); }
vec2 pack_normal(vec3 n) {
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    return 0.5 + 0.5 * (n.z >= 0.0 ? n.xy : fold(n.xy));
}
vec3 unpack_normal(vec2 e) {
    e = 2.0 * e - 1.0;
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    if (n.z < 0.0) n.xy = fold(n.xy);
    return normalize(n);
}
)glsl";

inline std::string surface_fragment(const SurfaceVariant& variant) {
    return surface_prologue(variant) + kinds + octahedron + R"glsl(
in vec3 direction;
in vec2 uv;
in vec3 tint;
uniform vec3 front_color, back_color;
uniform float checker_size;
#ifdef TEXTURE
uniform sampler2D image;
uniform vec2 image_size; // [m]
#endif
#ifdef SCALE
uniform sampler2D scale;
#endif
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 normal;

#ifdef CHECKER
const vec3 warp_ink = vec3(0.13, 0.27, 0.42), weft_ink = vec3(0.62, 0.22, 0.12);
/// A checker filtered over the pixel: -1 .. 1 (after Quilez, "filtering the checker pattern").
float checker(vec2 p, vec2 w) {
    vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) -
                    abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
    return i.x * i.y;
}
/// How much of the pixel the lines at whole p cover, for each coordinate.
vec2 lines(vec2 p, vec2 w) {
    const float width = 0.045;
    p += 0.5 * width;
    vec2 a = p - 0.5 * w, b = p + 0.5 * w; // the integral of a line over the pixel
    return (floor(b) + min(fract(b) / width, 1.0) - floor(a) - min(fract(a) / width, 1.0)) * width / w;
}
/// The cutter's grid: squares, with threads of the warp (along u) and the weft in two colours.
vec3 grid(vec3 c, vec2 p) {
    vec2 w = max(abs(dFdx(p)), abs(dFdy(p))) + 1e-3;
    c *= 0.91 + 0.09 * checker(p, w);
    vec2 covered = clamp(lines(p, w), 0.0, 1.0);
    return mix(mix(c, weft_ink, 0.6 * covered.x), warp_ink, 0.6 * covered.y);
}
#endif

void main() {
    vec3 c = gl_FrontFacing ? front_color : back_color;
#ifdef TEXTURE
    c = texture(image, uv / image_size).rgb;
#endif
#ifdef TINT
    c = tint;
#endif
#ifdef SCALE
    c = texture(scale, vec2((clamp(tint.x, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
#endif
#ifdef CHECKER
    c = grid(c, uv / checker_size);
#endif
    vec3 n = gl_FrontFacing ? direction : -direction;
#ifdef FLAT
    n = cross(dFdx(direction), dFdy(direction)); // towards the eye, whichever the side
#endif
    color = vec4(c, surface_kind);
    normal = pack_normal(n);
}
)glsl";
}

/// The floor: a square around the scene, from four vertex numbers.
inline std::string ground_vertex() {
    return std::string(version) + R"glsl(
uniform mat4 to_clip;
uniform vec3 ground_center;
uniform float ground_radius;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec3 world = ground_center + vec3(corner.x, 0.0, -corner.y) * ground_radius;
    gl_Position = to_clip * vec4(world, 1.0);
}
)glsl";
}
inline std::string ground_fragment() {
    return std::string(version) + kinds + octahedron + R"glsl(
uniform vec3 background;
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 normal;
void main() {
    color = vec4(background, ground_kind);
    normal = pack_normal(vec3(0.0, 1.0, 0.0));
}
)glsl";
}

/// Edges of the wireframe and marks: ink on the surface, lit like it. It is pulled a little towards
/// the eye so that it wins over its own faces.
inline std::string ink_vertex() {
    return std::string(version) + R"glsl(
layout(location = 0) in vec3 position;
uniform mat4 to_clip;
uniform vec3 eye;
void main() { gl_Position = to_clip * vec4(mix(position, eye, 0.0008), 1.0); }
)glsl";
}
inline std::string ink_fragment() {
    return std::string(version) + R"glsl(
uniform vec3 ink;
uniform float opacity;
layout(location = 0) out vec4 color;
void main() { color = vec4(ink, opacity); }
)glsl";
}

} // namespace muslin::shaders
