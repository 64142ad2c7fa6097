// The geoms of a model, drawn in as few calls as there are kinds of shapes: each kind is one set of
// instances, each instance has its place and its colour.
import * as THREE from "three";
import { PlainMesh } from "./plain.js";
import { type Shape, shapeOf } from "./shapes.js";
import type { Geom, Scene } from "./types.js";

// MJCF's own grey says nothing: bodies that were given no colour get one each.
const GREY = 0.5;
const PALETTE = [0x5b8db8, 0xd08c60, 0x7aa874, 0xb07aa1, 0xc9b458, 0x6fa8a5, 0xc97b84, 0x8c8fbf].map(
  (hex) => new THREE.Color(hex),
);
const MIX = 0.55; // of the colour of a selected body

function colourOf(geom: Geom): THREE.Color {
  const [r, g, b] = geom.rgba;
  if (r === GREY && g === GREY && b === GREY && geom.body > 0) {
    return PALETTE[geom.body % PALETTE.length]!.clone();
  }
  return new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
}

function isGround(geom: Geom): boolean {
  return geom.type === "plane" && geom.body === 0;
}

interface Part {
  body: number;
  local: THREE.Matrix4; // in the body's frame, with its size
  colour: THREE.Color;
  ground: boolean;
}

interface Batch {
  mesh: THREE.InstancedMesh;
  parts: Part[];
  plain: PlainMesh | null; // draws it instead of the mesh
  first: number; // part of that
}

export interface MaterialOptions {
  transparent: boolean;
  opacity: number;
  side: THREE.Side;
}

export type MakeMaterial = (options: MaterialOptions) => THREE.Material;

export class Batches {
  readonly group = new THREE.Group();
  private batches: Batch[] = [];
  private colour = new THREE.Color();
  private matrix = new THREE.Matrix4();

  hasGround = false;

  load(scene: Scene, makeMaterial: MakeMaterial): void {
    this.clear();
    this.hasGround = scene.geoms.some(isGround);
    const kinds = new Map<string, { shape: Shape; alpha: number; ground: boolean; sheet: boolean; parts: Part[] }>();
    for (const geom of scene.geoms) {
      const alpha = geom.rgba[3];
      if (alpha === 0) continue;
      const shape = shapeOf(scene, geom);
      const ground = isGround(geom);
      const key = `${shape.key} ${alpha} ${ground}`;
      let kind = kinds.get(key);
      if (!kind) {
        const sheet = geom.type === "plane" || geom.type === "mesh" || geom.type === "heightfield";
        kind = { shape, alpha, ground, sheet, parts: [] };
        kinds.set(key, kind);
      }
      const turn = new THREE.Quaternion(geom.quat[1], geom.quat[2], geom.quat[3], geom.quat[0]);
      const local = new THREE.Matrix4().compose(new THREE.Vector3(...geom.pos), turn, shape.scale);
      kind.parts.push({ body: geom.body, local, colour: colourOf(geom), ground });
    }
    for (const { shape, alpha, ground, sheet, parts } of kinds.values()) {
      const material = makeMaterial({
        transparent: alpha < 1,
        opacity: alpha,
        side: sheet ? THREE.DoubleSide : THREE.FrontSide,
      });
      const mesh = new THREE.InstancedMesh(shape.make(), material, parts.length);
      mesh.geometry.computeBoundingBox();
      mesh.frustumCulled = false;
      mesh.castShadow = !ground && alpha === 1;
      mesh.receiveShadow = true;
      mesh.renderOrder = ground ? 1 : 0; // what is hidden is not painted
      this.group.add(mesh);
      this.batches.push({ mesh, parts, plain: null, first: 0 });
    }
  }

  /// Other materials, the same shapes.
  dress(makeMaterial: MakeMaterial): void {
    this.undress();
    for (const { mesh } of this.batches) {
      const { transparent, opacity, side } = mesh.material as THREE.Material;
      (mesh.material as THREE.Material).dispose();
      mesh.material = makeMaterial({ transparent, opacity, side });
    }
  }

