// Compares what `tact info --json` says of models with what MuJoCo makes of the same files.
//
//     node tests/peers/mujoco/compare.mjs build/tact FILE...
//
// Counts, names, types, addresses and flags must be equal; numbers agree to 1e-9, and to 1e-6 where
// they come from the integral over a mesh (vertices are single precision there). What a number is
// relative to stands at each comparison. Poses are compared at the reference,
// at every keyframe and with every joint bent.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, loadModel, loadMujoco } from './mujoco.mjs';

const TOLERANCE = 1e-9;
const MESH_TOLERANCE = 1e-6;

/// Collects the worst relative difference of each quantity, and what went wrong.
class Verdict {
    constructor() {
        this.worst = new Map();
        this.wrong = [];
    }

    same(what, ours, theirs) {
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
            this.wrong.push(`${what}: ${JSON.stringify(ours)}, MuJoCo ${JSON.stringify(theirs)}`);
        }
    }

    /// Numbers or lists of numbers; the difference is relative to scale, or to their own size.
    near(quantity, what, ours, theirs, { scale = 0, tolerance = TOLERANCE } = {}) {
        const a = [ours].flat();
        const b = [theirs].flat();
        const size = Math.max(scale, ...b.map(Math.abs));
        const apart = Math.max(0, ...b.map((x, i) => Math.abs(a[i] - x)));
        const error = apart === 0 ? 0 : apart / size;
        if (a.length !== b.length || !(error <= tolerance)) {
            this.wrong.push(`${what}: ${JSON.stringify(ours)}, MuJoCo ${JSON.stringify(theirs)}` +
                            ` (${error.toExponential(1)} of ${size.toPrecision(3)})`);
        }
        this.worst.set(quantity, Math.max(this.worst.get(quantity) ?? 0, error));
    }

    /// q and -q are one rotation.
    nearRotation(quantity, what, ours, theirs) {
        const dot = theirs.reduce((sum, x, i) => sum + x * ours[i], 0);
        this.near(quantity, what, ours, theirs.map((x) => (dot < 0 ? -x : x)), { scale: 1 });
    }
}

// ---------------------------------------------------------------------------------------------

/// Bodies whose mass comes from a mesh.
function meshBodies(ours) {
    return new Set(ours.geoms.filter((g) => g.mass > 0 && g.mesh !== null).map((g) => g.body));
}

function compareBodies(verdict, ours, theirs) {
    const integrated = meshBodies(ours);
    verdict.same('bodies', Object.keys(ours.bodies), Object.keys(theirs.bodies));
    for (const [name, b] of Object.entries(theirs.bodies)) {
        const a = ours.bodies[name];
        if (!a) {
            continue;
        }
        const tolerance = integrated.has(name) ? MESH_TOLERANCE : TOLERANCE;
        const kind = integrated.has(name) ? 'mesh ' : '';
        // A centre of mass is as near as the body is large: its radius of gyration.
        const gyration = b.mass > 0 ? Math.sqrt(Math.max(...b.inertia) / b.mass) : 0;
        verdict.same(`body '${name}' parent`, a.parent, b.parent);
        verdict.near(`${kind}mass`, `body '${name}' mass`, a.mass, b.mass, { tolerance });
        if (b.mass > 0) { // what has no mass has no centre
            verdict.near(`${kind}com`, `body '${name}' com`, a.com, b.com,
                         { tolerance, scale: gyration });
        }
        verdict.near(`${kind}inertia`, `body '${name}' inertia`, a.inertia, b.inertia,
                     { tolerance });
        verdict.near('gravity compensation', `body '${name}'`, a.gravity_compensation,
                     b.gravity_compensation);
    }
    const tolerance = integrated.size > 0 ? MESH_TOLERANCE : TOLERANCE;
    verdict.near('total mass', 'total mass', ours.mass, theirs.mass, { tolerance });
}

/// Positions are relative to the farthest body.
function comparePoses(verdict, when, ours, theirs) {
    const scale = Math.max(...Object.values(theirs.bodies).flatMap((b) => b.pos.map(Math.abs)));
    verdict.near('qpos', `${when} qpos`, ours.qpos, theirs.qpos);
    for (const [name, b] of Object.entries(theirs.bodies)) {
        const a = ours.bodies[name];
        if (a) {
            verdict.near('position', `${when} body '${name}' pos`, a.pos, b.pos, { scale });
            verdict.nearRotation('orientation', `${when} body '${name}' quat`, a.quat, b.quat);
        }
    }
}

/// Compares lists of things by their fields: words are equal, numbers near.
function compareList(verdict, kind, ours, theirs, equal, near, scale = 0) {
    verdict.same(`names of ${kind}`, ours.map((a) => a.name), theirs.map((b) => b.name));
    theirs.forEach((b, i) => {
        const a = ours[i];
        if (!a) {
            return;
        }
        for (const field of equal) {
            verdict.same(`${kind} '${b.name}' ${field}`, a[field], b[field]);
        }
        for (const field of near.filter((f) => b[f] !== undefined)) {
            verdict.near(`${kind} ${field}`, `${kind} '${b.name}' ${field}`, a[field], b[field],
                         { scale });
        }
    });
}

