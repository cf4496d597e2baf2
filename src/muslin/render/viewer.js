// The page of a Muslin run: playback, colour maps, certificate. What it shows comes unpacked from
// viewer_data.js and is drawn by viewer_scene.js.
'use strict';

(() => {

const byId = (id) => document.getElementById(id);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// What users named comes in as text, never as markup.
function element(kind, text, className) {
    const out = document.createElement(kind);
    if (text !== undefined) out.textContent = text;
    if (className) out.className = className;
    return out;
}

function showTrouble(error) {
    byId('trouble').textContent = (error && error.message) || String(error);
    byId('trouble').hidden = false;
    byId('loading').hidden = true;
}

// Three significant digits; small and large quantities with a prefix to their unit.
function brief(value, unit) {
    const prefixes = [[1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, '\u00b5'], [1e-9, 'n']];
    const size = Math.abs(value);
    if (!unit) return String(Number(value.toPrecision(size >= 1000 ? 6 : 4)));
    const [scale, prefix] = prefixes.find(([s]) => size >= 0.9995 * s) ?? [1, ''];
    return (size < 1e-9 ? '0' : Number((value / scale).toPrecision(3))) + ' ' + prefix + unit;
}

// ---------------------------------------------------------------- time

class Player {
    constructor(head, frames) {
        this.head = head;
        this.frames = frames;
        this.loaded = 0;
        this.frame = 0;
        this.playing = false;
        this.startedAt = this.startedFrom = 0;
    }
    get rate() { return this.head.fps / this.head.frameStep; }
    // The frame on the screen: what is not loaded yet shows the last that is.
    get shown() { return clamp(this.frame, 0, Math.max(this.loaded - 1, 0)); }
    get number() { return this.head.firstFrame + this.shown * this.head.frameStep; }
    get lastNumber() { return this.head.firstFrame + (this.frames - 1) * this.head.frameStep; }
    go(frame) { this.playing = false; this.frame = clamp(Math.round(frame) || 0, 0, this.frames - 1); }
    play(playing) {
        this.playing = playing && this.frames > 1;
        this.startedAt = performance.now();
        this.startedFrom = this.frame;
    }
    advance(now) {
        if (!this.playing) return;
        const next = this.startedFrom + Math.floor(Math.max(0, now - this.startedAt) / 1000 * this.rate);
        if (this.loaded < this.frames && next >= this.loaded) { // waits for what is still to come
            this.frame = Math.max(this.loaded - 1, 0);
            this.play(true);
        } else {
            this.frame = next % this.frames;
        }
    }
}

// ---------------------------------------------------------------- the certificate

class Certificate {
    constructor(head) {
        this.head = head;
        const badge = byId('badge');
        const known = 'passed' in head;
        badge.textContent = known ? (head.passed ? 'passed' : 'not passed') : 'not certified';
        badge.className = known ? (head.passed ? 'good' : 'bad') : 'unknown';
        byId('verdict').textContent = head.verdict;
        for (const figure of head.certificate) this.add(figure);
        this.lines = head.series.map((series) => this.addSeries(series));
        byId('details').hidden = byId('facts').rows.length === 0;
        byId('history').hidden = this.lines.length === 0;
        byId('copy').addEventListener('click', () => this.copy());
    }

    add(figure) {
        const proves = 'kept' in figure || /intersections|inside/.test(figure.label);
        const row = byId(proves ? 'proofs' : 'facts').insertRow();
        const mark = 'kept' in figure ? (figure.kept ? '\u2713' : '\u2717') : '';
        row.append(element('td', mark, figure.kept === false ? 'mark bad' : 'mark good'),
                   element('th', figure.label), element('td', figure.value));
    }

    addSeries(series) {
        const row = byId('series').insertRow(), value = element('td', '', 'value');
        const cell = element('td'), canvas = element('canvas');
        cell.append(canvas);
        row.append(element('th', series.label), cell, value);
        const known = series.values.filter((v) => v !== null);
        return { series, canvas, value, low: Math.min(...known), high: Math.max(...known) };
    }

    // The figures of a frame, each on the curve of its time.
    showFrame(frame) {
        if (!byId('about').open || !byId('history').open) return;
        for (const { series, canvas, value, low, high } of this.lines) {
            const now = series.values[frame];
            value.textContent = now === null || now === undefined ? '\u2013' : brief(now, series.unit);
            const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
            if (canvas.width !== Math.round(width * ratio)) {
                canvas.width = Math.round(width * ratio);
                canvas.height = Math.round(height * ratio);
            }
            const pen = canvas.getContext('2d'), count = series.values.length;
            const x = (i) => 2 + i / Math.max(count - 1, 1) * (width - 4);
            const y = (v) => height - 2.5 - (high > low ? (v - low) / (high - low) : 0) * (height - 5);
            pen.setTransform(ratio, 0, 0, ratio, 0, 0);
            pen.clearRect(0, 0, width, height);
            pen.beginPath();
            series.values.forEach((v, i) => { if (v !== null) pen.lineTo(x(i), y(v)); });
            pen.strokeStyle = '#5f7f9c';
            pen.lineWidth = 1.2;
            pen.stroke();
            if (now === null || now === undefined) continue;
            pen.beginPath();
            pen.arc(x(frame), y(now), 2.2, 0, 7);
            pen.fillStyle = '#b3563c';
            pen.fill();
        }
    }

    text() {
        const lines = [this.head.title, byId('badge').textContent + ': ' + this.head.verdict];
        for (const { label, value } of this.head.certificate) lines.push(label + ': ' + value);
        return lines.join('\n') + '\n';
    }

    copy() {
        const area = element('textarea', this.text());
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy'); // also from the disk, where the newer way may be refused
        area.remove();
        byId('copy').textContent = done ? 'Copied' : 'Select the text to copy it';
        setTimeout(() => { byId('copy').textContent = 'Copy'; }, 1600);
    }
}

// ---------------------------------------------------------------- colour maps

class Legend {
    constructor(head, fields) {
        this.fields = fields;
        const select = byId('field');
        select.append(new Option('Cloth', ''));
        for (const field of fields) select.append(new Option(field.label, field.name));
        byId('map').hidden = fields.length === 0;
        const colors = Muslin.bytesOf(head.colors), stops = [];
        for (let i = 0; i < 256; i += 15) stops.push('rgb(' + colors.slice(3 * i, 3 * i + 3).join(',') + ')');
        byId('gradient').style.background = 'linear-gradient(to right, ' + stops.join(', ') + ')';
    }

    // About five round numbers.
    static ticks(low, high) {
        const span = high - low, power = 10 ** Math.floor(Math.log10(span / 4));
        const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => span / s <= 5.001);
        const out = [];
        for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) out.push(Number((k * step).toPrecision(6)));
        return out;
    }

    // `reach`: the share of the field's scale that the colours span.
    show(field, reach, fitted) {
        byId('legend').hidden = !field;
        byId('field').value = field ? field.name : '';
        if (!field) return;
        const { low } = field, high = low + reach * (field.high - low);
        byId('legendLabel').textContent = field.label;
        byId('legendUnit').textContent = field.unit;
        byId('fit').setAttribute('aria-pressed', String(fitted));
        byId('ticks').replaceChildren(...Legend.ticks(low, high).map((value) => {
            const tick = element('span', String(value).replace('-', '\u2212'));
            tick.style.left = 100 * (value - low) / (high - low) + '%';
            return tick;
        }));
    }
}

