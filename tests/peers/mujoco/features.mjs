// Motion of small models, each with one feature of MJCF, beside MuJoCo's: node features.mjs TACT FILE...
//
// A file says <numeric name="compare" data="SECONDS TOLERANCE"/>: after that time positions of joints
// and values of sensors differ by no more. Where steps of a quarter of the length are compared too
// (ORDER, a third number: 1), the difference has to shrink at least by half: it is that of two
// integrators of first order, and not of two meanings.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadModel, loadMujoco } from './mujoco.mjs';
import { withoutPlugins } from './plugins.mjs';

const [tact, ...files] = process.argv.slice(2);
const mujoco = await loadMujoco();
if (!mujoco) {
    console.log('skipped: the package @mujoco/mujoco is not installed');
    process.exit(0);
}

function nameAt(model, address) {
    return Buffer.from(model.names.subarray(address, model.names.indexOf(0, address))).toString();
}

const PARTS = { 0: ['.x', '.y', '.z', '.qw', '.qx', '.qy', '.qz'], 1: ['.qw', '.qx', '.qy', '.qz'],
                2: [''], 3: [''] };

/// Values by the names of tact's CSV.
function runMujoco(file, seconds, dt) {
    const { text, laws } = withoutPlugins(fs.readFileSync(file, 'utf8'));
    const model = laws.length > 0 ? mujoco.MjModel.from_xml_string(text) : loadModel(mujoco, file);
    const data = new mujoco.MjData(model);
    model.opt.timestep = dt;
    if (model.nkey > 0) {
        mujoco.mj_resetDataKeyframe(model, data, 0);
    }
    for (let k = 0; k < Math.round(seconds / dt); k++) {
        if (laws.length > 0) {
            mujoco.mj_forward(model, data);
            data.xfrc_applied.fill(0);
            laws.forEach((law) => law.apply(model, data));
        }
        mujoco.mj_step(model, data);
    }
    mujoco.mj_forward(model, data);
    const values = {};
    for (let j = 0; j < model.njnt; j++) {
        const name = nameAt(model, model.name_jntadr[j]);
        PARTS[model.jnt_type[j]].forEach((part, i) => {
            values[`q:${name}${part}`] = data.qpos[model.jnt_qposadr[j] + i];
        });
    }
    for (let s = 0; s < model.nsensor; s++) {
        const name = nameAt(model, model.name_sensoradr[s]);
        const [start, size] = [model.sensor_adr[s], model.sensor_dim[s]];
        for (let i = 0; i < size; i++) {
            values[`sensor:${name}${size > 1 ? `.${i}` : ''}`] = data.sensordata[start + i];
        }
    }
    data.delete();
    model.delete();
    return values;
}

function runTact(file, seconds, dt) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tact-'));
    const csv = path.join(folder, 'run.csv');
    execFileSync(tact, ['run', file, '--time', String(seconds), '--dt', String(dt), '--csv', csv],
                 { stdio: ['ignore', 'ignore', 'inherit'] });
    const lines = fs.readFileSync(csv, 'utf8').trim().split('\n');
    fs.rmSync(folder, { recursive: true });
    const [names, numbers] = [lines[0].split(','), lines[lines.length - 1].split(',')];
    return Object.fromEntries(names.map((name, i) => [name, Number(numbers[i])]));
}

function compare(file, seconds, dt) {
    const theirs = runMujoco(file, seconds, dt);
    const ours = runTact(file, seconds, dt);
    let worst = { off: 0, name: '' };
    for (const [name, value] of Object.entries(theirs)) {
        if (!(name in ours)) {
            throw new Error(`${file}: tact has no ${name}`);
        }
        const off = Math.abs(ours[name] - value) / Math.max(1, Math.abs(value));
        if (!(off <= worst.off)) {
            worst = { off, name, ours: ours[name], theirs: value };
        }
    }
    return worst;
}

let failed = 0;
for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    const [seconds, tolerance, order] = /name="compare"\s+data="([^"]*)"/.exec(text)[1].trim()
        .split(/\s+/).map(Number);
    const dt = Number(/timestep="([^"]*)"/.exec(text)[1]);
    const worst = compare(file, seconds, dt);
    let said = `${path.basename(file)}: ${worst.off.toExponential(1)} at ${worst.name}`;
    let bad = !(worst.off <= tolerance);
    if (order) {
        const finer = compare(file, seconds, dt / 4);
        said += `, with a quarter of the step ${finer.off.toExponential(1)}`;
        bad = bad || !(finer.off <= worst.off / 2 || finer.off < 1e-9);
    }
    if (bad) {
        said += ` FAILED: wanted ${tolerance}; tact ${worst.ours}, MuJoCo ${worst.theirs}`;
        failed++;
    }
    console.log(said);
}
process.exit(failed > 0 ? 1 : 0);
