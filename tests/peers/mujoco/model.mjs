// What MuJoCo makes of a model, as one JSON object in the words of `tact info --json`.
//
//     node tests/peers/mujoco/model.mjs FILE [--keyframe NAME] [--qpos "..."] [--qvel "..."]
//
// Poses are those of the state that is asked for (default: the reference). With --qpos or --qvel
// also the mass matrix M, the bias and the unconstrained acceleration qacc = -M^-1 bias.
import { describe, loadModel, loadMujoco } from './mujoco.mjs';

function fail(text) {
    process.stderr.write(`model.mjs: ${text}\n`);
    process.exit(2);
}

function numbers(option, text, count) {
    const list = (text ?? '').trim().split(/[\s,]+/).map(Number);
    if (list.length !== count || list.some(Number.isNaN)) {
        fail(`${option} needs ${count} numbers`);
    }
    return list;
}

const options = {};
let file = null;
for (let i = 2; i < process.argv.length; i++) {
    const word = process.argv[i];
    if (['--qpos', '--qvel', '--keyframe'].includes(word)) {
        options[word] = process.argv[++i];
    } else if (word.startsWith('--') || file) {
        fail(`what is '${word}'?`);
    } else {
        file = word;
    }
}
if (!file) {
    fail('a model file is needed');
}

const mujoco = await loadMujoco();
if (!mujoco) {
    fail('@mujoco/mujoco is not installed: npm ci in tests/peers/mujoco');
}
try {
    const model = loadModel(mujoco, file);
    const state = {};
    if ('--qpos' in options) {
        state.qpos = numbers('--qpos', options['--qpos'], model.nq);
    }
    if ('--qvel' in options) {
        state.qvel = numbers('--qvel', options['--qvel'], model.nv);
    }
    if ('--keyframe' in options) {
        const kind = mujoco.mjtObj.mjOBJ_KEY.value;
        state.keyframe = mujoco.mj_name2id(model, kind, options['--keyframe']);
        if (state.keyframe < 0) {
            fail(`${file}: there is no keyframe '${options['--keyframe']}'`);
        }
    }
    process.stdout.write(JSON.stringify(describe(mujoco, model, state), null, 1) + '\n');
} catch (error) {
    fail(`${file}: ${error.message ?? error}`);
}
