// The GLSL of the page's viewer, as three.js takes it (WebGL 2). Lights, colours, shadows, ambient
// occlusion and floor follow the program's own renderer (shaders_light.h, shaders_screen.h).
'use strict';

(() => {

const precision = 'precision highp float;\nprecision highp sampler2D;\n';

// The way from a pixel and its depth back to the space of the camera.
const unproject = precision + `
uniform sampler2D sceneDepth;  // of half the picture's size
uniform vec2 depthRange;       // near and far plane [m]
uniform vec4 lens;             // half extents at distance 1, and shift of the picture's centre
uniform float depthScale;      // one over the step in depth that parts two surfaces [1/m]
float viewDepth(float z) {     // [m] along the view axis
    return depthRange.x * depthRange.y / (depthRange.y - z * (depthRange.y - depthRange.x));
}
float depthAt(ivec2 texel) { return viewDepth(texelFetch(sceneDepth, texel, 0).x); }
vec3 viewPosition(vec2 pixel, vec2 size, float depth) {
    return vec3((pixel / size * 2.0 - 1.0 + lens.zw) * lens.xy * depth, -depth);
}`;

const light = unproject + `
uniform sampler2D occlusion, sceneNormal;
uniform sampler2D shadowMap;
uniform mat4 toShadow;
uniform vec3 towardLight, towardFill, viewBack;
const vec3 background = vec3(0.855, 0.862, 0.875);
const vec3 keyColor = vec3(1.0, 0.97, 0.92) * 0.90;
const vec3 fillColor = vec3(0.94, 0.97, 1.0) * 0.18;
const vec3 skyColor = vec3(0.95, 0.98, 1.0) * 0.37;
const vec3 bounceColor = vec3(1.0, 0.97, 0.93) * 0.20;

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
float noise(vec2 at) { return fract(52.9829189 * fract(dot(floor(at), vec2(0.06711056, 0.00583715)))); }
vec3 encode(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    vec3 s = mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    vec2 p = gl_FragCoord.xy;
    return s + (vec3(noise(p), noise(p + vec2(47.0, 17.0)), noise(p + vec2(13.0, 71.0))) - 0.5) / 255.0;
}
// The occlusion is kept at half the picture's size; of the four nearest values those at the depth
// of this surface count.
float ambientVisibility(float depth) {
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
    ivec2 base = ivec2(floor(at));
    vec2 f = at - vec2(base);
    float sum = 0.0, weights = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 o = ivec2(i & 1, i >> 1), texel = clamp(base + o, ivec2(0), last);
        vec2 b = mix(1.0 - f, f, vec2(o));
        float w = (b.x * b.y + 1e-3) * (max(0.0, 1.0 - abs(depthAt(texel) - depth) * depthScale) + 1e-4);
        sum += w * texelFetch(occlusion, texel, 0).x;
        weights += w;
    }
    return sum / weights;
}
// Share of the light's rays that pass at a place of the shadow map, between its four nearest texels.
float lit(vec2 at, float depth) {
    vec2 size = vec2(textureSize(shadowMap, 0)), p = at * size - 0.5;
    ivec2 base = ivec2(floor(p)), last = ivec2(size) - 1;
    vec2 f = p - vec2(base);
    vec4 d;
    for (int i = 0; i < 4; ++i)
        d[i] = step(depth, texelFetch(shadowMap, clamp(base + ivec2(i & 1, i >> 1), ivec2(0), last), 0).x);
    return mix(mix(d[0], d[1], f.x), mix(d[2], d[3], f.x), f.y);
}`;

const throughScreen = `
void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }`;

Muslin.shaders = {
    depth: [`
void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }`, precision + `
void main() { gl_FragColor = vec4(1.0); }`],

    // Normals in the space of the camera, and which side is seen; the depth goes to a texture of its own.
    normal: [`
varying vec3 viewNormal;
void main() {
    viewNormal = mat3(viewMatrix) * normal;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`, precision + `
varying vec3 viewNormal;
void main() {
    float side = gl_FrontFacing ? 1.0 : -1.0;
    gl_FragColor = vec4(normalize(side * viewNormal) * 0.5 + 0.5, max(side, 0.0));
}`],

    // Scalable ambient obscurance (McGuire, Mara, Luebke 2012).
    occlusion: [throughScreen, unproject + `
uniform sampler2D sceneNormal;
uniform float radius;       // reach of the occlusion [m]
uniform vec3 sceneCenter;   // in the space of the camera
uniform float sceneRadius;
const int samples = 14;
const float turns = 5.0;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec2 size = vec2(textureSize(sceneDepth, 0));
    gl_FragColor = vec4(1.0);
    if (texelFetch(sceneDepth, here, 0).x >= 1.0) return;
    float center = depthAt(here);
    vec3 p = viewPosition(gl_FragCoord.xy, size, center);
    if (distance(p, sceneCenter) > sceneRadius + radius) return;
    vec3 n = normalize(texelFetch(sceneNormal, here, 0).xyz * 2.0 - 1.0);
    float reach = min(radius / (center * lens.y) * 0.5 * size.y, 0.25 * size.y);
    int cell = (here.x & 3) * 4 + ((here.y & 3) ^ (here.x & 3));
    float turn = float((cell * 7) & 15) / 16.0, sum = 0.0;
    for (int i = 0; i < samples; ++i) {
        float alpha = (float(i) + 0.3 + 0.7 * turn) / float(samples);
        float angle = 6.2831853 * (alpha * turns + turn);
        vec2 at = gl_FragCoord.xy + alpha * reach * vec2(cos(angle), sin(angle));
        ivec2 texel = clamp(ivec2(at), ivec2(0), ivec2(size) - 1);
        float z = texelFetch(sceneDepth, texel, 0).x;
        if (z >= 1.0) continue;
        vec3 v = viewPosition(vec2(texel) + 0.5, size, viewDepth(z)) - p;
        float vv = dot(v, v) + 1e-6 * radius * radius;
        // Rise above the tangent plane as a sine; what is below 5 degrees is the surface itself.
        sum += max(dot(v, n) * inversesqrt(vv) - 0.09, 0.0) * max(1.0 - vv / (radius * radius), 0.0);
    }
    float open = clamp(1.0 - 3.2 * sum / float(samples), 0.0, 1.0);
    gl_FragColor = vec4(open * sqrt(open));
}`],

    // One direction of a blur that does not cross steps in depth.
    blur: [throughScreen, unproject + `
uniform sampler2D occlusion;
uniform vec2 direction;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
    float center = depthAt(here), sum = 0.0, weights = 0.0;
    for (int i = -2; i <= 2; ++i) {
        ivec2 at = clamp(here + i * ivec2(direction), ivec2(0), last);
        float w = (abs(i) == 2 ? 0.5 : 1.0) * max(0.0, 1.0 - abs(depthAt(at) - center) * depthScale);
        sum += w * texelFetch(occlusion, at, 0).x;
        weights += w;
    }
    gl_FragColor = vec4(sum / max(weights, 1e-4));
}`],

    // How much of each place of the shadow map is covered, and at what mean depth: the floor's
    // shadow is read from the mip levels of this, so that it can be wide and soft at little cost.
    coverage: [throughScreen, precision + `
uniform sampler2D shadowMap;
void main() {
    ivec2 block = textureSize(shadowMap, 0) / 256, corner = ivec2(gl_FragCoord.xy) * block;
    vec2 sum = vec2(0.0);
    for (int y = 0; y < block.y; ++y)
        for (int x = 0; x < block.x; ++x) {
            float depth = texelFetch(shadowMap, corner + ivec2(x, y), 0).x;
            if (depth < 1.0) sum += vec2(1.0, depth);
        }
    gl_FragColor = vec4(sum / float(block.x * block.y), 0.0, 1.0);
}`],

    surface: [`
attribute float value;
centroid varying vec3 world, worldNormal;
centroid varying float place;
void main() {
    world = position;
    worldNormal = normal;
    place = value;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`, light + `
centroid varying vec3 world, worldNormal;
centroid varying float place;
uniform vec3 frontColor, backColor;
uniform bool mapped;
uniform float placeScale;
uniform float evenLight; // share of the light that has no direction
uniform sampler2D colors;
uniform float shadowTexel, shadowSpread; // [m], and in coordinates of the map
// The side of the surface (1: front), unless hardly anything of that side is seen around at this depth.
float sideSeenAround(float depth, float own) {
    ivec2 base = ivec2(gl_FragCoord.xy * 0.5), last = textureSize(sceneNormal, 0) - 1;
    // Where nothing around lies as deep, as on cloth seen edge-on in few pixels, it keeps its own.
    float alike = 1e-3, weights = 1e-3;
    for (int i = 0; i < 25; ++i) {
        ivec2 texel = clamp(base + ivec2(i % 5, i / 5) - 2, ivec2(0), last);
        float w = max(0.0, 1.0 - abs(depthAt(texel) - depth) * depthScale);
        alike += w * (1.0 - abs(texelFetch(sceneNormal, texel, 0).w - own));
        weights += w;
    }
    return mix(1.0 - own, own, smoothstep(0.05, 0.25, alike / weights));
}
// Light from taps on a spiral (Vogel's) turned pixel by pixel.
float keyOnSurface(vec3 litSide) {
    // Grazing surfaces need the larger step off themselves.
    float slope = 1.0 - abs(dot(litSide, towardLight));
    vec3 p = world + (litSide * (2.0 + 4.0 * slope) + towardLight) * shadowTexel;
    vec3 s = (toShadow * vec4(p, 1.0)).xyz;
    float turn = 6.2831853 * noise(gl_FragCoord.xy), sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        float r = shadowSpread * sqrt((float(i) + 0.5) / 9.0), angle = float(i) * 2.3999632 + turn;
        sum += lit(s.xy + r * vec2(cos(angle), sin(angle)), s.z);
    }
    return sum / 9.0;
}
void main() {
    vec3 v = normalize(cameraPosition - world);
    vec3 outward = normalize(worldNormal);
    float depth = dot(cameraPosition - world, viewBack);
    // Slivers of the far side just beyond the horizon of a fold would show as specks: there the side
    // that is seen around goes on, in colour and in light.
    float horizon = 1.0 - smoothstep(0.5, 0.75, abs(dot(outward, v)));
    float front = gl_FrontFacing ? 1.0 : 0.0;
    if (horizon > 0.0) front = mix(front, sideSeenAround(depth, front), horizon);
    float side = 2.0 * front - 1.0;
    vec3 n = normalize(outward * side + v * (1.0 - abs(side)));
    n = normalize(n - min(dot(n, v), 0.0) * v);
    vec3 albedo = mix(backColor, frontColor, front);
    if (mapped) albedo = texture(colors, vec2((min(place * placeScale, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    albedo = toLinear(albedo);
    float open = ambientVisibility(depth);
    float facing = dot(n, towardLight);
    float key = keyOnSurface(facing < 0.0 ? -n : n);
    // Thin cloth lets a little of the light that strikes its far side through.
    float diffuse = facing > 0.0 ? facing : -0.15 * facing;
    float fill = 0.5 + 0.5 * dot(n, towardFill);
    vec3 hemisphere = mix(bounceColor, skyColor, 0.5 + 0.5 * n.y) + fillColor * fill * fill;
    // Light that bounces between pale folds fills them again (after Jimenez et al. 2016).
    vec3 a = 2.0404 * albedo - 0.3324, b = -4.7951 * albedo + 0.6417, c = 2.7552 * albedo + 0.6903;
    vec3 ambient = max(vec3(open), ((open * a + b) * open + c) * open);
    float rim = pow(1.0 - max(dot(n, v), 0.0), 4.0);
    vec3 arriving = keyColor * diffuse * key * mix(1.0, open, 0.5) + hemisphere * ambient;
    // Colours that stand for numbers must be those of the legend: light without direction.
    arriving = mix(arriving, vec3(0.7), evenLight) * mix(1.0, 1.05, evenLight);
    gl_FragColor = vec4(encode(albedo * arriving + (1.0 - evenLight) * 0.08 * rim * open * skyColor), 1.0);
}`],

    ground: [`
centroid varying vec3 world;
void main() {
    world = position;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`, light + `
centroid varying vec3 world;
uniform sampler2D coverage;
uniform vec3 groundCenter;
uniform float groundRadius;
// Mean of the coverage over a disc, from the mip level whose texels tile it.
vec2 meanCoverage(vec2 at, float disc) {
    float level = max(0.0, log2(disc * float(textureSize(coverage, 0).x) * 0.7));
    vec2 sum = textureLod(coverage, at, level).xy;
    for (int i = 0; i < 8; ++i) {
        float angle = float(i) * 0.7853982, r = (i & 1) == 0 ? 0.55 : 0.9;
        sum += textureLod(coverage, at + disc * r * vec2(cos(angle), sin(angle)), level).xy;
    }
    return sum / 9.0;
}
// Everything that casts is above the floor, so a covered place of the map is in shadow there. The
// penumbra widens with the height of what casts it. Shadow map and its depth are equally large.
float keyOnGround() {
    vec3 s = (toShadow * vec4(world, 1.0)).xyz;
    vec2 wide = meanCoverage(s.xy, 0.085);
    float gap = wide.x > 0.0 ? s.z - wide.y / wide.x : 0.0;
    // A sixth of the light always arrives: a paler shadow leaves the eye to the cloth.
    float inside = 1.0 - smoothstep(0.48, 0.5, max(abs(s.x - 0.5), abs(s.y - 0.5)));
    return 1.0 - 0.83 * inside * meanCoverage(s.xy, clamp(0.11 * gap, 0.005, 0.06)).x;
}
void main() { // in full light the floor has the background's colour, so that it has no edge
    float open = ambientVisibility(dot(cameraPosition - world, viewBack));
    float fade = smoothstep(0.25, 0.95, distance(world.xz, groundCenter.xz) / groundRadius);
    vec3 key = keyColor * towardLight.y;
    vec3 arriving = key * keyOnGround() * mix(1.0, open, 0.5) + skyColor * open;
    gl_FragColor = vec4(encode(toLinear(background) * mix(arriving / (key + skyColor), vec3(1.0), fade)), 1.0);
}`],

    // Pulled a little towards the eye so that they win over their own faces.
    edges: [`
uniform float pull;
void main() { gl_Position = projectionMatrix * viewMatrix * vec4(mix(position, cameraPosition, pull), 1.0); }`,
    precision + `
void main() { gl_FragColor = vec4(0.1, 0.11, 0.13, 0.32); }`],
};

})();
