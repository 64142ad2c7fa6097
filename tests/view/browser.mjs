// A browser, checks that are counted, and questions to the page of `tact view`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "../../view/page/node_modules/playwright-core/index.mjs";

export async function start(pictures) {
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return { browser, pictures, errors: [], passed: 0, failures: 0 };
}

export async function open(test, address) {
  const page = await test.browser.newPage({ viewport: { width: 1280, height: 760 } });
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => test.errors.push(error.message));
  await page.goto(address);
  return page;
}

/// A check that fails is told, and the others are made all the same.
export async function check(test, what, act) {
  try {
    await act();
    test.passed++;
    console.log(`ok    ${what}`);
  } catch (error) {
    test.failures++;
    console.log(`FAILED ${what}\n${error.stack}`);
  }
}

/// Numbers of the page itself.
export const read = (page, expression) =>
  page.evaluate(`(() => { const app = window.tact; const player = app.player; return ${expression}; })()`);

export const picture = (test, page, name) => page.screenshot({ path: join(test.pictures, `${name}.png`) });

/// Where a point of the world is on the screen.
const project = (page, [x, y, z]) =>
  page.evaluate(
    ([px, py, pz]) => {
      const { stage } = window.tact;
      stage.camera.updateMatrixWorld(); // it may have turned since the last drawing
      const p = stage.camera.position.clone().set(px, py, pz).project(stage.camera);
      const view = stage.renderer.domElement.getBoundingClientRect();
      return { x: view.left + ((p.x + 1) / 2) * view.width, y: view.top + ((1 - p.y) / 2) * view.height };
    },
    [x, y, z],
  );

/// Where the middle of a body is on the screen.
export async function spot(page, name) {
  const body = await read(page, `player.scene.bodies.findIndex((b) => b.name === "${name}")`);
  const at = await read(page, `[...player.current.poses.slice(7 * ${body}, 7 * ${body} + 3)]`);
  return { body, ...(await project(page, at)) };
}

/// Where a contact is on the screen.
export const contactSpot = async (page, contact) =>
  project(page, await read(page, `[...player.current.contacts.slice(20 * ${contact} + 2, 20 * ${contact} + 5)]`));

/// What a click saves: name and bytes.
export async function download(page, act) {
  const [saved] = await Promise.all([page.waitForEvent("download"), act()]);
  const parts = [];
  for await (const part of await saved.createReadStream()) parts.push(part);
  return { name: saved.suggestedFilename(), bytes: Buffer.concat(parts) };
}
