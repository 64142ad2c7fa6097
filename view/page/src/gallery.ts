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
      ? element("img", { src: scene.picture + location.search, alt: "" })
      : element("div", { class: "blank" }, scene.name);
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
  const none = element("p", {}, "There are no scenes here. Start tact view with a model: tact view MODEL.xml");
  byId("gallery").replaceChildren(
    element("h1", {}, "Scenes"),
    element("p", {}, "Choose one: it runs live. Or drop a recording (.tact) anywhere on this page."),
    cards.length > 0 ? element("div", { class: "cards" }, ...cards) : none,
  );
  byId("gallery").hidden = false;
}
