// The scene of a Muslin page, drawn by three.js: surfaces, floor, light, and the camera in the
// user's hand.
'use strict';

(() => {

const shadowSize = 1024;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

const material = (name, uniforms, more) => new THREE.ShaderMaterial({
    vertexShader: Muslin.shaders[name][0], fragmentShader: Muslin.shaders[name][1],
    uniforms, side: THREE.DoubleSide, ...more,
});

const target = (width, height, more) => new THREE.WebGLRenderTarget(width, height, {
    minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, depthBuffer: false, stencilBuffer: false,
    generateMipmaps: false, ...more,
});

function withDepth(renderTarget, width, height) {
    renderTarget.depthBuffer = true;
    renderTarget.depthTexture = new THREE.DepthTexture(width, height, THREE.FloatType);
    return renderTarget;
}

Muslin.Stage = class {
    constructor(canvas, head, meshes) {
        const options = { antialias: true, alpha: false, powerPreference: 'high-performance' };
        const context = canvas.getContext('webgl2', options);
        if (!context)
            throw new Error('This page needs WebGL 2, which this browser does not offer or has switched off.');
        this.renderer = new THREE.WebGLRenderer({ canvas, context, ...options });
        this.renderer.setClearColor(new THREE.Color(0.855, 0.862, 0.875), 1);
        this.renderer.autoClear = true;
        this.meshes = meshes;
        this.size = new THREE.Vector2(0, 0);
        const lower = new THREE.Vector3(...head.lower), upper = new THREE.Vector3(...head.upper);
        this.center = lower.clone().add(upper).multiplyScalar(0.5);
        this.radius = Math.max(upper.distanceTo(lower) / 2, 1e-4);
        this.makeLight(head);
        this.makeUniforms(head);
        this.makeSurfaces();
        this.makePasses();
        this.shadowIsOld = true;
        this.edgesShown = false;
    }

    // The light stays where the first view put it: above, to the left of the camera.
    makeLight(head) {
        const arm = new THREE.Vector3(...head.eye).sub(new THREE.Vector3(...head.target));
        const azimuth = Math.atan2(arm.x, arm.z) - 58 * Math.PI / 180, height = 48 * Math.PI / 180;
        this.towardLight = new THREE.Vector3(Math.sin(azimuth) * Math.cos(height), Math.sin(height),
                                             Math.cos(azimuth) * Math.cos(height));
        const r = 1.02 * this.radius;
        this.light = new THREE.OrthographicCamera(-r, r, r, -r, 2 * this.radius - r, 2 * this.radius + r);
        this.light.position.copy(this.center).addScaledVector(this.towardLight, 2 * this.radius);
        this.light.lookAt(this.center);
        this.light.updateMatrixWorld();
        this.shadow = withDepth(target(shadowSize, shadowSize), shadowSize, shadowSize);
        // Soft shadows are sums over texels of this; eight bits serve where floats cannot be drawn.
        const floats = this.renderer.extensions.get('EXT_color_buffer_float');
        this.coverage = target(256, 256, { type: floats ? THREE.HalfFloatType : THREE.UnsignedByteType,
            generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter, magFilter: THREE.LinearFilter });
    }

    makeUniforms(head) {
        const toTexture = new THREE.Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
        const toShadow = toTexture.multiply(this.light.projectionMatrix).multiply(this.light.matrixWorldInverse);
        const ground = new THREE.Vector3(this.center.x, head.ground - 0.002 * this.radius, this.center.z);
        const colors = Muslin.bytesOf(head.colors), reach = 0.16 * this.radius;
        const table = new THREE.DataTexture(colors, colors.length / 3, 1, THREE.RGBFormat);
        table.magFilter = table.minFilter = THREE.LinearFilter;
        table.needsUpdate = true;
        this.normals = withDepth(target(1, 1), 1, 1);
        this.occlusion = target(1, 1);
        this.blurred = target(1, 1);
        const values = {
            sceneNormal: this.normals.texture, sceneDepth: this.normals.depthTexture, occlusion: this.occlusion.texture,
            depthRange: new THREE.Vector2(), lens: new THREE.Vector4(), depthScale: 4 / reach,
            radius: reach, sceneCenter: new THREE.Vector3(), sceneRadius: this.radius,
            shadowMap: this.shadow.depthTexture, toShadow, coverage: this.coverage.texture,
            towardLight: this.towardLight, towardFill: new THREE.Vector3(), viewBack: new THREE.Vector3(),
            shadowTexel: 2.04 * this.radius / shadowSize, shadowSpread: 0.0034,
            groundCenter: ground, groundRadius: 4.5 * this.radius, colors: table, placeScale: 1, evenLight: 0,
        };
        this.uniforms = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
    }

    makeSurfaces() {
        this.scene = new THREE.Scene();
        this.surfaces = this.meshes.map((mesh) => {
            const geometry = new THREE.BufferGeometry();
            const attribute = (array, size, normalized) =>
                new THREE.BufferAttribute(array, size, normalized).setUsage(THREE.DynamicDrawUsage);
            geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
            geometry.setAttribute('position', attribute(mesh.points, 3, false));
            geometry.setAttribute('normal', attribute(mesh.normals, 3, false));
            geometry.setAttribute('value', attribute(new Uint8Array(mesh.vertices), 1, true));
            const color = (c) => ({ value: new THREE.Vector3(...c) });
            const own = { frontColor: color(mesh.front), backColor: color(mesh.back), mapped: { value: false } };
            const surface = new THREE.Mesh(geometry, material('surface', { ...this.uniforms, ...own }));
            surface.frustumCulled = false;
            this.scene.add(surface);
            return { mesh, surface, edges: null };
        });
        const { groundCenter: { value: at }, groundRadius: { value: r } } = this.uniforms;
        const corners = new THREE.BufferGeometry();
        corners.setAttribute('position', new THREE.BufferAttribute(new Float32Array(
            [at.x - r, at.y, at.z + r, at.x + r, at.y, at.z + r, at.x - r, at.y, at.z - r, at.x + r, at.y, at.z - r]), 3));
        corners.setAttribute('normal', new THREE.BufferAttribute(new Float32Array([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]), 3));
        corners.setIndex([0, 1, 2, 2, 1, 3]);
        this.ground = new THREE.Mesh(corners, material('ground', this.uniforms));
        this.ground.frustumCulled = false;
        this.scene.add(this.ground);
    }

    makePasses() {
        const whole = new THREE.BufferGeometry();
        whole.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
        this.screen = new THREE.Mesh(whole);
        this.screen.frustumCulled = false;
        this.screenScene = new THREE.Scene();
        this.screenScene.add(this.screen);
        const plain = { depthTest: false, depthWrite: false };
        const blur = (source, x, y) => material('blur', { ...this.uniforms, occlusion: { value: source.texture },
            direction: { value: new THREE.Vector2(x, y) } }, plain);
        const edges = (pull) => material('edges', { pull: { value: pull } }, { transparent: true, depthWrite: false });
        this.materials = {
            depth: material('depth', {}), normal: material('normal', {}),
            coverage: material('coverage', this.uniforms, plain),
            occlusion: material('occlusion', this.uniforms, plain),
            blurRows: blur(this.occlusion, 1, 0), blurColumns: blur(this.blurred, 0, 1),
            // Those of a body must not come through the cloth that lies on it.
            clothEdges: edges(0.0008), bodyEdges: edges(0.00005),
        };
    }

    resize(width, height, ratio) {
        if (this.size.x === width && this.size.y === height && this.ratio === ratio) return;
        this.size.set(width, height);
        this.ratio = ratio;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
        const half = this.renderer.getDrawingBufferSize(new THREE.Vector2()).multiplyScalar(0.5).ceil();
        for (const each of [this.normals, this.occlusion, this.blurred]) each.setSize(half.x, half.y);
    }

    showFrame(frame, field) {
        this.uniforms.evenLight.value = field && field.loaded > 0 ? 0.5 : 0;
        for (const { mesh, surface } of this.surfaces) {
            const { position, normal, value } = surface.geometry.attributes;
            if (mesh.show(frame)) {
                position.needsUpdate = normal.needsUpdate = true;
                this.shadowIsOld = true;
            }
            const levels = field ? field.at(mesh, frame) : null;
            surface.material.uniforms.mapped.value = levels !== null;
            if (levels !== null) {
                value.array.set(levels);
                value.needsUpdate = true;
            }
        }
    }

    showEdges(shown) {
        for (const each of this.surfaces) {
            if (shown && !each.edges) {
                const geometry = new THREE.BufferGeometry();
                geometry.setAttribute('position', each.surface.geometry.attributes.position);
                geometry.setIndex(new THREE.BufferAttribute(each.mesh.edges(), 1));
                each.edges = new THREE.LineSegments(geometry, this.materials[each.mesh.body ? 'bodyEdges' : 'clothEdges']);
                each.edges.frustumCulled = false;
                this.scene.add(each.edges);
            }
        }
        this.edgesShown = shown;
        this.updateEdges();
    }

    showBodies(shown) {
        for (const { mesh, surface } of this.surfaces) if (mesh.body) surface.visible = shown;
        this.updateEdges();
        this.shadowIsOld = true;
    }

    // The mesh of a surface goes with it.
    updateEdges() {
        for (const { surface, edges } of this.surfaces) if (edges) edges.visible = this.edgesShown && surface.visible;
    }

    fill(output, pass) {
        this.screen.material = pass;
        this.renderer.setRenderTarget(output);
        this.renderer.render(this.screenScene, this.light);
    }

    // Draws the surfaces (and the floor) alone, with one material.
    drawPlain(output, camera, plain, withGround) {
        const edges = this.surfaces.map((each) => each.edges).filter((each) => each && each.visible);
        const ground = this.ground.visible;
        for (const each of edges) each.visible = false;
        this.ground.visible = ground && withGround;
        this.scene.overrideMaterial = plain;
        this.renderer.setRenderTarget(output);
        this.renderer.render(this.scene, camera);
        this.scene.overrideMaterial = null;
        this.ground.visible = ground;
        for (const each of edges) each.visible = true;
    }

    draw(camera) {
        const u = this.uniforms, back = u.viewBack.value;
        camera.updateMatrixWorld();
        const right = new THREE.Vector3(), up = new THREE.Vector3();
        camera.matrixWorld.extractBasis(right, up, back);
        const away = camera.position.clone().sub(this.center).dot(back);
        camera.far = Math.max(away + 7 * this.radius, 0.1 * this.radius);
        camera.near = clamp(away - 1.1 * this.radius, 0.002 * camera.far, 0.5 * camera.far);
        camera.updateProjectionMatrix();
        const p = camera.projectionMatrix.elements;
        u.lens.value.set(1 / p[0], 1 / p[5], p[8], p[9]);
        u.depthRange.value.set(camera.near, camera.far);
        u.sceneCenter.value.copy(this.center).applyMatrix4(camera.matrixWorldInverse);
        u.towardFill.value.copy(right).multiplyScalar(0.75).addScaledVector(up, 0.15).addScaledVector(back, 0.65).normalize();
        this.ground.visible = camera.position.y > u.groundCenter.value.y;

        if (this.shadowIsOld) {
            this.drawPlain(this.shadow, this.light, this.materials.depth, false);
            this.fill(this.coverage, this.materials.coverage);
            this.shadowIsOld = false;
        }
        this.drawPlain(this.normals, camera, this.materials.normal, true);
        this.fill(this.occlusion, this.materials.occlusion);
        this.fill(this.blurred, this.materials.blurRows);
        this.fill(this.occlusion, this.materials.blurColumns);
        this.renderer.setRenderTarget(null);
        this.renderer.render(this.scene, camera);
    }
};

// The camera. One finger or button turns; two fingers, the right button or shift move; pinch or
// wheel zooms.
Muslin.Orbit = class {
    constructor(canvas, head, changed) {
        this.extent = head.extent;
        this.camera = new THREE.PerspectiveCamera(); // its lens is that of fit() and draw()
        this.camera.position.set(...head.eye);
        this.controls = new THREE.OrbitControls(this.camera, canvas);
        const first = new THREE.Vector3(...head.eye).distanceTo(new THREE.Vector3(...head.target));
        Object.assign(this.controls, { enableKeys: false, enableDamping: true, dampingFactor: 0.16,
            rotateSpeed: 0.9, screenSpacePanning: true, minDistance: 0.02 * first, maxDistance: 12 * first });
        this.controls.target.set(...head.target);
        this.controls.update();
        this.controls.saveState();
        this.controls.addEventListener('change', changed);
    }

    reset() {
        this.controls.enableDamping = false; // ends what is still turning
        this.controls.update();
        this.controls.reset();
        this.controls.enableDamping = true;
    }

    // The view is as close as the window allows for what the animation shows at any time, whose
    // half width and half height at distance 1 from the first view are `extent`, with the margin of
    // the program's own pictures.
    fit(width, height, { left, above, below }) {
        const camera = this.camera, [wide, high] = this.extent, aspect = width / height;
        const tangent = Math.max(high / (1 - above - below), wide / (aspect * (1 - left))) / 0.88;
        camera.aspect = aspect;
        camera.fov = 2 * Math.atan(tangent) * 180 / Math.PI;
        camera.setViewOffset(width, height, -left * width / 2, (below - above) * height / 2, width, height);
        return camera;
    }
};

})();
