// What a Muslin page carries, unpacked: the other side of page_codec.h.
'use strict';

const Muslin = {};

(() => {

Muslin.bytesOf = (text) => {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
    return bytes;
};

// The bytes of an element of the page, inflated as they are asked for.
Muslin.ByteReader = class {
    constructor(id) {
        if (typeof DecompressionStream === 'undefined')
            throw new Error('This browser is too old for this page, which is compressed. It opens in Chrome or Edge ' +
                            '80, Firefox 113, Safari 16.4, and in anything newer.');
        const element = document.getElementById(id);
        const packed = Muslin.bytesOf(element.textContent);
        element.remove(); // the text is the larger half of the memory
        const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
        this.id = id;
        this.reader = inflated.getReader();
        this.chunk = new Uint8Array(0);
        this.at = 0;
    }

    damaged(how) { return new Error('This page is damaged: its part "' + this.id + '" ' + how + '.'); }

    async more() {
        const { done, value } = await this.reader.read().catch(() => { throw this.damaged('cannot be unpacked'); });
        if (!done) { this.chunk = value; this.at = 0; }
        return !done;
    }

    async take(count) {
        const out = new Uint8Array(count);
        for (let filled = 0; filled < count;) {
            if (this.at === this.chunk.length && !(await this.more())) throw this.damaged('ends early');
            const length = Math.min(count - filled, this.chunk.length - this.at);
            out.set(this.chunk.subarray(this.at, this.at + length), filled);
            this.at += length;
            filled += length;
        }
        return out;
    }

    async text() {
        const decoder = new TextDecoder();
        let out = '';
        while (await this.more()) out += decoder.decode(this.chunk, { stream: true });
        return out + decoder.decode();
    }
};

const unfoldSign = (number) => (number >>> 1) ^ -(number & 1);

async function readTriangles(reader, count) {
    const planes = await reader.take(12 * count), out = new Uint32Array(3 * count), n = 3 * count;
    for (let i = 0; i < n; ++i) {
        const step = planes[i] | planes[n + i] << 8 | planes[2 * n + i] << 16 | planes[3 * n + i] << 24;
        out[i] = unfoldSign(step) + (i >= 3 ? out[i - 3] : 0);
    }
    return out;
}

function earlierNeighbours(vertices, indices) {
    const out = new Int32Array(vertices).fill(-1);
    for (let i = 0; i < indices.length; i += 3)
        for (let j = i; j < i + 3; ++j)
            for (let k = i; k < i + 3; ++k)
                if (indices[k] < indices[j]) out[indices[j]] = Math.max(out[indices[j]], indices[k]);
    for (let v = 1; v < vertices; ++v)
        if (out[v] < 0) out[v] = v - 1;
    return out;
}

// Reads frame `frame` of `all`, an array of 8- or 16-bit numbers, frame after frame; the numbers
// wrap as those of the packer do.
async function readFrame(reader, all, frame, components, neighbours) {
    const n = neighbours.length, size = n * components, bytes = all.BYTES_PER_ELEMENT;
    const modes = await reader.take(components), planes = await reader.take(bytes * size);
    const errors = new all.constructor(n);
    for (let c = 0; c < components; ++c) {
        const order = modes[c] >> 1, fromNeighbour = (modes[c] & 1) === 1;
        for (let v = 0, at = frame * size + c; v < n; ++v, at += components) {
            let rest = planes[c * n + v];
            if (bytes === 2) rest |= planes[size + c * n + v] << 8;
            rest = unfoldSign(rest);
            if (fromNeighbour && neighbours[v] >= 0) rest += errors[neighbours[v]];
            errors[v] = rest;
            if (order === 1) rest += all[at - size];
            else if (order === 2) rest += 2 * all[at - size] - all[at - 2 * size];
            all[at] = rest;
        }
    }
}

// Lets the page breathe between frames once a share of the time of a picture is used up.
class Pause {
    constructor() { this.since = performance.now(); }
    async due() {
        if (performance.now() - this.since < 12) return;
        await new Promise((resolve) => setTimeout(resolve));
        this.since = performance.now();
    }
}

Muslin.Mesh = class {
    constructor(head) {
        Object.assign(this, head);
        this.levels = new Uint16Array(3 * head.vertices * head.frames);
        this.points = new Float32Array(3 * head.vertices);
        this.normals = new Float32Array(3 * head.vertices);
        this.indices = this.neighbours = null;
        this.loaded = 0; // frames that are there
        this.shown = -1;
    }

    // Fills points and normals; says whether they changed.
    show(frame) {
        frame = Math.min(frame, this.loaded - 1);
        if (frame === this.shown || frame < 0) return false;
        this.shown = frame;
        const { points, levels, lower, upper } = this, start = 3 * this.vertices * frame;
        for (let axis = 0; axis < 3; ++axis) {
            const from = lower[axis], unit = (upper[axis] - from) / 65535;
            for (let i = axis; i < points.length; i += 3) points[i] = from + levels[start + i] * unit;
        }
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
            const s = 1 / (Math.sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]) || 1);
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
};

Muslin.loadShape = async (meshes) => {
    const reader = new Muslin.ByteReader('shape');
    for (const mesh of meshes) {
        mesh.indices = await readTriangles(reader, mesh.triangles);
        mesh.neighbours = earlierNeighbours(mesh.vertices, mesh.indices);
    }
};

// Calls `progress` after each frame; the first comes early.
Muslin.loadMotion = async (meshes, progress) => {
    const reader = new Muslin.ByteReader('motion'), pause = new Pause();
    const frames = Math.max(0, ...meshes.map((mesh) => mesh.frames));
    for (let frame = 0; frame < frames; ++frame) {
        for (const mesh of meshes)
            if (frame < mesh.frames) {
                await readFrame(reader, mesh.levels, frame, 3, mesh.neighbours);
                mesh.loaded = frame + 1;
            }
        progress(frame + 1);
        await pause.due();
    }
};

// A quantity over vertices, unpacked when it is first looked at.
Muslin.Field = class {
    constructor(head, number) {
        Object.assign(this, head);
        this.number = number;
        this.values = new Map(); // by mesh, all frames
        this.loaded = 0;
        this.loading = null;
    }

    load(meshes, progress) {
        this.loading ??= this.read(meshes, progress);
        return this.loading;
    }

    async read(meshes, progress) {
        const reader = new Muslin.ByteReader('field' + this.number), pause = new Pause();
        const tracks = this.meshes.map((i) => meshes[i]);
        for (const mesh of tracks) this.values.set(mesh, new Uint8Array(mesh.vertices * this.frames));
        for (let frame = 0; frame < this.frames; ++frame) {
            for (const mesh of tracks) await readFrame(reader, this.values.get(mesh), frame, 1, mesh.neighbours);
            this.loaded = frame + 1;
            progress(frame + 1);
            await pause.due();
        }
    }

    // The share of the scale below which nearly all values of all frames lie.
    reach() {
        const counts = new Array(256).fill(0);
        let total = 0;
        for (const all of this.values.values()) {
            for (const level of all) ++counts[level];
            total += all.length;
        }
        let level = 255, above = 0;
        while (level > 2 && (above += counts[level]) <= 0.005 * total) --level;
        return level / 255;
    }

    // The values of a mesh at a frame, 0 .. 255 over the scale, or null.
    at(mesh, frame) {
        const all = this.values.get(mesh);
        if (!all || this.loaded === 0) return null;
        const start = Math.min(frame, this.loaded - 1) * mesh.vertices;
        return all.subarray(start, start + mesh.vertices);
    }
};

})();
