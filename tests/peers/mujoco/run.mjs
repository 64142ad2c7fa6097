// Runs a model from its first keyframe: node run.mjs FILE SECONDS BUDGET
// Prints: steps wanted, steps made, processor seconds of them, largest speed, mean contacts.
import { loadModel, loadMujoco } from './mujoco.mjs';

const [file, seconds, budget] = process.argv.slice(2);
const mujoco = await loadMujoco();
if (!mujoco) {
    process.exit(1);
}
const model = loadModel(mujoco, file);
const data = new mujoco.MjData(model);
if (model.nkey > 0) {
    mujoco.mj_resetDataKeyframe(model, data, 0);
}
const wanted = Math.ceil(Number(seconds) / model.opt.timestep - 1e-6);
const spent = () => {
    const { user, system } = process.cpuUsage();
    return 1e-6 * (user + system);
};
const start = spent();
const CHUNK = 20;
let [steps, speed, contacts] = [0, 0, 0];
while (steps < wanted && spent() - start < Number(budget)) {
    const end = Math.min(steps + CHUNK, wanted);
    for (; steps < end; steps++) {
        mujoco.mj_step(model, data);
    }
    speed = Array.from(data.qvel).reduce((most, v) => Math.max(most, Math.abs(v)), speed);
    contacts += data.ncon * CHUNK;
}
console.log(wanted, steps, spent() - start, speed, contacts / steps);
