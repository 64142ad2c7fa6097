// The drawn world: bodies, light, ground, camera. z is up. It is drawn when something has changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Batches, type MaterialOptions } from "./batches.js";
import { Quality } from "./quality.js";
import { type Frame, POSE_SIZE, type Scene } from "./types.js";

export type Theme = "dark" | "light";

const COLOURS = {
  dark: { sky: 0x14171c, ground: 0x2a2f38, line: 0x3d4550, select: 0xffc14d },
  light: { sky: 0xe9edf2, ground: 0xd5dbe3, line: 0xb6bfca, select: 0xd97b00 },
};

const SUN = new THREE.Vector3(-0.6, -0.5, 1.4); // from where it shines

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.002, 500);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly quality: Quality;
  bodies: THREE.Object3D[] = []; // where they are
  size = 1; // of the model, m
  grain = 1; // of what is drawn at its bodies: not larger than they are, m
  tracked = -1; // body that the camera follows
  onDraw: () => void = () => {};
  onQuality: () => void = () => {}; // something is drawn better, or worse
  private parts = new Batches();
  private sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private sky = new THREE.HemisphereLight(0xffffff, 0x667080, 1.1);
  private grid: THREE.GridHelper | null = null;
  private theme: Theme = "dark";
  private selected = -1;
  private last = new THREE.Vector3();
  private changed = true;
  private refined = false;
  private width = 1;
  private height = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.quality = new Quality();
    const antialias = !this.quality.software;
    const context = canvas.getContext("webgl2", { alpha: false, antialias, powerPreference: "high-performance" });
    if (!context) throw new Error("this browser cannot draw: it has no WebGL 2");
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias });
    this.quality.onChange = () => {
      this.resize(this.width, this.height);
      this.onQuality();
    };
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.type = this.quality.software ? THREE.PCFShadowMap : THREE.PCFSoftShadowMap;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2, -2.5, 1.6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener("change", () => this.touch());
    const pixels = this.quality.software ? 1024 : 2048;
    this.sun.shadow.mapSize.set(pixels, pixels);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sky, this.sun, this.sun.target, this.parts.group);
    this.setTheme("dark");
  }

  private makeMaterial = (options: MaterialOptions): THREE.Material =>
    this.quality.software
      ? new THREE.MeshLambertMaterial(options)
      : new THREE.MeshStandardMaterial({ ...options, roughness: 0.65, metalness: 0.05 });

  /// Something looks different: draw it.
  touch(): void {
    this.changed = true;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(COLOURS[theme].sky);
    this.makeGrid(this.grid ? this.grid.position.z - 2e-4 * this.size : 0);
    this.highlight(this.selected);
  }

  load(scene: Scene): void {
    this.selected = -1;
    this.tracked = -1;
    this.bodies = scene.bodies.map(() => new THREE.Object3D());
    this.parts.load(scene, this.makeMaterial);
    if (this.quality.plain) this.parts.dressPlain(SUN);
    this.highlight(-1);
  }

  /// Puts the bodies where a frame has them.
  pose(frame: Frame): void {
    const p = frame.poses;
    this.bodies.forEach((body, i) => {
      const k = POSE_SIZE * i;
      body.position.set(p[k]!, p[k + 1]!, p[k + 2]!);
      body.quaternion.set(p[k + 4]!, p[k + 5]!, p[k + 6]!, p[k + 3]!);
      body.updateMatrix();
    });
    this.parts.place(this.bodies);
    if (this.tracked >= 0) {
      const now = this.bodies[this.tracked]!.position;
      this.camera.position.add(now).sub(this.last);
      this.controls.target.add(now).sub(this.last);
      this.last.copy(now);
    }
    this.renderer.shadowMap.needsUpdate = true;
    this.touch();
  }

  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | null {
    return this.parts.pick(ray);
  }

  track(body: number): void {
    this.tracked = body;
    if (body >= 0) this.last.copy(this.bodies[body]!.position);
  }

  /// Looks at the whole model from a direction.
  frameAll(direction = new THREE.Vector3(1, -1.3, 0.75)): void {
    const box = this.parts.bounds();
    const centre = box.getCenter(new THREE.Vector3());
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.size = Math.max(sphere.radius, 1e-3);
    this.grain = Math.min(this.size, 6 * this.parts.grain() || this.size);
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.65 * this.size) / Math.sin((this.camera.fov * Math.PI) / 360) / narrow;
    this.camera.near = this.size / 200;
    this.camera.far = Math.max(200 * this.size, 100);
    this.camera.position.copy(centre).addScaledVector(direction.clone().normalize(), distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.makeGrid(this.parts.hasGround ? 0 : Math.min(0, box.min.z));
    const reach = Math.max(1.5 * this.size, 0.1);
    this.sun.position.copy(centre).add(SUN.clone().multiplyScalar(2 * reach));
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -reach;
    shadow.right = shadow.top = reach;
    shadow.near = reach / 10;
    shadow.far = 6 * reach;
    shadow.updateProjectionMatrix();
    this.renderer.shadowMap.needsUpdate = true;
    this.touch();
  }

  highlight(body: number): void {
    this.selected = body;
    this.parts.paint(body, COLOURS[this.theme].select, COLOURS[this.theme].ground);
    this.touch();
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    if (this.sun.castShadow !== this.quality.shadows) {
      this.sun.castShadow = this.renderer.shadowMap.enabled = this.quality.shadows;
      this.renderer.shadowMap.needsUpdate = true;
      if (this.quality.plain) this.parts.dressPlain(SUN);
      else this.parts.dress(this.makeMaterial);
    }
    this.setPixels(this.quality.pixelRatio);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  /// Draws what has changed since; true: there was something.
  draw(): boolean {
    this.controls.update();
    if (!this.changed) return false;
    if (this.refined) this.setPixels(this.quality.pixelRatio);
    this.refined = false;
    this.paint();
    return true;
  }

  /// What stands still is drawn once more, with all pixels.
  refine(): void {
    if (this.refined || this.quality.pixelRatio >= 1) return;
    this.refined = true;
    this.setPixels(1);
    this.paint();
  }

  private paint(): void {
    this.changed = false;
    this.onDraw();
    this.renderer.render(this.scene, this.camera);
  }

  private setPixels(ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
  }

  /// A grid at the ground, or below all there is, whose cells fit the model: 1, 10, 100 mm ...
  private makeGrid(below = 0): void {
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const cell = 10 ** Math.floor(Math.log10(Math.max(this.size, 1e-3)));
    const line = COLOURS[this.theme].line;
    this.grid = new THREE.GridHelper(40 * cell, 40, line, line);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.z = below + 2e-4 * this.size;
    this.scene.add(this.grid);
    this.touch();
  }
}
