#pragma once

#include "muslin/render/shaders_screen.h"

// The GLSL that lights what the geometry pass found. Lighting is in linear light; the picture is
// encoded to sRGB at the very end, with a dither against banding.

namespace muslin::shaders {

inline constexpr const char* light_colors = R"glsl(
uniform vec3 toward_light;
uniform vec3 eye;
const vec3 key_color = vec3(1.0, 0.97, 0.92) * 0.90;
const vec3 fill_color = vec3(0.94, 0.97, 1.0) * 0.18;
const vec3 sky_color = vec3(0.95, 0.98, 1.0) * 0.37;
const vec3 bounce_color = vec3(1.0, 0.97, 0.93) * 0.20;

vec3 to_linear(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
/// Interleaved gradient noise (Jimenez 2014), 0 .. 1.
float noise(vec2 at) {
    return fract(52.9829189 * fract(dot(floor(at), vec2(0.06711056, 0.00583715))));
}
vec3 encode(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    vec3 s = mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    vec2 p = gl_FragCoord.xy;
    vec3 dither = vec3(noise(p), noise(p + vec2(47.0, 17.0)), noise(p + vec2(13.0, 71.0)));
    return s + (dither - 0.5) / 255.0;
}
)glsl";

/// The occlusion is kept at half the picture's size; of the four nearest values those at the
/// depth of this surface count.
inline constexpr const char* ambient_visibility = R"glsl(
uniform bool use_occlusion;
uniform sampler2D occlusion;
float ambient_visibility(float depth) {
    if (!use_occlusion) return 1.0;
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 at = gl_FragCoord.xy * 0.5 - 0.25;
    ivec2 base = ivec2(floor(at));
    vec2 f = at - vec2(base);
    float sum = 0.0, weights = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 o = ivec2(i & 1, i >> 1);
        vec2 s = texelFetch(occlusion, clamp(base + o, ivec2(0), last), 0).xy;
        vec2 b = mix(1.0 - f, f, vec2(o));
        float w = (b.x * b.y + 1e-3) * (max(0.0, 1.0 - abs(s.y - depth) * depth_scale) + 1e-4);
        sum += w * s.x;
        weights += w;
    }
    return sum / weights;
}
)glsl";

inline constexpr const char* shadow_uniforms = R"glsl(
uniform bool use_shadow;
uniform mat4 to_shadow;
)glsl";

inline constexpr const char* light_on_surface = R"glsl(
uniform float even_light;    // 0 .. 1: how much of the light has no direction
uniform sampler2DShadow shadow_map;
uniform float shadow_texel;  // [m]
uniform float shadow_spread; // radius of the penumbra, in shadow map coordinates

const int taps = 12;
/// Points spread evenly over the unit disc (Vogel's spiral).
const vec2 disc[taps] = vec2[taps](
    vec2( 0.2041,  0.0000), vec2(-0.2607,  0.2388), vec2( 0.0399, -0.4547), vec2( 0.3286,  0.4287),
    vec2(-0.6030, -0.1067), vec2( 0.5713, -0.3633), vec2(-0.1912,  0.7107), vec2(-0.3630, -0.7019),
    vec2( 0.7900,  0.2886), vec2(-0.8235,  0.3407), vec2( 0.3960, -0.8468), vec2( 0.2982,  0.9320));

/// Share of the key light that arrives, from taps on a spiral turned pixel by pixel.
float key_on_surface(vec3 world, vec3 lit_side) {
    if (!use_shadow) return 1.0;
    // Grazing surfaces need the larger step off themselves.
    float slope = 1.0 - abs(dot(lit_side, toward_light));
    vec3 p = world + lit_side * shadow_texel * (2.0 + 4.0 * slope) + toward_light * shadow_texel;
    vec3 s = (to_shadow * vec4(p, 1.0)).xyz;
    float angle = 6.2831853 * noise(gl_FragCoord.xy);
    mat2 turn = shadow_spread * mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float sum = 0.0;
    for (int i = 0; i < taps; ++i) sum += texture(shadow_map, vec3(s.xy + turn * disc[i], s.z));
    return sum / float(taps);
}

