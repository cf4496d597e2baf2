// What the JavaScript clients compare with: the point caches of a run, read from the format's own
// description and not by Muslin.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function fail(text) {
    console.error(`FAILED: ${text}`);
    process.exit(1);
}

export function fiveFrames(frames) {
    return [0, 1, 2, 3, 4].map((i) => Math.round((i * (frames - 1)) / 4));
}

function openCache(file, name) {
    const bytes = readFileSync(file);
    if (bytes.toString('latin1', 0, 11) !== 'POINTCACHE2') fail(`${file}: not PC2`);
    const points = bytes.readInt32LE(16), samples = bytes.readInt32LE(28);
    return {
        name, points, samples,
        read(sample) {
            const out = new Float32Array(3 * points);
            for (let i = 0; i < out.length; ++i) out[i] = bytes.readFloatLE(32 + 4 * (sample * out.length + i));
            return out;
        },
    };
}

// { folder, scene, frames, rate, caches }
export function openRun(folder) {
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const caches = readdirSync(folder).filter((file) => file.endsWith('.pc2')).sort()
        .map((file) => openCache(join(folder, file), file.slice(0, -4)));
    return { folder, scene: report.scene, frames: caches[0].samples, rate: report.frame_rate, caches };
}

// Polygons of an OBJ file: { counts, indices }
export function readPolygons(file) {
    const counts = [], indices = [];
    for (const line of readFileSync(file, 'utf8').split('\n')) {
        if (!line.startsWith('f ')) continue;
        const corners = line.slice(2).trim().split(/\s+/);
        counts.push(corners.length);
        for (const corner of corners) indices.push(parseInt(corner, 10) - 1);
    }
    return { counts, indices };
}