// ---------------------------------------------------------------- the page

class Page {
    constructor(head, meshes) {
        this.head = head;
        this.meshes = meshes;
        this.canvas = byId('view');
        this.fields = head.fields.map((field, i) => new Muslin.Field(field, i));
        this.field = null;
        this.edges = false;
        this.bodies = true;
        this.fitted = head.fit;
        this.drawnAt = this.pace = 0;
        this.quality = 1; // share of the screen's sharpness while something moves
        this.waiting = false;
        this.player = new Player(head, Math.max(1, ...meshes.map((mesh) => mesh.frames)));
        this.certificate = new Certificate(head);
        this.legend = new Legend(head, this.fields);
        this.stage = new Muslin.Stage(this.canvas, head, meshes);
        this.orbit = new Muslin.Orbit(this.canvas, head, () => this.changed());
        this.connect();
        this.obeyAddress();
    }

    // Nothing is drawn while nothing changes.
    changed() {
        if (this.waiting || this.failed) return;
        this.waiting = true;
        requestAnimationFrame((now) => {
            this.waiting = false;
            try {
                this.draw(now);
            } catch (error) {
                this.failed = true;
                showTrouble(error);
                throw error;
            }
        });
    }

    draw(now) {
        const { player, stage, canvas } = this;
        if (player.loaded === 0) return;
        player.advance(now);
        const width = Math.max(1, canvas.clientWidth), height = Math.max(1, canvas.clientHeight);
        stage.resize(width, height, Math.min(window.devicePixelRatio || 1, 2) * this.sharpness(now));
        stage.showFrame(player.shown, this.field);
        this.orbit.controls.update();
        stage.draw(this.orbit.fit(width, height, this.covered(width, height)));
        this.label();
        if (player.playing) this.changed();
    }

