// The shipped scenes, with pictures.
import type { App } from "./app.js";
import { byId, element } from "./dom.js";

export interface GalleryScene {
  file: string;
  name: string;
  about: string; // what it shows, from its first comment
  picture: string; // address, "": none yet
}

export function showGallery(app: App, scenes: GalleryScene[]): void {
  const cards = scenes.map((scene) => {
    const picture = scene.picture
      ? element("img", { src: scene.picture, alt: "" })
      : element("div", { class: "blank" });
    const card = element(
      "button",
      { type: "button", class: "card", "data-file": scene.file, title: scene.about },
      picture,
      element("strong", {}, scene.name),
      element("small", {}, scene.about),
    );
    card.addEventListener("click", () => app.send({ type: "open", file: scene.file }));
    return card;
  });
  byId("gallery").replaceChildren(
    element("h1", {}, "Scenes"),
    element("p", {}, "Choose one: it runs live. Or drop a recording (.tact) anywhere on this page."),
    element("div", { class: "cards" }, ...cards),
  );
  byId("gallery").hidden = false;
}
