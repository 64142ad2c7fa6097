// Sensors: positions and velocities at the present state, and the frame that each of them names.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "sim/readout/readout.h"

TactSensorFrame tact_sim_sensor_frame(const TactSim *sim, TactObject type, int index)
{
    const TactModel *model = sim->model;
    TactSensorFrame  frame = {0, tact_transform_identity()};
    TactTransform    local = tact_transform_identity();
    switch (type) {
    case TACT_OBJECT_SITE:
        frame.body = model->sites[index].body;
        local = model->sites[index].pose;
        break;
    case TACT_OBJECT_GEOM:
        frame.body = model->geoms[index].body;
        local = model->geoms[index].pose;
        break;
    case TACT_OBJECT_BODY:
        frame.body = index;
        local.position = model->bodies[index].inertia.com;
        break;
    case TACT_OBJECT_XBODY: frame.body = index; break;
    default: return frame;
    }
    frame.pose = tact_transform_multiply(sim->dynamics->pose[frame.body], local);
    return frame;
}

static void put_quat(TactQuat q, double *x)
{
    x[0] = q.w;
    x[1] = q.x;
    x[2] = q.y;
    x[3] = q.z;
}

static TactTwist frame_velocity(const TactSim *sim, TactSensorFrame frame)
{
    return tact_dynamics_compute_velocity(sim->dynamics, frame.body, frame.pose.position);
}

