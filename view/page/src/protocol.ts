// Messages of the server: a JSON header with binary numbers behind it.
//
//     u32 length of the header | header, filled up to 8 bytes | numbers, little-endian
import { CONTACT_SIZE, type Frame, type Scene, type SceneInfo } from "./types.js";

export interface Message {
  header: Record<string, unknown> & { type: string };
  numbers: ArrayBuffer;
}

export function readMessage(data: ArrayBuffer): Message {
  if (data.byteLength < 4) throw new Error("a message of less than 4 bytes");
  const length = new DataView(data).getUint32(0, true);
  if (4 + length > data.byteLength) throw new Error("a message that is cut off");
  const text = new TextDecoder().decode(new Uint8Array(data, 4, length));
  const header = JSON.parse(text) as Message["header"];
  return { header, numbers: data.slice(Math.min(data.byteLength, (4 + length + 7) & ~7)) };
}

export function readScene(message: Message): Scene {
  const info = message.header as unknown as SceneInfo;
  return {
    ...info,
    vertices: info.meshes.map((m) => new Float32Array(message.numbers, m.vertices[0], m.vertices[1])),
    triangles: info.meshes.map(
      (m) => new Uint32Array(message.numbers, m.triangles[0], m.triangles[1]),
    ),
  };
}

interface FrameHeader {
  time: number;
  step: number;
  bodies: number;
  contacts: number;
  sensors: number;
  ctrl: number;
  error: number;
  certified: number;
  islands: number;
  pivots: number;
  rung: string;
  kinetic: number;
  potential: number;
  step_us: number;
}

export function readFrame(message: Message): Frame {
  const h = message.header as unknown as FrameHeader;
  let at = 0;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(message.numbers, at, count);
    at += 4 * count;
    return part;
  };
  return {
    time: h.time,
    step: h.step,
    poses: take(7 * h.bodies),
    contacts: take(CONTACT_SIZE * h.contacts),
    sensors: take(h.sensors),
    ctrl: take(h.ctrl),
    stats: {
      error: h.error,
      certified: h.certified,
      islands: h.islands,
      pivots: h.pivots,
      rung: h.rung,
      kinetic: h.kinetic,
      potential: h.potential,
      stepMicroseconds: h.step_us,
    },
  };
}
