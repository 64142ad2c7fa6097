// A browser on the real page of the real server: node page.mjs PROGRAM SCENES PICTURES
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "../../view/page/node_modules/playwright-core/index.mjs";
import { serve, until, wait } from "./serve.mjs";

const [, , program, scenes, pictures] = process.argv;
mkdirSync(pictures, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const errors = [];
let failures = 0;
let passed = 0;

async function open(address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  return page;
}

async function check(what, act) {
  try {
    await act();
    passed++;
    console.log(`ok    ${what}`);
  } catch (error) {
    failures++;
    console.log(`FAILED ${what}\n${error.stack}`);
  }
}

/// Numbers of the page itself.
const read = (page, expression) => page.evaluate(`(() => { const app = window.tact; const player = app.player; return ${expression}; })()`);
const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

/// Where the middle of a body is on the screen.
const spot = (page, name) =>
  page.evaluate((wanted) => {
    const app = window.tact;
    const body = app.player.scene.bodies.findIndex((b) => b.name === wanted);
    const p = app.stage.bodies[body].position.clone().project(app.stage.camera);
    return { body, x: ((p.x + 1) / 2) * innerWidth, y: ((1 - p.y) / 2) * innerHeight };
  }, name);

let server = serve(program, ["--scenes", scenes]);
const page = await open(await server.address);

await check("the gallery lists the scenes", async () => {
  await page.waitForSelector("#gallery .card");
  const names = await page.$$eval("#gallery .card", (cards) => cards.map((card) => card.dataset.file));
  for (const name of ["slope", "stack", "pinch"]) assert.ok(names.includes(name), name);
  await picture(page, "gallery");
});

await check("a click opens a scene, which plays", async () => {
  await page.click('#gallery .card[data-file="slope"]');
  await until("frames", () => read(page, "player.frames.length > 3"));
  await until("time goes on", () => read(page, "player.current.time > 0.1"));
  assert.equal(await page.isVisible("#gallery"), false);
  assert.ok((await read(page, "player.current.contacts.length")) > 0);
});

await check("the hint goes when it was read", async () => {
  await page.click("#hint button");
  assert.equal(await page.isVisible("#hint"), false);
});

await check("pause stops time, a step is one step", async () => {
  await page.click("#play");
  await until("paused", () => read(page, "app.run.paused"));
  await wait(300);
  const before = await read(page, "player.frames.at(-1).step");
  await wait(300);
  assert.equal(await read(page, "player.frames.at(-1).step"), before);
  await page.keyboard.press("ArrowRight");
  await until("one more", () => read(page, `player.frames.at(-1).step === ${before + 1}`));
});

await check("a step back shows the frame before", async () => {
  const at = await read(page, "player.at");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await read(page, "player.at"), at - 1);
  await page.keyboard.press("ArrowRight");
});

await check("a click selects the body, which is then told", async () => {
  const { body, x, y } = await spot(page, "block");
  await page.mouse.click(x, y);
  await until("selected", () => read(page, `app.selected === ${body}`));
  await until("its name", async () => (await page.textContent("#selection")).includes("block"));
  assert.match(await page.textContent("#selection"), /sticks/);
  await picture(page, "selected");
});

await check("the block holds while it may", async () => {
  const where = "player.current.poses.slice(7 * app.selected, 7 * app.selected + 3)";
  const before = Object.values(await read(page, where));
  await page.keyboard.press("Space");
  const time = await read(page, "player.current.time");
  await until("a second", () => read(page, `player.current.time > ${time + 1}`));
  const after = Object.values(await read(page, where));
  assert.ok(Math.hypot(...after.map((v, i) => v - before[i])) < 1e-6);
});

await check("Ctrl + drag pulls it away", async () => {
  const { body, x, y } = await spot(page, "block");
  const height = () => read(page, `player.current.poses[7 * ${body} + 2]`);
  const before = await height();
  await page.keyboard.down("Control");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 40, { steps: 4 });
  await page.mouse.move(x, y - 160, { steps: 8 });
  try {
    await until("it moves", async () => Math.abs((await height()) - before) > 0.01);
    await picture(page, "pulled");
  } finally {
    await page.mouse.up();
    await page.keyboard.up("Control");
  }
});