vec3 light_surface(vec3 world, vec3 n, vec3 albedo, float open) {
    vec3 v = normalize(eye - world);
    // Interpolated normals may turn away just inside a silhouette; bend them back to it.
    n = normalize(n - min(dot(n, v), 0.0) * v);
    float facing_light = dot(n, toward_light);
    float key = key_on_surface(world, facing_light < 0.0 ? -n : n);
    // Thin cloth lets a little of the light that strikes its far side through.
    float diffuse = facing_light > 0.0 ? facing_light : -0.15 * facing_light;
    // A broad fill from the other side of the camera keeps the form of what is in shadow.
    vec3 toward_fill = normalize(view_right * 0.75 + view_up * 0.15 + view_back * 0.65);
    float fill = 0.5 + 0.5 * dot(n, toward_fill);
    vec3 hemisphere = mix(bounce_color, sky_color, 0.5 + 0.5 * n.y) + fill_color * fill * fill;
    // Light that bounces between pale folds fills them again (after Jimenez et al. 2016).
    vec3 a = 2.0404 * albedo - 0.3324, b = -4.7951 * albedo + 0.6417, c = 2.7552 * albedo + 0.6903;
    vec3 ambient = max(vec3(open), ((open * a + b) * open + c) * open);
    float graze = 1.0 - max(dot(n, v), 0.0);
    float rim = graze * graze * graze * graze;
    vec3 light = key_color * diffuse * key * mix(1.0, open, 0.5) + hemisphere * ambient;
    light = mix(light, vec3(0.7), even_light) * mix(1.0, 1.05, even_light);
    return albedo * light + (1.0 - even_light) * 0.08 * rim * open * sky_color;
}
)glsl";

inline constexpr const char* light_on_ground = R"glsl(
uniform sampler2D coverage;
uniform float shadow_range;  // depth of the shadow map [m]
uniform float shadow_extent; // its width [m]
uniform vec3 ground_center;
uniform float ground_radius;

/// Mean of the coverage over a disc, from the mip level whose texels tile it.
vec2 mean_coverage(vec2 at, float disc_radius) {
    float level = max(0.0, log2(disc_radius * float(textureSize(coverage, 0).x) * 0.7));
    const vec2 ring[8] = vec2[8](vec2( 0.55, 0.0), vec2(0.0,  0.55), vec2(-0.55, 0.0), vec2(0.0, -0.55),
                                 vec2( 0.64, 0.64), vec2(-0.64, 0.64), vec2(-0.64, -0.64), vec2(0.64, -0.64));
    vec2 sum = textureLod(coverage, at, level).xy;
    for (int i = 0; i < 8; ++i) sum += textureLod(coverage, at + disc_radius * ring[i], level).xy;
    return sum / 9.0;
}

/// Everything that casts is above the floor, so a covered place of the map is in shadow there.
/// The penumbra widens with the height of what casts it.
float key_on_ground(vec3 world) {
    if (!use_shadow) return 1.0;
    vec3 s = (to_shadow * vec4(world, 1.0)).xyz;
    // The search must reach further than the widest penumbra, or the shadow would have a rim.
    vec2 wide = mean_coverage(s.xy, 0.085);
    float gap = wide.x > 0.0 ? (s.z - wide.y / wide.x) * shadow_range : 0.0;
    // A sixth of the light always arrives, from beyond the picture: a paler shadow leaves the eye
    // to the cloth.
    return 1.0 - 0.83 * mean_coverage(s.xy, clamp(0.11 * gap / shadow_extent, 0.005, 0.06)).x;
}

/// In full light the floor has the background's colour, so that it has no edge.
vec3 light_ground(vec3 world, vec3 albedo, float open) {
    float fade = smoothstep(0.25, 0.95, distance(world.xz, ground_center.xz) / ground_radius);
    vec3 key = key_color * toward_light.y;
    vec3 light = key * key_on_ground(world) * mix(1.0, open, 0.5) + sky_color * open;
    return albedo * mix(light / (key + sky_color), vec3(1.0), fade);
}
)glsl";