function compareJoints(verdict, ours, theirs) {
    // The axis of a free or ball joint means nothing, nor does a limit of the force on it, nor the
    // range of a joint without limits.
    const clear = (list) => list.map((j) => ({
        ...j,
        axis: j.type === 'hinge' || j.type === 'slide' ? j.axis : [],
        pos: j.type === 'free' ? [] : j.pos,
        force_range: j.type === 'hinge' || j.type === 'slide' ? j.force_range : [],
        range: j.limited ? j.range : [],
    }));
    compareList(verdict, 'joint', clear(ours.joints), clear(theirs.joints),
                ['type', 'body', 'qposadr', 'dofadr', 'limited'],
                ['range', 'reference', 'stiffness', 'spring_reference', 'damping', 'armature',
                 'friction', 'force_range']);
    theirs.joints.forEach((b, i) => {
        const a = clear(ours.joints)[i];
        const c = clear(theirs.joints)[i];
        if (a) {
            verdict.near('joint axis', `joint '${b.name}' axis`, a.axis, c.axis, { scale: 1 });
            verdict.near('joint pos', `joint '${b.name}' pos`, a.pos, c.pos, { scale: 1 });
        }
    });
}

/// Numbers of a size that mean something; of planes they are for drawing.
const SIZES = { sphere: 1, capsule: 2, cylinder: 2, box: 3, ellipsoid: 3 };

function compareGeoms(verdict, ours, theirs) {
    const clear = (list) => list.map((g) => ({
        ...g,
        type: g.type === 'convex' ? 'mesh' : g.type,
        condim: Math.min(g.condim, 3), // tact has no torsional and rolling friction, and notes it
        size: g.size.slice(0, SIZES[g.type] ?? 0),
    }));
    const [a, b] = [clear(ours.geoms), clear(theirs.geoms)];
    compareList(verdict, 'geom', a, b,
                ['type', 'body', 'mesh', 'contact_type', 'contact_affinity', 'condim', 'priority',
                 'group'],
                ['size', 'mu', 'margin', 'gap']);
    b.forEach((theirGeom, i) => {
        const quantity = theirGeom.type === 'mesh' ? 'mesh geom' : 'geom';
        const tolerance = theirGeom.type === 'mesh' ? MESH_TOLERANCE : TOLERANCE;
        if (a[i]) {
            const what = `geom '${theirGeom.name}'`;
            verdict.near(`${quantity} pos`, `${what} pos`, a[i].pos, theirGeom.pos,
                         { scale: 1, tolerance });
            verdict.nearRotation(`${quantity} quat`, `${what} quat`, a[i].quat, theirGeom.quat);
        }
    });
}

function compareRest(verdict, ours, theirs) {
    // The damping of a dampratio follows from inertia.
    const tolerance = meshBodies(ours).size > 0 ? MESH_TOLERANCE : TOLERANCE;
    const { actuators } = theirs;
    compareList(verdict, 'actuator', ours.actuators, actuators,
                ['drives', 'target', 'ctrl_limited', 'force_limited'],
                ['gear', 'gain', 'ctrl_range', 'force_range']);
    actuators.forEach((b, i) => {
        verdict.near('actuator bias', `actuator '${b.name}' bias`, ours.actuators[i]?.bias, b.bias,
                     { tolerance });
    });
    compareList(verdict, 'equality', ours.equalities, theirs.equalities,
                ['type', 'a', 'b', 'active'],
                ['anchor_a', 'anchor_b', 'relative_pos', 'relative_quat', 'torque_scale',
                 'polynomial'], 1);
    compareList(verdict, 'tendon', ours.tendons, theirs.tendons,
                ['joints', 'limited'],
                ['coefficients', 'range', 'stiffness', 'damping', 'friction']);
    compareList(verdict, 'site', ours.sites, theirs.sites, ['body'], ['pos', 'quat'], 1);
    compareList(verdict, 'keyframe', ours.keyframes, theirs.keyframes, [],
                ['time', 'qpos', 'qvel', 'ctrl']);
    verdict.near('timestep', 'timestep', ours.timestep, theirs.timestep);
    verdict.near('gravity', 'gravity', ours.gravity, theirs.gravity);
}

/// Mass matrix, bias and acceleration at random states; each relative to its largest entry, and
/// where forces cancel, to those of gravity. Where masses come from meshes, their single precision
/// is in all of them.
function compareDynamics(verdict, info, mujoco, model, reference, meshes) {
    const mesh = meshes ? 'mesh ' : '';
    const tolerance = meshes ? MESH_TOLERANCE : TOLERANCE;
    let seed = 12345;
    const random = () => { // uniform in -1 .. 1, the same in every run
        seed = (1103515245 * seed + 12345) % 2147483648;
        return seed / 1073741824 - 1;
    };
    const states = process.env.TACT_LONG ? 100 : 3;
    for (let k = 0; k < states; k++) {
        const qpos = reference.map((x) => x + random());
        const qvel = Array.from({ length: model.nv }, () => 2 * random());
        const ours = info('--qpos', qpos.join(' '), '--qvel', qvel.join(' '));
        const theirs = describe(mujoco, model, { qpos, qvel });
        verdict.near(`${mesh}mass matrix`, `state ${k} M`, ours.M.flat(), theirs.M.flat(),
                     { tolerance });
        const gravity = Math.hypot(...theirs.gravity);
        const weight = gravity * Math.max(0, ...theirs.M.flat());
        verdict.near(`${mesh}bias`, `state ${k} bias`, ours.bias, theirs.bias,
                     { tolerance, scale: weight });
        verdict.near(`${mesh}acceleration`, `state ${k} qacc`, ours.qacc, theirs.qacc,
                     { tolerance, scale: gravity });
    }
}