await check("reset puts it back", async () => {
  await page.keyboard.press("Backspace");
  await until("the start", () => read(page, "player.current?.time < 1"));
});

await check("less friction, and it slides: arrows turn red", async () => {
  const slider = page.locator('input[aria-label="friction ×"]');
  await slider.evaluate((box) => {
    box.value = "0.4";
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await until("slides", () => read(page, "player.current.contacts[13] === 2"));
  await until("the words", async () => (await page.textContent("#selection")).includes("slides"));
  await picture(page, "slides");
});

await check("another method answers", async () => {
  await page.selectOption('select[aria-label="method"]', "nsgs");
  await until("nsgs", () => read(page, 'app.run.method === "nsgs" && player.current.stats.rung === "nsgs"'));
});

await check("a plot is drawn and read", async () => {
  const legend = page.locator("#plot-Contact\\ force .u-legend");
  await legend.waitFor();
  const box = await page.locator("#plot-Contact\\ force .u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await until("a number", async () => /\(N\)\s*:?\s*[0-9]/.test(await legend.textContent()));
});

await check("contact layers go on and off", async () => {
  for (const key of ["k", "n"]) await page.keyboard.press(key);
  assert.deepEqual(await read(page, "[app.contacts.options.cones, app.contacts.options.normals]"), [true, true]);
  await picture(page, "layers");
});

await check("help opens on F1", async () => {
  await page.keyboard.press("F1");
  assert.equal(await page.isVisible("#help"), true);
  await page.click("#help button");
});

await check("dark and light", async () => {
  const before = await page.getAttribute("body", "class");
  await page.click("#theme");
  assert.notEqual(await page.getAttribute("body", "class"), before);
  await picture(page, "theme");
});

await check("a lost connection is told, and mended", async () => {
  const port = new URL(await server.address).port;
  await server.stop();
  await until("the banner", () => page.isVisible("#banner"));
  server = serve(program, ["--scenes", scenes, "--port", port, join(scenes, "stack.xml")]);
  await server.address;
  await until("the banner goes", async () => !(await page.isVisible("#banner")));
  await until("the new scene", () => read(page, 'player.scene.name === "stack" && player.frames.length > 3'));
  await page.keyboard.press("[");
  await picture(page, "stack");
});

await check("a broken file is told with its line", async () => {
  const other = serve(program, [join(scenes, "../tests/view/broken.xml")]);
  const broken = await open(await other.address);
  await until("the message", async () => /broken\.xml:\d+/.test(await broken.textContent("#banner")));
  await picture(broken, "broken");
  await broken.close();
  await other.stop();
});

const folder = mkdtempSync(join(tmpdir(), "tact-view-"));
const recording = join(folder, "slope.tact");
const html = join(folder, "slope.html");
execFileSync(program, ["run", join(scenes, "slope.xml"), "--time", "1", "--record", recording, "--html", html]);

/// Replays need no server: the same checks for both ways.
async function checkReplay(name, replay) {
  await check(`${name}: shows the recording`, async () => {
    await until("frames", () => read(replay, "player.frames.length > 10 && !player.live"));
    assert.equal(await read(replay, "player.scene.name"), "slope");
    assert.equal(await replay.isVisible("#banner"), false);
  });
  await check(`${name}: the scrubber goes to any time`, async () => {
    await replay.locator("#scrubber").evaluate((box) => {
      box.value = String(Math.floor(Number(box.max) / 2));
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const time = await read(replay, "player.current.time");
    assert.ok(time > 0.3 && time < 0.7, `${time}`);
    assert.ok((await read(replay, "player.current.contacts.length")) > 0);
  });
  await check(`${name}: plays to the end`, async () => {
    await replay.keyboard.press("Space");
    await until("the end", () => read(replay, "player.at === player.frames.length - 1"));
  });
  await picture(replay, name);
}

const player = serve(program, [recording]);
const replay = await open(await player.address);
await checkReplay("replay", replay);
await replay.close();
await player.stop();
const alone = await open(pathToFileURL(html).href);
await checkReplay("one-file", alone);
await alone.close();

await check("no error in the page", async () => assert.deepEqual(errors, []));
await browser.close();
const { code } = await server.stop();
await check("the server ends in order", async () => assert.equal(code, 0));
console.log(`${passed} passed, ${failures} failed`);
process.exit(failures ? 1 : 0);
