// The page on a live simulation.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, contactSpot, download, open, picture, read, spot } from "./browser.mjs";
import { serve, until, wait } from "./serve.mjs";

async function checkGallery(test, page) {
  await check(test, "the gallery lists the scenes", async () => {
    await page.waitForSelector("#gallery .card");
    const names = await page.$$eval("#gallery .card", (cards) => cards.map((card) => card.dataset.file));
    for (const name of ["slope", "stack", "pinch"]) assert.ok(names.includes(name), name);
    const blank = await page.$$eval("#gallery .card img", (all) => all.filter((i) => i.complete && i.naturalWidth === 0).length);
    assert.equal(blank, 0, "pictures that are broken");
    await picture(test, page, "gallery");
  });
  await check(test, "a click opens a scene, which plays", async () => {
    await page.click('#gallery .card[data-file="slope"]');
    await until("frames", () => read(page, "player.frames.length > 3"));
    await until("time goes on", () => read(page, "player.current.time > 0.1"));
    assert.equal(await page.isVisible("#gallery"), false);
    assert.ok((await read(page, "player.current.contacts.length")) > 0);
  });
  await check(test, "the hint goes when it was read", async () => {
    await page.click("#hint button");
    assert.equal(await page.isVisible("#hint"), false);
  });
}

async function checkOrigin(test, address) {
  await check(test, "a page from elsewhere cannot connect", async () => {
    const other = await open(test, "data:text/html,<p>another origin</p>");
    const { host } = new URL(address);
    const how = await other.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url, "tact-view");
          socket.onopen = () => resolve("open");
          socket.onclose = () => resolve("closed");
        }),
      `ws://${host}/socket`,
    );
    assert.equal(how, "closed");
    await other.close();
  });
}

async function checkTime(test, page) {
  const step = () => read(page, "player.frames.at(-1).step");
  await check(test, "pause stops time, a step is one step", async () => {
    await page.click("#play");
    await until("paused", () => read(page, "app.run.paused"));
    await wait(200);
    const before = await step();
    await wait(200);
    assert.equal(await step(), before);
    await page.keyboard.press("ArrowRight");
    await until("one more", async () => (await step()) === before + 1);
  });
  await check(test, "a step back is one step, with the contacts of the step before", async () => {
    const before = await step();
    await page.keyboard.press("ArrowLeft");
    await until("one less", async () => (await step()) === before - 1);
    assert.ok((await read(page, "player.current.contacts.length")) > 0);
    await page.keyboard.press("ArrowRight");
    await until("there again", async () => (await step()) === before);
  });
}

async function checkSelection(test, page) {
  const { body, x, y } = await spot(page, "block");
  await check(test, "a click selects the body, which is then told", async () => {
    await page.mouse.click(x, y);
    await until("selected", () => read(page, `app.selected === ${body}`));
    await until("its name", async () => (await page.textContent("#selection")).includes("block"));
    const words = await page.textContent("#selection");
    for (const word of ["mass", "position", "velocity", "contacts push", "holds and uses"]) assert.ok(words.includes(word), word);
    await picture(test, page, "selected");
  });
  await check(test, "over a contact stand its numbers and what tact contacts says", async () => {
    const at = await contactSpot(page, 0);
    await page.mouse.move(at.x, at.y);
    await until("the sentence", async () => /holds and uses 0\.\d+ of its friction.*from gravity/.test(await page.textContent("#tooltip")));
    assert.match(await page.textContent("#tooltip"), /pressed.* N.*μ/s);
    await picture(test, page, "contact");
    await page.mouse.move(5, 5);
  });
  await check(test, "the block holds while it may", async () => {
    const where = `[...player.current.poses.slice(7 * ${body}, 7 * ${body} + 3)]`;
    const before = await read(page, where);
    await page.keyboard.press("Space");
    const time = await read(page, "player.current.time");
    await until("a second", () => read(page, `player.current.time > ${time + 1}`));
    const after = await read(page, where);
    assert.ok(Math.hypot(...after.map((v, i) => v - before[i])) < 1e-6);
  });
}

async function drag(page, from, keys, act) {
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y - 40, { steps: 3 });
  await page.mouse.move(from.x + 60, from.y - 140, { steps: 5 });
  try {
    await act();
  } finally {
    await page.mouse.up();
    for (const key of keys) await page.keyboard.up(key);
  }
}

