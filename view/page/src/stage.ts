// The drawn world: bodies, light, ground, camera. z is up.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { shapeOf } from "./shapes.js";
import type { Frame, Geom, Scene } from "./types.js";

// MJCF's own grey says nothing: bodies that were given no colour get one each.
const GREY = 0.5;
const PALETTE = [0x5b8db8, 0xd08c60, 0x7aa874, 0xb07aa1, 0xc9b458, 0x6fa8a5, 0xc97b84, 0x8c8fbf].map(
  (hex) => new THREE.Color(hex),
);

function colourOf(geom: Geom): THREE.Color {
  const [r, g, b] = geom.rgba;
  if (r === GREY && g === GREY && b === GREY && geom.body > 0) {
    return PALETTE[geom.body % PALETTE.length]!.clone();
  }
  return new THREE.Color(r, g, b);
}

export type Theme = "dark" | "light";

const COLOURS = {
  dark: { sky: 0x14171c, ground: 0x2a2f38, line: 0x3d4550, select: 0xffc14d },
  light: { sky: 0xe9edf2, ground: 0xd5dbe3, line: 0xb6bfca, select: 0xd97b00 },
};

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.002, 500);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly world = new THREE.Group(); // everything of the present model
  bodies: THREE.Group[] = [];
  meshes: THREE.Mesh[] = []; // userData.body, userData.geom
  size = 1; // of the model, m
  tracked = -1; // body that the camera follows
  private sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private sky = new THREE.HemisphereLight(0xffffff, 0x667080, 1.1);
  private grid: THREE.GridHelper | null = null;
  private theme: Theme = "dark";
  private selected = -1;
  private last = new THREE.Vector3();

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: true,
      preserveDrawingBuffer: true, // pictures are taken of it
    });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2, -2.5, 1.6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sky, this.sun, this.sun.target, this.world);
    this.setTheme("dark");
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(COLOURS[theme].sky);
    this.makeGrid();
    this.highlight(this.selected);
    for (const mesh of this.meshes) {
      if (mesh.userData.ground) {
        (mesh.material as THREE.MeshStandardMaterial).color.setHex(COLOURS[theme].ground);
      }
    }
  }

  load(scene: Scene): void {
    this.world.clear();
    this.selected = -1;
    this.tracked = -1;
    this.meshes = [];
    this.bodies = scene.bodies.map(() => new THREE.Group());
    this.world.add(...this.bodies);
    scene.geoms.forEach((geom, index) => {
      const alpha = geom.rgba[3];
      if (alpha === 0) return;
      const ground = geom.type === "plane" && geom.body === 0;
      const material = new THREE.MeshStandardMaterial({
        color: ground ? COLOURS[this.theme].ground : colourOf(geom),
        roughness: 0.65,
        metalness: 0.05,
        transparent: alpha < 1,
        opacity: alpha,
        side: geom.type === "plane" || geom.type === "mesh" ? THREE.DoubleSide : THREE.FrontSide,
      });
      const mesh = new THREE.Mesh(shapeOf(scene, geom), material);
      mesh.position.set(...geom.pos);
      mesh.quaternion.set(geom.quat[1], geom.quat[2], geom.quat[3], geom.quat[0]);
      mesh.castShadow = !ground && alpha === 1;
      mesh.receiveShadow = true;
      mesh.userData = { body: geom.body, geom: index, ground };
      this.bodies[geom.body]!.add(mesh);
      this.meshes.push(mesh);
    });
  }

  /// Puts the bodies where a frame has them.
  pose(frame: Frame): void {
    const p = frame.poses;
    this.bodies.forEach((body, i) => {
      const k = 7 * i;
      body.position.set(p[k]!, p[k + 1]!, p[k + 2]!);
      body.quaternion.set(p[k + 4]!, p[k + 5]!, p[k + 6]!, p[k + 3]!);
    });
    if (this.tracked >= 0) {
      const now = this.bodies[this.tracked]!.position;
      this.camera.position.add(now).sub(this.last);
      this.controls.target.add(now).sub(this.last);
      this.last.copy(now);
    }
  }

  track(body: number): void {
    this.tracked = body;
    if (body >= 0) this.last.copy(this.bodies[body]!.position);
  }

  /// What the model fills, without grounds.
  private bounds(): THREE.Box3 {
    const box = new THREE.Box3();
    this.world.updateMatrixWorld(true);
    for (const mesh of this.meshes) {
      if (!mesh.userData.ground) box.expandByObject(mesh);
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    return box;
  }

  /// Looks at the whole model from a direction.
  frameAll(direction = new THREE.Vector3(1, -1.3, 0.75)): void {
    const box = this.bounds();
    const centre = box.getCenter(new THREE.Vector3());
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.size = Math.max(sphere.radius, 1e-3);
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.6 * this.size) / Math.sin((this.camera.fov * Math.PI) / 360) / narrow;
    this.camera.near = this.size / 200;
    this.camera.far = Math.max(200 * this.size, 100);
    this.camera.position.copy(centre).addScaledVector(direction.clone().normalize(), distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.makeGrid();
    const reach = Math.max(1.5 * this.size, 0.1);
    this.sun.position.copy(centre).add(new THREE.Vector3(-0.6, -0.5, 1.4).multiplyScalar(2 * reach));
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -reach;
    shadow.right = shadow.top = reach;
    shadow.near = reach / 10;
    shadow.far = 6 * reach;
    shadow.updateProjectionMatrix();
  }

  highlight(body: number): void {
    this.selected = body;
    for (const mesh of this.meshes) {
      const material = mesh.material as THREE.MeshStandardMaterial;
      const on = body > 0 && mesh.userData.body === body;
      material.emissive.setHex(on ? COLOURS[this.theme].select : 0);
      material.emissiveIntensity = on ? 0.45 : 0;
    }
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  draw(): void {
    this.controls.update();
    this.renderer.render(this.scene, this.camera);
  }

  /// A grid at z = 0 whose cells fit the model: 1, 10, 100 mm ...
  private makeGrid(): void {
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const cell = 10 ** Math.floor(Math.log10(Math.max(this.size, 1e-3)));
    const line = COLOURS[this.theme].line;
    this.grid = new THREE.GridHelper(40 * cell, 40, line, line);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.z = 2e-4 * this.size;
    this.scene.add(this.grid);
  }
}
