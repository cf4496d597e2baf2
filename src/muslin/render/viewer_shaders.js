// The GLSL of the page's viewer. Lights, colours and floor follow the program's own renderer
// (shaders_light.h), less its ambient occlusion. Each program is a vertex and a fragment shader.
'use strict';

const shading = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
uniform sampler2DShadow shadowMap;
uniform mat4 toShadow;
uniform vec3 eye, towardLight, towardFill;
uniform float shadowTexel;
out vec4 color;
const vec3 background = vec3(0.855, 0.862, 0.875);
const vec3 keyColor = vec3(1.0, 0.97, 0.92) * 0.90;
const vec3 fillColor = vec3(0.94, 0.97, 1.0) * 0.18;
const vec3 skyColor = vec3(0.95, 0.98, 1.0) * 0.37;
const vec3 bounceColor = vec3(1.0, 0.97, 0.93) * 0.20;
vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
float noise() { return fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715)))); }
vec3 encode(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)) + (noise() - 0.5) / 255.0;
}
// Share of the key light that arrives, over a disc of the shadow map turned pixel by pixel.
float keyVisibility(vec3 world, float spread) {
    vec3 s = (toShadow * vec4(world, 1.0)).xyz;
    if (any(greaterThan(abs(s.xy - 0.5), vec2(0.5)))) return 1.0;
    float turn = 6.2831853 * noise(), sum = 0.0;
    for (int i = 0; i < 16; ++i) {
        float r = spread * sqrt((float(i) + 0.5) / 16.0), angle = float(i) * 2.3999632 + turn;
        sum += texture(shadowMap, vec3(s.xy + r * vec2(cos(angle), sin(angle)), min(s.z, 1.0)));
    }
    return sum / 16.0;
}`;

const viewerShaders = {
    depth: [`#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 toClip;
void main() { gl_Position = toClip * vec4(position, 1.0); }`,
    `#version 300 es
precision mediump float;
void main() {}`],

    surface: [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 toClip;
out vec3 world, worldNormal;
void main() { world = position; worldNormal = normal; gl_Position = toClip * vec4(position, 1.0); }`,
    shading + `
in vec3 world, worldNormal;
uniform vec3 frontColor, backColor;
void main() {
    vec3 v = normalize(eye - world);
    vec3 n = normalize(gl_FrontFacing ? worldNormal : -worldNormal);
    n = normalize(n - min(dot(n, v), 0.0) * v);
    // Just beyond the horizon of a fold its far side would show as dark specks.
    float front = gl_FrontFacing ? 1.0 : smoothstep(-0.3, -0.1, dot(normalize(worldNormal), v));
    vec3 albedo = toLinear(mix(backColor, frontColor, front));
    float facing = dot(n, towardLight);
    vec3 litSide = facing < 0.0 ? -n : n;
    float key = keyVisibility(world + (litSide * (2.0 + 4.0 * (1.0 - abs(facing))) + towardLight) * shadowTexel, 0.0034);
    float diffuse = facing > 0.0 ? facing : -0.15 * facing; // thin cloth lets a little light through
    float fill = 0.5 + 0.5 * dot(n, towardFill);
    vec3 hemisphere = mix(bounceColor, skyColor, 0.5 + 0.5 * n.y) + fillColor * fill * fill;
    float rim = pow(1.0 - max(dot(n, v), 0.0), 4.0);
    color = vec4(encode(albedo * (keyColor * diffuse * key + hemisphere) + 0.08 * rim * skyColor), 1.0);
}`],

    ground: [`#version 300 es
uniform mat4 toClip;
uniform vec3 groundCenter;
uniform float groundRadius;
out vec3 world;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    world = groundCenter + vec3(corner.x, 0.0, corner.y) * groundRadius;
    gl_Position = toClip * vec4(world, 1.0);
}`,
    shading + `
in vec3 world;
uniform vec3 groundCenter;
uniform float groundRadius;
void main() { // in full light the floor has the background's colour, so that it has no edge
    float fade = smoothstep(0.25, 0.95, distance(world.xz, groundCenter.xz) / groundRadius);
    vec3 key = keyColor * towardLight.y;
    vec3 light = (key * mix(0.17, 1.0, keyVisibility(world, 0.02)) + skyColor) / (key + skyColor);
    color = vec4(encode(toLinear(background) * mix(light, vec3(1.0), fade)), 1.0);
}`],

    edges: [`#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 toClip;
uniform vec3 eye;
void main() { gl_Position = toClip * vec4(mix(position, eye, 0.0008), 1.0); }`,
    `#version 300 es
precision mediump float;
out vec4 color;
void main() { color = vec4(0.1, 0.11, 0.13, 0.32); }`],
};