    // A slow machine plays fewer pixels rather than fewer pictures; what stands still is sharp.
    sharpness(now) {
        const since = now - this.drawnAt;
        this.drawnAt = now;
        if (!this.player.playing) return 1;
        if (since > 0 && since < 1000) this.pace += 0.25 * (since - this.pace);
        if (this.pace > 70 && this.quality > 0.45) {
            this.quality *= 0.8;
            this.pace = 0;
        }
        return this.quality;
    }

    // The fractions of the picture that lie under the title, where it is as wide as the window, under
    // the open certificate beside the picture, and under the controls.
    covered(width, height) {
        const controls = byId('controls').getBoundingClientRect();
        const title = byId('about').firstElementChild.getBoundingClientRect();
        const across = title.width > 0.8 * width;
        return {
            left: !across && byId('about').open ? clamp(title.right / width, 0, 0.35) : 0,
            above: across ? clamp(title.bottom / height, 0, 0.3) : 0,
            below: controls.height > 0 ? clamp(1 - controls.top / height, 0, 0.4) : 0,
        };
    }

    label() {
        const { player, head } = this, play = byId('play');
        byId('scrub').value = player.frame;
        byId('scrub').style.setProperty('--loaded', 100 * player.loaded / player.frames + '%');
        byId('count').textContent = player.number + ' / ' + player.lastNumber;
        byId('time').textContent = (player.number / head.fps).toFixed(2) + ' s';
        play.classList.toggle('playing', player.playing);
        play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
        byId('wireframe').setAttribute('aria-pressed', String(this.edges));
        byId('bodies').setAttribute('aria-pressed', String(this.bodies));
        this.certificate.showFrame(player.shown);
        document.body.dataset.frame = player.number; // for tests: what is on the screen
        document.body.dataset.field = this.field && this.field.loaded > 0 ? this.field.name : '';
    }

    choose(field) {
        this.field = field;
        this.scaleColors();
        if (field) field.load(this.meshes, () => this.changed()).then(() => this.scaleColors()).catch(showTrouble);
    }

    scaleColors() {
        const { field } = this, reach = field && this.fitted && field.loaded === field.frames ? field.reach() : 1;
        this.legend.show(field, reach, this.fitted);
        this.stage.uniforms.placeScale.value = 1 / reach;
        this.changed();
    }

    cycle() {
        const all = [null, ...this.fields];
        this.choose(all[(all.indexOf(this.field) + 1) % all.length]);
    }

