// Bundles the page into one HTML file: node build.mjs OUT
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "page.html");

const bundled = await build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "inline",
  write: false,
  logLevel: "warning",
});
const sheets = [join(here, "node_modules/uplot/dist/uPlot.min.css"), join(here, "src/style.css")];
const style = (await Promise.all(sheets.map((path) => readFile(path, "utf8")))).join("\n");
// A script inside of HTML ends at the first end tag, wherever it stands.
const script = bundled.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = (await readFile(join(here, "index.html"), "utf8"))
  .replace("/*STYLE*/", () => style)
  .replace("/*SCRIPT*/", () => script);
await writeFile(out, page);