/// Does tact refuse a file with a message?
function isRefused(tact, file) {
    try {
        execFileSync(tact, ['info', file, '--json'], { stdio: ['ignore', 'ignore', 'pipe'] });
        return false;
    } catch (error) {
        return error.status === 2;
    }
}

/// A model with mocap bodies: in tact these have a free joint, so that coordinates are others; what
/// does not depend on them is compared, and poses of all bodies. Their masses move nothing.
function compareLed(verdict, info, ours, theirs, mujoco, model) {
    const led = 7 * model.nmocap;
    verdict.same('nq', ours.nq, theirs.nq + led);
    verdict.same('nbody', ours.nbody, theirs.nbody);
    compareGeoms(verdict, ours, theirs);
    const without = (said) => ({ ...said, qpos: [] });
    comparePoses(verdict, 'reference:', without(ours), without(theirs));
    theirs.keyframes.forEach((key, i) => {
        comparePoses(verdict, `keyframe '${key.name}':`, without(info('--keyframe', key.name)),
                     without(describe(mujoco, model, { keyframe: i })));
    });
}

function compareModel(tact, mujoco, file) {
    const verdict = new Verdict();
    const info = (...rest) => JSON.parse(execFileSync(tact, ['info', file, '--json', ...rest],
                                                      { maxBuffer: 1 << 28,
                                                        stdio: ['ignore', 'pipe', 'pipe'] }));
    const model = loadModel(mujoco, file);
    const ours = info();
    const theirs = describe(mujoco, model);
    if (model.nmocap > 0) {
        compareLed(verdict, info, ours, theirs, mujoco, model);
        model.delete();
        return { verdict, theirs };
    }
    for (const count of ['nq', 'nv', 'nbody']) {
        verdict.same(count, ours[count], theirs[count]);
    }
    compareBodies(verdict, ours, theirs);
    compareJoints(verdict, ours, theirs);
    compareGeoms(verdict, ours, theirs);
    compareRest(verdict, ours, theirs);
    comparePoses(verdict, 'reference:', ours, theirs);
    theirs.keyframes.forEach((key, i) => {
        comparePoses(verdict, `keyframe '${key.name}':`, info('--keyframe', key.name),
                     describe(mujoco, model, { keyframe: i }));
    });
    // Every joint away from where it is told to be, quaternions of another length than 1.
    const bent = theirs.qpos.map((x, i) => x + 0.3 * Math.sin(i + 1));
    comparePoses(verdict, 'bent:', info('--qpos', bent.join(' ')),
                 { ...describe(mujoco, model, { qpos: bent }), qpos: bent });
    compareDynamics(verdict, info, mujoco, model, theirs.qpos, meshBodies(ours).size > 0);
    model.delete();
    return { verdict, theirs };
}

// ---------------------------------------------------------------------------------------------

const [tact, ...files] = process.argv.slice(2);
const mujoco = await loadMujoco();
if (!mujoco) {
    console.log('skipped: @mujoco/mujoco is not installed (npm ci in tests/peers/mujoco)');
    process.exit(0);
}
const worst = new Map();
let failed = 0;
for (const file of files) {
    const short = path.join(path.basename(path.dirname(file)), path.basename(file));
    try {
        const { verdict, theirs } = compareModel(tact, mujoco, file);
        const state = verdict.wrong.length === 0 ? 'agrees' : `${verdict.wrong.length} differ`;
        console.log(`${short}: nq ${theirs.nq}, nv ${theirs.nv}, ${theirs.nbody} bodies, ` +
                    `${theirs.mass.toPrecision(6)} kg: ${state}`);
        verdict.wrong.slice(0, 20).forEach((line) => console.log(`    ${line}`));
        verdict.worst.forEach((e, k) => worst.set(k, Math.max(worst.get(k) ?? 0, e)));
        failed += verdict.wrong.length > 0;
    } catch (error) {
        const both = !error.stderr && isRefused(tact, file);
        console.log(`${short}: ${String(error.stderr || error.message || error).trim()}` +
                    `${both ? ': tact refuses it too' : ''}`);
        failed += !both;
    }
}
console.log('\nlargest relative difference');
worst.forEach((error, quantity) => {
    console.log(`    ${quantity.padEnd(24)} ${error.toExponential(1)}`);
});
console.log(failed === 0 ? `\n${files.length} models agree` : `\n${failed} models DIFFER`);
process.exit(failed === 0 ? 0 : 1);
