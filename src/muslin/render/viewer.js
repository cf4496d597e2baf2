// The viewer of a Muslin page: plays the animation that the page carries, with WebGL 2 alone.
// Its shaders stand in viewer_shaders.js.
'use strict';

(() => {

// ---------------------------------------------------------------- small vectors and matrices

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (length(a) || 1));
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// Matrices are column by column, as WebGL takes them.
function multiply(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; ++c)
        for (let r = 0; r < 4; ++r)
            for (let k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

function basis(eye, target) {
    const back = unit(sub(eye, target));
    const side = cross([0, 1, 0], back);
    const right = length(side) > 1e-6 ? unit(side) : [1, 0, 0];
    return { right, up: cross(back, right), back };
}

function lookAt(eye, target) {
    const { right, up, back } = basis(eye, target);
    return new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0,
                             right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}

// `lift` moves the picture up by that fraction of half its height.
function perspective(degrees, aspect, near, far, lift) {
    const f = 1 / Math.tan(degrees * Math.PI / 360);
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, -lift, (far + near) / (near - far), -1,
                             0, 0, 2 * far * near / (near - far), 0]);
}

function orthographic(radius, distance) {
    return new Float32Array([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / radius, 0,
                             0, 0, -distance / radius, 1]);
}

// ---------------------------------------------------------------- the data in the page

function bytesOf(id) {
    const element = document.getElementById(id);
    const text = atob(element.textContent);
    element.remove(); // the text is the larger half of the memory
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes.buffer; // little-endian, like every machine that runs a browser
}

class Mesh {
    constructor(head) {
        Object.assign(this, head);
        this.levels = new Uint16Array(bytesOf(head.positions));
        this.indices = new Uint32Array(bytesOf(head.indices));
        this.points = new Float32Array(3 * head.vertices);
        this.normals = new Float32Array(3 * head.vertices);
        this.size = sub(head.upper, head.lower);
        this.shown = -1;
    }

    // Fills points and normals; says whether they changed.
    show(frame) {
        frame = Math.min(frame, this.frames - 1);
        if (frame === this.shown || frame < 0) return false;
        this.shown = frame;
        const { points, levels, lower, size } = this;
        const start = 3 * this.vertices * frame;
        for (let i = 0; i < points.length; ++i)
            points[i] = lower[i % 3] + levels[start + i] / 65535 * size[i % 3];
        this.findNormals();
        return true;
    }

    findNormals() {
        const { points: p, normals: n, indices } = this;
        n.fill(0);
        for (let i = 0; i < indices.length; i += 3) {
            const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
            const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
            const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
            const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
            n[a] += x; n[a + 1] += y; n[a + 2] += z;
            n[b] += x; n[b + 1] += y; n[b + 2] += z;
            n[c] += x; n[c + 1] += y; n[c + 2] += z;
        }
        for (let i = 0; i < n.length; i += 3) {
            const s = 1 / (Math.hypot(n[i], n[i + 1], n[i + 2]) || 1);
            n[i] *= s; n[i + 1] *= s; n[i + 2] *= s;
        }
    }

    edges() {
        const seen = new Set(), out = [];
        for (let i = 0; i < this.indices.length; ++i) {
            const a = this.indices[i], b = this.indices[i % 3 === 2 ? i - 2 : i + 1];
            const key = Math.min(a, b) * this.vertices + Math.max(a, b);
            if (!seen.has(key)) { seen.add(key); out.push(a, b); }
        }
        return new Uint32Array(out);
    }
}

// ---------------------------------------------------------------- drawing

const shadowSize = 2048;

class Renderer {
    constructor(canvas, meshes, ground) {
        const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
        if (!gl) throw new Error('This page needs WebGL 2, which this browser does not offer or has switched off.');
        this.gl = gl;
        this.canvas = canvas;
        this.programs = Object.fromEntries(Object.entries(viewerShaders).map(([name, pair]) => [name, this.link(name, pair)]));
        this.surfaces = meshes.map((mesh) => this.makeSurface(mesh));
        this.empty = gl.createVertexArray();
        this.makeShadowMap();
        const low = [0, 1, 2].map((i) => Math.min(...meshes.map((m) => m.lower[i])));
        const high = [0, 1, 2].map((i) => Math.max(...meshes.map((m) => m.upper[i])));
        this.center = scale(add(low, high), 0.5);
        this.radius = Math.max(length(sub(high, low)) / 2, 1e-4);
        this.ground = [this.center[0], ground - 0.002 * this.radius, this.center[2]];
    }

