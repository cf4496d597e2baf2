#!/usr/bin/env node
// Poses characters with three.js and with Muslin and compares all corners of all triangles at five
// times of a clip, to 1e-5 of the model's size: the bodies of the test data, where they are, and a
// file made here with what those lack: morph targets, cubic splines, steps, scaled nodes, weights
// that do not sum to 1.
//
// glTF asks for unit quaternions. SimpleSkin has 0.707 for the root of a half: three.js takes that as
// it is, which scales the limb by 0.05 %; Muslin, like Blender, makes it a unit. So do we for three.js.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail } from './caches.mjs';

const require = createRequire(import.meta.url);
const threeFolder = dirname(dirname(require.resolve('three')));
const load = (file) => import(pathToFileURL(join(threeFolder, file)));
globalThis.self ??= globalThis; // what GLTFLoader expects of a browser
const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

const program = process.argv[2], folder = join(process.argv[3], 'skinning');
const tolerance = 1e-5; // of the diagonal of the model's box

// The JSON and all bytes of a file, without the pictures, for which three.js needs a browser.
function open(file) {
    const bytes = readFileSync(file);
    let json, binary = Buffer.alloc(0);
    if (bytes.toString('latin1', 0, 4) === 'glTF') {
        const length = bytes.readUInt32LE(12);
        json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
        binary = bytes.subarray(28 + length);
    } else json = JSON.parse(bytes.toString('utf8'));
    const parts = [], starts = [];
    let size = 0;
    for (const buffer of json.buffers) {
        const part = !buffer.uri ? binary : Buffer.from(buffer.uri.split(',')[1], 'base64');
        starts.push(size);
        parts.push(part, Buffer.alloc((4 - (part.length % 4)) % 4));
        size += part.length + parts.at(-1).length;
    }
    for (const view of json.bufferViews) {
        view.byteOffset = (view.byteOffset ?? 0) + starts[view.buffer];
        view.buffer = 0;
    }
    json.buffers = [{ byteLength: size }];
    for (const key of ['images', 'textures', 'materials', 'samplers']) delete json[key];
    for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
    return pack(json, Buffer.concat(parts));
}

function pack(json, binary) {
    let text = JSON.stringify(json);
    text += ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
    const head = Buffer.alloc(20), middle = Buffer.alloc(8), body = Buffer.from(text);
    head.write('glTF', 'latin1');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(28 + body.length + binary.length, 8);
    head.writeUInt32LE(body.length, 12);
    head.write('JSON', 16, 'latin1');
    middle.writeUInt32LE(binary.length, 0);
    middle.write('BIN\0', 4, 'latin1');
    return Buffer.concat([head, body, middle, binary]);
}

function parse(bytes) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject));
}

// Where three.js has the corners of all triangles, in the order of the file.
function corners(scene) {
    const out = [], p = new THREE.Vector3();
    scene.updateMatrixWorld(true);
    scene.traverse((mesh) => {
        if (!mesh.isMesh) return;
        const index = mesh.geometry.index;
        const count = index ? index.count : mesh.geometry.attributes.position.count;
        for (let i = 0; i < count; ++i) {
            mesh.getVertexPosition(index ? index.getX(i) : i, p); // morphed and skinned
            p.applyMatrix4(mesh.matrixWorld);
            out.push(p.x, p.y, p.z);
        }
    });
    return out;
}

// The same of an OBJ file.
function objCorners(file) {
    const vertices = [], out = [];
    for (const line of readFileSync(file, 'utf8').split('\n')) {
        const words = line.split(/\s+/);
        if (words[0] === 'v') vertices.push(words.slice(1, 4).map(Number));
        if (words[0] === 'f') for (const word of words.slice(1).filter(Boolean)) out.push(...vertices[parseInt(word, 10) - 1]);
    }
    return out;
}

function normalizeRotations(clip) {
    const q = new THREE.Quaternion();
    for (const track of clip.tracks)
        if (track.ValueTypeName === 'quaternion' && track.values.length === 4 * track.times.length)
            for (let i = 0; i < track.values.length; i += 4) q.fromArray(track.values, i).normalize().toArray(track.values, i);
}

