#!/usr/bin/env node
// Opens the page of a run in Chromium, from the disk, and uses it as a person would.
//
//     tests/clients/page.mjs [PROGRAM]
//
// Referees: the run's point cache for what the page unpacks, the program's own pictures for what it
// draws, report.json for what it claims.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { chromium } = createRequire(import.meta.url)('playwright-core');
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = resolve(process.argv[2] ?? join(root, 'build/muslin'));
const folder = mkdtempSync(join(tmpdir(), 'muslin-page-'));
const lastFrame = 40;

function check(condition, text) {
    if (!condition) throw new Error('FAILED: ' + text);
    console.log('page: ' + text);
}

const muslin = (...words) => execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });

// ---------------------------------------------------------------- a browser

const chrome = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
                '--disable-background-networking', '--disable-component-update', '--no-first-run'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chrome });
const complaints = [], requests = [];

async function open(file, { hash = '', width = 960, height = 540, before, touch = false } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => { if (!/^(file|blob|data):/.test(request.url())) requests.push(request.url()); });
    if (before) await page.addInitScript(before);
    await page.goto(pathToFileURL(file).href + (hash ? '#' + hash : ''));
    await page.waitForFunction(() => document.body.dataset.loaded === 'all' || !document.getElementById('trouble').hidden);
    return page;
}

// Waits for a frame on the screen and gives the picture.
async function picture(page, frame) {
    if (frame !== undefined) await page.waitForFunction((f) => document.body.dataset.frame === String(f), frame);
    await page.evaluate(() => new Promise((done) => {
        const still = () => (Muslin.page.waiting ? requestAnimationFrame(still) : done());
        requestAnimationFrame(still);
    }));
    return page.screenshot();
}

const close = (page) => page.context().close();
const text = (page, id) => page.evaluate((i) => document.getElementById(i).textContent, id);

// ---------------------------------------------------------------- pictures

const darkroom = await (await browser.newContext()).newPage();
async function pixels(png) {
    const size = await darkroom.evaluate(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, image.width, image.height);
        let out = '';
        for (let i = 0; i < data.length; i += 32768) out += String.fromCharCode(...data.subarray(i, i + 32768));
        return { width: image.width, height: image.height, data: btoa(out) };
    }, 'data:image/png;base64,' + png.toString('base64'));
    return { ...size, data: Buffer.from(size.data, 'base64') };
}

// Cloth is warm or blue where floor, shadow and background are nearly grey.
const isCloth = ({ data }, i) => data[4 * i] - data[4 * i + 2] > 12 || data[4 * i + 2] - data[4 * i] > 16;

function overlap(a, b) {
    let both = 0, either = 0;
    for (let i = 0; i < a.width * a.height; ++i) {
        const x = isCloth(a, i), y = isCloth(b, i);
        both += x && y;
        either += x || y;
    }
    return both / either;
}

// Mean difference of a colour channel where both show cloth, of 255.
function difference(a, b, shows = isCloth) {
    let sum = 0, count = 0;
    for (let i = 0; i < a.width * a.height; ++i) {
        if (!shows(a, i) || !shows(b, i)) continue;
        for (let c = 0; c < 3; ++c) sum += Math.abs(a.data[4 * i + c] - b.data[4 * i + c]);
        count += 3;
    }
    return sum / count;
}

const changed = (a, b) => {
    let count = 0;
    for (let i = 0; i < a.data.length; ++i) count += Math.abs(a.data[i] - b.data[i]) > 8;
    return count / a.data.length;
};

// ---------------------------------------------------------------- the checks

