// MuJoCo under Node (18 or later): a second opinion on models that shares no code with tact.
//
//     const mujoco = await loadMujoco();            // null where the package is not installed
//     const model = loadModel(mujoco, 'robot.xml');
//     const said = describe(mujoco, model, { qpos, qvel });
//
// describe() speaks the words of `tact info --json`, so that the two can be compared one to one.
import fs from 'node:fs';
import path from 'node:path';

export async function loadMujoco() {
    try {
        const { default: load } = await import('@mujoco/mujoco');
        return await load();
    } catch (error) {
        if (error.code === 'ERR_MODULE_NOT_FOUND') {
            return null;
        }
        throw error;
    }
}

// ---------------------------------------------------------------------------------------------
// Files

const LARGE_FILE = /\.(xml|urdf|stl|obj|msh|png|bin)$/i;
const SMALL = 1 << 20; // bytes; includes may be called anything

/// The module reads only its own file system: the model's folder is copied there, at its own path.
function mirror(mujoco, folder) {
    mujoco.FS.mkdirTree(folder);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const where = path.join(folder, entry.name);
        if (entry.isDirectory() && entry.name !== 'node_modules') {
            mirror(mujoco, where);
        } else if (entry.isFile() &&
                   (LARGE_FILE.test(entry.name) || fs.statSync(where).size <= SMALL)) {
            mujoco.FS.writeFile(where, fs.readFileSync(where));
        }
    }
}

export function loadModel(mujoco, file) {
    const where = path.resolve(file);
    mirror(mujoco, path.dirname(where));
    return mujoco.MjModel.from_xml_path(where);
}

// ---------------------------------------------------------------------------------------------
// Small algebra: quaternions w x y z, matrices row by row

function matrixOf([w, x, y, z]) {
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ];
}

function product(a, b) {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

function rotate(q, v) {
    const r = matrixOf(q);
    return [0, 1, 2].map((i) => r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2]);
}