async function compare(file) {
    const gltf = await parse(open(file));
    normalizeRotations(gltf.animations[0]);
    const clip = gltf.animations[0], name = basename(file).replace(/\..*/, '');
    const mixer = new THREE.AnimationMixer(gltf.scene), action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true; // the end is no start
    action.play();
    const frames = join(folder, name), rate = 4 / clip.duration;
    rmSync(frames, { recursive: true, force: true });
    mkdirSync(frames, { recursive: true });
    execFileSync(program, ['convert', file, join(frames, 'f.#.obj'), '--frame-rate', `${rate}`, '--quiet']);
    const files = readdirSync(frames).sort();
    if (files.length !== 5) fail(`${file}: ${files.length} frames, expected 5`);
    let worst = 0, size = 0, triangles = 0, moved = 0, first;
    for (let i = 0; i < 5; ++i) {
        mixer.setTime(Math.min(i / rate, clip.duration));
        const theirs = corners(gltf.scene), ours = objCorners(join(frames, files[i]));
        if (theirs.length !== ours.length) fail(`${file}: ${ours.length / 9} triangles, expected ${theirs.length / 9}`);
        triangles = ours.length / 9;
        first ??= ours;
        const box = new THREE.Box3().setFromArray(theirs);
        size = Math.max(size, box.min.distanceTo(box.max));
        ours.forEach((x, k) => {
            worst = Math.max(worst, Math.abs(x - theirs[k]));
            moved = Math.max(moved, Math.abs(x - first[k]));
        });
    }
    if (!(moved > 0.01 * size)) fail(`${file}: nothing moves`);
    const share = worst / size;
    console.log(`three.js r${THREE.REVISION}: ${name}: ${triangles} triangles, 5 times to ${clip.duration.toFixed(3)} s: ` +
                `worst ${share.toExponential(1)} of ${size.toFixed(3)} m`);
    if (!(share < tolerance)) fail(`${file}: off by ${share} of its size`);
    return share;
}

