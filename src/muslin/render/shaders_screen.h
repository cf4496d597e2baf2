#pragma once

#include "muslin/render/shaders_geometry.h"

// The GLSL of the passes between geometry and light, which run over whole pictures.

namespace muslin::shaders {

/// One triangle over the whole picture.
inline std::string screen_vertex() {
    return std::string(version) + R"glsl(
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    gl_Position = vec4(corner, 1.0, 1.0);
}
)glsl";
}

/// What the geometry pass left, and the way from a pixel and its depth back to the world.
inline constexpr const char* unproject = R"glsl(
uniform sampler2DMS color_map, normal_map, depth_map;
uniform float depth_scale; // one over the step in depth that parts two surfaces [1/m]
uniform vec3 view_right, view_up, view_back;
uniform vec2 half_extent;  // tangents of half the field of view
uniform vec2 depth_range;  // near and far plane [m]
float view_depth(float z) { // [m] along the view axis
    return depth_range.x * depth_range.y / (depth_range.y - z * (depth_range.y - depth_range.x));
}
vec3 from_eye(vec2 pixel, vec2 size, float depth) {
    vec2 s = (pixel / size * 2.0 - 1.0) * half_extent * depth;
    return view_right * s.x + view_up * s.y - view_back * depth;
}
)glsl";

/// Normal and view depth at half the size of the picture, for the ambient occlusion.
inline std::string halve_fragment() {
    return std::string(version) + octahedron + unproject + R"glsl(
out vec4 normal_depth;
void main() {
    ivec2 at = min(2 * ivec2(gl_FragCoord.xy), textureSize(color_map) - 1);
    normal_depth = vec4(0.0);
    if (texelFetch(color_map, at, 0).a > 0.0)
        normal_depth = vec4(unpack_normal(texelFetch(normal_map, at, 0).xy),
                            view_depth(texelFetch(depth_map, at, 0).x));
}
)glsl";
}

/// Scalable ambient obscurance (McGuire, Mara, Luebke 2012): samples on a spiral in the picture,
/// weighted by how far they rise above the tangent plane. Writes (visibility, depth).
inline std::string occlusion_fragment() {
    return std::string(version) + unproject + R"glsl(
uniform sampler2D normal_depth;
uniform float radius;       // reach of the occlusion [m]
uniform vec3 scene_center;  // relative to the eye
uniform float scene_radius;
out vec2 visibility_depth;

const int samples = 14;
const float turns = 5.0;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec2 size = vec2(textureSize(normal_depth, 0));
    vec4 center = texelFetch(normal_depth, here, 0);
    visibility_depth = vec2(1.0, center.w);
    if (center.w <= 0.0) return;
    vec3 p = from_eye(gl_FragCoord.xy, size, center.w);
    if (distance(p, scene_center) > scene_radius + radius) return;

    float reach = min(radius / (center.w * half_extent.y) * 0.5 * size.y, 0.25 * size.y);
    // A 4x4 pattern of rotations, which the blur after this pass averages out.
    int cell = (here.x & 3) * 4 + ((here.y & 3) ^ (here.x & 3));
    float turn = float((cell * 7) & 15) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < samples; ++i) {
        float alpha = (float(i) + 0.3 + 0.7 * turn) / float(samples);
        float angle = 6.2831853 * (alpha * turns + turn);
        vec2 at = gl_FragCoord.xy + alpha * reach * vec2(cos(angle), sin(angle));
        ivec2 texel = clamp(ivec2(at), ivec2(0), ivec2(size) - 1);
        float depth = texelFetch(normal_depth, texel, 0).w;
        if (depth <= 0.0) continue;
        vec3 v = from_eye(vec2(texel) + 0.5, size, depth) - p;
        float vv = dot(v, v) + 1e-6 * radius * radius;
        // Rise above the tangent plane as a sine; what is below 5 degrees is the surface itself.
        float rise = dot(v, center.xyz) * inversesqrt(vv) - 0.09;
        sum += max(rise, 0.0) * max(1.0 - vv / (radius * radius), 0.0);
    }
    float open = clamp(1.0 - 3.2 * sum / float(samples), 0.0, 1.0);
    visibility_depth.x = open * sqrt(open);
}
)glsl";
}

/// One direction of a blur that does not cross steps in depth.
inline std::string blur_fragment() {
    return std::string(version) + R"glsl(
uniform sampler2D visibility_depth;
uniform vec2 direction;
uniform float depth_scale;
out vec2 blurred;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(visibility_depth, 0) - 1;
    vec2 center = texelFetch(visibility_depth, here, 0).xy;
    blurred = center;
    if (center.y <= 0.0) return;
    float sum = 0.0, weights = 0.0;
    for (int i = -2; i <= 2; ++i) {
        ivec2 at = clamp(here + i * ivec2(direction), ivec2(0), last);
        vec2 s = texelFetch(visibility_depth, at, 0).xy;
        float w = (abs(i) == 2 ? 0.5 : 1.0) * max(0.0, 1.0 - abs(s.y - center.y) * depth_scale);
        sum += w * s.x;
        weights += w;
    }
    blurred.x = sum / max(weights, 1e-4);
}
)glsl";
}

/// How much of each place of the shadow map is covered, and at what mean depth: the floor's
/// shadow is read from the mip levels of this, so that it can be wide and soft at little cost.
inline std::string coverage_fragment() {
    return std::string(version) + R"glsl(
uniform sampler2D shadow_depth;
out vec2 coverage_depth;
void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * 4;
    vec2 sum = vec2(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
            float depth = texelFetch(shadow_depth, corner + ivec2(x, y), 0).x;
            if (depth < 1.0) sum += vec2(1.0, depth);
        }
    coverage_depth = sum / 16.0;
}
)glsl";
}

} // namespace muslin::shaders