  /// As a computer without a graphics card draws best.
  dressPlain(sun: THREE.Vector3): void {
    this.undress();
    const kinds = new Map<string, Batch[]>();
    for (const batch of this.batches) {
      const { opacity, side } = batch.mesh.material as THREE.Material;
      const key = `${opacity} ${side} ${batch.mesh.renderOrder}`;
      kinds.set(key, [...(kinds.get(key) ?? []), batch]);
    }
    for (const kind of kinds.values()) {
      const { opacity, side } = kind[0]!.mesh.material as THREE.Material;
      const sets = kind.map(({ mesh, parts }) => ({ geometry: mesh.geometry, count: parts.length }));
      const plain = new PlainMesh(sets, { opacity, side, sun, depthTest: true });
      plain.mesh.renderOrder = kind[0]!.mesh.renderOrder;
      this.group.add(plain.mesh);
      let first = 0;
      for (const batch of kind) {
        batch.plain = plain;
        batch.first = first;
        batch.mesh.visible = false;
        plain.take(first, batch.mesh);
        first += batch.parts.length;
      }
    }
  }

  private undress(): void {
    for (const batch of this.batches) {
      if (batch.plain) {
        this.group.remove(batch.plain.mesh);
        batch.plain.dispose();
      }
      batch.plain = null;
      batch.mesh.visible = true;
    }
  }

  private clear(): void {
    this.undress();
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.group.clear();
    this.batches = [];
  }

  /// bodies: their matrices are up to date.
  place(bodies: THREE.Object3D[]): void {
    for (const { mesh, parts, plain, first } of this.batches) {
      for (let i = 0; i < parts.length; i++) {
        this.matrix.multiplyMatrices(bodies[parts[i]!.body]!.matrix, parts[i]!.local);
        mesh.setMatrixAt(i, this.matrix);
      }
      mesh.instanceMatrix.needsUpdate = true;
      plain?.take(first, mesh);
    }
  }

  paint(selected: number, highlight: number, ground: number): void {
    for (const { mesh, parts, plain, first } of this.batches) {
      parts.forEach((part, i) => {
        if (part.ground) this.colour.setHex(ground);
        else this.colour.copy(part.colour);
        if (part.body === selected && selected > 0) {
          this.colour.lerp(new THREE.Color(highlight), MIX);
        }
        mesh.setColorAt(i, this.colour);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      plain?.take(first, mesh);
    }
  }

  /// What a ray meets first.
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | null {
    for (const { mesh } of this.batches) mesh.computeBoundingSphere(); // instances have moved
    const found = ray.intersectObject(this.group, true)[0];
    const batch = found && this.batches.find(({ mesh }) => mesh === found.object);
    if (!found || !batch) return null;
    return { body: batch.parts[found.instanceId ?? 0]!.body, point: found.point };
  }

  /// Half-length of a part that moves, as most have it, m; 0: nothing moves.
  grain(): number {
    const sizes: number[] = [];
    const box = new THREE.Box3();
    const size = new THREE.Vector3();
    for (const { mesh, parts } of this.batches) {
      for (const part of parts) {
        if (part.body > 0) sizes.push(box.copy(mesh.geometry.boundingBox!).applyMatrix4(part.local).getSize(size).length() / 2);
      }
    }
    return sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0;
  }

  /// What the model fills, without grounds.
  bounds(): THREE.Box3 {
    const all = new THREE.Box3();
    const one = new THREE.Box3();
    for (const { mesh, parts } of this.batches) {
      parts.forEach((part, i) => {
        if (part.ground) return;
        mesh.getMatrixAt(i, this.matrix);
        all.union(one.copy(mesh.geometry.boundingBox!).applyMatrix4(this.matrix));
      });
    }
    if (all.isEmpty()) all.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    return all;
  }
}
