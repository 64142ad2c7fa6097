// Plots over time: forces of the selection, proof, pivots, rung, energy, step time, sensors.
import uPlot from "uplot";
import { C, CONTACT_SIZE, type Frame, type Scene, contactCount, touches } from "./types.js";

export interface PlotKind {
  name: string;
  unit: string;
  log?: boolean;
  stairs?: boolean; // values are counts: no slopes between them
  series: (scene: Scene, selected: number, frames: Frame[]) => string[];
  values: (scene: Scene, frame: Frame, selected: number) => (number | null)[];
}

const WINDOW = 600; // points that are drawn at most

function pressed(scene: Scene, frame: Frame, selected: number): [number, number] {
  let normal = 0;
  let used = 0;
  for (let i = 0; i < contactCount(frame); i++) {
    if (selected > 0 && !touches(scene, frame, i, selected)) continue;
    normal += frame.contacts[i * CONTACT_SIZE + C.Normal]!;
    used = Math.max(used, frame.contacts[i * CONTACT_SIZE + C.Used]!);
  }
  return [normal, used];
}

/// Rungs of the ladder that have answered so far, in the order in which they did.
const rungs: string[] = [];

function rungsOf(frames: Frame[]): string[] {
  const newest = frames[frames.length - 1];
  for (const frame of rungs.length === 0 ? frames : newest ? [newest] : []) {
    for (const name in frame.stats.rungs) if (!rungs.includes(name)) rungs.push(name);
  }
  return rungs.length > 0 ? rungs : ["none yet"];
}

export const PLOTS: PlotKind[] = [
  {
    name: "Contact force",
    unit: "N",
    series: (_, s) => [s > 0 ? "on the selection" : "all contacts"],
    values: (scene, f, s) => [pressed(scene, f, s)[0]],
  },
  {
    name: "Friction used",
    unit: "",
    series: () => ["largest |ft| / (μ fn)"],
    values: (scene, f, s) => [pressed(scene, f, s)[1]],
  },
  {
    name: "Proof",
    unit: "",
    log: true,
    series: () => ["certified error"],
    values: (_, f) => [f.stats.error > 0 ? f.stats.error : null],
  },
  { name: "Pivots", unit: "", stairs: true, series: () => ["pivots"], values: (_, f) => [f.stats.pivots] },
  {
    name: "Ladder",
    unit: "",
    stairs: true,
    series: (_, __, frames) => rungsOf(frames),
    values: (_, f) => rungs.map((name) => f.stats.rungs[name] ?? 0),
  },
  {
    name: "Energy",
    unit: "J",
    series: () => ["kinetic", "potential"],
    values: (_, f) => [f.stats.kinetic, f.stats.potential],
  },
  {
    name: "Step time",
    unit: "µs",
    series: () => ["the last step", "CPU time"],
    values: (_, f) => [f.stats.stepMicroseconds, f.stats.cpuMicroseconds || null],
  },
  {
    name: "Contacts",
    unit: "",
    stairs: true,
    series: () => ["contacts", "sliding"],
    values: (_, f) => {
      let sliding = 0;
      for (let i = 0; i < contactCount(f); i++) {
        if (f.contacts[i * CONTACT_SIZE + C.State] === 2) sliding++;
      }
      return [contactCount(f), sliding];
    },
  },
  {
    name: "Sensors",
    unit: "",
    series: (scene) =>
      scene.sensors.flatMap((s) =>
        Array.from({ length: s.size }, (_, i) => (s.size > 1 ? `${s.name} ${i}` : s.name)),
      ),
    values: (scene, f) =>
      scene.sensors.flatMap((s) =>
        Array.from({ length: s.size }, (_, i) => f.sensors[s.address + i] ?? null),
      ),
  },
];

const INK = ["#4c9ce0", "#f0a34f", "#35c26b", "#c678dd", "#e0595b", "#56b6c2", "#b5bd68", "#d19a9a"];

const TITLES: Record<string, string> = {
  "Contact force": "Sum of normal forces on the selected body, or of all contacts",
  "Friction used": "Largest share of friction that a contact uses: 1 slides",
  Proof: "Certified error of the step's contact problems: how exactly they are solved",
  Pivots: "Pivots of the step",
  Ladder: "Which rung of the ladder, or method, answered how many contact problems of the step",
  Energy: "Kinetic and potential energy",
  "Step time": "What a step takes",
  Contacts: "Contact points, and those that slide",
  Sensors: "Sensors of the model",
};