/// R diag R': xx yy zz xy xz yz
function tensorOf(quat, diagonal) {
    const r = matrixOf(quat);
    const at = (i, j) =>
        [0, 1, 2].reduce((sum, k) => sum + r[3 * i + k] * diagonal[k] * r[3 * j + k], 0);
    return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

/// x with A x = b by Gauss with pivots; A is square, a list of rows.
function solve(A, b) {
    const n = b.length;
    const rows = A.map((row, i) => [...row, b[i]]);
    for (let k = 0; k < n; k++) {
        let best = k;
        for (let i = k + 1; i < n; i++) {
            best = Math.abs(rows[i][k]) > Math.abs(rows[best][k]) ? i : best;
        }
        [rows[k], rows[best]] = [rows[best], rows[k]];
        for (let i = k + 1; i < n; i++) {
            const factor = rows[i][k] / rows[k][k];
            for (let j = k; j <= n; j++) {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    const x = new Array(n).fill(0);
    for (let i = n - 1; i >= 0; i--) {
        const rest = rows[i].slice(i + 1, n).reduce((sum, a, j) => sum + a * x[i + 1 + j], 0);
        x[i] = (rows[i][n] - rest) / rows[i][i];
    }
    return x;
}

// ---------------------------------------------------------------------------------------------
// The model

const JOINT_TYPES = ['free', 'ball', 'slide', 'hinge'];
const GEOM_TYPES = ['plane', 'height field', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box',
                    'mesh', 'sdf'];
const EQUALITY_TYPES = ['connect', 'weld', 'joint', 'tendon'];
const WRAP_JOINT = 1; // a tendon with other parts runs through space
const DRIVES = ['joint', 'joint in parent', 'slider-crank', 'tendon', 'site', 'body'];

function slice(array, i, size) {
    return Array.from(array.subarray(i * size, (i + 1) * size));
}

/// Arrays of booleans cannot be read in these bindings; single ones can, by element.
function flag(value) {
    if (value === undefined) {
        throw new Error('these bindings do not know that flag');
    }
    return Boolean(value);
}

/// Name of a thing, or "WORD INDEX" if it has none, as tact labels it. (mj_id2name() of a thing
/// without a name gives rubbish in these bindings.)
function namer(model, addresses, word) {
    return (i) => {
        if (i < 0) {
            return null;
        }
        const start = addresses[i];
        const bytes = model.names.subarray(start, model.names.indexOf(0, start));
        return Buffer.from(bytes).toString('utf8') || `${word} ${i}`;
    };
}

function describeBodies(model, data, name) {
    const bodies = {};
    for (let i = 0; i < model.nbody; i++) {
        bodies[name.body(i)] = {
            parent: i === 0 ? null : name.body(model.body_parentid[i]),
            mass: model.body_mass[i],
            com: slice(model.body_ipos, i, 3),
            inertia: tensorOf(slice(model.body_iquat, i, 4), slice(model.body_inertia, i, 3)),
            subtree_mass: model.body_subtreemass[i],
            gravity_compensation: model.body_gravcomp[i],
            pos: slice(data.xpos, i, 3),
            quat: slice(data.xquat, i, 4),
        };
    }
    return bodies;
}

function describeJoints(model, name) {
    return Array.from({ length: model.njnt }, (_, i) => {
        const type = JOINT_TYPES[model.jnt_type[i]];
        const dof = model.jnt_dofadr[i];
        const q = model.jnt_qposadr[i];
        return {
            name: name.joint(i),
            type,
            body: name.body(model.jnt_bodyid[i]),
            qposadr: q,
            dofadr: dof,
            pos: slice(model.jnt_pos, i, 3),
            axis: slice(model.jnt_axis, i, 3),
            limited: flag(model.jnt(i).limited),
            range: slice(model.jnt_range, i, 2),
            reference: type === 'hinge' || type === 'slide' ? model.qpos0[q] : 0,
            stiffness: model.jnt_stiffness[i],
            spring_reference: type === 'hinge' || type === 'slide' ? model.qpos_spring[q] : 0,
            damping: model.dof_damping[dof],
            armature: model.dof_armature[dof],
            friction: model.dof_frictionloss[dof],
            force_range: slice(model.jnt_actfrcrange, i, 2),
        };
    });
}

/// A mesh is stored by its centre and principal axes, and its geoms' poses with it: undo that.
function geomPose(model, i) {
    const pos = slice(model.geom_pos, i, 3);
    const quat = slice(model.geom_quat, i, 4);
    const mesh = model.geom_dataid[i];
    if (GEOM_TYPES[model.geom_type[i]] !== 'mesh') {
        return { pos, quat };
    }
    const [w, x, y, z] = slice(model.mesh_quat, mesh, 4);
    const turned = product(quat, [w, -x, -y, -z]);
    const shift = rotate(turned, slice(model.mesh_pos, mesh, 3));
    return { pos: pos.map((p, k) => p - shift[k]), quat: turned };
}

function describeGeoms(model, name) {
    return Array.from({ length: model.ngeom }, (_, i) => {
        const type = GEOM_TYPES[model.geom_type[i]];
        const isMesh = type === 'mesh';
        const isField = type === 'height field';
        const asset = isField ? name.heightfield : name.mesh;
        return {
            name: name.geom(i),
            type,
            body: name.body(model.geom_bodyid[i]),
            ...geomPose(model, i),
            size: isMesh || isField ? [] : slice(model.geom_size, i, 3),
            mesh: isMesh || isField ? asset(model.geom_dataid[i]) : null,
            contact_type: model.geom_contype[i],
            contact_affinity: model.geom_conaffinity[i],
            condim: model.geom_condim[i],
            priority: model.geom_priority[i],
            mu: model.geom_friction[3 * i],
            margin: model.geom_margin[i],
            gap: model.geom_gap[i],
            group: model.geom_group[i],
        };
    });
}

function describeActuators(mujoco, model, name) {
    const gainKinds = mujoco.mjtGain;
    const biasKinds = mujoco.mjtBias;
    return Array.from({ length: model.nu }, (_, i) => {
        const drives = DRIVES[model.actuator_trntype[i]];
        const target = model.actuator_trnid[2 * i];
        const whose = drives === 'tendon' ? name.tendon : drives === 'site' ? name.site : name.joint;
        const gain = slice(model.actuator_gainprm, i, 10).slice(0, 3);
        const fixed = model.actuator_gaintype[i] === gainKinds.mjGAIN_FIXED.value;
        const unbiased = model.actuator_biastype[i] === biasKinds.mjBIAS_NONE.value;
        const off = Boolean(model.opt.disableactuator & (1 << model.actuator_group[i]));
        return {
            name: name.actuator(i),
            drives,
            target: whose(target),
            gear: slice(model.actuator_gear, i, 6),
            gain: off ? [0, 0, 0] : fixed ? [gain[0], 0, 0] : gain,
            bias: off || unbiased ? [0, 0, 0] : slice(model.actuator_biasprm, i, 10).slice(0, 3),
            ctrl_limited: flag(model.actuator(i).ctrllimited),
            ctrl_range: slice(model.actuator_ctrlrange, i, 2),
            force_limited: flag(model.actuator(i).forcelimited),
            force_range: slice(model.actuator_forcerange, i, 2),
        };
    });
}

/// Sites that meet, as a point and a pose of the bodies that they are on.
function siteData(model, first, second) {
    const [pa, pb] = [first, second].map((i) => slice(model.site_pos, i, 3));
    const [qa, qb] = [first, second].map((i) => slice(model.site_quat, i, 4));
    const relative = product(qa, [qb[0], -qb[1], -qb[2], -qb[3]]);
    const shift = rotate(relative, pb);
    return { anchor_a: pa, anchor_b: pb, relative_pos: pa.map((p, k) => p - shift[k]),
             relative_quat: relative };
}

function describeEqualities(mujoco, model, name) {
    return Array.from({ length: model.neq }, (_, i) => {
        const type = EQUALITY_TYPES[model.eq_type[i]];
        const bySites = model.eq_objtype[i] === mujoco.mjtObj.mjOBJ_SITE.value;
        const whose = type === 'joint' ? name.joint : type === 'tendon' ? name.tendon : name.body;
        const ids = [model.eq_obj1id[i], model.eq_obj2id[i]];
        const things = bySites ? ids.map((id) => model.site_bodyid[id]) : ids;
        const data = slice(model.eq_data, i, 11);
        const said = {
            name: name.equality(i),
            type,
            a: whose(things[0]),
            b: whose(things[1]),
            active: flag(model.eq(i).active0),
        };
        if (bySites) {
            const { anchor_a, anchor_b, ...pose } = siteData(model, ...ids);
            return type === 'weld' ? { ...said, anchor_b, ...pose, torque_scale: data[10] }
                                   : { ...said, anchor_a, anchor_b };
        }
        if (type === 'connect') {
            return { ...said, anchor_a: data.slice(0, 3), anchor_b: data.slice(3, 6) };
        }
        if (type === 'weld') {
            return { ...said, anchor_b: data.slice(0, 3), relative_pos: data.slice(3, 6),
                     relative_quat: data.slice(6, 10), torque_scale: data[10] };
        }
        return { ...said, polynomial: data.slice(0, 5) };
    });
}

function describeTendons(model, name) {
    return Array.from({ length: model.ntendon }, (_, i) => {
        const first = model.tendon_adr[i];
        const count = model.tendon_num[i];
        const wraps = Array.from({ length: count }, (_unused, k) => first + k);
        const isFixed = wraps.every((k) => model.wrap_type[k] === WRAP_JOINT);
        return {
            name: name.tendon(i),
            fixed: isFixed,
            joints: isFixed ? wraps.map((k) => name.joint(model.wrap_objid[k])) : [],
            coefficients: isFixed ? wraps.map((k) => model.wrap_prm[k]) : [],
            limited: flag(model.tendon(i)._limited),
            range: slice(model.tendon_range, i, 2),
            stiffness: model.tendon_stiffness[i],
            damping: model.tendon_damping[i],
            friction: model.tendon_frictionloss[i],
        };
    });
}

function describeSites(model, name) {
    return Array.from({ length: model.nsite }, (_, i) => ({
        name: name.site(i),
        body: name.body(model.site_bodyid[i]),
        pos: slice(model.site_pos, i, 3),
        quat: slice(model.site_quat, i, 4),
    }));
}

function describeKeyframes(model, name) {
    return Array.from({ length: model.nkey }, (_, i) => ({
        name: name.keyframe(i),
        time: model.key_time[i],
        qpos: slice(model.key_qpos, i, model.nq),
        qvel: slice(model.key_qvel, i, model.nv),
        ctrl: slice(model.key_ctrl, i, model.nu),
    }));
}

// ---------------------------------------------------------------------------------------------
// The state: mass matrix (armature included), bias (Coriolis, centrifugal, gravity), and the
// acceleration that the two alone give

function describeDynamics(mujoco, model, data) {
    const nv = model.nv;
    mujoco.mj_fwdPosition(model, data);
    mujoco.mj_fwdVelocity(model, data);
    const full = new mujoco.DoubleBuffer(nv * nv);
    mujoco.mj_fullM(model, data, full);
    const flat = full.GetView();
    const M = Array.from({ length: nv }, (_, i) => slice(flat, i, nv));
    const bias = Array.from(data.qfrc_bias);
    full.delete();
    return { M, bias, qacc: solve(M, bias.map((b) => -b)) };
}

/// All of a model at a state: { qpos, qvel } or { keyframe: INDEX }; without, the reference.
export function describe(mujoco, model, state = {}) {
    const name = {
        body: namer(model, model.name_bodyadr, 'body'),
        joint: namer(model, model.name_jntadr, 'joint'),
        geom: namer(model, model.name_geomadr, 'geom'),
        site: namer(model, model.name_siteadr, 'site'),
        mesh: namer(model, model.name_meshadr, 'mesh'),
        heightfield: namer(model, model.name_hfieldadr, 'height field'),
        tendon: namer(model, model.name_tendonadr, 'tendon'),
        actuator: namer(model, model.name_actuatoradr, 'actuator'),
        equality: namer(model, model.name_eqadr, 'equality'),
        keyframe: namer(model, model.name_keyadr, 'keyframe'),
    };
    const data = new mujoco.MjData(model);
    if (state.keyframe !== undefined) {
        mujoco.mj_resetDataKeyframe(model, data, state.keyframe);
    }
    data.qpos.set(state.qpos ?? data.qpos);
    data.qvel.set(state.qvel ?? data.qvel);
    mujoco.mj_kinematics(model, data);
    const said = {
        nq: model.nq,
        nv: model.nv,
        nbody: model.nbody,
        mass: Array.from(model.body_mass).reduce((sum, m) => sum + m, 0),
        timestep: model.opt.timestep,
        gravity: Array.from(model.opt.gravity),
        qpos: Array.from(data.qpos),
        bodies: describeBodies(model, data, name),
        joints: describeJoints(model, name),
        geoms: describeGeoms(model, name),
        sites: describeSites(model, name),
        tendons: describeTendons(model, name),
        actuators: describeActuators(mujoco, model, name),
        equalities: describeEqualities(mujoco, model, name),
        keyframes: describeKeyframes(model, name),
    };
    if (state.qpos || state.qvel) {
        Object.assign(said, { qvel: Array.from(data.qvel) }, describeDynamics(mujoco, model, data));
    }
    data.delete();
    return said;
}
