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
  if (e.target instanceof HTMLSelectElement) return e.key !== "F1" && e.key !== "Escape";
  if (e.target instanceof HTMLInputElement || e.target instanceof HTMLButtonElement) {
    return /^(Arrow|Page|Home|End|Tab)/.test(e.key) || (e.key === " " && e.target.type !== "range");
  }
  return false;
}

export function bindKeys(app: App): void {
  const flip = (name: "points" | "forces" | "normals" | "cones") => {
    app.contacts.options[name] = !app.contacts.options[name];
    app.panels.showLayers();
  };
  const acts: Record<string, (e: KeyboardEvent) => void> = {
    " ": () => app.togglePlay(),
    ArrowRight: () => app.stepForward(),
    ArrowLeft: () => app.scrub(app.player.at - 1),
    "+": () => app.setSpeed(nextSpeed(app.run.speed, 1)),
    "=": () => app.setSpeed(nextSpeed(app.run.speed, 1)),
    "-": () => app.setSpeed(nextSpeed(app.run.speed, -1)),
    Backspace: () => app.reset(null),
    Escape: () => {
      app.stage.track(-1);
      app.select(-1);
    },
    PageUp: () => app.selectParent(),
    "]": () => app.nextView(1),
    "[": () => app.nextView(-1),
    Tab: (e) => byId(e.shiftKey ? "right" : "left").classList.toggle("away"),
    c: () => flip("points"),
    f: () => flip("forces"),
    n: () => flip("normals"),
    k: () => flip("cones"),
    p: () => app.picture(),
    F1: () => byId<HTMLDialogElement>("help").showModal(),
  };
  window.addEventListener("keydown", (e) => {
    const act = acts[e.key];
    const open = byId<HTMLDialogElement>("help").open;
    if (!act || open || e.metaKey || e.altKey || (e.ctrlKey && e.key !== " ")) return;
    if (isTheirs(e)) return;
    e.preventDefault();
    act(e);
  });
}
