// What keys and mouse do, on F1.
import { element } from "./dom.js";

export const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  ["→", "one step"],
  ["←", "one step back"],
  ["+ −", "faster, slower"],
  ["Backspace", "reset"],
  ["Esc", "free camera, nothing selected"],
  ["PageUp", "select the parent body"],
  ["[ ]", "next camera"],
  ["Tab, Shift+Tab", "left, right panel"],
  ["C, F, N, K", "contact points, forces, normals, cones"],
  ["P", "save a picture"],
  ["F1", "this help"],
  ["left drag", "turn the camera"],
  ["right drag", "move the camera"],
  ["wheel", "nearer, farther"],
  ["click", "select a body"],
  ["double click", "centre; with Ctrl: follow"],
  ["Ctrl + drag", "pull the body with a spring"],
  ["Ctrl + Shift + drag", "turn the body with a spring"],
];

export function fillHelp(dialog: HTMLDialogElement): void {
  const rows = KEYS.map(([key, what]) =>
    element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)),
  );
  const close = element("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    element("h2", {}, "Keys and mouse"),
    element("table", {}, ...rows),
    element(
      "p",
      {},
      "Contacts: green sticks, red slides, grey is open. An arrow is the force on the second body of a contact. ",
      "Hover over a contact point to read its numbers.",
    ),
    close,
  );
}
