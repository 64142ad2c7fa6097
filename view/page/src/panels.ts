// The panels around the stage: run, contacts, actuators on the left; selection and plots on the
// right; time below.
import type { App } from "./app.js";
import { button, byId, checkbox, element, select, setControl, slider } from "./dom.js";
import { STATE_NAMES } from "./contacts.js";
import { Film, save } from "./export.js";
import { PLOTS, Plot, titleOf } from "./plots.js";
import { C, CONTACT_SIZE, POSE_SIZE, VELOCITY_SIZE, type Frame, type Scene, contactCount, touches } from "./types.js";
import { bodyName, find, number, patchSentence, patchesOf, vector } from "./words.js";

const REDRAW = 120; // ms between two drawings of plots and words
const MOST_SENTENCES = 6;

export class Panels {
  private play = button("▶", "Play or pause (Space)", () => this.app.togglePlay());
  private scrubber = element("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Time", id: "scrubber" });
  private time = element("span", { class: "time" });
  private layers = element("div", {});
  private view = element("div", {});
  private runBox = element("div", {});
  private selection = element("div", { id: "selection" });
  private plots: Plot[] = [];
  private plotBoxes = element("div", {});
  private frictionWords = element("small", { class: "under" });
  private filmButton = button("Film", "Start a film of the stage; press again to end and save it", () => this.toggleFilm());
  readonly film = new Film();
  private due = 0; // when words and plots are drawn again
  private running = false;
  private method?: HTMLElement;
  private cone?: HTMLElement;
  private friction?: HTMLElement;
  private actuators: HTMLElement[] = [];

  constructor(private app: App) {
    this.scrubber.addEventListener("input", () => this.app.scrub(Number(this.scrubber.value)));
    this.scrubber.addEventListener("pointerup", () => this.scrubber.blur()); // keys are the stage's again
    this.film.onEnd = () => {
      this.filmButton.textContent = "Film";
      this.filmButton.classList.remove("on");
    };
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
    this.fillRun(scene);
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
    this.actuators = !live ? [] : scene.actuators.map((actuator, i) =>
      slider(actuator.name || `actuator ${i}`, "Control of this actuator", actuator.range ?? [-1, 1], 0, (value) =>
        this.app.send({ type: "ctrl", index: i, value })));
    if (this.actuators.length > 0) left.append(element("h2", {}, "Actuators"), ...this.actuators);
    this.buildView(left);
  }

  private buildView(left: HTMLElement): void {
    const exports = [
      button("Picture", "Save a picture, PNG (P)", () => this.app.picture()),
      this.filmButton,
    ];
    if (this.app.recording) {
      exports.push(button("Recording", "Save the recording itself (.tact)", () => this.saveRecording()));
    }
    left.append(
      element("h2", {}, "View"),
      element("div", { class: "buttons" },
        ...this.app.viewNames().map((name, i) => button(name, `Look from: ${name} ([ and ] go round)`, () => this.app.lookFrom(i)))),
      this.view,
      element("h2", {}, "Export"),
      element("div", { class: "buttons" }, ...exports),
    );
    this.showView();
  }

  private saveRecording(): void {
    save(new Blob([this.app.recording!]), `${this.app.player.scene?.name || "run"}.tact`);
  }

  private toggleFilm(): void {
    if (this.film.running) {
      this.film.stop();
      return;
    }
    if (!this.film.start(this.app.stage.renderer.domElement, this.app.player.scene?.name || "tact")) {
      this.app.banner("This browser cannot write films.");
      return;
    }
    this.filmButton.textContent = "● End film";
    this.filmButton.classList.add("on");
  }

  /// What is laid over the stage.
  showView(): void {
    const { overlays, stage } = this.app;
    this.view.replaceChildren(
      checkbox("names", "Names of the bodies (F7)", overlays.names, (on) => overlays.showNames(on)),
      checkbox("axes", "Axes of the bodies (F6)", overlays.axes.visible, (on) => overlays.showAxes(on)),
      checkbox("numbers", "Numbers of the run (F2)", overlays.info, (on) => overlays.showInfo(on)),
      checkbox("shadows", "Shadows: they are left out by themselves where drawing is slow", stage.quality.shadows, (on) =>
        stage.quality.setShadows(on)),
    );
  }

  /// Method, cone, friction: what can be changed while it runs.
  private fillRun(scene: Scene): void {
    const { run, player } = this.app;
    if (!player.live) {
      this.runBox.replaceChildren(
        element("table", { class: "facts" }, fact("method", scene.method), fact("cone", scene.cone), fact("step", `${number(scene.timestep)} s`)),
      );
      return;
    }
    this.method = select("method", "How contact problems are solved", scene.methods ?? [run.method], run.method, (method) =>
      this.app.send({ type: "method", value: method }));
    this.cone = select("cone", "Friction: true circular cone, or the papers' pyramid", ["circle", "pyramid"], run.cone, (cone) =>
      this.app.send({ type: "cone", value: cone }));
    this.friction = slider("friction ×", "All friction coefficients times this: what if it were more slippery?", [0, 2], run.friction, (value) =>
      this.app.send({ type: "friction", value }));
    const reload = button("Reload", "Read the model's file again and start anew", () => this.app.send({ type: "reload" }));
    this.runBox.replaceChildren(this.method, this.cone, this.friction, this.frictionWords, element("div", { class: "buttons" }, reload));
  }

  showLayers(): void {
    const { options } = this.app.contacts;
    const again = () => {
      const frame = this.app.player.current;
      if (frame) this.app.showContacts(frame);
    };
    const box = (text: string, name: "points" | "forces" | "normals" | "cones" | "moments", title: string) =>
      checkbox(text, title, options[name], (on) => {
        options[name] = on;
        again();
      });
    this.layers.replaceChildren(
      box("points", "points", "Contact points (C)"),
      box("forces", "forces", "Force on the second body (F)"),
      box("normals", "normals", "From the first body to the second (N)"),
      box("cones", "cones", "Friction cones (K)"),
      box("moments", "moments", "Moments on the second body, against spinning and rolling (M)"),
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
    const boxes = kinds.map((kind) =>
      checkbox(kind.name, titleOf(kind), kind.name === "Contact force" || kind.name === "Proof", (on) => this.showPlot(kind.name, on)));
    byId("right").replaceChildren(
      element("h2", {}, "Selection"),
      this.selection,
      element("h2", {}, "Plots"),
      element("div", { id: "plot-choice" }, ...boxes),
      this.plotBoxes,
    );
    this.showPlot("Contact force", true);
    this.showPlot("Proof", true);
  }

  private showPlot(name: string, on: boolean): void {
    const old = this.plots.findIndex((plot) => plot.kind.name === name);
    if (old >= 0 && !on) {
      this.plots.splice(old, 1)[0]!.forget();
      document.getElementById(`plot-${name}`)?.remove();
    } else if (old < 0 && on) {
      const kind = PLOTS.find((one) => one.name === name)!;
      const place = element("div", { class: "plot", id: `plot-${name}`, title: titleOf(kind) }, element("small", {}, name));
      this.plotBoxes.append(place);
      this.plots.push(new Plot(place, kind));
    }
    this.due = 0;
    this.refresh();
  }

  /// Shows these plots, or hides them if all are shown.
  togglePlots(names: string[]): void {
    const boxes = [...byId("plot-choice").querySelectorAll<HTMLInputElement>("input")].filter((box) =>
      names.includes(box.parentElement!.textContent!));
    const on = boxes.some((box) => !box.checked);
    byId("right").classList.remove("away");
    this.app.resize();
    for (const box of boxes) {
      box.checked = on;
      this.showPlot(box.parentElement!.textContent!, on);
    }
    if (on && boxes.length > 0) this.plotBoxes.lastElementChild?.scrollIntoView();
    if (boxes.length === 0) this.app.say("This model has no sensors.");
  }

  private buildBottom(): void {
    byId("bottom").replaceChildren(
      button("↺", "Back to the start (Backspace)", () => this.app.reset(null)),
      button("◀▮", "One step back (←)", () => this.app.stepBack()),
      this.play,
      button("▮▶", "One step (→)", () => this.app.stepForward()),
      this.scrubber,
      this.time,
      select("speed ×", "Speed, times real time (+ −)", ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"], "1", (speed) =>
        this.app.setSpeed(Number(speed))),
    );
    if (!this.app.player.live) {
      byId("bottom").append(
        checkbox("loop", "Begin again at the end", this.app.player.loop, (on) => (this.app.player.loop = on)),
      );
    }
    this.play.id = "play";
    this.scrubber.title = this.app.player.live ? "The last frames of this run: go back to any of them" : "Go to any time of the recording";
  }

  showState(): void {
    const { player, run } = this.app;
    const speed = byId("bottom").querySelector("select");
    if (speed) speed.value = String(player.live ? run.speed : player.speed);
    setControl(this.method, run.method);
    setControl(this.cone, run.cone);
    setControl(this.friction, run.friction);
    const frame = player.current;
    if (frame) this.showFrame(frame);
  }

  /// With every frame. Words and plots are slower than the eye, and cost more than the stage: while
  /// it runs a few times a second is enough.
  showFrame(frame: Frame): void {
    const { player, run } = this.app;
    const running = player.live ? !run.paused : player.playing;
    if (!running || running !== this.running) this.due = 0;
    this.running = running;
    if (performance.now() < this.due) return;
    write(this.play, running ? "❚❚" : "▶");
    this.play.classList.toggle("on", running);
    this.scrubber.max = String(Math.max(0, player.frames.length - 1));
    this.scrubber.value = String(player.at);
    write(this.time, `${frame.time.toFixed(3)} s · step ${frame.step}`);
    const { islands, certified, error, rung, cpuMicroseconds: cpu, stepMicroseconds: wall } = frame.stats;
    const said = [`${contactCount(frame)} contacts`];
    // A single state, as a notebook shows it, was made by no step of this recording.
    if (islands > 0) said.push(`${certified}/${islands} proven, error ${number(error, 2)}${rung ? ` · ${rung}` : ""}`);
    if (Math.max(cpu, wall) > 0) said.push(`${duration(cpu > 0 ? cpu : wall)} a step`);
    write(byId("state"), said.join(" · "));
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

  private refresh(): void {
    const now = performance.now();
    const { player, selected } = this.app;
    const frame = player.current;
    if (now < this.due || !frame || !player.scene) return;
    this.due = now + REDRAW;
    this.fillSelection(player.scene, frame);
    this.fillFriction(frame);
    this.actuators.forEach((control, i) => setControl(control, frame.ctrl[i] ?? 0));
    this.app.overlays.fillInfo();
    for (const plot of this.plots) plot.draw(player.scene, player.frames, player.at, selected);
  }

  /// What the factor on friction makes of the coefficients.
  private fillFriction(frame: Frame): void {
    let [low, high] = [Infinity, 0];
    for (let i = 0; i < contactCount(frame); i++) {
      const mu = frame.contacts[i * CONTACT_SIZE + C.Mu]!;
      [low, high] = [Math.min(low, mu), Math.max(high, mu)];
    }
    const range = high - low > 1e-6 ? `${number(low)} … ${number(high)}` : number(high);
    this.frictionWords.textContent = Number.isFinite(low) ? `μ now: ${range}` : "";
  }

  private fillSelection(scene: Scene, frame: Frame): void {
    const body = this.app.selected;
    const facts: Node[] = [];
    if (body > 0) {
      const p = frame.poses.subarray(POSE_SIZE * body, POSE_SIZE * (body + 1));
      const [speed, turning] = this.velocity(frame, body);
      const mass = scene.bodies[body]!.mass;
      facts.push(
        element("table", { class: "facts" },
          fact("body", bodyName(scene, body)),
          ...(mass > 0 ? [fact("mass", `${number(mass)} kg`)] : []),
          fact("position", `${vector(p.subarray(0, 3))} m`),
          fact("quaternion", vector(p.subarray(3, 7))),
          fact("velocity", `${vector(speed)} m/s`),
          ...(turning ? [fact("turning", `${vector(turning)} rad/s`)] : []),
          fact("contacts push", `${vector(this.netForce(scene, frame, body))} N`),
        ),
      );
    } else {
      facts.push(element("p", { class: "empty" }, "Click a body to read it. Contacts of all bodies:"));
    }
    this.selection.replaceChildren(...facts, this.sentences(scene, frame, body));
  }

  /// Of the body's origin, and angular; of a replay from the frames around.
  private velocity(frame: Frame, body: number): [ArrayLike<number>, ArrayLike<number> | null] {
    const known = frame.velocities.subarray(VELOCITY_SIZE * body, VELOCITY_SIZE * (body + 1));
    if (known.length === 6) return [known.subarray(0, 3), known.subarray(3, 6)];
    const { frames, at } = this.app.player;
    const a = frames[Math.max(0, at - 1)]!;
    const h = frame.time - a.time;
    return [[0, 1, 2].map((j) => (h > 0 ? (frame.poses[POSE_SIZE * body + j]! - a.poses[POSE_SIZE * body + j]!) / h : 0)), null];
  }

  /// Sum of all contact forces on the body, N.
  private netForce(scene: Scene, frame: Frame, body: number): number[] {
    const net = [0, 0, 0];
    for (let i = 0; i < contactCount(frame); i++) {
      if (!touches(scene, frame, i, body)) continue;
      const k = i * CONTACT_SIZE;
      const sign = scene.geoms[frame.contacts[k + C.GeomB]!]?.body === body ? 1 : -1;
      for (let j = 0; j < 3; j++) net[j]! += sign * frame.contacts[k + C.ForceX + j]!;
    }
    return net;
  }

  /// What `tact contacts` says, patch by patch.
  private sentences(scene: Scene, frame: Frame, body: number): Node {
    const list = element("ul", { class: "sentences" });
    const patches = patchesOf(scene, frame, body);
    const words = this.app.wordsFor(frame);
    for (const patch of patches.slice(0, MOST_SENTENCES)) {
      const says = find(words, patch) ?? patchSentence(scene, patch);
      list.append(element("li", { class: STATE_NAMES[patch.state] ?? "open" }, says));
    }
    if (patches.length > MOST_SENTENCES) list.append(element("li", { class: "open" }, `and ${patches.length - MOST_SENTENCES} more, which use less of their friction`));
    if (patches.length === 0) list.append(element("li", { class: "open" }, body > 0 ? "It touches nothing." : "Nothing touches."));
    return list;
  }
}

/// Only what is different is painted anew.
function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

function duration(microseconds: number): string {
  return microseconds < 1000 ? `${number(microseconds)} µs` : `${number(microseconds / 1000)} ms`;
}

function fact(name: string, value: string): HTMLElement {
  return element("tr", {}, element("th", {}, name), element("td", {}, value));
}