/// Position, orientation, axes and velocities of a frame, in another one: the world's, if there is
/// no reference.
static void sense_frame(const TactSim *sim, const TactSensor *s, double *x)
{
    TactSensorFrame frame = tact_sim_sensor_frame(sim, s->object_type, s->object);
    TactSensorFrame seen_from = tact_sim_sensor_frame(sim, s->reference_type, s->reference);
    TactQuat        turn = seen_from.pose.rotation;
    TactVec3        apart = tact_vec3_subtract(frame.pose.position, seen_from.pose.position);
    TactTwist       v = frame_velocity(sim, frame), carried = frame_velocity(sim, seen_from);
    TactVec3        along[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    TactVec3        moved = tact_vec3_add(carried.linear, tact_vec3_cross(carried.angular, apart));
    switch (s->type) {
    case TACT_SENSOR_FRAME_POSITION: tact_vec3_put(tact_quat_rotate_back(turn, apart), x); break;
    case TACT_SENSOR_FRAME_ORIENTATION:
        put_quat(tact_quat_multiply(tact_quat_conjugate(turn), frame.pose.rotation), x);
        break;
    case TACT_SENSOR_FRAME_VELOCITY:
        tact_vec3_put(tact_quat_rotate_back(turn, tact_vec3_subtract(v.linear, moved)), x);
        break;
    case TACT_SENSOR_FRAME_ANGULAR_VELOCITY:
        tact_vec3_put(tact_quat_rotate_back(turn, tact_vec3_subtract(v.angular, carried.angular)),
                      x);
        break;
    default: {
        TactVec3 axis = along[s->type - TACT_SENSOR_FRAME_X_AXIS];
        tact_vec3_put(tact_quat_rotate_back(turn, tact_quat_rotate(frame.pose.rotation, axis)), x);
        break;
    }
    }
}

// ---------------------------------------------------------------------------------------------
// Subtrees

/// Mass, centre, and momentum about the centre of a body with everything that it carries.
typedef struct Subtree {
    TactVec3 com, velocity, spin;
} Subtree;

static TactVec3 body_com(const TactSim *sim, int body)
{
    return tact_transform_point(sim->dynamics->pose[body], sim->model->bodies[body].inertia.com);
}

static Subtree find_subtree(const TactSim *sim, int root)
{
    const TactModel *model = sim->model;
    Subtree          tree = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double           mass = 0;
    int              end = root + 1; // bodies stand depth first
    while (end < model->body_count && model->bodies[end].parent >= root) {
        end++;
    }
    for (int b = root; b < end; b++) {
        TactVec3  com = body_com(sim, b);
        double    m = model->bodies[b].inertia.mass;
        TactTwist v = tact_dynamics_compute_velocity(sim->dynamics, b, com);
        mass += m;
        tree.com = tact_vec3_add_scaled(tree.com, m, com);
        tree.velocity = tact_vec3_add_scaled(tree.velocity, m, v.linear);
    }
    if (!(mass > 0)) {
        tree.com = body_com(sim, root);
        return tree;
    }
    tree.com = tact_vec3_scale(1 / mass, tree.com);
    tree.velocity = tact_vec3_scale(1 / mass, tree.velocity);
    for (int b = root; b < end; b++) {
        const TactInertia *inertia = &model->bodies[b].inertia;
        TactVec3           com = body_com(sim, b);
        TactTwist          v = tact_dynamics_compute_velocity(sim->dynamics, b, com);
        TactQuat           R = sim->dynamics->pose[b].rotation;
        TactVec3           local = tact_quat_rotate_back(R, v.angular);
        TactVec3           own = tact_quat_rotate(R, tact_mat3_apply(inertia->rotary, local));
        TactVec3 p = tact_vec3_scale(inertia->mass, tact_vec3_subtract(v.linear, tree.velocity));
        tree.spin = tact_vec3_add(
            tree.spin, tact_vec3_add(own, tact_vec3_cross(tact_vec3_subtract(com, tree.com), p)));
    }
    return tree;
}

static void sense_subtree(const TactSim *sim, const TactSensor *s, double *x)
{
    Subtree tree = find_subtree(sim, s->object);
    tact_vec3_put(s->type == TACT_SENSOR_SUBTREE_COM        ? tree.com
                  : s->type == TACT_SENSOR_SUBTREE_VELOCITY ? tree.velocity
                                                            : tree.spin,
                  x);
}

// ---------------------------------------------------------------------------------------------
// Sites

/// Distance along the site's z axis to what is not on its body; -1: there is nothing. Meshes that
/// only look like something are not seen.
static double sense_range(const TactSim *sim, const TactSensor *s)
{
    const TactModel *model = sim->model;
    TactSensorFrame  frame = tact_sim_sensor_frame(sim, TACT_OBJECT_SITE, s->object);
    TactVec3         ray = tact_quat_rotate(frame.pose.rotation, (TactVec3){0, 0, 1});
    double           nearest = -1;
    for (int k = 0; k < model->geom_count; k++) {
        const TactGeom *geom = &model->geoms[k];
        TactShape       shape = tact_sim_make_shape(sim, geom);
        bool            solid = geom->type < TACT_GEOM_CONVEX || shape.hull || shape.mesh;
        if (geom->body == frame.body || geom->rgba[3] == 0 || !solid) {
            continue;
        }
        TactTransform pose = tact_transform_multiply(sim->dynamics->pose[geom->body], geom->pose);
        TactRayHit    hit = tact_shape_cast_ray(&shape, &pose, frame.pose.position, ray);
        if (hit.hit && (nearest < 0 || hit.t < nearest)) {
            nearest = hit.t;
        }
    }
    return nearest;
}

static void sense_site(const TactSim *sim, const TactSensor *s, double *x)
{
    TactSensorFrame frame = tact_sim_sensor_frame(sim, TACT_OBJECT_SITE, s->object);
    TactTwist       v = frame_velocity(sim, frame);
    switch (s->type) {
    case TACT_SENSOR_VELOCIMETER:
        tact_vec3_put(tact_quat_rotate_back(frame.pose.rotation, v.linear), x);
        break;
    case TACT_SENSOR_GYRO:
        tact_vec3_put(tact_quat_rotate_back(frame.pose.rotation, v.angular), x);
        break;
    case TACT_SENSOR_MAGNETOMETER:
        tact_vec3_put(tact_quat_rotate_back(frame.pose.rotation, sim->model->options.magnetic), x);
        break;
    default: x[0] = sense_range(sim, s); break;
    }
}

// ---------------------------------------------------------------------------------------------
// Joints, tendons, actuators

static double sense_tendon(const TactSim *sim, const TactSensor *s)
{
    const TactTendon *tendon = &sim->model->tendons[s->object];
    double            sum = 0;
    if (tendon->part_count > 0) {
        return s->type == TACT_SENSOR_TENDON_POSITION
                   ? tact_dynamics_tendon_length(sim->dynamics, s->object, 0, NULL)
                   : tact_dynamics_tendon_rate(sim->dynamics, s->object);
    }
    for (int i = 0; i < tendon->count; i++) {
        const TactJoint *joint = &sim->model->joints[tendon->joints[i]];
        sum += tendon->coefficients[i] * (s->type == TACT_SENSOR_TENDON_POSITION
                                              ? sim->state.q[joint->q]
                                              : sim->state.v[joint->dof]);
    }
    return sum;
}

static double sense_actuator(const TactSim *sim, const TactSensor *s)
{
    double length = 0, rate = 0;
    tact_sim_actuator_motion(sim, s->object, &length, &rate);
    return s->type == TACT_SENSOR_ACTUATOR_POSITION ? length : rate;
}

static void sense_joint(const TactSim *sim, const TactSensor *s, double *x)
{
    const TactJoint *joint = &sim->model->joints[s->object];
    const double    *q = sim->state.q + joint->q, *v = sim->state.v + joint->dof;
    switch (s->type) {
    case TACT_SENSOR_JOINT_POSITION: x[0] = q[0]; break;
    case TACT_SENSOR_JOINT_VELOCITY: x[0] = v[0]; break;
    case TACT_SENSOR_BALL_ORIENTATION:
        put_quat(tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]}), x);
        break;
    default: memcpy(x, v, 3 * sizeof *x); break;
    }
}