async function checkHand(test, page) {
  const pose = (body) => read(page, `[...player.current.poses.slice(7 * ${body}, 7 * ${body} + 7)]`);
  const turned = (a, b) => 1 - Math.abs(a.slice(3).reduce((sum, q, i) => sum + q * b[i + 3], 0));
  await check(test, "Ctrl + Shift + drag turns it", async () => {
    const at = await spot(page, "block");
    const before = await pose(at.body);
    await drag(page, { x: at.x + 8, y: at.y - 8 }, ["Control", "Shift"], () =>
      until("it turns", async () => turned(await pose(at.body), before) > 1e-3));
  });
  await page.keyboard.press("Backspace");
  await until("the start", () => read(page, "player.current?.time < 1"));
  await check(test, "Ctrl + drag pulls it away", async () => {
    const at = await spot(page, "block");
    const before = await pose(at.body);
    await drag(page, at, ["Control"], async () => {
      await until("it moves", async () => Math.abs((await pose(at.body))[2] - before[2]) > 0.01);
      await picture(test, page, "pulled");
    });
  });
  await check(test, "reset puts it back", async () => {
    await until("it has moved", () => read(page, "player.current?.time > 0.2"));
    await page.keyboard.press("Backspace");
    await until("the start", () => read(page, "player.current?.time < 0.2"));
  });
}

async function checkWhatIf(test, page) {
  await check(test, "less friction, and it slides: arrows turn red", async () => {
    const slider = await page.locator('input[aria-label="friction ×"]').boundingBox();
    const at = (value) => [slider.x + 8 + ((slider.width - 16) * value) / 2, slider.y + slider.height / 2];
    await page.mouse.move(...at(1));
    await page.mouse.down();
    for (const value of [0.8, 0.6, 0.4]) {
      await page.mouse.move(...at(value));
      await until(`a factor of ${value}`, () => read(page, `Math.abs(app.run.friction - ${value}) < 0.05`)); // while it is held
    }
    await page.mouse.up();
    await until("slides", () => read(page, "player.current.contacts[13] === 2"));
    await until("the words", async () => (await page.textContent("#selection")).includes("slides"));
    await picture(test, page, "slides");
  });
  await check(test, "steps back and forward again give the same bits", async () => {
    const step = () => read(page, "player.current.step");
    await page.keyboard.press("Space");
    await until("paused", () => read(page, "app.run.paused"));
    await wait(200);
    const [before, hash] = [await step(), await read(page, "player.current.hash")];
    for (let back = 1; back <= 9; back++) {
      await page.keyboard.press("ArrowLeft");
      await until(`${back} back`, async () => (await step()) === before - back);
    }
    assert.notEqual(await read(page, "player.current.hash"), hash);
    for (let on = 0; on < 9; on++) await page.keyboard.press("ArrowRight");
    await until("there again", async () => (await step()) === before);
    assert.equal(await read(page, "player.current.hash"), hash);
  });
  await check(test, "a step back undoes what a person changed later", async () => {
    const before = await read(page, "player.frames.find((f) => f.contacts[13] === 1)?.step ?? -1");
    assert.ok(before >= 0, "it stuck at the start");
    await page.evaluate((step) => window.tact.send({ type: "rewind", step }), before);
    await until("there", () => read(page, `player.current.step === ${before}`));
    assert.equal(await read(page, "player.current.contacts[13]"), 1);
    await until("the old factor", () => read(page, "app.run.friction === 1"));
    await page.keyboard.press("Space");
  });
  await check(test, "another method answers, and its rung is plotted", async () => {
    await page.selectOption('select[aria-label="method"]', "nsgs");
    await until("nsgs", () => read(page, 'app.run.method === "nsgs" && player.current.stats.rung === "nsgs"'));
    await page.keyboard.press("F3");
    await until("the legend", async () => /nsgs/.test(await page.textContent("#plot-Ladder .u-legend")));
    assert.ok(await page.isVisible("#plot-Pivots") && (await page.isVisible("#plot-Step\\ time")));
    await picture(test, page, "plots");
    await page.keyboard.press("F3");
    assert.equal(await page.locator("#plot-Ladder").count(), 0);
  });
  await check(test, "a plot is drawn and read", async () => {
    const legend = page.locator("#plot-Contact\\ force .u-legend");
    const over = page.locator("#plot-Contact\\ force .u-over");
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await until("a number", async () => /\(N\)\s*:?\s*[0-9]/.test(await legend.textContent()));
  });
}