async function unpacksTheRun(page, run) {
    const cache = readFileSync(join(run, 'sheet.pc2')), points = cache.readInt32LE(16);
    let worst = 0;
    for (const frame of [0, 1, 2, 17, lastFrame]) {
        const shown = await page.evaluate((f) => {
            const mesh = Muslin.page.meshes.find((each) => each.name === 'sheet'), before = mesh.shown;
            mesh.show(f);
            const out = [...mesh.points];
            mesh.show(before);
            return out;
        }, frame);
        for (let i = 0; i < 3 * points; ++i)
            worst = Math.max(worst, Math.abs(shown[i] - cache.readFloatLE(32 + 4 * (frame * 3 * points + i))));
    }
    const stated = Number(/Positions shown.*?([\d.e-]+) mm/s.exec(await text(page, 'facts'))[1]) / 1000;
    check(worst > 0 && worst <= 1.05 * stated, `positions within ${(1000 * worst).toFixed(4)} mm of the cache; stated ${1000 * stated} mm`);
}

async function plays(page) {
    const seen = new Set();
    for (let i = 0; i < 400 && seen.size < 3; ++i) {
        seen.add(await page.evaluate(() => document.body.dataset.frame));
        await page.waitForTimeout(50);
    }
    check(seen.size >= 3, 'plays by itself');
    await page.keyboard.press('Space');
    const still = await page.evaluate(() => Muslin.page.player.playing);
    check(still === false, 'space pauses');
}

async function scrubs(page) {
    const box = await page.locator('#scrub').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await picture(page);
    const frame = Number(await page.evaluate(() => document.body.dataset.frame));
    check(Math.abs(frame - lastFrame / 2) <= 1, `a click in the middle of the slider shows frame ${frame}`);
    await page.locator('#view').focus();
    await page.keyboard.press('ArrowRight');
    await picture(page, frame + 1);
    await page.keyboard.press('End');
    await picture(page, lastFrame);
    check(true, 'arrow and End go to the frames they say');
}

