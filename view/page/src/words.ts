// Numbers and contacts in words.
import { STATE_NAMES } from "./contacts.js";
import { C, CONTACT_SIZE, type Frame, type Scene, contactCount, touches } from "./types.js";

export function number(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1) : x.toPrecision(digits);
}

export function vector(x: ArrayLike<number>, digits = 3): string {
  return Array.from(x, (value) => number(Math.abs(value) < 1e-12 ? 0 : value, digits)).join("  ");
}

export function bodyName(scene: Scene, body: number): string {
  if (body === 0) return "world";
  return scene.bodies[body]?.name || `body ${body}`;
}

export function geomName(scene: Scene, geom: number): string {
  const found = scene.geoms[geom];
  if (!found) return `geom ${geom}`;
  return found.name || (found.body > 0 ? bodyName(scene, found.body) : `geom ${geom}`);
}

/// The numbers of one contact point, one line each.
export function contactNumbers(scene: Scene, frame: Frame, i: number): [string, string][] {
  const c = frame.contacts.subarray(i * CONTACT_SIZE, (i + 1) * CONTACT_SIZE);
  const force = c.subarray(C.ForceX, C.ForceX + 3);
  const fn = c[C.Normal]!;
  const ft = Math.sqrt(Math.max(0, force.reduce((sum, f) => sum + f * f, 0) - fn * fn));
  const slip = Math.hypot(c[C.SlipX]!, c[C.SlipY]!, c[C.SlipZ]!);
  const state = STATE_NAMES[c[C.State]!] ?? "open";
  const lines: [string, string][] = [
    ["pair", `${geomName(scene, c[C.GeomA]!)} → ${geomName(scene, c[C.GeomB]!)}`],
    [
      "state",
      state === "slide" ? `slides at ${number(slip)} m/s`
      : state === "stick" ? "sticks"
      : state === "asleep" ? "sleeps: as it was before"
      : "open",
    ],
    ["pressed", `${number(fn)} N`],
    ["friction", `${number(ft)} N of at most ${number(c[C.Mu]! * fn)} N (μ ${number(c[C.Mu]!)})`],
    ["force on b", `${vector(force)} N`],
    [c[C.Depth]! >= 0 ? "overlap" : "gap", `${number(Math.abs(c[C.Depth]!))} m`],
  ];
  const turn = (moment: number, mu: number, rate: number) =>
    `${number(Math.abs(moment))} N m of at most ${number(mu * fn)} N m, turns at ${number(Math.abs(rate))} rad/s`;
  if (c[C.MuSpin]! > 0) lines.push(["spinning", turn(c[C.SpinMoment]!, c[C.MuSpin]!, c[C.SpinRate]!)]);
  if (c[C.MuRoll]! > 0) {
    lines.push(["rolling", turn(Math.hypot(c[C.RollX]!, c[C.RollY]!, c[C.RollZ]!), c[C.MuRoll]!, c[C.RollRate]!)]);
  }
  return lines;
}

/// Contacts of two geoms that share a normal: what `tact contacts` speaks of.
export interface Patch {
  a: number;
  b: number;
  normal: [number, number, number];
  count: number;
  mu: number;
  state: number; // sleeps if one does, slides if one does, sticks if one does, else open
  pressed: number; // sum of normal forces, N
  friction: [number, number, number]; // sum on b across the normal, N
  slip: number; // fastest, m/s
}

const SAME_NORMAL = 0.999;

/// Of all bodies, or of one: those that slide first, then those nearest to it.
export function patchesOf(scene: Scene, frame: Frame, body: number): Patch[] {
  const found = new Map<string, Patch[]>();
  for (let i = 0; i < contactCount(frame); i++) {
    if (body > 0 && !touches(scene, frame, i, body)) continue;
    const c = frame.contacts.subarray(i * CONTACT_SIZE, (i + 1) * CONTACT_SIZE);
    const n = [c[C.NormalX]!, c[C.NormalY]!, c[C.NormalZ]!] as Patch["normal"];
    const key = `${c[C.GeomA]} ${c[C.GeomB]}`;
    const pair = found.get(key) ?? [];
    found.set(key, pair);
    let patch = pair.find((p) => p.normal[0] * n[0] + p.normal[1] * n[1] + p.normal[2] * n[2] > SAME_NORMAL);
    if (!patch) {
      patch = { a: c[C.GeomA]!, b: c[C.GeomB]!, normal: n, count: 0, mu: c[C.Mu]!, state: 0, pressed: 0, friction: [0, 0, 0], slip: 0 };
      pair.push(patch);
    }
    patch.count++;
    patch.state = Math.max(patch.state, c[C.State]!);
    patch.pressed += c[C.Normal]!;
    for (let j = 0; j < 3; j++) patch.friction[j]! += c[C.ForceX + j]! - c[C.Normal]! * n[j]!;
    patch.slip = Math.max(patch.slip, Math.hypot(c[C.SlipX]!, c[C.SlipY]!, c[C.SlipZ]!));
  }
  const rank = (p: Patch) => (p.state === 2 ? 1e9 : 0) + usedOf(p);
  return [...found.values()].flat().sort((p, q) => rank(q) - rank(p));
}

/// The tangential load; what single precision has left of one that is none is none.
function loadOf(p: Patch): number {
  const load = Math.hypot(...p.friction);
  return load < 1e-6 * Math.abs(p.pressed) ? 0 : load;
}

function usedOf(p: Patch): number {
  const most = p.mu * p.pressed;
  return most > 0 ? loadOf(p) / most : 0;
}

/// As `tact contacts` says it, without where the load comes from: that takes the simulation.
export function patchSentence(scene: Scene, p: Patch): string {
  const pair = `${geomName(scene, p.a)}/${geomName(scene, p.b)}`;
  const most = p.mu * p.pressed;
  if (p.state === 0) return `${pair} carries nothing.`;
  let what: string;
  if (p.mu === 0) what = ` has no friction, and ${p.state === 2 ? "slides" : "does not slide now"}`;
  else if (p.state === 2) what = ` slides at ${number(p.slip)} m/s; its friction is ${number(most)} N`;
  else {
    what =
      ` holds and uses ${usedOf(p).toFixed(2)} of its friction; the tangential load is` +
      ` ${number(loadOf(p))} N of at most ${number(most)} N`;
  }
  return `${pair}${what}. It is pressed with ${number(p.pressed)} N.${p.state === 3 ? " It sleeps." : ""}`;
}

/// What the program says of the patches of a step, with where their loads come from.
export interface Words {
  step: number;
  patches: { a: number; b: number; normal: [number, number, number]; says: string }[];
}

/// Its sentence on the patch, if there is one.
export function find(words: Words | null, p: { a: number; b: number; normal: ArrayLike<number> }): string | null {
  let best: string | null = null;
  let nearest = 0.9;
  for (const w of words?.patches ?? []) {
    const along = w.normal.reduce((sum, x, j) => sum + x * p.normal[j]!, 0);
    if (w.a === p.a && w.b === p.b && along > nearest) [nearest, best] = [along, w.says];
  }
  return best;
}
