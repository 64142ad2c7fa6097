// Numbers and contacts in words.
import { STATE_NAMES } from "./contacts.js";
import { C, CONTACT_SIZE, type Frame, type Scene } from "./types.js";

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

/// What `tact contacts` says of a contact, in one sentence.
export function contactSentence(scene: Scene, frame: Frame, i: number): string {
  const c = frame.contacts.subarray(i * CONTACT_SIZE, (i + 1) * CONTACT_SIZE);
  const pair = `${geomName(scene, c[C.GeomA]!)} / ${geomName(scene, c[C.GeomB]!)}`;
  const fn = c[C.Normal]!;
  const force = [c[C.ForceX]!, c[C.ForceY]!, c[C.ForceZ]!];
  const along = force.reduce((sum, f, j) => sum + f * c[C.NormalX + j]!, 0);
  const ft = Math.hypot(...force.map((f, j) => f - along * c[C.NormalX + j]!));
  const slip = Math.hypot(c[C.SlipX]!, c[C.SlipY]!, c[C.SlipZ]!);
  switch (STATE_NAMES[c[C.State]!]) {
    case "stick":
      return c[C.Mu]! > 0
        ? `${pair} sticks: it presses with ${number(fn)} N and uses ${number(c[C.Used]!)} of its friction` +
            ` (${number(ft)} N of at most ${number(c[C.Mu]! * fn)} N, μ = ${number(c[C.Mu]!)}).`
        : `${pair} touches without friction: it presses with ${number(fn)} N.`;
    case "slide":
      return (
        `${pair} slides at ${number(slip)} m/s: it presses with ${number(fn)} N, and friction gives all` +
        ` it has, ${number(ft)} N (μ = ${number(c[C.Mu]!)}).`
      );
    default:
      return `${pair} is open: no force; the gap is ${number(Math.max(0, -c[C.Depth]!))} m.`;
  }
}