    connect() {
        const { player } = this, act = (action) => () => { action(); this.changed(); };
        const actions = {
            play: act(() => player.play(!player.playing)),
            back: act(() => player.go(player.shown - 1)),
            forward: act(() => player.go(player.shown + 1)),
            wireframe: act(() => { this.edges = !this.edges; this.stage.showEdges(this.edges); }),
            bodies: act(() => { this.bodies = !this.bodies; this.stage.showBodies(this.bodies); }),
            reset: act(() => this.orbit.reset()),
            fit: () => { this.fitted = !this.fitted; this.scaleColors(); },
        };
        for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
        const more = {
            first: act(() => player.go(0)), last: act(() => player.go(player.frames - 1)),
            color: () => this.cycle(), hide: act(() => document.body.classList.toggle('bare')),
            about: act(() => { byId('about').open = !byId('about').open; }),
        };
        const scrub = byId('scrub');
        scrub.max = player.frames - 1;
        scrub.addEventListener('input', act(() => player.go(Number(scrub.value))));
        for (const id of ['playback', 'scrub', 'label', 'time']) byId(id).hidden = player.frames < 2;
        byId('bodies').hidden = !this.meshes.some((mesh) => mesh.body);
        byId('field').addEventListener('change', (event) => {
            this.choose(this.fields.find((field) => field.name === event.target.value) ?? null);
            event.target.blur(); // keys mean the picture again
        });
        for (const id of ['about', 'history', 'details']) byId(id).addEventListener('toggle', act(() => {}));

        const keys = { ' ': 'play', ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last',
                       w: 'wireframe', b: 'bodies', r: 'reset', c: 'color', f: 'fit', h: 'hide', i: 'about' };
        window.addEventListener('keydown', (event) => {
            const name = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
            const action = actions[name] ?? more[name];
            // The slider has its own use for the arrows, a button for the space bar.
            const at = event.target, slides = at.matches?.('input, select');
            const presses = event.key === ' ' && at.matches?.('button, summary, select');
            if (!action || presses || (slides && /^(Arrow|Home|End)/.test(event.key)) || event.ctrlKey || event.metaKey || event.altKey)
                return;
            event.preventDefault();
            action();
        });
        new ResizeObserver(() => this.changed()).observe(this.canvas);
        this.canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            showTrouble('The graphics driver has stopped. Reload the page to go on.');
        });
    }

    // page.html#frame=30 opens at that frame, still; &mesh shows the mesh, &color=stretch a colour
    // map, &bare the picture alone.
    obeyAddress() {
        const asked = new URLSearchParams(location.hash.slice(1)), { player, head } = this;
        this.edges = asked.has('mesh');
        this.stage.showEdges(this.edges);
        document.body.classList.toggle('bare', asked.has('bare'));
        byId('about').open = window.innerWidth >= 900 && !asked.has('bare');
        this.choose(this.fields.find((field) => field.name === (asked.get('color') ?? head.color)) ?? null);
        if (asked.has('frame')) player.go((Number(asked.get('frame')) - head.firstFrame) / head.frameStep);
        else player.play(true);
    }

    async load() {
        await Muslin.loadMotion(this.meshes, (frames) => {
            const first = this.player.loaded === 0;
            this.player.loaded = frames;
            if (first) {
                byId('loading').hidden = true;
                if (this.player.playing) this.player.play(true);
            }
            this.changed();
        });
        document.body.dataset.loaded = 'all';
    }
}

async function main() {
    const head = JSON.parse(byId('head').textContent);
    const meshes = head.meshes.map((mesh) => new Muslin.Mesh(mesh));
    const three = element('script');
    three.textContent = await new Muslin.ByteReader('three').text();
    document.head.append(three); // runs at once
    await Muslin.loadShape(meshes);
    Muslin.page = new Page(head, meshes);
    await Muslin.page.load();
}

window.addEventListener('error', (event) => showTrouble(event.error ?? event.message));
main().catch((error) => { showTrouble(error); console.error(error); });

})();