    link(name, [vertex, fragment]) {
        const gl = this.gl, program = gl.createProgram();
        for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS))
            throw new Error('The graphics driver refuses the shader "' + name + '": ' + gl.getProgramInfoLog(program));
        const uniforms = {};
        for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; --i) {
            const uniform = gl.getActiveUniform(program, i).name;
            uniforms[uniform] = gl.getUniformLocation(program, uniform);
        }
        return { program, uniforms };
    }

    use(name, values) {
        const gl = this.gl, { program, uniforms } = this.programs[name];
        gl.useProgram(program);
        for (const [key, value] of Object.entries(values)) {
            if (!(key in uniforms)) continue;
            if (typeof value === 'number') gl.uniform1f(uniforms[key], value);
            else if (value.length === 3) gl.uniform3fv(uniforms[key], value);
            else gl.uniformMatrix4fv(uniforms[key], false, value);
        }
    }

    makeSurface(mesh) {
        const gl = this.gl, array = gl.createVertexArray();
        gl.bindVertexArray(array);
        const attribute = (slot) => {
            const buffer = gl.createBuffer();
            gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
            gl.bufferData(gl.ARRAY_BUFFER, 12 * mesh.vertices, gl.DYNAMIC_DRAW);
            gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
            gl.enableVertexAttribArray(slot);
            return buffer;
        };
        const points = attribute(0), normals = attribute(1), triangles = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
        return { mesh, array, points, normals, triangles, edges: null, edgeCount: 0 };
    }

    makeShadowMap() {
        const gl = this.gl, map = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, map);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowSize, shadowSize);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
        this.shadowTarget = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, map, 0);
    }

    showFrame(frame) {
        const gl = this.gl;
        for (const { mesh, points, normals } of this.surfaces) {
            if (!mesh.show(frame)) continue;
            gl.bindBuffer(gl.ARRAY_BUFFER, points);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, mesh.points);
            gl.bindBuffer(gl.ARRAY_BUFFER, normals);
            gl.bufferSubData(gl.ARRAY_BUFFER, 0, mesh.normals);
        }
    }

    drawTriangles(surface) {
        const gl = this.gl;
        gl.bindVertexArray(surface.array);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, surface.triangles);
        gl.drawElements(gl.TRIANGLES, surface.mesh.indices.length, gl.UNSIGNED_INT, 0);
    }

    drawEdges(surface) {
        const gl = this.gl;
        gl.bindVertexArray(surface.array);
        if (!surface.edges) {
            const edges = surface.mesh.edges();
            surface.edges = gl.createBuffer();
            surface.edgeCount = edges.length;
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, surface.edges);
            gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, edges, gl.STATIC_DRAW);
        }
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, surface.edges);
        gl.drawElements(gl.LINES, surface.edgeCount, gl.UNSIGNED_INT, 0);
    }

    draw(camera, wireframe) {
        const gl = this.gl, { eye, target, fov, light, lift } = camera;
        const toLight = multiply(orthographic(1.02 * this.radius, 2 * this.radius),
                                 lookAt(add(this.center, scale(light, 2 * this.radius)), this.center));
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.viewport(0, 0, shadowSize, shadowSize);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        this.use('depth', { toClip: toLight });
        for (const surface of this.surfaces) this.drawTriangles(surface);

        const { width, height } = this.canvas;
        const { right, up, back } = basis(eye, target);
        const away = dot(sub(eye, this.center), back);
        const far = Math.max(away + 7 * this.radius, 0.1 * this.radius);
        const near = clamp(away - 1.1 * this.radius, 0.002 * far, 0.5 * far);
        const common = {
            toClip: multiply(perspective(fov, width / height, near, far, lift), lookAt(eye, target)),
            toShadow: multiply(new Float32Array([0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5, 1]), toLight),
            eye, towardLight: light, shadowTexel: 2.04 * this.radius / shadowSize,
            towardFill: unit(add(add(scale(right, 0.75), scale(up, 0.15)), scale(back, 0.65))),
            groundCenter: this.ground, groundRadius: 4.5 * this.radius,
        };
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.clearColor(0.855, 0.862, 0.875, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        for (const surface of this.surfaces) {
            this.use('surface', { ...common, frontColor: surface.mesh.front, backColor: surface.mesh.back });
            this.drawTriangles(surface);
        }
        if (eye[1] > this.ground[1]) {
            this.use('ground', common);
            gl.bindVertexArray(this.empty);
            gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        }
        if (!wireframe) return;
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(false);
        this.use('edges', common);
        for (const surface of this.surfaces) this.drawEdges(surface);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
    }
}

