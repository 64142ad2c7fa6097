// Pictures of a film of `tact bench truth --films`: node film.mjs PAGE.html OUT.jpg SECONDS...
// One row for each moment, seen from the front, with the name of each engine.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "../../view/page/node_modules/playwright-core/index.mjs";
import { until, wait } from "./serve.mjs";

const [, , film, out, ...moments] = process.argv;
const WIDTH = Number(process.env.WIDTH ?? 1600);
const HEIGHT = Number(process.env.HEIGHT ?? 330);
const QUALITY = Number(process.env.QUALITY ?? 80);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light" });
await page.goto(pathToFileURL(film).href);
await page.addStyleTag({
  content: `header, aside, footer, #hint, #banner { display: none !important }
    #labels span { margin: 12px 0 0 -45px; padding: 0 6px; color: #000; background: #fffc; font: bold 15px sans-serif }`,
});
await until("frames", () => page.evaluate(() => window.tact.player.frames.length > 1));

/// The camera stands in front of the plates and sees all of them.
await page.evaluate(() => {
  const { stage, overlays, player } = window.tact;
  const { camera, controls } = stage;
  const plates = player.scene.bodies.map((body, b) => ({ ...body, b })).filter((body) => body.b > 0 && !body.name.includes("/"));
  document.querySelector("#labels").hidden = false;
  overlays.showNames(true);
  [...document.querySelectorAll("#labels span")].forEach((label, i) => {
    if (!plates.some((plate) => plate.b === i + 1)) label.style.display = "none";
  });
  stage.quality.setShadows(true);
  window.tact.resize();
  const at = plates.map((plate) => stage.bodies[plate.b].position);
  const first = at[0], last = at[at.length - 1];
  const pitch = at.length > 1 ? (last.x - first.x) / (at.length - 1) : 0.6;
  const width = last.x - first.x + Math.max(pitch, 0.3);
  camera.fov = 12; // from afar: all copies look the same
  const away = width / (2 * Math.tan((camera.fov * Math.PI) / 360) * camera.aspect);
  const middle = (first.x + last.x) / 2;
  const height = width / camera.aspect;
  camera.far = 10 * away;
  camera.updateProjectionMatrix();
  const front = 0.7 * first.y;
  controls.target.set(middle, front, 0.27 * height);
  camera.position.set(middle, front - 0.93 * away, 0.27 * height + 0.37 * away);
  controls.update();
});

const rows = [];
for (const moment of moments) {
  await page.evaluate((time) => {
    const { player } = window.tact;
    const at = player.frames.findIndex((frame) => frame.time >= time - 1e-6);
    window.tact.scrub(at < 0 ? player.frames.length - 1 : at);
  }, Number(moment));
  await wait(700);
  const time = await page.evaluate(() => window.tact.player.current.time);
  const bytes = await page.screenshot({ type: "png" });
  rows.push(`<div><b>${time.toFixed(3)} s</b><img src="data:image/png;base64,${bytes.toString("base64")}"></div>`);
}
const sheet = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT * rows.length } });
await sheet.setContent(`<style>body { margin: 0 } div { position: relative; height: ${HEIGHT}px }
  img { display: block } b { position: absolute; left: 8px; top: 6px; font: bold 16px sans-serif; background: #fffc }</style>${rows.join("")}`);
await sheet.screenshot({ path: out, type: out.endsWith(".png") ? "png" : "jpeg", ...(out.endsWith(".png") ? {} : { quality: QUALITY }) });
await browser.close();
