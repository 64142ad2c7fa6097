// Everything together: what comes from the program goes to the stage, what a person does goes back.
import * as THREE from "three";
import { ContactLayer } from "./contacts.js";
import { button, byId, element } from "./dom.js";
import { savePicture } from "./export.js";
import { showGallery } from "./gallery.js";
import { fillHelp } from "./help.js";
import { bindKeys } from "./keys.js";
import { Link } from "./link.js";
import { Overlays } from "./overlays.js";
import { unpack } from "./pack.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { Pointer } from "./pointer.js";
import { type Message, readFrame, readScene } from "./protocol.js";
import { readRecording } from "./recording.js";
import { Stage, type Theme } from "./stage.js";
import { C, CONTACT_SIZE, type Frame, type Scene } from "./types.js";
import { type Words, bodyName, contactNumbers, find, patchSentence, patchesOf } from "./words.js";

/// What the program says of the run besides frames.
export interface RunState {
  paused: boolean;
  speed: number;
  method: string;
  cone: string;
  friction: number; // factor of all coefficients
}

const VIEWS: [string, THREE.Vector3][] = [
  ["oblique", new THREE.Vector3(1, -1.3, 0.75)],
  ["front", new THREE.Vector3(0, -1, 0.02)],
  ["side", new THREE.Vector3(1, 0, 0.02)],
  ["above", new THREE.Vector3(0, -0.02, 1)],
];

const ASK_EVERY = 400; // ms between two questions for words

export class App {
  readonly stage = new Stage(byId<HTMLCanvasElement>("stage"));
  readonly contacts = new ContactLayer();
  readonly player = new Player();
  readonly pointer = new Pointer(this.stage, this.contacts, byId<HTMLCanvasElement>("stage"));
  readonly overlays = new Overlays(this);
  readonly panels = new Panels(this);
  run: RunState = { paused: true, speed: 1, method: "", cone: "", friction: 1 };
  link: Link | null = null;
  selected = -1;
  framesPerSecond = 0;
  pace = 0; // simulated seconds a second
  recording: ArrayBuffer | null = null; // the file that is replayed
  private words: Words | null = null;
  private asked = 0; // when the program was asked for words
  private hovered = -1; // contact
  private mouse: [number, number] = [0, 0];
  private view = 0;
  private drawn = 0;
  private drew = false; // at the last tick
  private moved = 0; // when something was drawn last
  private since = performance.now();
  private simulated = 0; // s, then
  private last = performance.now();

  start(): void {
    this.stage.scene.add(this.contacts.group, this.overlays.axes);
    this.stage.onDraw = () => this.overlays.update();
    this.stage.onQuality = () => {
      this.contacts.dressPlain(this.stage.quality.plain);
      if (this.player.current) this.showContacts(this.player.current);
      this.panels.showView();
    };
    this.contacts.dressPlain(this.stage.quality.plain);
    this.connectParts();
    this.resize();
    window.addEventListener("resize", () => this.resize());
    fillHelp(byId<HTMLDialogElement>("help"));
    this.setTheme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    bindKeys(this);
    this.acceptDrops();
    const inside = byId("recording").textContent?.trim();
    if (inside) {
      byId("to-gallery").hidden = true; // there is no program to ask
      unpack(inside).then(
        (bytes) => {
          this.openRecording(bytes, "");
          this.player.playing = true;
        },
        (error: Error) => this.banner(`The recording in this page cannot be read: ${error.message}`),
      );
    } else {
      this.connect();
    }
    this.hint();
    requestAnimationFrame(() => this.tick());
  }

