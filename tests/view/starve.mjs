// `tact view` where memory lacks: node starve.mjs PROGRAM SCENE STARVE.so
//
// One allocation of a whole session fails, another one each time: the server tells it, or serves,
// and ends in order when it is asked to. No signal, no hang.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wait } from "./serve.mjs";

const [, , program, scene, starve] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "tact-starve-"));
const report = join(folder, "report");

/// Asks for frames, and sends commands; done when something has come, or after a while.
async function visit(address) {
  const to = new URL(address);
  const socket = connect(Number(to.port), to.hostname);
  let size = 0;
  socket.on("error", () => {});
  socket.on("data", (data) => (size += data.length));
  socket.write(
    `GET /socket HTTP/1.1\r\nHost: ${to.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: ${to.origin}\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tact-view\r\n\r\n`,
  );
  await fetch(to.origin, { signal: AbortSignal.timeout(3000) }).then((answer) => answer.text()).catch(() => {});
  for (let i = 0; i < 30 && size < 20_000 && !socket.destroyed; i++) await wait(10);
  for (const text of ['{"type":"explain"}', '{"type":"friction","value":0.5}', '{"type":"gallery"}']) {
    const mask = randomBytes(4);
    const body = Buffer.from(Buffer.from(text).map((b, i) => b ^ mask[i % 4]));
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, body]));
  }
  await wait(60);
  socket.destroy();
}

/// A session; resolves to how it ended.
async function session(at, on) {
  const child = spawn(program, ["view", "--no-open", scene], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LD_PRELOAD: starve, TACT_STARVE_AT: String(at), TACT_STARVE_ON: on ? "1" : "0",
      TACT_STARVE_REPORT: report,
      // For builds with sanitizers, which let starve.so be first and failures come back as NULL.
      ASAN_OPTIONS: "verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=0" },
  });
  let out = "";
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, errors })));
  const address = new Promise((resolve) => {
    child.stdout.on("data", (data) => {
      out += data;
      if (out.includes("\n")) resolve(out.split("\n")[0]);
    });
  });
  const first = await Promise.race([address, ended, wait(20_000)]);
  assert.ok(first !== undefined, `allocation ${at}: neither an address nor an end`);
  if (typeof first === "string") await visit(first);
  child.kill("SIGTERM");
  const late = wait(20_000).then(() => null);
  const end = await Promise.race([ended, late]);
  if (!end) child.kill("SIGKILL");
  assert.ok(end, `allocation ${at}: it does not end`);
  return end;
}

const honest = await session(0, false);
assert.equal(honest.code, 0, honest.errors);
const [asked] = readFileSync(report, "utf8").split(" ").map(Number);
assert.ok(asked > 100, `${asked} allocations`);
let refused = 0;
const tried = Number(process.env.TACT_STARVE_TRIED ?? 24);
for (let i = 0; i < tried; i++) {
  const on = i % 4 === 3;
  const at = 1 + Math.floor((i * asked) / tried);
  const end = await session(at, on);
  const what = `allocation ${at}${on ? " and all later ones" : ""} of ${asked}: ${end.errors}`;
  assert.equal(end.signal, null, what);
  assert.ok(end.code === 0 || end.code === 2, `${end.code}: ${what}`);
  if (end.code === 2) assert.match(end.errors, /memory|thread|listen|loaded/, what);
  assert.doesNotMatch(end.errors, /Sanitizer|runtime error/, what);
  refused += end.code === 2;
}
console.log(`ok    ${tried} of ${asked} allocations failed: ${refused} sessions did not begin, the others served and ended in order`);
rmSync(folder, { recursive: true });
