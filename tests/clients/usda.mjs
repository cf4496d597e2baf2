#!/usr/bin/env node
// The .usda of a run in TinyUSDZ.
//
//     tests/clients/usda.mjs PROGRAM FOLDER
//
// The stage is parsed twice: as a layer, whose time samples come back as text, and as a scene to draw.
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, openRun, readPolygons } from './caches.mjs';

const require = createRequire(import.meta.url);
const module = require.resolve('tinyusdz/package.json');
const version = JSON.parse(readFileSync(module, 'utf8')).version;
// The module is built for browsers, which it must believe to be in.
process.type = 'renderer';
globalThis.window = globalThis;
globalThis.document = {};
globalThis.location = { href: 'file:///' };
// Its package does not say that it is a module, which older versions of Node then do not guess.
const folder = process.argv[3];
const copy = join(folder, 'tinyusdz.mjs');
copyFileSync(join(dirname(module), 'tinyusdz.js'), copy);
const initialise = (await import(pathToFileURL(copy))).default;
const native = await initialise({ wasmBinary: readFileSync(join(dirname(module), 'tinyusdz.wasm')) });

const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
const primName = (name) => name.replace(/[^A-Za-z0-9_]/g, '_');

// The text of a prim, from its name to the next.
function primText(text, name) {
    const begin = text.indexOf(`def Mesh "${name}"`);
    if (begin < 0) fail(`no prim '${name}'`);
    const end = text.indexOf('def Mesh', begin + 8);
    return text.slice(begin, end < 0 ? text.length : end);
}

function numbersAfter(text, words) {
    const begin = text.indexOf(words);
    if (begin < 0) fail(`no '${words}'`);
    const from = begin + words.length;
    return text.slice(from, text.indexOf(']', from)).match(/-?[0-9.]+(?:e[-+]?\d+)?/g).map(Number);
}

// Time codes and their points.
function timeSamples(text, attribute) {
    const begin = text.indexOf(`${attribute}.timeSamples = {`);
    if (begin < 0) fail(`no ${attribute}.timeSamples`);
    const block = text.slice(begin, text.indexOf('}', begin));
    return [...block.matchAll(/(\d+): \[([^\]]*)\]/g)].map((match) => ({
        time: Number(match[1]),
        values: match[2].match(/-?[0-9.]+(?:e[-+]?\d+)?/g).map(Number),
    }));
}

function compare(run, cache, text) {
    const samples = timeSamples(text, 'points');
    if (samples.length !== run.frames) fail(`${cache.name}: ${samples.length} time samples of ${run.frames}`);
    let largest = 0;
    samples.forEach((sample, frame) => {
        const expected = cache.read(frame);
        if (sample.time !== frame || sample.values.length !== expected.length)
            fail(`${cache.name}: sample ${frame}`);
        expected.forEach((value, i) => { largest = Math.max(largest, Math.abs(sample.values[i] - value)); });
    });
    for (const attribute of ['normals', 'extent'])
        if (timeSamples(text, attribute).length !== run.frames) fail(`${cache.name}: ${attribute}`);
    return largest;
}

function check(run) {
    const file = join(run.folder, `${run.scene}.usda`);
    const bytes = new Uint8Array(readFileSync(file));
    const layer = new native.TinyUSDZLoaderNative();
    if (!layer.loadAsLayerFromBinary(bytes, file)) fail(`${file}: ${layer.error()}`);
    const text = layer.layerToString();
    for (const words of ['upAxis = "Y"', 'metersPerUnit = 1\n', `timeCodesPerSecond = ${run.rate}\n`,
                         `endTimeCode = ${run.frames - 1}\n`])
        if (!text.includes(words)) fail(`${file}: no ${words}`);
    let largest = 0;
    for (const cache of run.caches) {
        const prim = primText(text, primName(cache.name));
        largest = Math.max(largest, compare(run, cache, prim));
        const polygons = readPolygons(join(run.folder, `${cache.name}.obj`));
        if (!same(numbersAfter(prim, 'faceVertexCounts = ['), polygons.counts)) fail('faceVertexCounts');
        if (!same(numbersAfter(prim, 'faceVertexIndices = ['), polygons.indices)) fail('faceVertexIndices');
    }
    // As text, floats have at most nine digits.
    if (!(largest < 1e-6)) fail(`${file}: off by ${largest} m`);
    const scene = new native.TinyUSDZLoaderNative();
    if (!scene.loadFromBinary(bytes, file)) fail(`${file}: ${scene.error()}`);
    if (scene.numMeshes() < run.caches.length) fail(`${file}: ${scene.numMeshes()} meshes to draw`);
    console.log(`TinyUSDZ ${version}: ${file}: ${run.caches.map((c) => c.name).join(', ')}: ${run.frames} time ` +
                `samples, largest difference ${largest.toExponential(1)} m`);
}

for (const name of ['drape', 'quads']) check(openRun(join(folder, name)));
