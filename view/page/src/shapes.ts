// Geoms as three.js geometry, in their own frame.
import * as THREE from "three";
import type { Geom, Scene } from "./types.js";

const PLANE_SIZE = 40; // of an infinite plane as it is drawn, m

function meshGeometry(scene: Scene, geom: Geom): THREE.BufferGeometry {
  const shared = new THREE.BufferGeometry();
  shared.setAttribute("position", new THREE.BufferAttribute(scene.vertices[geom.mesh]!, 3));
  shared.setIndex(new THREE.BufferAttribute(scene.triangles[geom.mesh]!, 1));
  // Faces of their own keep edges sharp.
  const flat = shared.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/// Along z, as the program has it; three.js has y.
function alongZ(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

export function shapeOf(scene: Scene, geom: Geom): THREE.BufferGeometry {
  const [a, b, c] = geom.size;
  switch (geom.type) {
    case "plane":
      return new THREE.PlaneGeometry(a > 0 ? 2 * a : PLANE_SIZE, b > 0 ? 2 * b : PLANE_SIZE);
    case "sphere":
      return new THREE.SphereGeometry(a, 32, 20);
    case "capsule":
      return alongZ(new THREE.CapsuleGeometry(a, 2 * b, 10, 24));
    case "cylinder":
      return alongZ(new THREE.CylinderGeometry(a, a, 2 * b, 40));
    case "box":
      return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
    default:
      return geom.mesh >= 0 ? meshGeometry(scene, geom) : new THREE.BufferGeometry();
  }
}
