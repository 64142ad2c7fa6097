// The contact layer: points, normals, force arrows and friction cones, coloured by what the contact
// does: sticks green, slides red, open grey, of bodies that sleep blue (as it was when they fell
// asleep); moments against spinning and rolling as arrows with two
// heads.
import * as THREE from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { PlainMesh } from "./plain.js";
import { C, CONTACT_SIZE, type Frame, type Scene, contactCount, touches } from "./types.js";

export const STATE_NAMES = ["open", "stick", "slide", "asleep"];
const STATE_COLOURS = [0x9aa3ad, 0x35c26b, 0xf0524f, 0x6f93c4].map((hex) => new THREE.Color(hex));
const LONGEST = 0.6; // of that size, for the largest force
const FADE = 0.985; // what is left of the scale of an old force after a frame
const SPIN_COLOUR = new THREE.Color(0xb48cf2);
const ROLL_COLOUR = new THREE.Color(0xf2a13c);
const TURN_LONGEST = 0.35; // as LONGEST, for the largest moment
const UP = new THREE.Vector3(0, 1, 0);

export interface ContactOptions {
  points: boolean;
  normals: boolean;
  forces: boolean;
  cones: boolean;
  moments: boolean;
  onlyBody: number; // -1: contacts of all bodies
}

/// A set of equal shapes, grown as needed.
class Instances {
  mesh: THREE.InstancedMesh;
  count = 0;
  private plain: PlainMesh | null = null; // draws them instead of the mesh

  constructor(
    private geometry: THREE.BufferGeometry,
    private material: THREE.Material,
    private parent: THREE.Object3D,
    private capacity = 64,
  ) {
    this.mesh = this.make();
  }

  private make(): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, this.capacity);
    mesh.frustumCulled = false;
    mesh.count = 0;
    // Colours exist from the start, so that one program draws all.
    mesh.setColorAt(0, STATE_COLOURS[0]!);
    this.parent.add(mesh);
    return mesh;
  }

  /// As a computer without a graphics card draws best.
  dressPlain(on: boolean): void {
    if (this.plain) {
      this.parent.remove(this.plain.mesh);
      this.plain.dispose();
      this.plain = null;
    }
    if (!on) return;
    const { opacity, side, depthTest } = this.material;
    this.plain = new PlainMesh([{ geometry: this.geometry, count: this.capacity }], { opacity, side, sun: null, depthTest });
    this.plain.mesh.material.transparent = true; // over everything else
    this.plain.mesh.material.depthWrite = false;
    this.parent.add(this.plain.mesh);
  }

  begin(most: number): void {
    if (most > this.capacity) {
      this.parent.remove(this.mesh);
      this.mesh.dispose();
      this.capacity = 2 * most;
      this.mesh = this.make();
      this.dressPlain(this.plain !== null);
    }
    this.count = 0;
  }

  add(matrix: THREE.Matrix4, colour: THREE.Color): void {
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count++, colour);
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0 && !this.plain;
    this.plain?.take(0, this.mesh);
    this.plain?.limit(this.count);
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

export class ContactLayer {
  readonly group = new THREE.Group();
  readonly options: ContactOptions = {
    points: true,
    normals: false,
    forces: true,
    cones: false,
    moments: true,
    onlyBody: -1,
  };
  forceScale = 1; // times the automatic one
  private points: Instances;
  private shafts: Instances;
  private heads: Instances;
  private normals: Instances;
  private cones: Instances;
  private turnShafts: Instances;
  private turnHeads: Instances;
  private all: Instances[];
  private shown: number[] = []; // contacts of the points, in order
  private largest = 0; // force so far, N; it is forgotten slowly
  private turning = 0; // the same of moments, N m
  // Used again for every contact of every frame.
  private at = new THREE.Vector3();
  private along = new THREE.Vector3();
  private scale = new THREE.Vector3();
  private turn = new THREE.Quaternion();
  private matrix = new THREE.Matrix4();

