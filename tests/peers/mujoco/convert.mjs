// tact convert loses nothing: node convert.mjs TACT FOLDER FILE...
//
// Each file is written to the folder as MJCF, and what tact reads there has the mass matrix and the
// bias of the file itself, at a state where every joint is bent and moves. compare.mjs then compares
// what is in the folder with what MuJoCo reads.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const TOLERANCE = 1e-12; // of the largest entry; where forces cancel, of those of gravity
const [tact, folder, ...files] = process.argv.slice(2);
const say = (...words) => execFileSync(tact, words, { maxBuffer: 1 << 28,
                                                      stdio: ['ignore', 'pipe', 'pipe'] });
const info = (file, ...rest) => JSON.parse(say('info', file, '--json', ...rest));

function off(ours, theirs, least = 0) {
    if (ours.length !== theirs.length) {
        return Infinity;
    }
    const size = Math.max(1e-300, least, ...theirs.map(Math.abs));
    return Math.max(0, ...ours.map((x, i) => Math.abs(x - theirs[i]))) / size;
}

let failed = 0;
files.forEach((file, index) => {
    const name = path.basename(file, path.extname(file));
    const written = path.join(folder, `${index}-${name}.xml`);
    try {
        say('convert', file, written);
        const rest = info(file);
        const qpos = rest.qpos.map((x, i) => x + 0.3 * Math.sin(i + 1)).join(' ');
        const qvel = Array.from({ length: rest.nv }, (_, i) => Math.cos(2 * i)).join(' ');
        const [a, b] = [file, written].map((f) => info(f, '--qpos', qpos, '--qvel', qvel));
        const weight = 9.81 * Math.max(0, ...a.M.flat());
        const worst = Math.max(off(b.M.flat(), a.M.flat()), off(b.bias, a.bias, weight));
        const bad = !(worst <= TOLERANCE);
        failed += bad;
        console.log(`${name}: nv ${rest.nv}, mass matrix and bias differ by ` +
                    `${worst.toExponential(1)}${bad ? ' FAILED' : ''}`);
    } catch (error) {
        failed++;
        console.log(`${name}: FAILED: ${String(error.stderr || error).trim()}`);
    }
});
process.exit(failed > 0 ? 1 : 0);
