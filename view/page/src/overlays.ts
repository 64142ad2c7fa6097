// What can be laid over the stage: axes of the bodies (F6), their names (F7), and numbers of the run
// (F2).
import * as THREE from "three";
import type { App } from "./app.js";
import { byId, element } from "./dom.js";
import { type Frame, contactCount } from "./types.js";
import { bodyName, number } from "./words.js";

const MOST_LABELS = 80;
const AXES = [0xe0595b, 0x35c26b, 0x4c9ce0].map((hex) => new THREE.Color(hex)); // x y z

export class Overlays {
  readonly axes: THREE.LineSegments;
  private box = byId("labels");
  private labels: HTMLElement[] = [];
  private at = new THREE.Vector3();
  private end = new THREE.Vector3();

  constructor(private app: App) {
    this.axes = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
    );
    this.axes.frustumCulled = false;
    this.axes.visible = false;
    this.axes.renderOrder = 9;
  }

  get names(): boolean {
    return !this.box.hidden;
  }

  get info(): boolean {
    return !byId("info").hidden;
  }

  showAxes(on: boolean): void {
    this.axes.visible = on;
    this.app.stage.touch();
  }

  showNames(on: boolean): void {
    this.box.hidden = !on;
    this.app.stage.touch();
  }

  showInfo(on: boolean): void {
    byId("info").hidden = !on;
    this.fillInfo();
  }

  load(): void {
    const { scene } = this.app.player;
    const count = scene?.bodies.length ?? 0;
    const room = () => new THREE.BufferAttribute(new Float32Array(18 * count), 3);
    const colours = room();
    for (let i = 0; i < 6 * count; i++) AXES[(i >> 1) % 3]!.toArray(colours.array, 3 * i);
    this.axes.geometry.dispose();
    this.axes.geometry = new THREE.BufferGeometry();
    this.axes.geometry.setAttribute("position", room());
    this.axes.geometry.setAttribute("color", colours);
    this.labels = (scene?.bodies ?? []).slice(1, MOST_LABELS + 1).map((_, i) => element("span", {}, bodyName(scene!, i + 1)));
    this.box.replaceChildren(...this.labels);
  }

  /// With every drawing.
  update(): void {
    const { stage } = this.app;
    if (this.axes.visible) this.placeAxes(0.15 * stage.grain);
    if (this.names) this.placeNames();
  }

  private placeAxes(length: number): void {
    const position = this.axes.geometry.getAttribute("position") as THREE.BufferAttribute;
    this.app.stage.bodies.forEach((body, b) => {
      for (let k = 0; k < 3; k++) {
        this.end.setComponent(0, 0).setComponent(1, 0).setComponent(2, 0).setComponent(k, length);
        this.end.applyQuaternion(body.quaternion).add(body.position);
        position.setXYZ(6 * b + 2 * k, body.position.x, body.position.y, body.position.z);
        position.setXYZ(6 * b + 2 * k + 1, this.end.x, this.end.y, this.end.z);
      }
    });
    position.needsUpdate = true;
  }

  private placeNames(): void {
    const { stage } = this.app;
    const view = stage.renderer.domElement.getBoundingClientRect();
    this.labels.forEach((label, i) => {
      this.at.copy(stage.bodies[i + 1]!.position).project(stage.camera);
      label.hidden = Math.abs(this.at.z) > 1;
      const x = view.left + ((this.at.x + 1) / 2) * view.width;
      const y = view.top + ((1 - this.at.y) / 2) * view.height;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  /// A few times a second.
  fillInfo(): void {
    const { player, stage } = this.app;
    const { scene, current: frame } = player;
    if (!this.info || !scene || !frame) return;
    const rows = infoRows(this.app, frame);
    rows.push(["drawing", `${this.app.framesPerSecond.toFixed(0)} frames a second; ${stage.quality.words}`]);
    byId("info").replaceChildren(
      element("table", { class: "facts" }, ...rows.map(([name, value]) => element("tr", {}, element("th", {}, name), element("td", {}, value)))),
    );
  }
}

function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function infoRows(app: App, frame: Frame): [string, string][] {
  const scene = app.player.scene!;
  const { stats } = frame;
  const rows: [string, string][] = [
    ["time", `${frame.time.toFixed(4)} s, step ${frame.step} of ${number(1e3 * scene.timestep)} ms`],
    ["model", [many(scene.bodies.length - 1, "body", "bodies"), many(scene.geoms.length, "geom"), many(scene.actuators.length, "actuator")].join(", ")],
    ["contacts", `${contactCount(frame)} in ${many(stats.islands, "problem")}`],
    ["proof", `${stats.certified} of ${stats.islands} certified, error ${number(stats.error, 2)}`],
    ["answered by", Object.entries(stats.rungs).map(([name, count]) => `${name} ${count}`).join(", ") || "nothing to solve"],
    ["pivots", String(stats.pivots)],
    ["energy", `${number(stats.kinetic + stats.potential, 5)} J, ${number(stats.kinetic)} J of it kinetic`],
  ];
  if (stats.cpuMicroseconds > 0) {
    rows.push(["CPU time", `${number(stats.cpuMicroseconds)} µs a step, ${number(stats.threadMicroseconds)} µs with this view`]);
    rows.push(["pace", `${app.pace.toFixed(2)} × real time`]);
  }
  if (frame.hash) rows.push(["state", frame.hash]);
  return rows;
}
