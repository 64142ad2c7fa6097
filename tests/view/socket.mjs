// The socket of `tact view` under bad hands: node socket.mjs PROGRAM SCENE
//
// Frames of the protocol are made here byte by byte, so that they can be wrong.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { serve, until, wait } from "./serve.mjs";

const [, , program, scene] = process.argv;
const server = serve(program, [scene]);
const address = new URL(await server.address);
let passed = 0;

/// A connection after its handshake, or null if it was refused.
function open({ to = address, origin = to.origin, host = to.host, path = "/socket", read = true, protocol = "tact-view",
  upgrade = "websocket" } = {}) {
  return new Promise((resolve) => {
    const socket = connect(Number(to.port), to.hostname);
    const page = { socket, bytes: Buffer.alloc(0), closed: false };
    let greeted = false;
    socket.on("error", () => {});
    socket.on("close", () => {
      page.closed = true;
      resolve(null);
    });
    socket.on("data", (data) => {
      page.bytes = Buffer.concat([page.bytes, data]);
      const end = page.bytes.indexOf("\r\n\r\n");
      if (!greeted && end >= 0) {
        greeted = true;
        const taken = page.bytes.toString("latin1", 0, 12) === "HTTP/1.1 101";
        page.bytes = page.bytes.subarray(end + 4);
        if (!read) socket.pause();
        resolve(taken ? page : null);
      }
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: ${upgrade}\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n` +
        `${protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ""}${origin ? `Origin: ${origin}\r\n` : ""}\r\n`,
    );
  });
}

/// A masked frame, as browsers send them.
function frame(payload, opcode = 1, final = true) {
  const bytes = Buffer.from(payload);
  const mask = randomBytes(4);
  const masked = Buffer.from(bytes.map((b, i) => b ^ mask[i % 4]));
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65536 ? 4 : 10);
  head[0] = (final ? 128 : 0) | opcode;
  head[1] = 128 | (bytes.length < 126 ? bytes.length : bytes.length < 65536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, mask, masked]);
}

/// Headers of the messages that have come so far.
function messages(page) {
  const found = [];
  for (let at = 0; at + 2 <= page.bytes.length; ) {
    let size = page.bytes[at + 1] & 127;
    let head = 2;
    if (size === 126) [size, head] = [page.bytes.readUInt16BE(at + 2), 4];
    else if (size === 127) [size, head] = [Number(page.bytes.readBigUInt64BE(at + 2)), 10];
    if (at + head + size > page.bytes.length) break;
    const body = page.bytes.subarray(at + head, at + head + size);
    if ((page.bytes[at] & 15) === 2) found.push(JSON.parse(body.subarray(4, 4 + body.readUInt32LE(0)).toString()));
    at += head + size;
  }
  return found;
}

const lastStep = (page) => messages(page).filter((m) => m.type === "frame").at(-1)?.step ?? -1;

async function check(what, act) {
  await act();
  passed++;
  console.log(`ok    ${what}`);
}

/// The simulation goes on, and an honest page is served.
async function isWell() {
  const page = await open();
  assert.ok(page, "an honest page is taken");
  await until("frames", () => lastStep(page) >= 0);
  const before = lastStep(page);
  await until("more frames", () => lastStep(page) > before);
  page.socket.destroy();
}

await check("an honest page gets scene, state and frames", isWell);
await check("a page of another origin is refused", async () => {
  assert.equal(await open({ origin: "http://elsewhere.example" }), null);
  assert.equal(await open({ origin: "null" }), null);
  assert.equal(await open({ host: "elsewhere.example", origin: "http://elsewhere.example" }), null);
});
await check("a socket of another protocol, or of none, is refused, whoever asks", async () => {
  for (const origin of [address.origin, "http://elsewhere.example", null]) {
    for (const protocol of [null, "http", "chat", "tact-viewer", "tact-view-2"]) {
      assert.equal(await open({ origin, protocol }), null, `${protocol} from ${origin}`);
    }
    assert.equal(await open({ origin, upgrade: "h2c" }), null, `h2c from ${origin}`);
  }
  assert.equal(await open({ host: "elsewhere.example", origin: "http://elsewhere.example", protocol: null }), null);
  const page = await open({ protocol: "chat, tact-view" });
  assert.ok(page, "ours among others is taken");
  page.socket.destroy();
});
await check("1200 sockets without a protocol hold nothing", async () => {
  const pages = await Promise.all(Array.from({ length: 1200 }, () => open({ protocol: null, origin: "http://elsewhere.example" })));
  assert.equal(pages.filter(Boolean).length, 0);
  await isWell();
});
await check("600 half requests do not keep a page waiting", async () => {
  const halves = [];
  for (let i = 0; i < 600; i++) {
    const socket = connect(Number(address.port), address.hostname);
    socket.on("error", () => {});
    socket.on("close", () => (socket.ended = true));
    socket.write(`GET / HTTP/1.1\r\nHost: ${address.host}\r\nX-Half:`);
    halves.push(socket);
  }
  await wait(300);
  const start = Date.now();
  assert.equal((await fetch(address.origin)).status, 200);
  await isWell();
  const time = Date.now() - start;
  assert.ok(time < 3000, `${time} ms`);
  await until("most of them are closed", () => halves.filter((socket) => !socket.ended).length <= 64);
  for (const socket of halves) socket.destroy();
});
await check("600 who ask for the page and do not read it do not keep another one waiting", async () => {
  const deaf = [];
  for (let i = 0; i < 600; i++) {
    const socket = connect(Number(address.port), address.hostname);
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET / HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`);
    deaf.push(socket);
  }
  await wait(300);
  const start = Date.now();
  const answer = await fetch(address.origin);
  assert.ok((await answer.text()).length > 10_000);
  await isWell();
  assert.ok(Date.now() - start < 3000, `${Date.now() - start} ms`);
  for (const socket of deaf) socket.destroy();
});
await check("garbage changes nothing", async () => {
  const page = await open();
  for (const text of ["", "{", "[]", "null", "{}", '{"type":7}', '{"type":"fly"}', '{"type":"ctrl"}',
    '{"type":"ctrl","index":-1,"value":1}', '{"type":"ctrl","index":1e9,"value":1}', '{"type":"ctrl","index":0,"value":1e999}',
    '{"type":"drag","body":0,"point":[0,0,0],"target":[0,0,0]}', '{"type":"drag","body":99999,"point":[0,0,0],"target":[0,0,0]}',
    '{"type":"drag","body":1,"point":[0,0],"target":[0,0,0]}', '{"type":"friction","value":-1}', '{"type":"speed","value":"x"}',
    '{"type":"open","file":"../../etc/passwd"}', '{"type":"method","value":"none"}', '{"type":"rewind","step":-5e300}',
    `{"type":"open","file":"${"x".repeat(5000)}"}`, "[".repeat(4000)]) {
    page.socket.write(frame(text));
  }
  page.socket.write(frame(randomBytes(1000), 2));
  page.socket.write(frame('{"type":"pla', 1, false));
  page.socket.write(frame('y"}', 0, true));
  await wait(300);
  assert.equal(page.closed, false);
  assert.deepEqual(messages(page).filter((m) => m.type === "error"), []);
  page.socket.destroy();
  await isWell();
});
await check("a command of 1 MB ends the connection and nothing else", async () => {
  const page = await open();
  page.socket.write(frame(randomBytes(1 << 20)));
  await until("closed", () => page.closed);
  await isWell();
});
await check("bytes that are no frames end the connection", async () => {
  const page = await open();
  page.socket.write(randomBytes(4096));
  await until("closed", () => page.closed);
  await isWell();
});
await check("a frame that is not masked ends its connection, whatever it asks for", async () => {
  const bare = (payload) => Buffer.concat([Buffer.from([129, payload.length]), Buffer.from(payload)]);
  const ways = {
    first: (socket) => socket.write(bare('{"type":"pause"}')),
    "after a masked one": (socket) => socket.write(Buffer.concat([frame("{}"), bare('{"type":"pause"}')])),
    "after long ones": (socket) => {
      socket.write(frame("x".repeat(5000)));
      socket.write(frame("x".repeat(200)));
      socket.write(bare("{}"));
    },
    "byte by byte": async (socket) => {
      socket.setNoDelay(true);
      for (const byte of Buffer.concat([frame("{}"), frame("y".repeat(130)), bare("{}")])) {
        socket.write(Buffer.from([byte]));
        await wait(1);
      }
    },
    "a ping": (socket) => socket.write(Buffer.from([137, 0])),
  };
  for (const [way, send] of Object.entries(ways)) {
    const page = await open();
    assert.ok(page, way);
    await send(page.socket);
    await until(`closed (${way})`, () => page.closed);
  }
  const page = await open(); // masked frames in pieces are taken as before
  page.socket.setNoDelay(true);
  for (const byte of Buffer.concat([frame("{}"), frame("z".repeat(300)), frame("{}", 9)])) {
    page.socket.write(Buffer.from([byte]));
    await wait(1);
  }
  await wait(200);
  assert.equal(page.closed, false);
  page.socket.destroy();
  await isWell();
});
await check("what follows a request before it is answered ends it", async () => {
  const closed = (bytes) =>
    new Promise((resolve) => {
      const socket = connect(Number(address.port), address.hostname);
      let head = "";
      socket.on("error", () => {});
      socket.on("data", (data) => (head += data.toString("latin1", 0, 12)));
      socket.on("close", () => resolve(head));
      socket.write(
        Buffer.concat([
          Buffer.from(
            `GET /socket HTTP/1.1\r\nHost: ${address.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
              `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n` +
              `Sec-WebSocket-Protocol: tact-view\r\nOrigin: ${address.origin}\r\n\r\n`,
          ),
          bytes,
        ]),
      );
    });
  for (const bytes of [Buffer.from([129, 2, 123, 125]), Buffer.from([129, 4, 13, 10, 13, 10]), frame("{}")]) {
    assert.equal((await closed(bytes)).includes("101"), false);
  }
  await isWell();
});
await check("100 connections: some are taken, the server lives", async () => {
  const pages = await Promise.all(Array.from({ length: 100 }, () => open()));
  const taken = pages.filter(Boolean);
  assert.ok(taken.length >= 1 && taken.length < 100, `${taken.length} of 100`);
  for (const page of taken) page.socket.destroy();
  await wait(500);
  await isWell();
});
await check("a page that never reads does not slow the simulation", async () => {
  const slow = await open({ read: false });
  const page = await open();
  await until("frames", () => lastStep(page) >= 0);
  const step = lastStep(page);
  const start = Date.now();
  await wait(2000);
  const steps = lastStep(page) - step;
  const due = (Date.now() - start) / 2; // of 2 ms
  assert.ok(steps > 0.2 * due, `${steps} steps where ${due} are due`);
  slow.socket.destroy();
  page.socket.destroy();
});
await check("after all of it the simulation is where tact run would be, bit for bit", async () => {
  const page = await open();
  await until("frames", () => lastStep(page) >= 0);
  const { step, time, hash } = messages(page).filter((m) => m.type === "frame").at(-1);
  page.socket.destroy();
  const run = execFileSync(program, ["run", scene, "--time", String(time), "--json"]);
  const { steps, hash: expected } = JSON.parse(run);
  assert.deepEqual([step, hash], [steps, expected]);
});
await check("another address is for those who have the token", async () => {
  const other = serve(program, ["--host", "127.0.0.2", scene]);
  const to = new URL(await other.address);
  const token = to.searchParams.get("token");
  assert.equal(to.hostname, "127.0.0.2");
  assert.match(token, /^[0-9a-f]{32}$/);
  for (const query of ["", "?token=", `?token=${"0".repeat(32)}`, `?token=${token}0`, `?token=${token.slice(1)}`]) {
    assert.equal(await open({ to, path: `/socket${query}` }), null, `the socket with '${query}'`);
    assert.equal((await fetch(`${to.origin}/${query}`)).status, 403, `the page with '${query}'`);
  }
  assert.equal((await fetch(`${to.origin}/pictures/slope`)).status, 403);
  const path = `/socket?token=${token}`;
  assert.equal(await open({ to, path, origin: "http://elsewhere.example" }), null, "a page of another origin");
  assert.equal((await fetch(to)).status, 200);
  const page = await open({ to, path });
  assert.ok(page, "with the token");
  await until("frames", () => lastStep(page) >= 0);
  page.socket.destroy();
  const here = new URL(`http://127.0.0.1:${to.port}/`);
  assert.equal(await open({ to: here, path }), null, "it listens at that address alone");
  const { code } = await other.stop();
  assert.equal(code, 0);
});
const end = await server.stop();
await check("the server ends in order, with nothing to complain of", async () => {
  assert.equal(end.code, 0, end.errors);
  assert.equal(/Sanitizer|runtime error/.test(end.errors), false, end.errors);
});
console.log(`${passed} passed, 0 failed`);
