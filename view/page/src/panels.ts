// The panels around the stage: run, contacts, actuators on the left; selection and plots on the
// right; time below.
import type { App } from "./app.js";
import { STATE_NAMES } from "./contacts.js";
import { button, byId, checkbox, element, select, slider } from "./dom.js";
import { Film } from "./export.js";
import { PLOTS, Plot } from "./plots.js";
import { C, CONTACT_SIZE, type Frame, type Scene, contactCount } from "./types.js";
import { bodyName, contactSentence, number, vector } from "./words.js";

const REDRAW = 120; // ms between two drawings of plots and words
const MOST_SENTENCES = 12;

export class Panels {
  private play = button("▶", "Play or pause (Space)", () => this.app.togglePlay());
  private scrubber = element("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Time", id: "scrubber" });
  private time = element("span", { class: "time" });
  private layers = element("div", {});
  private runBox = element("div", {});
  private selection = element("div", { id: "selection" });
  private plots: Plot[] = [];
  private plotBoxes = element("div", {});
  private film = new Film();
  private due = 0;

  constructor(private app: App) {
    this.scrubber.addEventListener("input", () => this.app.scrub(Number(this.scrubber.value)));
  }

  build(scene: Scene): void {
    this.buildLeft(scene);
    this.buildRight(scene);
    this.buildBottom();
    this.showState();
    this.showSelection();
  }

  private buildLeft(scene: Scene): void {
    const left = byId("left");
    left.replaceChildren(element("h2", {}, "Run"), this.runBox, element("h2", {}, "Contacts"), this.layers);
    this.showLayers();
    const live = this.app.player.live;
    if (live && scene.keyframes.length > 0) {
      left.append(
        element("h2", {}, "Keyframes"),
        element("div", { class: "buttons" },
          ...scene.keyframes.map((name) => button(name, `Reset to ${name}`, () => this.app.reset(name)))),
      );
    }
    if (live && scene.actuators.length > 0) {
      const ctrl = this.app.player.current?.ctrl;
      left.append(
        element("h2", {}, "Actuators"),
        ...scene.actuators.map((actuator, i) =>
          slider(actuator.name || `actuator ${i}`, "Control of this actuator", actuator.range ?? [-1, 1], ctrl?.[i] ?? 0, (value) =>
            this.app.send({ type: "ctrl", index: i, value })),
        ),
      );
    }
    left.append(
      element("h2", {}, "Camera"),
      element("div", { class: "buttons" },
        ...this.app.viewNames().map((name, i) => button(name, `Look from: ${name}`, () => this.app.lookFrom(i)))),
      element("h2", {}, "Export"),
      element("div", { class: "buttons" },
        button("Picture", "Save a picture, PNG (P)", () => this.app.picture()),
        button("Film", "Start or end a film of the stage", () => this.toggleFilm())),
    );
  }

  private toggleFilm(): void {
    if (this.film.running) this.film.stop();
    else this.film.start(this.app.stage.renderer.domElement, this.app.player.scene?.name || "tact");
    this.app.banner(this.film.running ? "Filming: press Film again to end." : "");
  }

  /// Method, cone, friction: what can be changed while it runs.
  private fillRun(scene: Scene): void {
    const { run, player } = this.app;
    if (!player.live) {
      this.runBox.replaceChildren(
        element("table", { class: "facts" }, fact("method", scene.method), fact("cone", scene.cone), fact("step", `${number(scene.timestep)} s`)),
        checkbox("loop", "Begin again at the end", player.loop, (on) => (player.loop = on)),
      );
      return;
    }
    this.runBox.replaceChildren(
      select("method", "How contact problems are solved", scene.methods ?? [run.method], run.method, (method) =>
        this.app.send({ type: "method", value: method })),
      select("cone", "Friction: true circular cone, or the papers' pyramid", ["circle", "pyramid"], run.cone, (cone) =>
        this.app.send({ type: "cone", value: cone })),
      slider("friction ×", "All friction coefficients times this: what if it were more slippery?", [0, 2], run.friction, (value) =>
        this.app.send({ type: "friction", value })),
      element("div", { class: "buttons" },
        button("Reset", "Back to the start (Backspace)", () => this.app.reset(null)),
        button("Scenes", "All scenes", () => this.app.send({ type: "gallery" }))),
    );
  }

  showLayers(): void {
    const { options } = this.app.contacts;
    const again = () => {
      const frame = this.app.player.current;
      if (frame) this.app.contacts.show(frame, (g) => this.app.bodyOf(g), this.app.stage.size);
    };
    const box = (text: string, name: "points" | "forces" | "normals" | "cones", title: string) =>
      checkbox(text, title, options[name], (on) => {
        options[name] = on;
        again();
      });
    this.layers.replaceChildren(
      box("points", "points", "Contact points (C)"),
      box("forces", "forces", "Force on the second body (F)"),
      box("normals", "normals", "From the first body to the second (N)"),
      box("cones", "cones", "Friction cones (K)"),
      checkbox("only of the selection", "Hide contacts of other bodies", options.onlyBody >= 0, (on) => {
        options.onlyBody = on ? this.app.selected : -1;
        again();
      }),
      slider("arrows ×", "Length of force arrows", [0.1, 3], this.app.contacts.forceScale, (value) => {
        this.app.contacts.forceScale = value;
        again();
      }),
    );
    again();
  }

  private buildRight(scene: Scene): void {
    this.forgetPlots();
    const kinds = PLOTS.filter((kind) => kind.name !== "Sensors" || scene.sensors.length > 0);
    this.plotBoxes.replaceChildren();
    this.plots = [];
    const show = (name: string, on: boolean) => {
      const old = this.plots.findIndex((plot) => plot.kind.name === name);
      if (old >= 0 && !on) {
        this.plots.splice(old, 1)[0]!.forget();
        document.getElementById(`plot-${name}`)?.remove();
      } else if (old < 0 && on) {
        const place = element("div", { class: "plot", id: `plot-${name}` }, element("small", {}, name));
        this.plotBoxes.append(place);
        this.plots.push(new Plot(place, kinds.find((kind) => kind.name === name)!));
      }
      this.due = 0;
      this.refresh();
    };
    byId("right").replaceChildren(
      element("h2", {}, "Selection"),
      this.selection,
      element("h2", {}, "Plots"),
      element("div", {}, ...kinds.map((kind) => checkbox(kind.name, `Plot: ${kind.name}`, false, (on) => show(kind.name, on)))),
      this.plotBoxes,
    );
    for (const box of byId("right").querySelectorAll<HTMLInputElement>("label.check input")) {
      const name = box.parentElement!.textContent!;
      if (name === "Contact force" || name === "Proof") {
        box.checked = true;
        show(name, true);
      }
    }
  }

  private buildBottom(): void {
    byId("bottom").replaceChildren(
      button("↺", "Back to the start (Backspace)", () => this.app.reset(null)),
      button("◀", "One step back (←)", () => this.app.scrub(this.app.player.at - 1)),
      this.play,
      button("▸|", "One step (→)", () => this.app.stepForward()),
      this.scrubber,
      this.time,
      select("", "Speed, times real time (+ −)", ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"], "1", (speed) =>
        this.app.setSpeed(Number(speed))),
    );
    this.play.id = "play";
  }

  showState(): void {
    const { player, run } = this.app;
    const speed = byId("bottom").querySelector("select");
    if (speed) speed.value = String(player.live ? run.speed : player.speed);
    if (player.scene) this.fillRun(player.scene);
    const frame = player.current;
    if (frame) this.showFrame(frame);
  }

  showFrame(frame: Frame): void {
    const { player, run } = this.app;
    const running = player.live ? !run.paused : player.playing;
    this.play.textContent = running ? "❚❚" : "▶";
    this.play.classList.toggle("on", running);
    this.scrubber.max = String(Math.max(0, player.frames.length - 1));
    this.scrubber.value = String(player.at);
    this.time.textContent = `${frame.time.toFixed(3)} s · step ${frame.step}`;
    const proof = frame.stats.islands === 0
      ? "no contact"
      : `${frame.stats.certified}/${frame.stats.islands} proven, error ${number(frame.stats.error, 2)}${frame.stats.rung ? ` · ${frame.stats.rung}` : ""}`;
    byId("state").textContent = `${contactCount(frame)} contacts · ${proof} · ${number(frame.stats.stepMicroseconds)} µs`;
    this.refresh();
  }

  showSelection(): void {
    this.due = 0;
    if (this.app.contacts.options.onlyBody >= 0) this.app.contacts.options.onlyBody = this.app.selected;
    this.refresh();
  }

  forgetPlots(): void {
    for (const plot of this.plots) plot.forget();
    this.due = 0;
  }

  /// Words and plots are slower than the eye: a few times a second is enough.
  private refresh(): void {
    const now = performance.now();
    const { player, selected } = this.app;
    const frame = player.current;
    if (now < this.due || !frame || !player.scene) return;
    this.due = now + REDRAW;
    this.fillSelection(player.scene, frame);
    for (const plot of this.plots) plot.draw(player.scene, player.frames, player.at, selected);
  }

  private fillSelection(scene: Scene, frame: Frame): void {
    const body = this.app.selected;
    const facts: Node[] = [];
    if (body > 0) {
      const p = frame.poses.subarray(7 * body, 7 * body + 7);
      facts.push(
        element("table", { class: "facts" },
          fact("body", bodyName(scene, body)),
          fact("mass", `${number(scene.bodies[body]!.mass)} kg`),
          fact("position", `${vector(p.subarray(0, 3))} m`),
          fact("quaternion", vector(p.subarray(3, 7))),
          fact("speed", `${vector(this.velocity(body))} m/s`),
        ),
      );
    } else {
      facts.push(element("p", {}, "Click a body to read it. Contacts of all bodies:"));
    }
    this.selection.replaceChildren(...facts, this.sentences(scene, frame, body));
  }

  /// Of the body frame's origin, from the frames around.
  private velocity(body: number): number[] {
    const { frames, at } = this.app.player;
    const a = frames[Math.max(0, at - 1)]!;
    const b = frames[at]!;
    const h = b.time - a.time;
    return [0, 1, 2].map((j) => (h > 0 ? (b.poses[7 * body + j]! - a.poses[7 * body + j]!) / h : 0));
  }

  private sentences(scene: Scene, frame: Frame, body: number): Node {
    const list = element("ul", { class: "sentences" });
    const n = contactCount(frame);
    const mine: number[] = [];
    for (let i = 0; i < n; i++) {
      const k = i * CONTACT_SIZE;
      const bodies = [this.app.bodyOf(frame.contacts[k + C.GeomA]!), this.app.bodyOf(frame.contacts[k + C.GeomB]!)];
      if (body <= 0 || bodies.includes(body)) mine.push(i);
    }
    // Those nearest to slipping first.
    mine.sort((x, y) => frame.contacts[y * CONTACT_SIZE + C.Used]! - frame.contacts[x * CONTACT_SIZE + C.Used]!);
    for (const i of mine.slice(0, MOST_SENTENCES)) {
      const state = STATE_NAMES[frame.contacts[i * CONTACT_SIZE + C.State]!] ?? "open";
      list.append(element("li", { class: state }, contactSentence(scene, frame, i)));
    }
    if (mine.length > MOST_SENTENCES) list.append(element("li", {}, `and ${mine.length - MOST_SENTENCES} more`));
    return list;
  }
}

function fact(name: string, value: string): HTMLElement {
  return element("tr", {}, element("th", {}, name), element("td", {}, value));
}
