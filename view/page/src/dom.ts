// Small things of the page, made in one line.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found as T;
}

export function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title }, text);
  made.addEventListener("click", () => {
    made.blur(); // keys are the stage's again
    act();
  });
  return made;
}

export function checkbox(text: string, title: string, on: boolean, act: (on: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => {
    box.blur(); // keys are the stage's again
    act(box.checked);
  });
  return element("label", { title, class: "check" }, box, text);
}

export function select(
  text: string,
  title: string,
  words: string[],
  now: string,
  act: (word: string) => void,
): HTMLElement {
  const box = element("select", { "aria-label": text || title });
  for (const word of words) box.append(element("option", { value: word }, word));
  box.value = now;
  box.addEventListener("change", () => {
    box.blur(); // keys are the stage's again
    act(box.value);
  });
  return element("label", { title, class: "row" }, text, box);
}

export function slider(
  text: string,
  title: string,
  range: [number, number],
  now: number,
  act: (value: number) => void,
): HTMLElement {
  const box = element("input", { type: "range", "aria-label": text });
  box.min = String(range[0]);
  box.max = String(range[1]);
  box.step = String((range[1] - range[0]) / 500 || 0.001);
  box.value = String(now);
  const shown = element("output", {}, String(Number(now.toPrecision(3))));
  box.addEventListener("input", () => {
    shown.textContent = String(Number(Number(box.value).toPrecision(3)));
    act(Number(box.value));
  });
  box.addEventListener("pointerup", () => box.blur());
  return element("label", { title, class: "row" }, element("span", {}, text), box, shown);
}

/// What the program has made of it: shown, unless a person has hold of it.
export function setControl(control: HTMLElement | undefined, value: string | number): void {
  const box = control?.querySelector<HTMLSelectElement | HTMLInputElement>("select, input");
  if (!box || box === document.activeElement) return;
  const text = String(value);
  if (box.value !== text) box.value = text;
  const shown = control!.querySelector("output");
  const short = String(Number(Number(value).toPrecision(3)));
  if (shown && shown.textContent !== short) shown.textContent = short;
}