  constructor() {
    const solid = new THREE.MeshBasicMaterial({
      depthTest: false,
      transparent: true,
      opacity: 0.95,
      side: THREE.DoubleSide,
    });
    const faint = new THREE.MeshBasicMaterial({
      transparent: true,
      opacity: 0.18,
      side: THREE.DoubleSide,
      depthWrite: false,
    });
    // Few corners: there may be thousands of contacts, and all are of one colour each.
    const ball = mergeVertices(new THREE.IcosahedronGeometry(1, 0).deleteAttribute("uv").deleteAttribute("normal"));
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 4, 1, true).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(2.6, 1, 6, 1, true).translate(0, 0.5, 0);
    const cone = new THREE.ConeGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.points = new Instances(ball, solid, this.group);
    this.shafts = new Instances(shaft, solid, this.group);
    this.heads = new Instances(head, solid, this.group);
    this.normals = new Instances(shaft, solid, this.group);
    this.cones = new Instances(cone, faint, this.group);
    this.turnShafts = new Instances(shaft, solid, this.group);
    this.turnHeads = new Instances(head, solid, this.group);
    this.all = [this.points, this.shafts, this.heads, this.normals, this.cones, this.turnShafts, this.turnHeads];
    this.group.renderOrder = 10;
  }

  forget(): void {
    this.largest = this.turning = 0;
  }

  dressPlain(on: boolean): void {
    for (const set of this.all) set.dressPlain(on);
  }

  /// size: that things at the bodies may have, m.
  show(scene: Scene, frame: Frame, size: number): void {
    const n = contactCount(frame);
    for (const set of this.all) set.begin(set === this.turnHeads ? 4 * n : set === this.turnShafts ? 2 * n : n);
    this.shown.length = 0;
    this.largest *= FADE;
    this.turning *= FADE;
    const c = frame.contacts;
    for (let k = 0; k < n * CONTACT_SIZE; k += CONTACT_SIZE) {
      const force = Math.hypot(c[k + C.ForceX]!, c[k + C.ForceY]!, c[k + C.ForceZ]!);
      if (force > this.largest) this.largest = force;
      const roll = Math.hypot(c[k + C.RollX]!, c[k + C.RollY]!, c[k + C.RollZ]!);
      this.turning = Math.max(this.turning, roll, Math.abs(c[k + C.SpinMoment]!));
    }
    const only = this.options.onlyBody;
    for (let i = 0; i < n; i++) {
      if (only < 0 || touches(scene, frame, i, only)) this.showOne(c, i, size);
    }
    for (const set of this.all) set.end();
  }

  /// this.at, this.along: where, and in which direction (of length 1).
  private place(set: Instances, width: number, length: number, colour: THREE.Color): void {
    this.turn.setFromUnitVectors(UP, this.along);
    this.scale.set(width, length, width);
    set.add(this.matrix.compose(this.at, this.turn, this.scale), colour);
  }

  /// A moment of this size about this.along, from the contact, with two heads: the right-hand rule.
  private showTurn(c: Float32Array, k: number, moment: number, size: number, colour: THREE.Color): void {
    if (!(moment > 1e-6 * this.turning)) return;
    const thin = 0.006 * size;
    const reach = (this.forceScale * TURN_LONGEST * size * moment) / this.turning;
    const tip = Math.min(5 * thin, reach / 3);
    this.at.set(c[k + C.PointX]!, c[k + C.PointY]!, c[k + C.PointZ]!);
    this.place(this.turnShafts, thin, reach - tip, colour);
    this.at.addScaledVector(this.along, reach - 2 * tip);
    this.place(this.turnHeads, thin, tip, colour);
    this.at.addScaledVector(this.along, tip);
    this.place(this.turnHeads, thin, tip, colour);
  }

  private showTurns(c: Float32Array, k: number, size: number): void {
    const spin = c[k + C.SpinMoment]!;
    const roll = Math.hypot(c[k + C.RollX]!, c[k + C.RollY]!, c[k + C.RollZ]!);
    this.along.set(c[k + C.NormalX]!, c[k + C.NormalY]!, c[k + C.NormalZ]!).multiplyScalar(spin < 0 ? -1 : 1);
    this.showTurn(c, k, Math.abs(spin), size, SPIN_COLOUR);
    if (roll > 0) this.along.set(c[k + C.RollX]!, c[k + C.RollY]!, c[k + C.RollZ]!).divideScalar(roll);
    this.showTurn(c, k, roll, size, ROLL_COLOUR);
  }

  private showOne(c: Float32Array, i: number, size: number): void {
    const k = i * CONTACT_SIZE;
    const colour = STATE_COLOURS[c[k + C.State]!] ?? STATE_COLOURS[0]!;
    const thin = 0.006 * size;
    const length = Math.hypot(c[k + C.ForceX]!, c[k + C.ForceY]!, c[k + C.ForceZ]!);
    const reach = (this.forceScale * LONGEST * size * length) / Math.max(this.largest, 1e-12);
    this.at.set(c[k + C.PointX]!, c[k + C.PointY]!, c[k + C.PointZ]!);
    this.along.set(c[k + C.NormalX]!, c[k + C.NormalY]!, c[k + C.NormalZ]!);
    if (this.options.points) {
      this.place(this.points, 2 * thin, 2 * thin, colour);
      this.shown.push(i);
    }
    if (this.options.normals) this.place(this.normals, thin / 2, 0.15 * size, colour);
    const mu = c[k + C.Mu]!;
    if (this.options.cones && mu > 0) {
      const high = Math.max(c[k + C.Normal]! * (reach / Math.max(length, 1e-12)) || 0, 0.1 * size);
      this.place(this.cones, mu * high, high, colour);
    }
    if (this.options.forces && length > 1e-9 * this.largest) {
      const tip = Math.min(6 * thin, reach / 2);
      this.along.set(c[k + C.ForceX]!, c[k + C.ForceY]!, c[k + C.ForceZ]!).divideScalar(length);
      this.place(this.shafts, thin, reach - tip, colour);
      this.at.addScaledVector(this.along, reach - tip);
      this.place(this.heads, thin, tip, colour);
    }
    if (this.options.moments && (c[k + C.MuSpin]! > 0 || c[k + C.MuRoll]! > 0)) this.showTurns(c, k, size);
  }

  /// The contact under a ray, -1: none.
  pick(ray: THREE.Raycaster): number {
    if (this.points.count === 0) return -1;
    this.points.mesh.computeBoundingSphere(); // the points have moved
    const hit = ray.intersectObject(this.points.mesh, false)[0];
    return hit?.instanceId !== undefined ? (this.shown[hit.instanceId] ?? -1) : -1;
  }
}