// A software driver runs both sides of every branch. Pixels are therefore sorted into classes,
// and each class is lit by a program of its own, which the depth test keeps to its pixels.

/// The classes, as depths; pixels of none keep the background's colour.
struct LightClass {
    static constexpr double none = 0.0, ground = 0.25, surface = 0.5, edge = 0.75;
};

/// Sorts the pixels. An edge is a pixel whose samples show different things.
inline std::string classify_fragment() {
    return std::string(version) + kinds + unproject + light_colors + shadow_uniforms + R"glsl(
uniform int samples;
uniform vec3 background;
out vec4 picture;

/// Whether anything but the background's own light can fall on the floor here.
bool is_touched(float depth) {
    vec3 world = eye + from_eye(gl_FragCoord.xy, vec2(textureSize(color_map)), depth);
    vec2 s = abs((to_shadow * vec4(world, 1.0)).xy - 0.5);
    return max(s.x, s.y) < 0.65;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float kind = texelFetch(color_map, at, 0).a;
    float depth = view_depth(texelFetch(depth_map, at, 0).x);
    bool edge = false;
    for (int i = 1; i < samples; ++i) {
        float step = abs(view_depth(texelFetch(depth_map, at, i).x) - depth) * depth_scale;
        edge = edge || texelFetch(color_map, at, i).a != kind || (kind > 0.75 && step > 0.35);
    }
    bool touched = kind == surface_kind || (kind > 0.0 && is_touched(depth));
    // The depths of LightClass.
    gl_FragDepth = edge ? 0.75 : kind > 0.75 ? 0.5 : touched ? 0.25 : 0.0;
    picture = vec4(encode(to_linear(background)), 1.0);
}
)glsl";
}

inline std::string light_prologue() {
    return std::string(version) + kinds + octahedron + unproject + light_colors +
           ambient_visibility + shadow_uniforms + R"glsl(
uniform int samples;
uniform vec3 background;
out vec4 picture;
)glsl";
}

inline std::string light_surface_fragment() {
    return light_prologue() + light_on_surface + R"glsl(
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 color = vec3(0.0), normal = vec3(0.0);
    for (int i = 0; i < samples; ++i) {
        color += texelFetch(color_map, at, i).rgb;
        normal += unpack_normal(texelFetch(normal_map, at, i).xy);
    }
    float depth = view_depth(texelFetch(depth_map, at, 0).x);
    vec3 world = eye + from_eye(gl_FragCoord.xy, vec2(textureSize(color_map)), depth);
    vec3 albedo = to_linear(color / float(samples));
    picture = vec4(encode(light_surface(world, normalize(normal), albedo,
                                        ambient_visibility(depth))), 1.0);
}
)glsl";
}

inline std::string light_ground_fragment() {
    return light_prologue() + light_on_ground + R"glsl(
void main() {
    float depth = view_depth(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).x);
    vec3 world = eye + from_eye(gl_FragCoord.xy, vec2(textureSize(color_map)), depth);
    picture = vec4(encode(light_ground(world, to_linear(background), ambient_visibility(depth))), 1.0);
}
)glsl";
}

/// Every sample of an edge is lit for itself.
inline std::string light_edge_fragment() {
    return light_prologue() + light_on_surface + light_on_ground + R"glsl(
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < samples; ++i) {
        vec4 color = texelFetch(color_map, at, i);
        vec3 n = unpack_normal(texelFetch(normal_map, at, i).xy);
        float depth = view_depth(texelFetch(depth_map, at, i).x);
        vec3 world = eye + from_eye(gl_FragCoord.xy, vec2(textureSize(color_map)), depth);
        float open = ambient_visibility(depth);
        vec3 albedo = to_linear(color.rgb);
        if (color.a > 0.75) sum += light_surface(world, n, albedo, open);
        else if (color.a > 0.0) sum += light_ground(world, albedo, open);
        else sum += to_linear(background);
    }
    picture = vec4(encode(sum / float(samples)), 1.0);
}
)glsl";
}

} // namespace muslin::shaders