// ---------------------------------------------------------------- the camera in the user's hand

class Orbit {
    constructor(head) {
        this.start = head;
        this.fov = head.fov;
        this.reset();
        // The light stays where the first view put it: above, to the left of the camera.
        const azimuth = this.azimuth - 58 * Math.PI / 180, height = 48 * Math.PI / 180;
        this.light = [Math.sin(azimuth) * Math.cos(height), Math.sin(height), Math.cos(azimuth) * Math.cos(height)];
    }

    reset() {
        const arm = sub(this.start.eye, this.start.target);
        this.target = this.start.target.slice();
        this.distance = length(arm);
        this.azimuth = Math.atan2(arm[0], arm[2]);
        this.elevation = Math.asin(clamp(arm[1] / this.distance, -1, 1));
    }

    get eye() {
        const c = Math.cos(this.elevation);
        const arm = [Math.sin(this.azimuth) * c, Math.sin(this.elevation), Math.cos(this.azimuth) * c];
        return add(this.target, scale(arm, this.distance));
    }

    turn(dx, dy) {
        this.azimuth -= 0.006 * dx;
        this.elevation = clamp(this.elevation + 0.006 * dy, -1.55, 1.55);
    }

    move(dx, dy, height) {
        const { right, up } = basis(this.eye, this.target);
        const step = 2 * this.distance * Math.tan(this.fov * Math.PI / 360) / height;
        this.target = add(this.target, add(scale(right, -dx * step), scale(up, dy * step)));
    }

    zoom(factor) {
        const first = length(sub(this.start.eye, this.start.target));
        this.distance = clamp(this.distance * factor, 0.02 * first, 12 * first);
    }

    // The first view was framed for a wide picture, whole. A narrow window needs a wider angle,
    // and so does one whose lowest part, the fraction `covered`, lies under the controls.
    camera(aspect, covered) {
        const widen = Math.max(1, 1.7 / aspect * (1 - covered)) / (1 - covered);
        const fov = 2 * Math.atan(Math.tan(this.fov * Math.PI / 360) * widen) * 180 / Math.PI;
        return { eye: this.eye, target: this.target, fov, light: this.light, lift: covered };
    }
}

// One finger or button turns; two fingers, the right button or shift move; pinch or wheel zooms.
function handle(canvas, orbit, changed) {
    const fingers = new Map();
    const middle = () => {
        const all = [...fingers.values()];
        return { x: all.reduce((s, f) => s + f.x, 0) / all.length, y: all.reduce((s, f) => s + f.y, 0) / all.length };
    };
    const spread = () => {
        const [a, b] = [...fingers.values()];
        return Math.hypot(a.x - b.x, a.y - b.y);
    };
    canvas.addEventListener('pointerdown', (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener('pointermove', (event) => {
        if (!fingers.has(event.pointerId)) return;
        const before = middle(), wide = fingers.size === 2 ? spread() : 0;
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const after = middle(), dx = after.x - before.x, dy = after.y - before.y;
        const moves = fingers.size >= 2 || event.shiftKey || (event.buttons & 6) !== 0;
        if (moves) orbit.move(dx, dy, canvas.clientHeight);
        else orbit.turn(dx, dy);
        if (fingers.size === 2 && wide > 0) orbit.zoom(wide / Math.max(spread(), 1));
        changed();
    });
    const lift = (event) => fingers.delete(event.pointerId);
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointercancel', lift);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        orbit.zoom(Math.exp(clamp(event.deltaY * (event.deltaMode === 1 ? 30 : 1), -240, 240) * 0.0012));
        changed();
    }, { passive: false });
}

