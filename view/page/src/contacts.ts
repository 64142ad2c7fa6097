// The contact layer: points, normals, force arrows and friction cones, coloured by what the contact
// does: sticks green, slides red, open grey.
import * as THREE from "three";
import { C, CONTACT_SIZE, type Frame, contactCount } from "./types.js";

export const STATE_NAMES = ["open", "stick", "slide"];
const STATE_COLOURS = [0x9aa3ad, 0x35c26b, 0xf0524f].map((hex) => new THREE.Color(hex));
const LONGEST = 0.6; // of the model's size, for the largest force
const UP = new THREE.Vector3(0, 1, 0);

export interface ContactOptions {
  points: boolean;
  normals: boolean;
  forces: boolean;
  cones: boolean;
  onlyBody: number; // -1: contacts of all bodies
}

/// A set of equal shapes, grown as needed.
class Instances {
  mesh: THREE.InstancedMesh;
  count = 0;

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

  begin(most: number): void {
    if (most > this.capacity) {
      this.parent.remove(this.mesh);
      this.mesh.dispose();
      this.capacity = 2 * most;
      this.mesh = this.make();
    }
    this.count = 0;
  }

  add(matrix: THREE.Matrix4, colour: THREE.Color): void {
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count++, colour);
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.computeBoundingSphere();
  }
}

export class ContactLayer {
  readonly group = new THREE.Group();
  readonly options: ContactOptions = {
    points: true,
    normals: false,
    forces: true,
    cones: false,
    onlyBody: -1,
  };
  forceScale = 1; // times the automatic one
  private points: Instances;
  private shafts: Instances;
  private heads: Instances;
  private normals: Instances;
  private cones: Instances;
  private shown: number[] = []; // contacts of the points, in order
  private largest = 0; // force so far, N

  constructor() {
    const solid = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
    const faint = new THREE.MeshBasicMaterial({
      transparent: true,
      opacity: 0.18,
      side: THREE.DoubleSide,
      depthWrite: false,
    });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(2.6, 1, 12).translate(0, 0.5, 0);
    const cone = new THREE.ConeGeometry(1, 1, 32, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.points = new Instances(new THREE.SphereGeometry(1, 12, 8), solid, this.group);
    this.shafts = new Instances(shaft, solid, this.group);
    this.heads = new Instances(head, solid, this.group);
    this.normals = new Instances(shaft, solid, this.group);
    this.cones = new Instances(cone, faint, this.group);
    this.group.renderOrder = 10;
  }

  forget(): void {
    this.largest = 0;
  }

  /// bodyOf: body of a geom; size: of the model, m.
  show(frame: Frame, bodyOf: (geom: number) => number, size: number): void {
    const n = contactCount(frame);
    const all = [this.points, this.shafts, this.heads, this.normals, this.cones];
    for (const set of all) set.begin(n);
    this.shown = [];
    const c = frame.contacts;
    for (let i = 0; i < n; i++) {
      const k = i * CONTACT_SIZE;
      this.largest = Math.max(
        this.largest,
        Math.hypot(c[k + C.ForceX]!, c[k + C.ForceY]!, c[k + C.ForceZ]!),
      );
    }
    for (let i = 0; i < n; i++) this.showOne(frame.contacts, i, bodyOf, size);
    for (const set of all) set.end();
  }

  private showOne(
    c: Float32Array,
    i: number,
    bodyOf: (geom: number) => number,
    size: number,
  ): void {
    const k = i * CONTACT_SIZE;
    const only = this.options.onlyBody;
    if (only >= 0 && bodyOf(c[k + C.GeomA]!) !== only && bodyOf(c[k + C.GeomB]!) !== only) return;
    const point = new THREE.Vector3(c[k + C.PointX], c[k + C.PointY], c[k + C.PointZ]);
    const normal = new THREE.Vector3(c[k + C.NormalX], c[k + C.NormalY], c[k + C.NormalZ]);
    const force = new THREE.Vector3(c[k + C.ForceX], c[k + C.ForceY], c[k + C.ForceZ]);
    const colour = STATE_COLOURS[c[k + C.State]!] ?? STATE_COLOURS[0]!;
    const thin = 0.006 * size;
    const place = (at: THREE.Vector3, along: THREE.Vector3, width: number, length: number) =>
      new THREE.Matrix4().compose(
        at,
        new THREE.Quaternion().setFromUnitVectors(UP, along),
        new THREE.Vector3(width, length, width),
      );
    if (this.options.points) {
      this.points.add(place(point, UP, 2 * thin, 2 * thin), colour);
      this.shown.push(i);
    }
    if (this.options.normals) this.normals.add(place(point, normal, thin / 2, 0.15 * size), colour);
    const length = force.length();
    const reach = (this.forceScale * LONGEST * size * length) / Math.max(this.largest, 1e-12);
    if (this.options.forces && length > 1e-9 * this.largest) {
      const along = force.clone().divideScalar(length);
      const tip = Math.min(6 * thin, reach / 2);
      this.shafts.add(place(point, along, thin, reach - tip), colour);
      const end = point.clone().addScaledVector(along, reach - tip);
      this.heads.add(place(end, along, thin, tip), colour);
    }
    const mu = c[k + C.Mu]!;
    if (this.options.cones && mu > 0) {
      const high = Math.max(c[k + C.Normal]! * (reach / Math.max(length, 1e-12)) || 0, 0.1 * size);
      this.cones.add(place(point, normal, mu * high, high), colour);
    }
  }

  /// The contact under a ray, -1: none.
  pick(ray: THREE.Raycaster): number {
    const hit = ray.intersectObject(this.points.mesh, false)[0];
    return hit?.instanceId !== undefined ? (this.shown[hit.instanceId] ?? -1) : -1;
  }
}
