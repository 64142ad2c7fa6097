// The page: live simulation from the program, or the replay of a recording.
import { App } from "./app.js";
import { byId } from "./dom.js";

try {
  const app = new App();
  app.start();
  Object.assign(window, { tact: app }); // for the console, and for tests
} catch (error) {
  byId("banner").textContent = `The page cannot start: ${(error as Error).message}`;
  byId("banner").hidden = false;
  throw error;
}
