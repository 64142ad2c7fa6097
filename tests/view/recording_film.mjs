// Pictures of a recording for a film: node recording_film.mjs PROGRAM FILE.tact FOLDER SECONDS...
// One PNG for each moment, FOLDER/000.png and so on, with the time and what is proven written on it.
import { join } from "node:path";
import { chromium } from "../../view/page/node_modules/playwright-core/index.mjs";
import { serve, until, wait } from "./serve.mjs";

const [, , program, recording, folder, ...moments] = process.argv;
const WIDTH = Number(process.env.WIDTH ?? 640);
const HEIGHT = Number(process.env.HEIGHT ?? 480);
const CAPTION = process.env.CAPTION ?? "";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const server = serve(program, [recording, "--paused"]);
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light" });
await page.goto(await server.address);
await page.addStyleTag({
  content: `header, aside, footer, #hint, #banner { display: none !important }
    #caption { position: fixed; left: 10px; top: 8px; font: 15px sans-serif; color: #222; background: #fffc; padding: 2px 6px }`,
});
await until("frames", () => page.evaluate(() => window.tact.player.frames.length > 1), 120_000);

/// The camera sees the bin and what falls into it.
await page.evaluate(() => {
  const { camera, controls } = window.tact.stage;
  const caption = document.createElement("div");
  caption.id = "caption";
  document.body.append(caption);
  window.tact.stage.quality.setShadows(true);
  window.tact.resize();
  window.tact.stage.frameAll(camera.position.clone().set(0.75, -1, 0.75));
  camera.position.lerp(controls.target, 0.42);
  controls.update();
});

for (const [number, moment] of moments.entries()) {
  await page.evaluate(
    ([time, caption]) => {
      const { player } = window.tact;
      const at = player.frames.findIndex((frame) => frame.time >= time - 1e-6);
      window.tact.scrub(at < 0 ? player.frames.length - 1 : at);
      document.querySelector("#caption").textContent = `${time.toFixed(2)} s  ${caption}`;
    },
    [Number(moment), CAPTION],
  );
  await wait(400);
  await page.screenshot({ path: join(folder, `${String(number).padStart(3, "0")}.png`), type: "png" });
}
await browser.close();
await server.stop();
