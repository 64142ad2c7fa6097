// Geoms as three.js geometry. Shapes that are the same up to their size share one geometry, so that
// many of them are drawn at once.
import * as THREE from "three";
import type { Geom, Scene } from "./types.js";

const PLANE_SIZE = 40; // of an infinite plane as it is drawn, m

/// Corners around a round shape: the more of them, the smaller each is seen.
function corners(geoms: number): number {
  return geoms < 40 ? 32 : geoms < 120 ? 20 : 14;
}

export interface Shape {
  key: string; // the same: the same geometry
  scale: THREE.Vector3;
  make: () => THREE.BufferGeometry;
}

function meshGeometry(scene: Scene, mesh: number): THREE.BufferGeometry {
  const shared = new THREE.BufferGeometry();
  shared.setAttribute("position", new THREE.BufferAttribute(scene.vertices[mesh]!, 3));
  shared.setIndex(new THREE.BufferAttribute(scene.triangles[mesh]!, 1));
  // Faces of their own keep edges sharp.
  const flat = shared.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/// Along z, as the program has it; three.js has y.
function alongZ(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

export function shapeOf(scene: Scene, geom: Geom): Shape {
  const [a, b, c] = geom.size;
  const round = corners(scene.geoms.length);
  const sized = (key: string, x: number, y: number, z: number, make: Shape["make"]): Shape => ({
    key,
    scale: new THREE.Vector3(x, y, z),
    make,
  });
  switch (geom.type) {
    case "plane":
      return sized("plane", a > 0 ? 2 * a : PLANE_SIZE, b > 0 ? 2 * b : PLANE_SIZE, 1, () => new THREE.PlaneGeometry(1, 1));
    case "sphere":
      return sized("sphere", a, a, a, () => new THREE.SphereGeometry(1, round, (5 * round) >> 3));
    case "ellipsoid":
      return sized("sphere", a, b, c, () => new THREE.SphereGeometry(1, round, (5 * round) >> 3));
    case "cylinder":
      return sized("cylinder", a, a, b, () => alongZ(new THREE.CylinderGeometry(1, 1, 2, round)));
    case "box":
      return sized("box", a, b, c, () => new THREE.BoxGeometry(2, 2, 2));
    case "capsule": // its caps stay round: one geometry for every slenderness
      return sized(`capsule ${(b / a).toPrecision(6)}`, a, a, a, () =>
        alongZ(new THREE.CapsuleGeometry(1, (2 * b) / a, round >> 2, round)),
      );
    default:
      return sized(`mesh ${geom.mesh}`, 1, 1, 1, () =>
        geom.mesh >= 0 ? meshGeometry(scene, geom.mesh) : new THREE.BufferGeometry(),
      );
  }
}