async function turns(page) {
    const before = await pixels(await picture(page, lastFrame));
    await page.mouse.move(560, 260);
    await page.mouse.down();
    await page.mouse.move(680, 290, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(1500); // the turn comes to rest
    const turned = await pixels(await picture(page));
    await page.keyboard.press('r');
    const back = await pixels(await picture(page));
    check(changed(before, turned) > 0.03, 'a drag turns the view');
    check(changed(before, back) < 0.001, 'R brings the first view back');
}

async function hides(page) {
    const seen = () => page.evaluate(() => Muslin.page.stage.surfaces.map(({ mesh, surface, edges }) =>
        [mesh.body, surface.visible, edges !== null && edges.visible].join()).join(' '));
    const press = async (key, expected, text) => {
        await page.keyboard.press(key);
        await picture(page);
        check(await seen() === expected, text);
    };
    await press('w', 'false,true,true true,true,true', 'W shows the mesh of everything');
    await press('b', 'false,true,true true,false,false', 'B hides the body with its mesh');
    await press('w', 'false,true,false true,false,false', 'W again: no mesh');
    await press('b', 'false,true,false true,true,false', 'B again: the body alone');
}

async function colors(page) {
    const before = await pixels(await picture(page));
    check(await page.locator('#legend').isHidden(), 'no legend without a colour map');
    await page.locator('#field').selectOption('bending');
    await page.waitForFunction(() => document.body.dataset.field === 'bending');
    const after = await pixels(await picture(page));
    const legend = await page.locator('#legend').innerText();
    check(await page.locator('#legend').isVisible() && /Curvature/.test(legend) && /1\/m/.test(legend) && /100/.test(legend),
          'the legend names field, unit and scale');
    check(changed(before, after) > 0.02, 'a colour map changes the picture');
    await page.keyboard.press('f');
    const fitted = await page.locator('#ticks').innerText();
    check(!fitted.includes('100'), 'F spreads the colours over what occurs');
    await page.keyboard.press('f');
    const names = await page.evaluate(() => Muslin.page.fields.map((field) => field.name));
    for (let i = names.indexOf('bending') + 1; i <= names.length; ++i) {
        await page.keyboard.press('c');
        await page.waitForFunction((name) => document.body.dataset.field === name, names[i] ?? '');
    }
    check(await page.locator('#legend').isHidden(), `C goes through ${names.join(', ')} and back to the cloth`);
}

async function proves(page, report) {
    check(await page.locator('#certificate').isVisible(), 'the certificate is open in a wide window');
    const shown = await text(page, 'certificate');
    for (const figure of [report.self_intersections + ' (limit', report.stretch_max.toFixed(4), report.stretch_min.toFixed(4),
                          String(report.steps), report.recipe, report.program, report.hash])
        if (!shown.includes(figure)) check(false, `the certificate says ${figure}`);
    check(true, 'the certificate has the figures of report.json');
    check(await text(page, 'badge') === (report.passed ? 'passed' : 'not passed'), 'its badge is the report\'s');
    await page.locator('#copy').click();
    await page.waitForFunction(() => document.getElementById('copy').textContent === 'Copied');
    check(true, 'it can be copied');
    await page.locator('#history > summary').click();
    await picture(page);
    const contacts = JSON.parse(readFileSync(join(folder, 'run/stats.jsonl'), 'utf8').trim().split('\n').at(-1)).contacts;
    const line = await page.evaluate(() => document.getElementById('series').rows[2].textContent);
    check(line.includes(String(contacts)), `over time: ${contacts} contacts at the last frame`);
}

// The same frame from the same camera, by the program.
async function matchesTheProgram(file) {
    for (const [frame, color] of [[0], [24], [lastFrame], [lastFrame, 'bending']]) {
        const words = color ? ['--color', color] : [];
        const pictures = join(folder, 'pictures-' + (color ?? 'cloth'));
        if (frame === 0 || color) muslin('render', join(folder, 'run'), '-o', pictures + '/####.png', '--quiet', '--width', '640', '--height', '360', ...words);
        const own = await pixels(readFileSync(join(pictures, String(frame).padStart(4, '0') + '.png')));
        const page = await open(file, { width: 640, height: 360, hash: 'bare&frame=' + frame + (color ? '&color=' + color : '') });
        if (color) await page.waitForFunction((c) => document.body.dataset.field === c, color);
        const shown = await pixels(await picture(page, frame));
        await close(page);
        const same = color ? undefined : overlap(own, shown);
        const off = difference(own, shown);
        if (!color) check(same > 0.97, `frame ${frame}: ${(100 * same).toFixed(1)} % of the silhouette is the program's`);
        check(off < 4, `frame ${frame}${color ? ' in colours of ' + color : ''}: colours differ by ${off.toFixed(1)} of 255 in the mean`);
    }
}

async function fitsSmallWindows(file) {
    const page = await open(file, { hash: 'frame=0', width: 400, height: 800, touch: true });
    const shown = await pixels(await picture(page, 0));
    let left = shown.width, right = -1, top = shown.height, bottom = -1;
    const title = await page.locator('#about').boundingBox(), controls = await page.locator('#controls').boundingBox();
    for (let y = Math.ceil(title.y + title.height) + 1; y < controls.y - 1; ++y)
        for (let x = 0; x < shown.width; ++x)
            if (isCloth(shown, y * shown.width + x)) {
                left = Math.min(left, x); right = Math.max(right, x);
                top = Math.min(top, y); bottom = Math.max(bottom, y);
            }
    check(left > 4 && right < 395 && right - left > 250 && top > title.y + title.height + 4 && bottom < controls.y - 4,
          `400 x 800: the cloth stands free, ${right - left} pixels wide`);
    check(title.x >= 0 && title.x + title.width <= 400 && controls.x >= 0 && controls.x + controls.width <= 400 && controls.height < 130,
          '400 x 800: title and controls fit');
    for (const id of ['play', 'scrub', 'field', 'wireframe', 'reset']) {
        const box = await page.locator('#' + id).boundingBox();
        if (!(box.x >= 0 && box.x + box.width <= 400)) check(false, '400 x 800: ' + id + ' is inside');
    }
    await page.touchscreen.tap(controls.x + 75, controls.y + 24);
    check(await page.evaluate(() => Muslin.page.player.playing), '400 x 800: a tap plays');
    await close(page);
}

async function namesStayText() {
    const run = join(folder, 'hostile'), name = '</script><img src=x onerror=document.title="broken">\'"&amp;<!--';
    cpSync(join(folder, 'run'), run, { recursive: true });
    const report = JSON.parse(readFileSync(join(run, 'report.json'), 'utf8'));
    Object.assign(report, { title: name, recipe: name, hash: name });
    writeFileSync(join(run, 'report.json'), JSON.stringify(report));
    muslin('render', run, '--html', '-o', join(folder, 'hostile.html'), '--quiet');
    const page = await open(join(folder, 'hostile.html'), { hash: 'frame=1', width: 400, height: 300 });
    check(await page.evaluate(() => document.querySelector('h1').textContent) === name &&
          (await text(page, 'facts')).includes(name) && await page.title() === name &&
          await page.evaluate(() => document.images.length) === 0, 'names made of markup stay text');
    await close(page);
}

async function saysWhatIsWrong(file) {
    const trouble = async (name, expected, options, broken = file) => {
        const page = await open(broken, options);
        const said = await page.locator('#trouble').innerText();
        await close(page);
        check(expected.test(said), `${name}: "${said.slice(0, 60)}..."`);
    };
    const known = complaints.length;
    await trouble('an old browser', /too old.*Firefox 113/s, { before: 'delete globalThis.DecompressionStream;' });
    await trouble('no WebGL 2', /WebGL 2/, { before: 'HTMLCanvasElement.prototype.getContext = () => null;' });
    const cut = readFileSync(file, 'utf8').replace(/(id="motion">)[^<]{0,4000}/, (all) => all.slice(0, 2000));
    writeFileSync(join(folder, 'cut.html'), cut);
    await trouble('a damaged page', /damaged: its part "motion"/, {}, join(folder, 'cut.html'));
    complaints.length = known; // the browser's own words on what was broken on purpose

    const run = join(folder, 'unfinished');
    cpSync(join(folder, 'run'), run, { recursive: true });
    rmSync(join(run, 'report.json'));
    muslin('render', run, '-o', join(folder, 'unfinished.html'), '--quiet');
    const page = await open(join(folder, 'unfinished.html'), { hash: 'frame=1', width: 400, height: 300 });
    check(await text(page, 'badge') === 'not certified' && /no certificate/.test(await text(page, 'verdict')), 'a run without a report is not called passed');
    await close(page);
}

// ----------------------------------------------------------------

try {
    const run = join(folder, 'run'), file = join(run, 'page.html');
    muslin('run', 'drape-sphere', '--set', 'cloth.sheet.mesh.resolution=31', '--frames', String(lastFrame), '-o', run, '--quiet');
    muslin('render', run, '--html', '--quiet');
    console.log(`page: Chromium ${browser.version()}, page of ${statSync(file).size} bytes`);
    const page = await open(file);
    await plays(page);
    await unpacksTheRun(page, run);
    await scrubs(page);
    await turns(page);
    await hides(page);
    await colors(page);
    await proves(page, JSON.parse(readFileSync(join(run, 'report.json'), 'utf8')));
    await close(page);
    await matchesTheProgram(file);
    await fitsSmallWindows(file);
    await namesStayText();
    await saysWhatIsWrong(file);
    check(complaints.length === 0, 'no error in the console' + complaints.map((each) => '\n    ' + each).join(''));
    check(requests.length === 0, 'nothing asked of a network' + requests.join('\n    '));
} catch (error) {
    console.error('page: ' + error.message + complaints.map((each) => '\n    console: ' + each).join(''));
    process.exitCode = 1;
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
