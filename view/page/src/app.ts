// Everything together: what comes from the program goes to the stage, what a person does goes back.
import * as THREE from "three";
import { ContactLayer } from "./contacts.js";
import { byId, element } from "./dom.js";
import { savePicture } from "./export.js";
import { showGallery } from "./gallery.js";
import { fillHelp } from "./help.js";
import { bindKeys } from "./keys.js";
import { Link } from "./link.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { Pointer } from "./pointer.js";
import { type Message, readFrame, readScene } from "./protocol.js";
import { readRecording } from "./recording.js";
import { Stage, type Theme } from "./stage.js";
import type { Scene } from "./types.js";
import { contactSentence } from "./words.js";

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

export class App {
  readonly stage = new Stage(byId<HTMLCanvasElement>("stage"));
  readonly contacts = new ContactLayer();
  readonly player = new Player();
  readonly pointer = new Pointer(this.stage, this.contacts, byId<HTMLCanvasElement>("stage"));
  readonly panels = new Panels(this);
  run: RunState = { paused: true, speed: 1, method: "", cone: "", friction: 1 };
  link: Link | null = null;
  selected = -1;
  framesPerSecond = 0;
  private view = 0;
  private drawn = 0;
  private since = performance.now();
  private last = performance.now();

  start(): void {
    this.stage.scene.add(this.contacts.group);
    this.connectParts();
    this.resize();
    window.addEventListener("resize", () => this.resize());
    fillHelp(byId<HTMLDialogElement>("help"));
    this.setTheme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    bindKeys(this);
    this.acceptDrops();
    const inside = byId("recording").textContent?.trim();
    if (inside) {
      const bytes = Uint8Array.from(atob(inside), (c) => c.charCodeAt(0));
      this.openRecording(bytes.buffer, "");
      this.player.playing = true;
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
      else this.banner("The connection to tact is lost. Trying again …");
    };
    link.onMessage = (message) => this.take(message);
  }

  private take(message: Message): void {
    switch (message.header.type) {
      case "scene":
        this.banner("");
        byId("gallery").hidden = true;
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
        showGallery(this, message.header.scenes as never);
        break;
      case "recording":
        this.openRecording(message.numbers, String(message.header.name));
        break;
      case "error":
        this.banner(String(message.header.message));
        break;
    }
  }

  openRecording(bytes: ArrayBuffer, name: string): void {
    try {
      const recording = readRecording(bytes);
      this.player.load(recording.scene, false);
      this.player.frames = recording.frames;
      this.player.show(0);
      this.stage.frameAll();
      this.panels.showState();
      byId("gallery").hidden = true;
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
      if (file) this.openRecording(await file.arrayBuffer(), file.name);
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
    const player = this.player;
    if (!player.live || player.at < player.frames.length - 1) this.scrub(player.at + 1);
    else this.send({ type: "step" });
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
    this.player.frames = [];
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

  lookFrom(view: number): void {
    this.view = view;
    this.stage.track(-1);
    this.stage.frameAll(VIEWS[view]![1]);
  }

  viewNames(): string[] {
    return VIEWS.map(([name]) => name);
  }

  setTheme(theme: Theme): void {
    document.body.className = theme;
    this.stage.setTheme(theme);
    this.panels.forgetPlots();
  }

  toggleTheme(): void {
    this.setTheme(document.body.classList.contains("dark") ? "light" : "dark");
  }

  banner(text: string): void {
    const banner = byId("banner");
    banner.hidden = text === "";
    banner.textContent = text;
  }

  picture(): void {
    this.stage.draw();
    savePicture(this.stage.renderer.domElement, `${this.player.scene?.name || "tact"}.png`);
  }

  bodyOf(geom: number): number {
    return this.player.scene?.geoms[geom]?.body ?? -1;
  }

  private hint(): void {
    if (localStorage.getItem("tact-hint")) return;
    const hint = byId("hint");
    const done = element("button", { type: "button" }, "Got it");
    done.addEventListener("click", () => {
      hint.hidden = true;
      localStorage.setItem("tact-hint", "seen");
    });
    hint.replaceChildren(
      "Drag to turn · right drag to move · Space plays · Ctrl + drag pulls a body · F1 for help",
      done,
    );
    hint.hidden = false;
  }

  private connectParts(): void {
    this.player.onScene = (scene: Scene) => {
      document.title = `${scene.name || scene.file} - tact`;
      byId("title").textContent = scene.name || scene.file;
      this.selected = -1;
      this.contacts.options.onlyBody = -1;
      this.contacts.forget();
      this.stage.load(scene);
      this.fresh = true;
      this.panels.build(scene);
    };
    this.player.onFrame = (frame) => {
      this.stage.pose(frame);
      if (this.fresh) {
        this.fresh = false;
        this.stage.frameAll();
        this.panels.build(this.player.scene!); // controls are known only now
      }
      this.contacts.show(frame, (geom) => this.bodyOf(geom), this.stage.size);
      this.panels.showFrame(frame);
    };
    this.pointer.onSelect = (body) => this.select(body);
    this.pointer.onDrag = (drag) => this.send(drag ? { type: "drag", ...drag } : { type: "release" });
    this.pointer.onCentre = (point, body, track) => {
      this.stage.controls.target.copy(point);
      this.stage.track(track && body > 0 ? body : -1);
    };
    this.pointer.onHover = (contact, x, y) => this.tooltip(contact, x, y);
    byId("theme").addEventListener("click", () => this.toggleTheme());
    byId("help-button").addEventListener("click", () => byId<HTMLDialogElement>("help").showModal());
    byId("to-gallery").addEventListener("click", () => this.send({ type: "gallery" }));
  }

  private fresh = true; // the camera has not looked at this scene yet

  private tooltip(contact: number, x: number, y: number): void {
    const tooltip = byId("tooltip");
    const { scene, current } = this.player;
    tooltip.hidden = contact < 0 || !scene || !current;
    if (tooltip.hidden || !scene || !current) return;
    tooltip.textContent = contactSentence(scene, current, contact);
    tooltip.style.left = `${Math.min(x + 14, innerWidth - 340)}px`;
    tooltip.style.top = `${y + 14}px`;
  }

  private resize(): void {
    this.stage.resize(innerWidth, innerHeight);
  }

  private tick(): void {
    const now = performance.now();
    this.player.advance((now - this.last) / 1000);
    this.last = now;
    this.pointer.update();
    this.stage.draw();
    this.drawn++;
    if (now - this.since > 500) {
      this.framesPerSecond = (1000 * this.drawn) / (now - this.since);
      byId("counter").textContent = `${this.framesPerSecond.toFixed(0)} fps`;
      this.drawn = 0;
      this.since = now;
    }
    requestAnimationFrame(() => this.tick());
  }
}
