// Plots over time: forces of the selection, proof, pivots, rung, energy, step time, sensors.
import uPlot from "uplot";
import { C, CONTACT_SIZE, type Frame, type Scene, contactCount } from "./types.js";

export interface PlotKind {
  name: string;
  unit: string;
  log?: boolean;
  series: (scene: Scene, selected: number) => string[];
  values: (scene: Scene, frame: Frame, selected: number) => (number | null)[];
}

const WINDOW = 600; // points that are drawn at most

function pressed(scene: Scene, frame: Frame, selected: number): [number, number] {
  let normal = 0;
  let used = 0;
  for (let i = 0; i < contactCount(frame); i++) {
    const k = i * CONTACT_SIZE;
    const a = scene.geoms[frame.contacts[k + C.GeomA]!]?.body;
    const b = scene.geoms[frame.contacts[k + C.GeomB]!]?.body;
    if (selected > 0 && a !== selected && b !== selected) continue;
    normal += frame.contacts[k + C.Normal]!;
    used = Math.max(used, frame.contacts[k + C.Used]!);
  }
  return [normal, used];
}

export const PLOTS: PlotKind[] = [
  {
    name: "Contact force",
    unit: "N",
    series: (_, s) => [s > 0 ? "normal forces on the selection" : "normal forces of all contacts"],
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
  { name: "Pivots", unit: "", series: () => ["pivots"], values: (_, f) => [f.stats.pivots] },
  {
    name: "Energy",
    unit: "J",
    series: () => ["kinetic", "potential"],
    values: (_, f) => [f.stats.kinetic, f.stats.potential],
  },
  {
    name: "Step time",
    unit: "µs",
    series: () => ["step"],
    values: (_, f) => [f.stats.stepMicroseconds],
  },
  {
    name: "Contacts",
    unit: "",
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

export class Plot {
  private plot: uPlot | null = null;
  private key = "";

  constructor(
    private place: HTMLElement,
    public kind: PlotKind,
  ) {}

  /// Frames up to the one that is shown.
  draw(scene: Scene, frames: Frame[], at: number, selected: number): void {
    const names = this.kind.series(scene, selected);
    const key = [this.kind.name, selected, names.length, this.place.clientWidth].join(":");
    const every = Math.max(1, Math.ceil((at + 1) / WINDOW));
    const times: number[] = [];
    const values: (number | null)[][] = names.map(() => []);
    for (let i = at % every; i <= at; i += every) {
      const frame = frames[i]!;
      times.push(frame.time);
      this.kind.values(scene, frame, selected).forEach((v, k) => values[k]?.push(v));
    }
    const data = [times, ...values] as uPlot.AlignedData;
    if (key === this.key && this.plot) {
      this.plot.setData(data);
      return;
    }
    this.key = key;
    this.plot?.destroy();
    const ink = getComputedStyle(document.body).getPropertyValue("--ink").trim();
    const faint = getComputedStyle(document.body).getPropertyValue("--edge").trim();
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    this.plot = new uPlot(
      {
        width: Math.max(this.place.clientWidth, 120),
        height: 130,
        legend: { show: names.length <= 4, live: true },
        cursor: { y: false },
        scales: { x: { time: false }, y: this.kind.log ? { distr: 3 } : {} },
        axes: [
          { ...axis, size: 24 },
          { ...axis, size: 58, values: (_, ticks) => ticks.map((v) => (v === null ? "" : short(v))) },
        ],
        series: [
          { label: "s", value: (_, v) => (v === null ? "" : v.toFixed(3)) },
          ...names.map((label, i) => ({
            label: this.kind.unit ? `${label} (${this.kind.unit})` : label,
            stroke: INK[i % INK.length]!,
            width: 1.5,
            points: { show: false },
            value: (_: uPlot, v: number | null) => (v === null ? "" : short(v)),
          })),
        ],
      },
      data,
      this.place,
    );
  }

  forget(): void {
    this.plot?.destroy();
    this.plot = null;
    this.key = "";
  }
}

function short(v: number): string {
  const size = Math.abs(v);
  return size !== 0 && (size >= 1e5 || size < 1e-2) ? v.toExponential(1) : String(Number(v.toPrecision(6)));
}