export function titleOf(kind: PlotKind): string {
  return TITLES[kind.name] ?? kind.name;
}

export class Plot {
  private plot: uPlot | null = null;
  private key = "";
  private known = new WeakMap<Frame, (number | null)[]>(); // of the present key

  constructor(
    private place: HTMLElement,
    public kind: PlotKind,
  ) {}

  private valuesOf(scene: Scene, frame: Frame, selected: number): (number | null)[] {
    let values = this.known.get(frame);
    if (!values) {
      values = this.kind.values(scene, frame, selected);
      this.known.set(frame, values);
    }
    return values;
  }

  /// Frames up to the one that is shown.
  draw(scene: Scene, frames: Frame[], at: number, selected: number): void {
    const names = this.kind.series(scene, selected, frames);
    const key = [this.kind.name, selected, names.join(), this.place.clientWidth].join(":");
    if (key !== this.key) this.known = new WeakMap();
    const every = Math.max(1, Math.ceil((at + 1) / WINDOW));
    const times: number[] = [];
    const values: (number | null)[][] = names.map(() => []);
    for (let i = at % every; i <= at; i += every) {
      const frame = frames[i]!;
      const now = this.valuesOf(scene, frame, selected);
      times.push(frame.time);
      for (let k = 0; k < values.length; k++) values[k]!.push(now[k] ?? null);
    }
    const data = [times, ...values] as uPlot.AlignedData;
    if (key === this.key && this.plot) {
      this.plot.setData(data);
    } else {
      this.key = key;
      this.plot?.destroy();
      this.plot = new uPlot(this.options(names), data, this.place);
    }
    const { left } = this.plot.cursor;
    if (left === undefined || left < 0) this.plot.setLegend({ idx: times.length - 1 }); // the newest
  }

  private options(names: string[]): uPlot.Options {
    const style = getComputedStyle(document.body);
    const ink = style.getPropertyValue("--ink").trim();
    const faint = style.getPropertyValue("--edge").trim();
    const filter = this.kind.log ? { filter: powers } : {};
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    const stairs = this.kind.stairs ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {};
    return {
      width: Math.max(this.place.clientWidth, 120),
      height: 130,
      legend: { show: names.length <= 6, live: true },
      cursor: { y: false },
      scales: { x: { time: false }, y: this.kind.log ? { distr: 3, range: decades } : { range: around } },
      axes: [
        { ...axis, size: 24 },
        {
          ...axis,
          ...filter,
          size: 62,
          grid: { ...axis.grid, ...filter },
          ticks: { ...axis.ticks, ...filter },
          values: (_, ticks) => ticks.map((v) => (v === null ? "" : this.kind.log ? `1e${Math.round(Math.log10(v))}` : short(v))),
        },
      ],
      series: [
        { label: "s", value: (_, v) => (v === null ? "" : v.toFixed(3)) },
        ...names.map((label, i) => ({
          label: this.kind.unit ? `${label} (${this.kind.unit})` : label,
          stroke: INK[i % INK.length]!,
          width: 1.5,
          points: { show: false },
          ...stairs,
          value: (_: uPlot, v: number | null) => (v === null ? "" : short(v)),
        })),
      ],
    };
  }

  forget(): void {
    this.plot?.destroy();
    this.plot = null;
    this.key = "";
  }
}

/// What hardly changes is not shown as if it did: the axis spans a fiftieth of the values at least.
function around(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size === 0) return [0, 1];
  const room = Math.max(0.1 * (high - low), 0.01 * size);
  return [low >= 0 && low < 0.2 * high ? 0 : low - room, high + room];
}

/// Of a logarithmic axis only powers of ten, and five of them at most.
function powers(_: uPlot, ticks: number[]): (number | null)[] {
  const whole = ticks.filter((v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6);
  const every = Math.ceil(whole.length / 5);
  return ticks.map((v) => (whole.indexOf(v) >= 0 && whole.indexOf(v) % every === 0 ? v : null));
}

/// Whole decades, one at least.
function decades(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (!low || !high) return [1e-12, 1e-6];
  const from = Math.floor(Math.log10(low));
  return [10 ** from, 10 ** Math.max(from + 1, Math.ceil(Math.log10(high)))];
}

function short(v: number): string {
  const size = Math.abs(v);
  return size !== 0 && (size >= 1e5 || size < 1e-2) ? v.toExponential(1) : String(Number(v.toPrecision(5)));
}
