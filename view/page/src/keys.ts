// The keyboard, as in MuJoCo's simulate where that has a key.
import type { App } from "./app.js";
import { byId } from "./dom.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

function nextSpeed(now: number, by: number): number {
  const at = SPEEDS.findIndex((speed) => speed >= now * 0.999);
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? 6 : at) + by))]!;
}

/// Keys that the control with the focus understands itself.
function isTheirs(e: KeyboardEvent): boolean {
  if (/^F\d/.test(e.key) || e.key === "Escape") return false;
  if (e.target instanceof HTMLSelectElement) return true;
  if (e.target instanceof HTMLInputElement || e.target instanceof HTMLButtonElement) {
    return /^(Arrow|Page|Home|End|Tab|Enter)/.test(e.key) || (e.key === " " && e.target.type !== "range");
  }
  return false;
}

function fullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen();
}

function actsOf(app: App): Record<string, (e: KeyboardEvent) => void> {
  const flip = (name: "points" | "forces" | "normals" | "cones" | "moments") => {
    app.contacts.options[name] = !app.contacts.options[name];
    app.panels.showLayers();
  };
  const { overlays, panels } = app;
  return {
    " ": () => app.togglePlay(),
    ArrowRight: () => app.stepForward(),
    ArrowLeft: () => app.stepBack(),
    "+": () => app.setSpeed(nextSpeed(app.run.speed, 1)),
    "=": () => app.setSpeed(nextSpeed(app.run.speed, 1)),
    "-": () => app.setSpeed(nextSpeed(app.run.speed, -1)),
    Backspace: () => app.reset(null),
    Escape: () => {
      app.track(-1);
      app.select(-1);
    },
    PageUp: () => app.selectParent(),
    "]": () => app.nextView(1),
    "[": () => app.nextView(-1),
    Tab: (e) => {
      byId(e.shiftKey ? "right" : "left").classList.toggle("away");
      app.resize();
    },
    c: () => flip("points"),
    f: () => flip("forces"),
    n: () => flip("normals"),
    k: () => flip("cones"),
    m: () => flip("moments"),
    p: () => app.picture(),
    F1: () => byId<HTMLDialogElement>("help").showModal(),
    F2: () => overlays.showInfo(!overlays.info),
    F3: () => panels.togglePlots(["Step time", "Pivots", "Ladder"]),
    F4: () => panels.togglePlots(["Sensors"]),
    F5: () => fullScreen(),
    F6: () => overlays.showAxes(!overlays.axes.visible),
    F7: () => overlays.showNames(!overlays.names),
  };
}

export function bindKeys(app: App): void {
  const acts = actsOf(app);
  window.addEventListener("keydown", (e) => {
    const act = acts[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    const open = byId<HTMLDialogElement>("help").open;
    if (!act || open || e.metaKey || e.altKey || (e.ctrlKey && e.key !== " ")) return;
    if (isTheirs(e)) return;
    e.preventDefault();
    act(e);
    app.panels.showView();
  });
}
