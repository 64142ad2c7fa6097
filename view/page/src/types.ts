// What the page knows of a simulation: the scene once, and a frame for every moment.
//
// Numbers are those of the program: SI units, quaternions w x y z, world frame; the normal of a
// contact points from a to b and its force is the one on b.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export interface Body {
  name: string;
  parent: number;
  mass: number;
}

export interface Geom {
  name: string;
  body: number;
  type: string; // plane sphere capsule cylinder box ellipsoid convex mesh heightfield
  size: Vec3;
  pos: Vec3;
  quat: Quat;
  rgba: [number, number, number, number];
  mesh: number; // index of meshes, -1: none
  visual: boolean; // touches nothing
  mu: number;
}

/// Ranges of the binary part: first byte, numbers.
export interface MeshInfo {
  vertices: [number, number]; // float32, three each
  triangles: [number, number]; // uint32, three each
}

export interface Actuator {
  name: string;
  range: [number, number] | null;
}

export interface Sensor {
  name: string;
  address: number;
  size: number;
}

export interface SceneInfo {
  name: string;
  file: string;
  timestep: number;
  bodies: Body[];
  geoms: Geom[];
  meshes: MeshInfo[];
  actuators: Actuator[];
  sensors: Sensor[];
  keyframes: string[];
  method: string;
  cone: string;
  methods?: string[]; // that can be chosen while it runs
}

export interface Scene extends SceneInfo {
  vertices: Float32Array[];
  triangles: Uint32Array[];
}

// Sizes and places are those of view/protocol/view_frame.h; tests/view/test_layout.sh compares them.
export const POSE_SIZE = 7; // x y z w x y z
export const VELOCITY_SIZE = 6; // of the origin; angular

/// One number of a contact after the other, CONTACT_SIZE of them.
export const CONTACT_SIZE = 28;
export const enum C {
  GeomA,
  GeomB,
  PointX,
  PointY,
  PointZ,
  NormalX,
  NormalY,
  NormalZ,
  ForceX,
  ForceY,
  ForceZ,
  Depth,
  Mu,
  State, // 0 open, 1 stick, 2 slide, 3 asleep
  Used, // |f_t| / (mu f_n)
  Normal, // force along the normal
  SlipX, // velocity of b against a, tangential
  SlipY,
  SlipZ,
  Gap, // velocity along the normal
  SpinMoment, // on b about the normal, N m
  RollX, // moment on b about the tangents, N m
  RollY,
  RollZ,
  SpinRate, // of b against a about the normal, rad/s
  RollRate, // about the tangents
  MuSpin, // m
  MuRoll, // m
}

export interface Stats {
  error: number; // worst certified error of the step
  certified: number; // islands certified
  islands: number;
  pivots: number;
  rungs: Record<string, number>; // islands that each rung of the ladder, or the method, answered
  rung: string; // that answered most
  kinetic: number;
  potential: number;
  stepMicroseconds: number; // of the last step, by the clock on the wall
  cpuMicroseconds: number; // CPU time of a step; 0: not known
  threadMicroseconds: number; // the same, with all that the simulation's thread did besides
}

export interface Frame {
  time: number;
  step: number;
  hash: string; // of the state; "": not known
  poses: Float32Array; // POSE_SIZE a body
  velocities: Float32Array; // VELOCITY_SIZE a body; empty: not known
  contacts: Float32Array;
  sensors: Float32Array;
  ctrl: Float32Array;
  stats: Stats;
}

export function contactCount(frame: Frame): number {
  return frame.contacts.length / CONTACT_SIZE;
}

export function mainRung(rungs: Record<string, number>): string {
  let main = "";
  for (const name in rungs) if (main === "" || rungs[name]! > rungs[main]!) main = name;
  return main;
}

/// Of one contact: which body each of its geoms belongs to is the scene's to say.
export function touches(scene: Scene, frame: Frame, contact: number, body: number): boolean {
  const k = contact * CONTACT_SIZE;
  return (
    scene.geoms[frame.contacts[k + C.GeomA]!]?.body === body ||
    scene.geoms[frame.contacts[k + C.GeomB]!]?.body === body
  );
}