  // -------------------------------------------------------------------------------------------
  // From the program

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const link = new Link(`${scheme}://${location.host}/socket${location.search}`);
    this.link = link;
    link.onState = (connected) => {
      if (connected) this.banner("");
      else this.banner("The connection to tact is lost: is it still running? Trying again …");
    };
    link.onMessage = (message) => this.take(message);
  }

  private take(message: Message): void {
    switch (message.header.type) {
      case "scene":
        this.banner("");
        byId("gallery").hidden = true;
        byId("hint").hidden = false;
        this.recording = null;
        this.words = null;
        this.player.load(readScene(message), true);
        break;
      case "frame":
        if (this.player.scene && this.player.live) this.player.push(readFrame(message));
        break;
      case "state":
        this.run = message.header as unknown as RunState;
        this.panels.showState();
        break;
      case "gallery":
        this.banner("");
        byId("hint").hidden = true; // there is nothing to turn yet
        showGallery(this, message.header.scenes as never);
        break;
      case "recording":
        this.openRecording(message.bytes.slice(message.numbers), String(message.header.name));
        break;
      case "words":
        this.words = message.header as unknown as Words;
        this.panels.showSelection();
        this.tooltip();
        break;
      case "error":
        this.failed(String(message.header.message));
        break;
    }
  }

  openRecording(bytes: ArrayBuffer, name: string): void {
    try {
      const recording = readRecording(bytes);
      this.recording = bytes;
      this.words = null;
      this.player.load(recording.scene, false);
      this.player.frames = recording.frames;
      this.player.show(0);
      this.stage.frameAll();
      this.panels.showState();
      byId("gallery").hidden = true;
      byId("hint").hidden = false;
      this.banner(recording.complete ? "" : `${name || "The recording"} is cut off: it is shown as far as it goes.`);
    } catch (error) {
      this.banner(`${name || "The recording"} cannot be read: ${(error as Error).message}`);
    }
  }

  private acceptDrops(): void {
    window.addEventListener("dragover", (e) => {
      e.preventDefault();
      document.body.classList.add("dropping");
    });
    window.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    window.addEventListener("drop", async (e) => {
      e.preventDefault();
      document.body.classList.remove("dropping");
      const file = e.dataTransfer?.files[0];
      if (file) this.openRecording(await file.arrayBuffer(), `"${file.name}"`);
    });
  }

  // -------------------------------------------------------------------------------------------
  // To the program

  send(command: Record<string, unknown>): void {
    this.link?.send(command);
  }

  togglePlay(): void {
    const player = this.player;
    if (player.live) {
      if (!player.following && player.current) this.send({ type: "rewind", step: player.current.step });
      player.following = true;
      this.send({ type: this.run.paused ? "play" : "pause" });
    } else {
      if (!player.playing && player.at === player.frames.length - 1) player.show(0);
      player.playing = !player.playing;
      this.panels.showState();
    }
  }

  stepForward(): void {
    const { player } = this;
    if (!player.live) {
      this.scrub(player.at + 1);
      return;
    }
    if (!player.following && player.current) this.send({ type: "rewind", step: player.current.step });
    player.following = true;
    this.send({ type: "step" });
  }

  /// Back to the step before, which is made again bit for bit; of a replay, to the frame before.
  stepBack(): void {
    const { player } = this;
    if (!player.live) {
      this.scrub(player.at - 1);
      return;
    }
    if (player.current && player.current.step > 0) {
      player.following = true;
      this.send({ type: "rewind", step: player.current.step - 1 });
    }
  }

  /// Shows a frame of the history, or of the recording; a live run pauses.
  scrub(index: number): void {
    if (this.player.live && !this.run.paused) this.send({ type: "pause" });
    this.player.playing = false;
    this.player.show(index);
    this.panels.showState();
  }

  setSpeed(speed: number): void {
    this.player.speed = speed;
    if (this.player.live) this.send({ type: "speed", value: speed });
    this.run.speed = speed;
    this.panels.showState();
  }

  reset(keyframe: string | null): void {
    if (!this.player.live) {
      this.scrub(0);
      return;
    }
    this.player.forget();
    this.send({ type: "reset", keyframe });
  }

  // -------------------------------------------------------------------------------------------
  // The page

  select(body: number): void {
    this.selected = body > 0 ? body : -1;
    this.stage.highlight(this.selected);
    this.panels.showSelection();
  }

  selectParent(): void {
    const parent = this.player.scene?.bodies[this.selected]?.parent ?? -1;
    if (parent > 0) this.select(parent);
  }

  nextView(by: number): void {
    this.view = (this.view + by + VIEWS.length) % VIEWS.length;
    this.lookFrom(this.view);
  }

  track(body: number): void {
    this.stage.track(body);
    const following = byId("following");
    following.hidden = body < 0;
    if (body >= 0) following.textContent = `following ${bodyName(this.player.scene!, body)} (Esc ends)`;
  }

  lookFrom(view: number): void {
    this.view = view;
    this.track(-1);
    this.stage.frameAll(VIEWS[view]![1]);
  }

  viewNames(): string[] {
    return VIEWS.map(([name]) => name);
  }

  setTheme(theme: Theme): void {
    document.body.classList.remove("dark", "light");
    document.body.classList.add(theme);
    document.body.classList.toggle("solid", this.stage.quality.software);
    this.stage.setTheme(theme);
    this.panels.forgetPlots();
  }

  toggleTheme(): void {
    this.setTheme(document.body.classList.contains("dark") ? "light" : "dark");
  }

  banner(text: string): void {
    const banner = byId("banner");
    banner.hidden = text === "";
    banner.classList.remove("big");
    banner.textContent = text;
  }

  /// The program cannot do what it was asked to; without a scene there is nothing else to show.
  private failed(message: string): void {
    byId("gallery").hidden = true;
    this.banner(message);
    if (this.player.scene) return;
    byId("banner").classList.add("big");
    byId("banner").replaceChildren(
      element("h2", {}, "This model cannot be opened"),
      element("p", {}, message),
      element("div", { class: "buttons" },
        button("Try again", "Read the file again, when it is mended", () => this.send({ type: "reload" })),
        button("All scenes", "Scenes that come with tact", () => this.send({ type: "gallery" }))),
    );
  }

  /// A word in passing.
  say(text: string): void {
    this.banner(text);
    setTimeout(() => byId("banner").textContent === text && this.banner(""), 4000);
  }

  showContacts(frame: Frame): void {
    if (this.player.scene) this.contacts.show(this.player.scene, frame, this.stage.grain);
    this.stage.touch();
  }

  picture(): void {
    this.stage.touch();
    this.stage.draw();
    this.stage.refine(); // what is drawn can be read until this task ends
    savePicture(this.stage.renderer.domElement, `${this.player.scene?.name || "tact"}.png`);
  }

  private hint(): void {
    if (localStorage.getItem("tact-hint")) return;
    const hint = byId("hint");
    const done = element("button", { type: "button" }, "Got it");
    done.addEventListener("click", () => {
      document.body.classList.remove("new-here");
      localStorage.setItem("tact-hint", "seen");
    });
    hint.replaceChildren(
      element("span", {}, element("b", {}, "Drag"), " to turn · ", element("b", {}, "right drag"), " to move · ",
        element("b", {}, "wheel"), " to zoom · ", element("b", {}, "Space"), " plays · ", element("b", {}, "Ctrl + drag"),
        " pulls a body · ", element("b", {}, "F1"), " for help"),
      done,
    );
    document.body.classList.add("new-here");
  }

  private connectParts(): void {
    this.player.onScene = (scene: Scene) => {
      document.title = `${scene.name || scene.file} - tact`;
      byId("title").textContent = scene.name || scene.file;
      this.selected = -1;
      this.contacts.options.onlyBody = -1;
      this.contacts.forget();
      this.track(-1);
      this.stage.load(scene);
      this.overlays.load();
      this.fresh = true;
      this.panels.build(scene);
      this.resize(); // panels that were empty are there now
    };
    this.player.onFrame = (frame) => {
      this.stage.pose(frame);
      if (this.fresh) {
        this.fresh = false;
        this.stage.frameAll();
      }
      this.showContacts(frame);
      this.panels.showFrame(frame);
    };
    this.pointer.onSelect = (body) => this.select(body);
    this.pointer.onDrag = (drag) => this.send(drag ? { type: "drag", ...drag } : { type: "release" });
    this.pointer.onCentre = (point, body, track) => {
      this.stage.controls.target.copy(point);
      this.stage.controls.update();
      this.stage.touch();
      this.track(track && body > 0 ? body : -1);
    };
    this.pointer.onHover = (contact, x, y) => {
      this.hovered = contact;
      this.mouse = [x, y];
      this.tooltip();
    };
    byId("theme").addEventListener("click", () => this.toggleTheme());
    byId("help-button").addEventListener("click", () => byId<HTMLDialogElement>("help").showModal());
    byId("to-gallery").addEventListener("click", () => this.send({ type: "gallery" }));
  }

  private fresh = true; // the camera has not looked at this scene yet

  /// What the program said of this frame's contacts, or of ones a moment ago while it runs.
  wordsFor(frame: Frame): Words | null {
    const { player, words } = this;
    if (!player.live || !player.following) return null;
    if (this.run.paused && words?.step !== frame.step) this.askWords();
    const old = this.run.paused ? 0 : 0.5 / (player.scene?.timestep ?? 1);
    return words && Math.abs(words.step - frame.step) <= old ? words : null;
  }

  private askWords(): void {
    const now = performance.now();
    if (!this.player.live || now < this.asked + ASK_EVERY) return;
    this.asked = now;
    this.send({ type: "explain" });
  }

  /// Numbers of the contact under the mouse, and the sentence on its patch.
  private tooltip(): void {
    const tooltip = byId("tooltip");
    const { scene, current: frame } = this.player;
    const k = this.hovered * CONTACT_SIZE;
    tooltip.hidden = this.hovered < 0 || !scene || !frame || k >= frame.contacts.length;
    if (tooltip.hidden || !scene || !frame) return;
    this.askWords();
    const c = frame.contacts;
    const one = { a: c[k + C.GeomA]!, b: c[k + C.GeomB]!, normal: c.subarray(k + C.NormalX, k + C.NormalX + 3) };
    const along = (n: ArrayLike<number>) => n[0]! * one.normal[0]! + n[1]! * one.normal[1]! + n[2]! * one.normal[2]!;
    const patch = patchesOf(scene, frame, -1).find((p) => p.a === one.a && p.b === one.b && along(p.normal) > 0.99);
    const says = find(this.wordsFor(frame), one) ?? (patch ? patchSentence(scene, patch) : "");
    const rows = contactNumbers(scene, frame, this.hovered).map(([name, value]) =>
      element("tr", {}, element("th", {}, name), element("td", {}, value)));
    tooltip.replaceChildren(element("table", { class: "facts" }, ...rows), element("p", {}, says));
    const { width, height } = tooltip.getBoundingClientRect();
    tooltip.style.left = `${Math.max(4, Math.min(this.mouse[0] + 14, innerWidth - width - 8))}px`;
    tooltip.style.top = `${Math.max(40, Math.min(this.mouse[1] + 14, innerHeight - height - 52))}px`;
  }

  /// The stage fills what the panels leave.
  resize(): void {
    const canvas = this.stage.renderer.domElement;
    const [left, right] = [byId("left").offsetWidth, byId("right").offsetWidth];
    const [top, bottom] = [byId("top").offsetHeight, byId("bottom").offsetHeight];
    const width = Math.max(innerWidth - left - right, 1);
    const height = Math.max(innerHeight - top - bottom, 1);
    Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    byId("info").style.left = `${left + 10}px`;
    this.stage.resize(width, height);
  }

  private tick(): void {
    const now = performance.now();
    const passed = now - this.last;
    this.player.advance(passed / 1000);
    this.last = now;
    this.pointer.update();
    if (this.panels.film.running) this.stage.touch(); // a film goes on while nothing moves
    const draws = this.stage.draw();
    if (draws && this.drew) this.stage.quality.measure(passed);
    this.drew = draws;
    if (draws) this.moved = now;
    else if (now > this.moved + 300) this.stage.refine();
    this.drawn += draws ? 1 : 0;
    if (now - this.since > 500) this.count(now);
    requestAnimationFrame(() => this.tick());
  }

  /// Frames that were drawn, and simulated time that went by, in the last half second.
  private count(now: number): void {
    const time = this.player.current?.time ?? 0;
    this.framesPerSecond = (1000 * this.drawn) / (now - this.since);
    this.pace = Math.max(0, (1000 * (time - this.simulated)) / (now - this.since));
    const counter = !this.player.scene ? "" : this.drawn > 0 ? `${this.framesPerSecond.toFixed(0)} fps` : "still";
    if (byId("counter").textContent !== counter) byId("counter").textContent = counter;
    byId("counter").title = `Frames drawn a second, while something moves; ${this.stage.quality.words}`;
    if (this.hovered >= 0) this.tooltip();
    this.drawn = 0;
    this.since = now;
    this.simulated = time;
  }
}
