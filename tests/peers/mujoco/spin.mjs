// How long spinning, rolling and sliding last in tact and in MuJoCo: node spin.mjs TACT
//
// A ball spins on the spot, a ball rolls, a ball slides and spins at once. The time until a velocity is a
// hundredth of what it was, in both. Where one part alone is at its bound the laws coincide, and the times
// are those of the closed forms; a ball that slides and spins shares one bound in MuJoCo's elliptic cone and
// has one for each part in tact: there the spin lasts longer in MuJoCo.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadModel, loadMujoco } from './mujoco.mjs';

const [tact] = process.argv.slice(2);
const mujoco = await loadMujoco();
if (!mujoco) {
    console.log('skipped: the package @mujoco/mujoco is not installed');
    process.exit(0);
}
const [G, R, MU, SPIN, ROLL, DT] = [9.81, 0.05, 0.3, 0.01, 0.005, 0.001];

/// qvel: x y z of the origin, then the angular velocity in the frame of the ball, which is not turned.
function ball(qvel, condim) {
    return `<mujoco><option timestep="${DT}" cone="elliptic" impratio="100"/><worldbody>
<geom type="plane" size="9 9 1" condim="1" friction="0 0 0"/>
<body name="ball" pos="0 0 ${R}"><freejoint name="ball"/>
<geom type="sphere" size="${R}" mass="0.3" condim="${condim}" friction="${MU} ${SPIN} ${ROLL}" priority="1"/></body>
</worldbody><keyframe><key qpos="0 0 ${R} 1 0 0 0" qvel="${qvel}"/></keyframe></mujoco>`;
}

// What is watched: a component of v; its closed form, s, until 0.
const CASES = [
    { name: 'spins on the spot', qvel: '0 0 0 0 0 20', watch: 5, from: 20, exact: 20 * 0.4 * R * R / (SPIN * G), condim: 4 },
    { name: 'rolls', qvel: `0.5 0 0 0 ${0.5 / R} 0`, watch: 0, from: 0.5, exact: 0.5 / (5 / 7 * ROLL * G / R), condim: 6 },
    // MuJoCo: the spin has what the slip leaves of the one bound, while the ball slips
    { name: 'slides and spins', qvel: '2 0 0 0 0 20', watch: 5, from: 20, exact: 20 * 0.4 * R * R / (SPIN * G), condim: 4,
      shares: true },
];

function timeIn(series, from) {
    const at = series.find(([, v]) => Math.abs(v) < 0.01 * from);
    return at ? at[0] : Infinity;
}

function runMujoco(file, one) {
    const model = loadModel(mujoco, file);
    const data = new mujoco.MjData(model);
    const series = [];
    mujoco.mj_resetDataKeyframe(model, data, 0);
    for (let k = 1; k * DT < 4 * one.exact; k++) {
        mujoco.mj_step(model, data);
        // the angular velocity of a free joint is in the frame of the body; about the normal in the world:
        const q = data.qpos.subarray(3, 7);
        const w = data.qvel.subarray(3, 6);
        const up = [2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])];
        series.push([k * DT, one.watch === 5 ? up[0] * w[0] + up[1] * w[1] + up[2] * w[2] : data.qvel[one.watch]]);
    }
    data.delete();
    model.delete();
    return timeIn(series, one.from);
}

function runTact(file, one) {
    const csv = `${file}.csv`;
    execFileSync(tact, ['run', file, '--time', String(4 * one.exact), '--csv', csv], { stdio: ['ignore', 'ignore', 'inherit'] });
    const lines = fs.readFileSync(csv, 'utf8').trim().split('\n').map((line) => line.split(','));
    const column = (name) => lines[0].indexOf(name);
    const spin = ['v:ball.wx', 'v:ball.wy', 'v:ball.wz'].map(column);
    const turn = ['q:ball.qw', 'q:ball.qx', 'q:ball.qy', 'q:ball.qz'].map(column);
    const x = lines[0].findIndex((word) => word === 'v:ball.x' || word === 'v:ball.vx');
    if (x < 0 || spin.includes(-1) || turn.includes(-1)) throw new Error(`columns: ${lines[0].join(' ')}`);
    return timeIn(lines.slice(1).map((line) => {
        const n = line.map(Number);
        const [qw, qx, qy, qz] = turn.map((k) => n[k]);
        const w = spin.map((k) => n[k]);
        const up = [2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)];
        return [n[1], one.watch === 5 ? up[0] * w[0] + up[1] * w[1] + up[2] * w[2] : n[x]];
    }), one.from);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tact-'));
let failed = 0;
for (const one of CASES) {
    const file = path.join(folder, 'ball.xml');
    fs.writeFileSync(file, ball(one.qvel, one.condim));
    const [ours, theirs] = [runTact(file, one), runMujoco(file, one)];
    const close = Math.abs(ours - 0.99 * one.exact) < 0.01 * one.exact;
    const order = one.shares ? theirs > 1.02 * ours && theirs < 3 * ours : theirs > 0.5 * ours && theirs < 2 * ours;
    console.log(`${one.name}: ${ours.toFixed(3)} s in tact, ${theirs.toFixed(3)} s in MuJoCo, closed form ` +
                `${(0.99 * one.exact).toFixed(3)} s${close && order ? '' : '  FAILED'}`);
    failed += close && order ? 0 : 1;
}
fs.rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
