// The plugins of MuJoCo that tact knows, which the package for Node does not have: their laws as MuJoCo
// documents them, written here a second time, as torques and forces from outside on a model without.
//
//     const { text, laws } = withoutPlugins(xml);     // laws: [] where there are none
//     laws.forEach((law) => law.apply(model, data));  // before each step, after mj_forward and
//                                                     // data.xfrc_applied.fill(0)
const CABLE = 'mujoco.elasticity.cable';
const PID = 'mujoco.pid';

function settings(text) {
    const found = {};
    for (const [, key, value] of text.matchAll(/<config\s+key="([^"]*)"\s+value="([^"]*)"/g)) {
        found[key] = value === 'true' ? true : Number(value);
    }
    return found;
}

function attribute(text, name) {
    return new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
}

function nameAt(model, address) {
    return Buffer.from(model.names.subarray(address, model.names.indexOf(0, address))).toString();
}

const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];

function product(a, b) {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

function rotate(q, v) {
    return product(product(q, [0, ...v]), conjugate(q)).slice(1);
}

function rotationVector(q) {
    const s = Math.hypot(q[1], q[2], q[3]);
    const angle = 2 * Math.atan2(s, Math.abs(q[0])) * (q[0] < 0 ? -1 : 1);
    return s > 0 ? q.slice(1).map((x) => (x / s) * angle) : [0, 0, 0];
}

/// Twist and bend of each body against its parent, as a pair of torques.
function cable(prefix, config) {
    const pieces = (model) => {
        const list = [];
        for (let b = 1; b < model.nbody; b++) {
            if (nameAt(model, model.name_bodyadr[b]).startsWith(`${prefix}B_`)) {
                list.push(b);
            }
        }
        return list.slice(1); // the first has none before it
    };
    return {
        apply(model, data) {
            for (const b of pieces(model)) {
                const p = model.body_parentid[b];
                const quat = (array, i) => Array.from(array.subarray(4 * i, 4 * i + 4));
                const turn = product(conjugate(quat(data.xquat, p)), quat(data.xquat, b));
                const rest = config.flat ? [0, 0, 0] : rotationVector(quat(model.body_quat, b));
                const length = Math.hypot(...model.body_pos.subarray(3 * b, 3 * b + 3));
                const size = model.geom_size.subarray(3 * model.body_geomadr[b]);
                let area = [Math.PI * size[0] ** 4 / 2, Math.PI * size[0] ** 4 / 4,
                            Math.PI * size[0] ** 4 / 4];
                if (model.geom_type[model.body_geomadr[b]] === 6) { // a box
                    const [long, short] = [Math.max(size[1], size[2]), Math.min(size[1], size[2])];
                    area = [long * short ** 3 *
                                (16 / 3 - 3.36 * (short / long) * (1 - (short / long) ** 4 / 12)),
                            (2 * size[2]) ** 3 * 2 * size[1] / 12,
                            (2 * size[1]) ** 3 * 2 * size[2] / 12];
                }
                const modulus = [config.twist, config.bend, config.bend];
                const local = rotationVector(turn).map(
                    (x, i) => -modulus[i] * area[i] * (x - rest[i]) / length);
                rotate(quat(data.xquat, p), local).forEach((torque, i) => {
                    data.xfrc_applied[6 * b + 3 + i] += torque;
                    data.xfrc_applied[6 * p + 3 + i] -= torque;
                });
            }
        },
    };
}

/// A controller on a joint without gear: its force as one from outside.
function pid(joint, ctrl, config) {
    let [integral, before] = [0, undefined];
    return {
        apply(model, data) {
            let j = 0;
            while (nameAt(model, model.name_jntadr[j]) !== joint) {
                j++;
            }
            const dof = model.jnt_dofadr[j];
            const h = model.opt.timestep;
            const slew = (config.slewmax ?? Infinity) * h;
            const u = before === undefined ? ctrl
                                           : Math.min(before + slew, Math.max(before - slew, ctrl));
            const error = u - data.qpos[model.jnt_qposadr[j]];
            before = u;
            const most = config.imax === undefined ? Infinity : config.imax / config.ki;
            integral = Math.min(most, Math.max(-most, integral + h * error));
            data.qfrc_applied[dof] = (config.kp ?? 0) * error - (config.kd ?? 0) * data.qvel[dof] +
                                     (config.ki ? config.ki * integral : 0);
        },
    };
}

/// The text of a model without its plugins, and what they do.
export function withoutPlugins(xml) {
    const laws = [];
    const instances = {};
    const extension = /<extension>[\s\S]*<\/extension>/.exec(xml)?.[0] ?? '';
    for (const [whole, name] of extension.matchAll(/<instance name="([^"]*)">[\s\S]*?<\/instance>/g)) {
        instances[name] = settings(whole);
    }
    for (const [whole] of xml.matchAll(/<composite[\s\S]*?<\/composite>/g)) {
        if (whole.includes(CABLE)) {
            const named = attribute(/<plugin[^>]*>/.exec(whole)[0], 'instance');
            laws.push(cable(attribute(whole, 'prefix') ?? '', instances[named] ?? settings(whole)));
        }
    }
    const ctrl = (/\sctrl="([^"]*)"/.exec(xml)?.[1] ?? '').trim().split(/\s+/).map(Number);
    let text = xml.replace(/<extension>[\s\S]*<\/extension>/, '');
    let index = 0;
    text = text.replace(/<plugin[^>]*joint=[^>]*?(\/>|>[\s\S]*?<\/plugin>)/g, (whole) => {
        const named = attribute(/<plugin[^>]*>/.exec(whole)[0], 'instance');
        if (!whole.includes(PID)) {
            throw new Error(`what is ${whole}?`);
        }
        laws.push(pid(attribute(whole, 'joint'), ctrl[index++] || 0,
                      instances[named] ?? settings(whole)));
        return '';
    });
    text = text.replace(/<plugin[^>]*?(\/>|>[\s\S]*?<\/plugin>)/g, '');
    return { text: laws.length && index ? text.replace(/\sctrl="[^"]*"/, '') : text, laws };
}