async function checkLook(test, page) {
  await check(test, "contact layers go on and off; contacts of one body alone", async () => {
    for (const key of ["k", "n"]) await page.keyboard.press(key);
    assert.deepEqual(await read(page, "[app.contacts.options.cones, app.contacts.options.normals]"), [true, true]);
    await picture(test, page, "layers");
    await page.getByLabel("only of the selection").check();
    assert.equal(await read(page, "app.contacts.options.onlyBody === app.selected"), true);
    await page.getByLabel("only of the selection").uncheck();
  });
  await check(test, "cameras: presets, centre, follow, free", async () => {
    const camera = () => read(page, "app.stage.camera.position.toArray().map((v) => v.toFixed(3)).join()");
    const before = await camera();
    await page.keyboard.press("]");
    assert.notEqual(await camera(), before);
    await page.keyboard.press("[");
    const at = await spot(page, "block");
    await page.mouse.dblclick(at.x, at.y);
    const target = await read(page, `app.stage.controls.target.distanceTo(app.stage.bodies[${at.body}].position)`);
    assert.ok(target < 0.5, `${target} m from the block`);
    await page.keyboard.down("Control");
    const again = await spot(page, "block");
    await page.mouse.dblclick(again.x, again.y);
    await page.keyboard.up("Control");
    assert.equal(await read(page, "app.stage.tracked"), at.body);
    assert.equal(await page.isVisible("#following"), true);
    await page.keyboard.press("Escape");
    assert.deepEqual(await read(page, "[app.stage.tracked, app.selected]"), [-1, -1]);
  });
  await check(test, "keys of simulate: F1, F2, F6, F7, Tab, speed", async () => {
    await page.keyboard.press("F1");
    assert.equal(await page.isVisible("#help"), true);
    await picture(test, page, "help");
    await page.click("#help button");
    for (const key of ["F2", "F6", "F7", "Tab"]) await page.keyboard.press(key);
    await until("the numbers", async () => /CPU time.*µs a step/s.test(await page.textContent("#info")));
    assert.deepEqual(await read(page, "[app.overlays.axes.visible, app.overlays.names]"), [true, true]);
    assert.equal(await page.isVisible("#left"), false);
    await wait(300);
    await picture(test, page, "overlays");
    for (const key of ["F2", "F6", "F7", "Tab"]) await page.keyboard.press(key);
    assert.equal(await page.isVisible("#left"), true);
    await page.keyboard.press("-");
    await until("slower", () => read(page, "app.run.speed === 0.5"));
    await page.keyboard.press("+");
  });
  await check(test, "dark and light", async () => {
    const before = await page.getAttribute("body", "class");
    await page.click("#theme");
    assert.notEqual(await page.getAttribute("body", "class"), before);
    await picture(test, page, "theme");
  });
  await check(test, "a picture and a film are saved", async () => {
    const png = await download(page, () => page.keyboard.press("p"));
    assert.equal(png.name, "slope.png");
    assert.equal(png.bytes.toString("latin1", 1, 4), "PNG");
    await page.getByRole("button", { name: "Film" }).click();
    await wait(1200);
    const film = await download(page, () => page.getByRole("button", { name: "End film" }).click());
    assert.match(film.name, /slope\.(webm|mp4)/);
    assert.ok(film.bytes.length > 1000, `${film.bytes.length} bytes`);
  });
}

async function checkErrors(test, page, program, scenes, server) {
  let next = server;
  await check(test, "a lost connection is told, and mended", async () => {
    const port = new URL(await server.address).port;
    await server.stop();
    await until("the banner", () => page.isVisible("#banner"));
    await picture(test, page, "lost");
    next = serve(program, ["--scenes", scenes, "--port", port, join(scenes, "hand.xml")]);
    await next.address;
    await until("the banner goes", async () => !(await page.isVisible("#banner")));
    await until("the new scene", () => read(page, 'player.scene.name === "hand" && player.frames.length > 3'));
  });
  await check(test, "actuators and keyframes", async () => {
    await page.locator('input[aria-label="base0"]').evaluate((box) => {
      box.value = box.max;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const most = await read(page, "player.scene.actuators[0].range?.[1] ?? 1");
    await until("the control", () => read(page, `Math.abs(player.current.ctrl[0] - ${most}) < 1e-6`));
    await until("later", () => read(page, "player.current.time > 0.3"));
    await page.getByRole("button", { name: "hold" }).click();
    await until("the keyframe", () => read(page, `player.current?.time < 0.3 && Math.abs(player.current.ctrl[0] - ${most}) > 1e-6`));
    await picture(test, page, "hand");
  });
  await check(test, "a broken file is told with its line, and opened when it is mended", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "tact-view-")), "broken.xml");
    const words = readFileSync(join(scenes, "../tests/view/broken.xml"), "utf8");
    writeFileSync(file, words);
    const other = serve(program, [file]);
    const broken = await open(test, await other.address);
    await until("the message", async () => /broken\.xml:4:.*-1/.test(await broken.textContent("#banner")));
    await picture(test, broken, "broken");
    writeFileSync(file, words.replace('size="-1"', 'size="1"'));
    await broken.getByRole("button", { name: "Try again" }).click();
    await until("the scene", () => read(broken, 'player.scene?.name === "broken"'));
    assert.equal(await broken.isVisible("#banner"), false);
    await broken.close();
    await other.stop();
  });
  return next;
}

