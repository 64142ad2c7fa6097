// A picture of every scene: node pictures.mjs PROGRAM SCENES FOLDER NAME...
import { join } from "node:path";
import { chromium } from "../../view/page/node_modules/playwright-core/index.mjs";
import { serve, until, wait } from "./serve.mjs";

const [, , program, scenes, folder, ...names] = process.argv;
process.setMaxListeners(100); // a server for each scene
const SECONDS = 0.3; // of the run, when the picture is taken
const MOMENTS = { squat: 0.46, "tap-dance": 3.1 }; // others than that, slowly, so as not to miss them
const AT_ONCE = ["bullet"]; // gone by then
const PATIENCE = 60_000; // ms: a heavy scene is shown as far as it has come
const PLANAR = [0.35, -1, 0.2]; // from the front
const NEAR = { blockfeeder: PLANAR, jack: PLANAR, squat: [1, -0.7, 0.3], "tap-dance": [1, -0.7, 0.3] }; // from there, and from nearer

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const name of names) {
  const paused = AT_ONCE.includes(name);
  const slow = name in MOMENTS;
  const server = serve(program, [join(scenes, `${name}.xml`), ...(paused || slow ? ["--paused"] : [])]);
  const page = await browser.newPage({ viewport: { width: 480, height: 300 }, colorScheme: "light" });
  await page.goto(await server.address);
  await page.addStyleTag({ content: "header, aside, footer, #hint { display: none !important }" });
  const time = () => page.evaluate(() => window.tact.player.current?.time ?? -1);
  await until(`${name} is there`, async () => (await time()) >= 0, 2 * PATIENCE);
  if (slow) {
    await page.evaluate(() => {
      window.tact.send({ type: "speed", value: 0.1 });
      window.tact.send({ type: "play" });
    });
  }
  const end = Date.now() + PATIENCE;
  await until(`${name} runs`, async () => paused || (await time()) > (MOMENTS[name] ?? SECONDS) || Date.now() > end, 2 * PATIENCE);
  await page.evaluate((from) => {
    const { camera, controls } = window.tact.stage;
    window.tact.send({ type: "pause" });
    window.tact.stage.quality.setShadows(true);
    window.tact.resize(); // the panels are gone
    window.tact.stage.frameAll(from ? camera.position.clone().set(...from) : undefined); // what moves may have gone far
    camera.position.lerp(controls.target, from ? 0.35 : 0.25);
    controls.update();
  }, NEAR[name]);
  await wait(slow ? 2500 : 500);
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 80 });
  await page.close();
  await server.stop();
  console.log(join(folder, `${name}.jpg`));
}
await browser.close();
