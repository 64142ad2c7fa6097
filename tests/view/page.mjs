// A browser on the real page of the real server: node page.mjs PROGRAM SCENES PICTURES
import assert from "node:assert/strict";
import { check, start } from "./browser.mjs";
import { checkLive } from "./live.mjs";
import { checkReplays } from "./replay.mjs";

const [, , program, scenes, pictures] = process.argv;
const test = await start(pictures);
await checkLive(test, program, scenes);
await checkReplays(test, program, scenes);
await check(test, "no error in the page", async () => assert.deepEqual(test.errors, []));
await test.browser.close();
console.log(`${test.passed} passed, ${test.failures} failed`);
process.exit(test.failures ? 1 : 0);