// ---------------------------------------------------------------- the page

class Player {
    constructor(head, meshes) {
        this.head = head;
        this.frames = Math.max(1, ...meshes.map((mesh) => mesh.frames));
        this.frame = 0;
        this.playing = false;
        this.startedAt = 0;
        this.startedFrom = 0;
    }
    get rate() { return this.head.fps / this.head.frameStep; }
    get number() { return this.head.firstFrame + this.frame * this.head.frameStep; }
    get lastNumber() { return this.head.firstFrame + (this.frames - 1) * this.head.frameStep; }
    go(frame) { this.playing = false; this.frame = clamp(frame, 0, this.frames - 1); }
    play(playing) {
        this.playing = playing && this.frames > 1;
        this.startedAt = performance.now();
        this.startedFrom = this.frame;
    }
    advance(now) {
        if (!this.playing) return;
        const passed = Math.floor(Math.max(0, now - this.startedAt) / 1000 * this.rate);
        this.frame = (this.startedFrom + passed) % this.frames;
    }
}

function main() {
    const byId = (id) => document.getElementById(id);
    const head = JSON.parse(byId('head').textContent);
    const meshes = head.meshes.map((mesh) => new Mesh(mesh));
    const canvas = byId('view');
    const renderer = new Renderer(canvas, meshes, head.ground);
    const orbit = new Orbit(head), player = new Player(head, meshes);
    let wireframe = false, waiting = false;

    const draw = (now) => {
        waiting = false;
        player.advance(now);
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
        const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
        if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
        renderer.showFrame(player.frame);
        const covered = clamp(1 - byId('controls').offsetTop / canvas.clientHeight, 0, 0.4);
        renderer.draw(orbit.camera(width / height, covered), wireframe);
        byId('scrub').value = player.frame;
        byId('label').textContent = 'frame ' + player.number + ' / ' + player.lastNumber + '  \u00b7  ' +
                                    (player.number / head.fps).toFixed(2) + ' s';
        byId('play').textContent = player.playing ? '\u275a\u275a' : '\u25b6\ufe0e';
        byId('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
        byId('wireframe').setAttribute('aria-pressed', String(wireframe));
        document.body.dataset.frame = player.number; // for tests: what is on the screen
        if (player.playing) changed();
    };
    // Nothing is drawn while nothing changes.
    const changed = () => {
        if (!waiting) { waiting = true; requestAnimationFrame(draw); }
    };
    const act = (action) => () => { action(); changed(); };

    const actions = {
        play: act(() => player.play(!player.playing)),
        back: act(() => player.go(player.frame - 1)),
        forward: act(() => player.go(player.frame + 1)),
        wireframe: act(() => { wireframe = !wireframe; }),
        reset: act(() => orbit.reset()),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
    byId('scrub').max = player.frames - 1;
    byId('scrub').addEventListener('input', act(() => player.go(Number(byId('scrub').value))));
    for (const id of ['playback', 'scrub', 'label']) byId(id).hidden = player.frames < 2;
    const keys = { ' ': 'play', ArrowLeft: 'back', ArrowRight: 'forward', w: 'wireframe', r: 'reset' };
    window.addEventListener('keydown', (event) => {
        const action = actions[keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]];
        // The slider has its own use for the arrows, a button for the space bar.
        const taken = event.target.matches?.('input') || (event.key === ' ' && event.target.matches?.('button, summary'));
        if (!action || taken || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        action();
    });
    handle(canvas, orbit, changed);
    new ResizeObserver(changed).observe(canvas);

    // page.html#frame=30 opens at that frame, still; page.html#mesh shows the mesh.
    const asked = new URLSearchParams(location.hash.slice(1));
    wireframe = asked.has('mesh');
    if (asked.has('frame')) player.go(Math.round((Number(asked.get('frame')) - head.firstFrame) / head.frameStep));
    else player.play(true);
    changed();
}

try {
    main();
} catch (error) {
    const trouble = document.getElementById('trouble');
    trouble.textContent = error.message;
    trouble.hidden = false;
    throw error;
}

})();
