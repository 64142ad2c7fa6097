// The page on recordings: from the server, inside of its own file, dropped on it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, download, open, picture, read } from "./browser.mjs";
import { serve, until } from "./serve.mjs";

/// Replays need no server: the same checks for all ways.
async function checkReplay(test, name, page) {
  await check(test, `${name}: shows the recording`, async () => {
    await until("frames", () => read(page, "player.frames.length > 10 && !player.live"));
    assert.equal(await read(page, "player.scene.name"), "slope");
    assert.equal(await page.isVisible("#banner"), false);
  });
  await check(test, `${name}: the scrubber goes to any time`, async () => {
    await page.locator("#scrubber").evaluate((box) => {
      box.value = String(Math.floor(Number(box.max) / 2));
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const time = await read(page, "player.current.time");
    assert.ok(time > 0.3 && time < 0.7, `${time}`);
    assert.ok((await read(page, "player.current.contacts.length")) > 0);
  });
  await check(test, `${name}: plays to the end, and again in a loop`, async () => {
    await page.keyboard.press("Space");
    await until("the end", () => read(page, "player.at === player.frames.length - 1 && !player.playing"));
    await page.getByLabel("loop").check();
    await page.keyboard.press("Space");
    await until("near the end", () => read(page, "player.current.time > 0.6"));
    await until("the start again", () => read(page, "player.current.time < 0.5 && player.playing"));
    await page.keyboard.press("Space");
  });
  await picture(test, page, name);
}

async function checkDrop(test, page, recording) {
  const drop = (bytes, name) =>
    page.evaluate(
      ([text, file]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], file));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
      },
      [bytes.toString("base64"), name],
    );
  await check(test, "a recording is dropped on the page; what is none is told", async () => {
    await drop(Buffer.from("no recording"), "other.bin");
    await until("the message", async () => /other\.bin.*no recording/.test(await page.textContent("#banner")));
    await picture(test, page, "dropped");
    await drop(readFileSync(recording), "stack.tact");
    await until("the other scene", () => read(page, 'player.scene.name === "stack" && player.frames.length > 3'));
    assert.equal(await page.isVisible("#banner"), false);
  });
}

export async function checkReplays(test, program, scenes) {
  const folder = mkdtempSync(join(tmpdir(), "tact-view-"));
  const run = (scene, ...words) => execFileSync(program, ["run", join(scenes, `${scene}.xml`), ...words]);
  const [recording, html, stack] = ["slope.tact", "slope.html", "stack.tact"].map((name) => join(folder, name));
  run("slope", "--time", "1", "--record", recording, "--html", html);
  run("stack", "--time", "0.2", "--record", stack);

  const server = serve(program, [recording]);
  const replay = await open(test, await server.address);
  await checkReplay(test, "replay", replay);
  await replay.close();
  await server.stop();

  const alone = await open(test, pathToFileURL(html).href);
  await checkReplay(test, "one-file", alone);
  await check(test, "one-file: holds the recording bit for bit", async () => {
    const saved = await download(alone, () => alone.getByRole("button", { name: "Recording" }).click());
    assert.equal(saved.name, "slope.tact");
    assert.ok(saved.bytes.equals(readFileSync(recording)), "the same bytes");
  });
  await checkDrop(test, alone, stack);
  await alone.close();

  await check(test, "10 s of the grasp are a file of less than 5 MB", async () => {
    const grasp = join(folder, "grasp.html");
    run("grasp", "--time", "10", "--html", grasp);
    const { size } = statSync(grasp);
    console.log(`      10 s of the grasp: ${size} bytes, the page among them`);
    assert.ok(size < 5_000_000, `${size} bytes`);
  });
}
