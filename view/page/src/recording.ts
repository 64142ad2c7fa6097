// Recordings (.tact), as docs/guide/recordings.md has them: blocks with a checksum, each number
// aligned to its size. What cannot be read ends the recording, and is told. The first number of a list() is how
// many bytes one takes at least. tests/view/test_layout.sh compares these numbers with src/io/record.
import { C, CONTACT_SIZE, POSE_SIZE, type Frame, type Geom, type Quat, type Scene, type Vec3, mainRung } from "./types.js";

export interface Recording {
  scene: Scene;
  frames: Frame[];
  complete: boolean;
}

const MAGIC = "tactrec\n";
const HEAD = 16;
const BLOCK_HEAD = 16;
const CONTACT_BYTES = 96;
const MOMENT_BYTES = 40;
const RUNG_NAME = 12; // bytes
const GEOM_TYPES = ["plane", "sphere", "capsule", "cylinder", "box", "ellipsoid", "convex", "mesh", "heightfield"];

const CRC = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(parts: Uint8Array[]): number {
  let crc = ~0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) crc = CRC[(crc ^ part[i]!) & 255]! ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/// Numbers one after the other, little-endian.
class Reader {
  private at = 0;
  private view: DataView;

  constructor(private bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(size: number): number {
    const start = Math.ceil(this.at / size) * size;
    if (start + size > this.bytes.length) throw new Error("a block is too short");
    this.at = start + size;
    return start;
  }

  int(): number {
    return this.view.getInt32(this.take(4), true);
  }

  count(size: number): number {
    const n = this.int();
    if (n < 0 || n * size > this.bytes.length - this.at) throw new Error("a count is out of range");
    return n;
  }

  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  u64(): number {
    return Number(this.view.getBigUint64(this.take(8), true));
  }

  hex(): string {
    return this.view.getBigUint64(this.take(8), true).toString(16).padStart(16, "0");
  }

  f64s(n: number): number[] {
    return Array.from({ length: n }, () => this.f64());
  }

  text(): string {
    const n = this.count(1);
    const start = this.at;
    this.at += n;
    return new TextDecoder().decode(this.bytes.subarray(start, start + n));
  }

  skip(n: number): Uint8Array {
    const start = this.at;
    if (start + n > this.bytes.length) throw new Error("a block is too short");
    this.at += n;
    return this.bytes.subarray(start, start + n);
  }

  /// Nothing is left but what fills up to eight bytes.
  ends(): boolean {
    return Math.ceil(this.at / 8) * 8 >= this.bytes.length;
  }

  vec3(): Vec3 {
    return [this.f64(), this.f64(), this.f64()];
  }

  quat(): Quat {
    return [this.f64(), this.f64(), this.f64(), this.f64()];
  }

  list<T>(size: number, one: (index: number) => T): T[] {
    return Array.from({ length: this.count(size) }, (_, i) => one(i));
  }
}

interface Model {
  scene: Scene;
  nq: number;
  nv: number;
  sensorSize: number;
  moves: boolean[];
  poses: Float32Array; // of bodies that do not move
}

function readMesh(r: Reader): { vertices: Float32Array; triangles: Uint32Array } {
  r.text();
  const vertices = r.int();
  const triangles = r.int();
  return {
    vertices: Float32Array.from({ length: 3 * vertices }, () => r.f32()),
    triangles: Uint32Array.from({ length: 3 * triangles }, () => r.int()),
  };
}

function readField(r: Reader): { vertices: Float32Array; triangles: Uint32Array } {
  r.text();
  const rows = r.int();
  const columns = r.int();
  const half = [r.f64(), r.f64()] as const;
  const top = r.f64();
  r.f64();
  const vertices = new Float32Array(3 * rows * columns);
  for (let i = 0; i < rows * columns; i++) {
    vertices[3 * i] = half[0] * ((2 * (i % columns)) / (columns - 1) - 1);
    vertices[3 * i + 1] = half[1] * ((2 * Math.floor(i / columns)) / (rows - 1) - 1);
    vertices[3 * i + 2] = top * r.f32();
  }
  const triangles: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const low = row * columns + column;
      const high = low + columns;
      triangles.push(low, low + 1, high + 1, low, high + 1, high);
    }
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

function readGeom(r: Reader): Geom {
  const name = r.text();
  const type = GEOM_TYPES[r.int()] ?? "mesh";
  const body = r.int();
  const mesh = r.int();
  r.int();
  const visual = r.int() !== 0;
  const pos = r.vec3();
  const quat = r.quat();
  const size = r.vec3();
  const rgba = r.f64s(4) as Geom["rgba"];
  return { name, type, body, mesh, visual, pos, quat, size, rgba, mu: 0 };
}

function readModel(r: Reader): Model {
  const name = r.text();
  r.u64();
  r.vec3();
  const [nq, nv, sensorSize] = [r.int(), r.int(), r.int()];
  const moves: boolean[] = [];
  const fixed: number[] = [];
  const bodies = r.list(68, () => {
    const body = { name: r.text(), parent: r.int(), mass: 0 };
    moves.push(r.int() !== 0);
    fixed.push(...r.vec3(), ...r.quat());
    return body;
  });
  r.list(88, () => { // joints
    r.text();
    for (let i = 0; i < 5; i++) r.int();
    r.f64s(8);
  });
  const geoms = r.list(136, () => readGeom(r));
  r.list(128, () => { // sites
    r.text();
    for (let i = 0; i < 3; i++) r.int();
    r.f64s(14);
  });
  const meshes = r.list(12, () => readMesh(r));
  const fields = r.list(44, () => readField(r));
  for (const geom of geoms) if (geom.type === "heightfield") geom.mesh += meshes.length;
  const actuators = r.list(24, () => {
    const actuator = { name: r.text(), limited: r.int() !== 0, range: r.f64s(2) as [number, number] };
    return { name: actuator.name, range: actuator.limited ? actuator.range : null };
  });
  const sensors = r.list(16, () => {
    const sensor = { name: r.text(), type: r.int(), address: r.int(), size: r.int() };
    return { name: sensor.name || `sensor ${sensor.address}`, address: sensor.address, size: sensor.size };
  });
  const all = [...meshes, ...fields];
  const scene: Scene = {
    name, file: "", timestep: 0, bodies, geoms, actuators, sensors, keyframes: [], method: "", cone: "",
    meshes: all.map(() => ({ vertices: [0, 0], triangles: [0, 0] })),
    vertices: all.map((mesh) => mesh.vertices),
    triangles: all.map((mesh) => mesh.triangles),
  };
  return { scene, nq, nv, sensorSize, moves, poses: Float32Array.from(fixed) };
}

/// Returns its first tangent.
function readContact(r: Reader, out: Float32Array, k: number): number[] {
  r.u64();
  const read = (n: number) => Array.from({ length: n }, () => r.f32());
  out[k + C.GeomA] = r.int();
  out[k + C.GeomB] = r.int();
  const point = read(3);
  const n = read(3);
  const t = read(3);
  const depth = r.f32();
  const mu = r.f32();
  const force = read(3);
  const velocity = read(3);
  const used = r.f32();
  const state = r.int();
  r.skip(4);
  const s = [n[1]! * t[2]! - n[2]! * t[1]!, n[2]! * t[0]! - n[0]! * t[2]!, n[0]! * t[1]! - n[1]! * t[0]!];
  for (let j = 0; j < 3; j++) {
    out[k + C.PointX + j] = point[j]!;
    out[k + C.NormalX + j] = n[j]!;
    out[k + C.ForceX + j] = force[0]! * n[j]! + force[1]! * t[j]! + force[2]! * s[j]!;
    out[k + C.SlipX + j] = velocity[1]! * t[j]! + velocity[2]! * s[j]!;
  }
  out[k + C.Depth] = depth;
  out[k + C.Mu] = mu;
  out[k + C.State] = state;
  out[k + C.Used] = used;
  out[k + C.Normal] = force[0]!;
  out[k + C.Gap] = velocity[0]!;
  return t;
}

/// Moments of the contacts that have some, behind all contacts. tangents: the first of each.
function readMoments(r: Reader, out: Float32Array, tangents: number[][]): void {
  if (r.ends()) return;
  const count = r.count(MOMENT_BYTES);
  r.int();
  for (let m = 0; m < count; m++) {
    const i = r.int();
    const [muSpin, muRoll, mn, m1, m2, wn, w1, w2] = Array.from({ length: 8 }, () => r.f32()) as
      [number, number, number, number, number, number, number, number];
    r.int();
    const k = i * CONTACT_SIZE;
    const n = [out[k + C.NormalX]!, out[k + C.NormalY]!, out[k + C.NormalZ]!];
    const t = tangents[i];
    if (!t) continue;
    const s = [n[1]! * t[2]! - n[2]! * t[1]!, n[2]! * t[0]! - n[0]! * t[2]!, n[0]! * t[1]! - n[1]! * t[0]!];
    for (let j = 0; j < 3; j++) out[k + C.RollX + j] = m1 * t[j]! + m2 * s[j]!;
    out[k + C.SpinMoment] = mn;
    out[k + C.SpinRate] = wn;
    out[k + C.RollRate] = Math.hypot(w1, w2);
    out[k + C.MuSpin] = muSpin;
    out[k + C.MuRoll] = muRoll;
  }
}

function readFrame(r: Reader, model: Model): Frame {
  const time = r.f64();
  const step = r.u64();
  const hash = r.hex();
  const [kinetic, potential, error, , , , stepTime] = r.f64s(7) as [number, number, number, number, number, number, number];
  const [islands, certified, pivots] = [r.int(), r.int(), r.int()];
  r.int();
  const rungCount = r.int();
  const contactCount = r.count(CONTACT_BYTES);
  r.f64s(model.nq + model.nv);
  const ctrl = Float32Array.from(r.f64s(model.scene.actuators.length));
  const sensors = Float32Array.from(r.f64s(model.sensorSize));
  const rungs: Record<string, number> = {};
  for (let i = 0; i < rungCount; i++) {
    const count = r.int();
    rungs[new TextDecoder().decode(r.skip(RUNG_NAME)).replace(/\0.*$/s, "")] = count;
  }
  const poses = Float32Array.from(model.poses);
  model.moves.forEach((moves, body) => {
    for (let j = 0; moves && j < POSE_SIZE; j++) poses[POSE_SIZE * body + j] = r.f32();
  });
  const contacts = new Float32Array(CONTACT_SIZE * contactCount);
  const tangents = Array.from({ length: contactCount }, (_, i) => readContact(r, contacts, i * CONTACT_SIZE));
  readMoments(r, contacts, tangents);
  return {
    time, step, hash, poses, velocities: new Float32Array(0), contacts, sensors, ctrl,
    stats: {
      error, certified, islands, pivots, rungs, rung: mainRung(rungs), kinetic, potential,
      stepMicroseconds: 1e6 * stepTime, cpuMicroseconds: 0, threadMicroseconds: 0,
    },
  };
}

export function readRecording(data: ArrayBuffer): Recording {
  const bytes = new Uint8Array(data);
  const view = new DataView(data);
  if (bytes.length < HEAD || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new Error("it is no recording of tact");
  }
  let run: { scene: string; method: string; cone: string; timestep: number } | null = null;
  let model: Model | null = null;
  const frames: Frame[] = [];
  let complete = false;
  for (let at = HEAD; at + BLOCK_HEAD <= bytes.length; ) {
    const kind = new TextDecoder().decode(bytes.subarray(at, at + 4));
    const length = Number(view.getBigUint64(at + 8, true));
    const payload = bytes.subarray(at + BLOCK_HEAD, at + BLOCK_HEAD + length);
    const sum = view.getUint32(at + 4, true);
    const head = [bytes.subarray(at, at + 4), bytes.subarray(at + 8, at + 16)];
    if (payload.length !== length || crcOf([...head, payload]) !== sum) break;
    const r = new Reader(payload);
    if (kind === "run ") {
      r.text();
      run = { scene: r.text(), method: r.text(), cone: r.text(), timestep: r.f64() };
    } else if (kind === "modl") {
      model = readModel(r);
    } else if (kind === "fram" && model) {
      frames.push(readFrame(r, model));
    } else if (kind === "indx") {
      complete = true;
      break;
    }
    at += BLOCK_HEAD + Math.ceil(length / 8) * 8;
  }
  if (!model || !run || frames.length === 0) throw new Error("it is cut off before its first frame");
  const scene = { ...model.scene, file: run.scene, method: run.method, cone: run.cone, timestep: run.timestep };
  return { scene, frames, complete };
}
