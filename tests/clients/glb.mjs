#!/usr/bin/env node
// The .glb of a run in the glTF validator and in three.js.
//
//     tests/clients/glb.mjs PROGRAM FOLDER
//
// FOLDER holds the runs that tests/clients/run makes. The referee is each run's point cache.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fiveFrames, fail, openRun } from './caches.mjs';

const require = createRequire(import.meta.url);
const validator = require('gltf-validator');
const threeFolder = dirname(dirname(require.resolve('three')));
const load = (file) => import(pathToFileURL(join(threeFolder, file)));
globalThis.self ??= globalThis; // what GLTFLoader expects of a browser
const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

async function validate(file) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings > 0)
        fail(`${file}: ${JSON.stringify(messages.filter((m) => m.severity < 2).slice(0, 5))}`);
    console.log(`gltf-validator ${validator.version()}: ${file}: 0 errors, 0 warnings, ` +
                `${report.info.totalVertexCount} vertices, ${report.info.animationCount} animation`);
}

function parse(file) {
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject));
}

// The largest distance of a coordinate from the cache's, at a time between frames `whole` and the next.
function difference(mesh, cache, whole, part) {
    const p = new THREE.Vector3();
    const a = cache.read(whole), b = part > 0 ? cache.read(whole + 1) : a;
    let largest = 0;
    for (let i = 0; i < cache.points; ++i) {
        mesh.getVertexPosition(i, p); // morph targets applied
        ['x', 'y', 'z'].forEach((axis, k) => {
            const expected = (1 - part) * a[3 * i + k] + part * b[3 * i + k];
            largest = Math.max(largest, Math.abs(p[axis] - expected));
        });
    }
    return largest;
}

async function play(run) {
    const file = join(run.folder, `${run.scene}.glb`);
    await validate(file);
    const gltf = await parse(file);
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    const duration = (run.frames - 1) / run.rate;
    if (Math.abs(gltf.animations[0].duration - duration) > 1e-5)
        fail(`${file}: ${gltf.animations[0].duration} s, expected ${duration}`);
    let largest = 0;
    for (const cache of run.caches) {
        const mesh = gltf.scene.getObjectByName(cache.name);
        if (!mesh) fail(`${file}: no node '${cache.name}'`);
        if (mesh.geometry.morphAttributes.normal.length !== run.frames - 1) fail('normals of targets');
        for (const frame of fiveFrames(run.frames)) {
            // The last keyframe is the end of the loop, which shows the first again.
            mixer.setTime(Math.min(frame / run.rate, duration - 1e-7));
            largest = Math.max(largest, difference(mesh, cache, frame, 0));
        }
        mixer.setTime(0.25 / run.rate);
        largest = Math.max(largest, difference(mesh, cache, 0, 0.25));
    }
    if (!(largest < 5e-7)) fail(`${file}: off by ${largest} m`);
    console.log(`three.js r${THREE.REVISION}: ${file}: ${run.caches.map((c) => c.name).join(', ')}: ` +
                `largest difference ${largest.toExponential(1)} m`);
}

const folder = process.argv[3];
for (const name of ['drape', 'quads']) await play(openRun(join(folder, name)));