// A bar that two joints bend and morph targets swell, beside a plate that its nodes carry.
function sample(file) {
    const json = {
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1, 4] }], bufferViews: [], accessors: [],
        buffers: [],
    };
    const parts = [];
    let size = 0;
    const accessor = (values, type, width, extra = {}) => {
        const bytes = Buffer.from(values.buffer);
        json.bufferViews.push({ buffer: 0, byteOffset: size, byteLength: bytes.length });
        parts.push(bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4));
        size += bytes.length + parts.at(-1).length;
        const kind = new Map([[Float32Array, 5126], [Uint16Array, 5123], [Uint8Array, 5121]]).get(values.constructor);
        json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: kind, type,
                              count: values.length / width, ...extra });
        return json.accessors.length - 1;
    };
    const floats = (...values) => new Float32Array(values.flat(9));
    const rows = 9, position = [], joint = [], weight = [], index = [], bulge = [], lean = [];
    for (let r = 0; r < rows; ++r)
        for (let c = 0; c < 4; ++c) {
            const y = r / 4, a = (c * Math.PI) / 2;
            position.push(0.3 * Math.cos(a), y, 0.3 * Math.sin(a));
            joint.push(0, 1, 0, 0);
            weight.push(1.7 * Math.max(0, 1 - y / 2), 1.7 * Math.min(1, y / 2), 0, 0); // sum 1.7
            bulge.push(0.2 * Math.cos(a) * y, 0, 0.1 * y);
            lean.push(0, 0.05 * r, 0.1 * c);
            if (r + 1 < rows) {
                const here = 4 * r, next = (c + 1) % 4;
                index.push(here + c, here + 4 + c, here + next, here + next, here + 4 + c, here + 4 + next);
            }
        }
    const s = Math.sin(0.6), k = Math.cos(0.6);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const bounds = (values) => ({ min: [0, 1, 2].map((d) => Math.min(...values.filter((_, i) => i % 3 === d))),
                                  max: [0, 1, 2].map((d) => Math.max(...values.filter((_, i) => i % 3 === d))) });
    const plate = [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1];
    const target = (values) => ({ POSITION: accessor(floats(values), 'VEC3', 3, bounds(Array.from(floats(values)))) });
    json.meshes = [
        { primitives: [{ indices: accessor(new Uint16Array(index), 'SCALAR', 1),
                         attributes: { POSITION: accessor(floats(position), 'VEC3', 3, bounds(Array.from(floats(position)))),
                                       JOINTS_0: accessor(new Uint8Array(joint), 'VEC4', 4),
                                       WEIGHTS_0: accessor(floats(weight), 'VEC4', 4) },
                         targets: [target(bulge), target(lean)] }], weights: [0.5, 0] },
        { primitives: [{ indices: accessor(new Uint16Array([0, 2, 1, 0, 3, 2]), 'SCALAR', 1),
                         attributes: { POSITION: accessor(floats(plate), 'VEC3', 3, bounds(plate)) },
                         targets: [target([0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0])] }] },
    ];
    json.nodes = [
        { mesh: 0, skin: 0, translation: [7, 0, 0] },
        { children: [2], rotation: [0, 0.6, 0, 0.8], translation: [0.5, 0, 0], scale: [1, 1.2, 1] },
        { children: [3], translation: [0, 1, 0] },
        {},
        { children: [5], matrix: [0, 0, -2, 0, 0, 1, 0, 0, 2, 0, 0, 0, 3, 1, 0, 1] },
        { mesh: 1, weights: [0.25], scale: [0.5, 0.5, 1.5] },
    ];
    json.skins = [{ joints: [1, 2], inverseBindMatrices: accessor(
        floats(identity, [...identity.slice(0, 13), -1, 0, 1]), 'MAT4', 16) }];
    const times = accessor(floats(0, 0.7, 2), 'SCALAR', 1, { min: [0], max: [2] });
    const zero4 = [0, 0, 0, 0];
    const samplers = [
        // Rotation by cubic splines, with tangents, and once the other sign of a quaternion.
        [floats([0.1, 0, 0.2, 0, 0, 0, 0, 1, 0.3, 0, 0.4, 0], [0, 0.2, 0, 0, s, 0, 0, k, 0.1, 0.1, 0, 0], [zero4, 0, 0, s, k, zero4]),
         'VEC4', 4, 'CUBICSPLINE', 2, 'rotation'],
        [floats([0, 0, 0, 1], [0, -s, 0, -k], [0, 0, s, k]), 'VEC4', 4, 'LINEAR', 5, 'rotation'],
        [floats([0, 0, 0], [0, 2, 0], [1, 1, 1]), 'VEC3', 3, 'STEP', 4, 'translation'],
        [floats([1, 1, 1], [1, 0.5, 2], [1, 1, 1]), 'VEC3', 3, 'LINEAR', 1, 'scale'],
        [floats([0, 0, 0, 1, 1, -1], [0.5, 0, 1, -0.5, 0, 0.4], [0, 0, 0.3, 0.7, 0, 0]), 'SCALAR', 1, 'CUBICSPLINE', 0, 'weights'],
        [floats(0, 1, -1), 'SCALAR', 1, 'LINEAR', 5, 'weights'],
    ];
    json.animations = [{
        samplers: samplers.map(([values, type, width, interpolation]) =>
            ({ input: times, output: accessor(values, type, width), interpolation })),
        channels: samplers.map(([, , , , node, path], i) => ({ sampler: i, target: { node, path } })),
    }];
    json.buffers = [{ byteLength: size }];
    writeFileSync(file, pack(json, Buffer.concat(parts)));
}

mkdirSync(folder, { recursive: true });
const made = join(folder, 'sample.glb');
sample(made);
const data = process.env.MUSLIN_DATA ?? join(dirname(fileURLToPath(import.meta.url)), '../../../shared/data');
const bodies = ['CesiumMan.glb', 'RiggedFigure.glb', 'RiggedSimple.glb', 'SimpleSkin.gltf', 'mh_cmu_walk.glb']
    .map((name) => join(data, 'bodies', name));
let worst = await compare(made);
for (const file of bodies)
    if (existsSync(file)) worst = Math.max(worst, await compare(file));
    else if (process.env.MUSLIN_DATA) fail(`MUSLIN_DATA is set, but this is missing: ${file}`);
    else console.log(`skipped: no ${file}`);
console.log(`skinning: worst difference ${worst.toExponential(1)} of a model's size, at most ${tolerance} allowed`);