static void sense(const TactSim *sim, const TactSensor *s, double *x)
{
    switch (s->type) {
    case TACT_SENSOR_JOINT_POSITION:
    case TACT_SENSOR_JOINT_VELOCITY:
    case TACT_SENSOR_BALL_ORIENTATION:
    case TACT_SENSOR_BALL_VELOCITY: sense_joint(sim, s, x); break;
    case TACT_SENSOR_TENDON_POSITION:
    case TACT_SENSOR_TENDON_VELOCITY: x[0] = sense_tendon(sim, s); break;
    case TACT_SENSOR_ACTUATOR_POSITION:
    case TACT_SENSOR_ACTUATOR_VELOCITY: x[0] = sense_actuator(sim, s); break;
    case TACT_SENSOR_FRAME_POSITION:
    case TACT_SENSOR_FRAME_ORIENTATION:
    case TACT_SENSOR_FRAME_X_AXIS:
    case TACT_SENSOR_FRAME_Y_AXIS:
    case TACT_SENSOR_FRAME_Z_AXIS:
    case TACT_SENSOR_FRAME_VELOCITY:
    case TACT_SENSOR_FRAME_ANGULAR_VELOCITY: sense_frame(sim, s, x); break;
    case TACT_SENSOR_SUBTREE_COM:
    case TACT_SENSOR_SUBTREE_VELOCITY:
    case TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM: sense_subtree(sim, s, x); break;
    case TACT_SENSOR_CLOCK: x[0] = sim->state.time; break;
    case TACT_SENSOR_POTENTIAL_ENERGY:
        x[0] = tact_dynamics_compute_potential_energy(sim->dynamics);
        break;
    case TACT_SENSOR_KINETIC_ENERGY:
        x[0] = tact_dynamics_compute_kinetic_energy(sim->dynamics);
        break;
    case TACT_SENSOR_DISTANCE:
    case TACT_SENSOR_NORMAL:
    case TACT_SENSOR_FROM_TO: tact_sim_sense_distance(sim, s, x); break;
    case TACT_SENSOR_INSIDE_SITE: {
        TactSensorFrame object = tact_sim_sensor_frame(sim, s->object_type, s->object);
        x[0] = tact_sim_is_in_site(sim, s->reference, object.pose.position);
        break;
    }
    case TACT_SENSOR_USER: break; // for the caller to fill in
    default: sense_site(sim, s, x); break;
    }
}

/// Values are clamped to the cutoff; directions and rotations are not.
static void cut_off(const TactSensor *s, double *x)
{
    bool turn = s->type == TACT_SENSOR_BALL_ORIENTATION ||
                (s->type >= TACT_SENSOR_FRAME_ORIENTATION && s->type <= TACT_SENSOR_FRAME_Z_AXIS) ||
                s->type == TACT_SENSOR_NORMAL || s->type == TACT_SENSOR_FROM_TO;
    for (int k = 0; k < s->size && s->cutoff > 0 && !turn; k++) {
        x[k] = fmax(-s->cutoff, fmin(s->cutoff, x[k]));
    }
}

TactStatus tact_sim_compute_sensors(TactSim *sim, TactSimSensors *sensors)
{
    TACT_NEED(sim && sensors, "tact_sim_compute_sensors");
    const TactModel *model = sim->model;
    TACT_TRY(tact_sim_readout_create(sim));
    double *all = sim->readout->sensors;
    bool    forces = false;
    memset(all, 0, (size_t)model->sensor_size * sizeof *all);
    for (int k = 0; k < model->sensor_count; k++) {
        forces = forces || tact_sim_senses_forces(model->sensors[k].type);
    }
    if (forces && sim->last.stepped) {
        TACT_TRY(tact_sim_collect_all(sim));
        for (int k = 0; k < model->sensor_count; k++) {
            if (tact_sim_senses_forces(model->sensors[k].type)) {
                tact_sim_sense_forces(sim, &model->sensors[k], all + model->sensors[k].address);
            }
        }
    }
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->state.v));
    for (int k = 0; k < model->sensor_count; k++) {
        const TactSensor *s = &model->sensors[k];
        if (!tact_sim_senses_forces(s->type)) {
            sense(sim, s, all + s->address);
        }
        cut_off(s, all + s->address);
    }
    *sensors = (TactSimSensors){.count = model->sensor_size, .values = all};
    return TACT_OK;
}
