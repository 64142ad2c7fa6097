// The page: live simulation from the program, or the replay of a recording.
import { App } from "./app.js";

const app = new App();
app.start();
Object.assign(window, { tact: app }); // for the console, and for tests
