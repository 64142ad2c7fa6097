// Starts `tact view` and ends it; tells where it listens.
import { spawn } from "node:child_process";

export function serve(program, words) {
  const child = spawn(program, ["view", "--no-open", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  process.on("exit", () => child.kill("SIGKILL")); // also where a check ends the program
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, errors })));
  const address = new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.split("\n")[0]);
    });
    ended.then(() => reject(new Error(`tact view ended: ${errors}`)));
  });
  address.catch(() => {});
  return {
    child,
    address,
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

export function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/// Looks again and again until something holds; what it is is told if it never does.
export async function until(what, look, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await wait(100);
  }
}
