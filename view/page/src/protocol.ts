// Messages of the server: a JSON header with binary numbers behind it.
//
//     u32 length of the header | header, filled up to 8 bytes | numbers, little-endian
import { CONTACT_SIZE, POSE_SIZE, VELOCITY_SIZE, type Frame, type Scene, type SceneInfo, mainRung } from "./types.js";

export interface Message {
  header: Record<string, unknown> & { type: string };
  bytes: ArrayBuffer;
  numbers: number; // where they begin
}

const decoder = new TextDecoder();

export function readMessage(bytes: ArrayBuffer): Message {
  if (bytes.byteLength < 4) throw new Error("a message of less than 4 bytes");
  const length = new DataView(bytes).getUint32(0, true);
  if (4 + length > bytes.byteLength) throw new Error("a message that is cut off");
  const header = JSON.parse(decoder.decode(new Uint8Array(bytes, 4, length))) as Message["header"];
  return { header, bytes, numbers: Math.min(bytes.byteLength, (4 + length + 7) & ~7) };
}

export function readScene(message: Message): Scene {
  const info = message.header as unknown as SceneInfo;
  const at = message.numbers;
  return {
    ...info,
    vertices: info.meshes.map((m) => new Float32Array(message.bytes, at + m.vertices[0], m.vertices[1])),
    triangles: info.meshes.map((m) => new Uint32Array(message.bytes, at + m.triangles[0], m.triangles[1])),
  };
}

interface FrameHeader {
  time: number;
  step: number;
  hash: string;
  bodies: number;
  contacts: number;
  sensors: number;
  ctrl: number;
  error: number;
  certified: number;
  islands: number;
  pivots: number;
  rungs: Record<string, number>;
  kinetic: number;
  potential: number;
  step_us: number;
  cpu_us: number;
  thread_us: number;
}

export function readFrame(message: Message): Frame {
  const h = message.header as unknown as FrameHeader;
  let at = message.numbers;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(message.bytes, at, count);
    at += 4 * count;
    return part;
  };
  return {
    time: h.time,
    step: h.step,
    hash: h.hash,
    poses: take(POSE_SIZE * h.bodies),
    velocities: take(VELOCITY_SIZE * h.bodies),
    contacts: take(CONTACT_SIZE * h.contacts),
    sensors: take(h.sensors),
    ctrl: take(h.ctrl),
    stats: {
      error: h.error,
      certified: h.certified,
      islands: h.islands,
      pivots: h.pivots,
      rungs: h.rungs,
      rung: mainRung(h.rungs),
      kinetic: h.kinetic,
      potential: h.potential,
      stepMicroseconds: h.step_us,
      cpuMicroseconds: h.cpu_us,
      threadMicroseconds: h.thread_us,
    },
  };
}
