// What keys and mouse do, on F1.
import { element } from "./dom.js";

const KEYS: [string, [string, string][]][] = [
  ["Time", [
    ["Space", "play or pause"],
    ["→", "one step"],
    ["←", "one step back"],
    ["+ −", "faster, slower"],
    ["Backspace", "reset"],
  ]],
  ["Mouse", [
    ["left drag", "turn the camera"],
    ["right drag", "move the camera"],
    ["wheel, middle drag", "nearer, farther"],
    ["click", "select a body"],
    ["double click", "look at this point"],
    ["Ctrl + double click", "follow this body"],
    ["Ctrl + drag", "pull the body with a spring"],
    ["Ctrl + Shift + drag", "turn the body with a spring"],
    ["hover a contact", "its numbers, and why it slips"],
  ]],
  ["View", [
    ["[ ]", "next camera"],
    ["Esc", "free camera, nothing selected"],
    ["PageUp", "select the parent body"],
    ["C F N K M", "contact points, forces, normals, cones, moments"],
    ["Tab, Shift + Tab", "left, right panel"],
    ["P", "save a picture"],
  ]],
  ["Function keys", [
    ["F1", "this help"],
    ["F2", "numbers of the run"],
    ["F3", "plots of the solver"],
    ["F4", "plot of the sensors"],
    ["F5", "full screen"],
    ["F6", "axes of the bodies"],
    ["F7", "names of the bodies"],
  ]],
];

export function fillHelp(dialog: HTMLDialogElement): void {
  const groups = KEYS.map(([title, keys]) =>
    element(
      "section",
      {},
      element("h2", {}, title),
      element("table", {}, ...keys.map(([key, what]) =>
        element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what)))),
    ),
  );
  const close = element("button", { type: "button", class: "main" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => (document.activeElement as HTMLElement | null)?.blur()); // keys are the stage's
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  dialog.replaceChildren(
    element("h1", {}, "Keys and mouse"),
    element("div", { class: "columns" }, ...groups),
    element(
      "p",
      {},
      element("span", { class: "dot stick" }), " sticks  ",
      element("span", { class: "dot slide" }), " slides  ",
      element("span", { class: "dot asleep" }), " sleeps, as it was before  ",
      element("span", { class: "dot open" }), " open. ",
      "An arrow is the force on the second body of a contact; minus it acts on the first. Arrows with two heads are moments: against spinning violet, against rolling orange.",
    ),
    close,
  );
}