/// CPU time of `tact run`, s.
function cpuOfRun(program, scene, time) {
  const command = `TIMEFORMAT='%U %S'; time "$0" run "$1" --time ${time} >/dev/null 2>&1`;
  const words = spawnSync("bash", ["-c", command, program, scene], { encoding: "utf8" }).stderr.split(" ");
  return words.reduce((sum, word) => sum + Number(word), 0);
}

/// What a step takes of the simulation's thread while a page is open, and in tact run beside the same
/// page, both as fast as they can: told, and no check, for it depends on the machine.
async function tellCost(test, program, scenes) {
  await check(test, "a step takes what it takes in tact run", async () => {
    const scene = join(scenes, "chain.xml"); // which does not come to rest
    const server = serve(program, [scene]);
    const page = await open(test, await server.address);
    await until("frames", () => read(page, "player.frames.length > 3"));
    await page.evaluate(() => window.tact.send({ type: "speed", value: 1000 }));
    await until("more frames", () => read(page, "player.frames.length > 100"));
    await page.evaluate(() => window.tact.send({ type: "speed", value: 1 }));
    const quartile = (what) => read(page, `player.frames.slice(20, 100).map((f) => f.stats.${what}).sort((a, b) => a - b)[20]`);
    const [step, thread] = [await quartile("cpuMicroseconds"), await quartile("threadMicroseconds")];
    const alone = (1e6 * (cpuOfRun(program, scene, 12) - cpuOfRun(program, scene, 2))) / 5000; // of 2 ms
    await page.close();
    await server.stop();
    const more = (x) => `${x.toFixed(1)} us (${(100 * (x / alone - 1)).toFixed(1)} %)`;
    console.log(`      CPU time a step of the chain: tact run ${alone.toFixed(1)} us; with a browser ${more(step)}, ${more(thread)} with frames and history`);
    assert.ok(step > 0 && alone > 0);
  });
}

/// How fast it is here is told, and is no check.
async function tellSpeed(test, program, scenes) {
  await check(test, "200 bodies are shown while they are simulated", async () => {
    const server = serve(program, [join(scenes, "tray.xml")]);
    const page = await open(test, await server.address);
    await until("frames", () => read(page, "player.frames.length > 3"));
    assert.equal(await read(page, "player.scene.bodies.length - 1"), 200);
    await wait(3000);
    const [fps, pace, cpu, thread] = await read(page, "[app.framesPerSecond, app.pace, player.current.stats.cpuMicroseconds, player.current.stats.threadMicroseconds]");
    console.log(`      ${fps.toFixed(1)} frames a second (${await read(page, "app.stage.quality.words")}), ${pace.toFixed(2)} times real time;` +
      ` CPU time ${cpu.toFixed(0)} us a step, ${thread.toFixed(0)} us with the view`);
    await picture(test, page, "tray");
    await page.close();
    await server.stop();
  });
}

export async function checkLive(test, program, scenes) {
  let server = serve(program, ["--scenes", scenes]);
  const page = await open(test, await server.address);
  await checkGallery(test, page);
  await checkOrigin(test, await server.address);
  await checkTime(test, page);
  await checkSelection(test, page);
  await checkHand(test, page);
  await checkWhatIf(test, page);
  await checkLook(test, page);
  server = await checkErrors(test, page, program, scenes, server);
  await page.close();
  const { code } = await server.stop();
  await check(test, "the server ends in order", async () => assert.equal(code, 0));
  await tellSpeed(test, program, scenes);
  await tellCost(test, program, scenes);
}
