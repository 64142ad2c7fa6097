// Forces of actuators, springs and dampers, implicit where they act on single joints.
//
// A force f(length, rate) along a dof is taken at the end of the step, to first order:
//
//     f+ = f + h f_q v + (h f_q + f_v) (v+ - v)
//
// so that h f_q v joins the force and -(h f_v + h^2 f_q) the diagonal of M. Stiff position
// actuators and dampers then cannot blow up, whatever the step.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "model/bend.h"
#include "sim/sim.h"

/// How an actuator acts: its length and rate, and the generalized force of a unit of it.
typedef struct Drive {
    double length, rate;
    int    dof;    // if it acts on a single one, which; -1: on several
    double moment; // on that dof
    bool   on_joint;
    bool   by_J; // its slope stands in sim->free.drive_J
} Drive;

/// Gear of an actuator on a joint, in the axes of the child frame.
static void turn_gear(const TactSim *sim, const TactActuator *actuator, double gear[6])
{
    const TactJoint *joint = &sim->model->joints[actuator->target];
    memcpy(gear, actuator->gear, 6 * sizeof *gear);
    bool   ball = joint->type == TACT_JOINT_BALL, free = joint->type == TACT_JOINT_FREE;
    size_t first = free ? 3 : 0;
    if (actuator->transmission != TACT_TRANSMISSION_JOINT_IN_PARENT || !(ball || free)) {
        return;
    }
    const double *q = sim->dynamics->q + joint->q + first;
    TactQuat      turn = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
    TactVec3      axis = {gear[first], gear[first + 1], gear[first + 2]};
    axis = tact_quat_rotate_back(turn, axis);
    gear[first] = axis.x;
    gear[first + 1] = axis.y;
    gear[first + 2] = axis.z;
}

static Drive joint_drive(const TactSim *sim, const TactActuator *actuator)
{
    const TactDynamics *d = sim->dynamics;
    const TactJoint    *joint = &sim->model->joints[actuator->target];
    Drive               drive = {.dof = -1, .on_joint = true};
    if (joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE) {
        drive.dof = joint->dof;
        drive.moment = actuator->gear[0];
        drive.length = actuator->gear[0] * d->q[joint->q];
        drive.rate = actuator->gear[0] * d->v[joint->dof];
        return drive;
    }
    double gear[6];
    turn_gear(sim, actuator, gear);
    int count = joint->type == TACT_JOINT_FREE ? 6 : 3;
    for (int k = 0; k < count; k++) {
        drive.rate += gear[k] * d->v[joint->dof + k];
    }
    if (joint->type == TACT_JOINT_BALL) {
        const double *q = d->q + joint->q;
        TactVec3      turn = tact_quat_log((TactQuat){q[0], q[1], q[2], q[3]});
        drive.length = gear[0] * turn.x + gear[1] * turn.y + gear[2] * turn.z;
    }
    return drive;
}

static double rate_of_J(const TactSim *sim)
{
    double rate = 0;
    for (int i = 0; i < sim->model->nv; i++) {
        rate += sim->free.drive_J[i] * sim->dynamics->v[i];
    }
    return rate;
}

static TactTransform site_pose(const TactSim *sim, int site)
{
    const TactSite *s = &sim->model->sites[site];
    return tact_transform_multiply(sim->dynamics->pose[s->body], s->pose);
}

/// J += the rate at which a body turns about a direction.
static void add_turn(const TactSim *sim, int body, TactVec3 direction, double factor, double *J)
{
    const TactDynamics *d = sim->dynamics;
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            J[i] += factor * tact_vec3_dot(direction, d->axis[i].angular);
        }
    }
}

/// Where a site is, and how it is turned, as another site sees it.
static Drive site_to_site_drive(const TactSim *sim, const TactActuator *actuator)
{
    TactTransform at = site_pose(sim, actuator->target), from = site_pose(sim, actuator->reference);
    int           body = sim->model->sites[actuator->target].body;
    int           other = sim->model->sites[actuator->reference].body;
    const double *g = actuator->gear;
    double       *J = sim->free.drive_J;
    Drive         drive = {.dof = -1, .by_J = true};
    TactVec3      apart =
        tact_quat_rotate_back(from.rotation, tact_vec3_subtract(at.position, from.position));
    TactVec3 turn =
        tact_quat_log(tact_quat_multiply(tact_quat_conjugate(from.rotation), at.rotation));
    memset(J, 0, (size_t)sim->model->nv * sizeof *J);
    drive.length = g[0] * apart.x + g[1] * apart.y + g[2] * apart.z + g[3] * turn.x +
                   g[4] * turn.y + g[5] * turn.z;
    // forces of the two on each other, in the axes of the other site
    TactVec3 f = tact_quat_rotate(from.rotation, (TactVec3){g[0], g[1], g[2]});
    TactVec3 t = tact_quat_rotate(from.rotation, (TactVec3){g[3], g[4], g[5]});
    tact_dynamics_add_point(sim->dynamics, body, at.position, f, 1, J);
    tact_dynamics_add_point(sim->dynamics, other, from.position, f, -1, J);
    add_turn(sim, body, t, 1, J);
    add_turn(sim, other, t, -1, J);
    // dofs that carry both move neither against the other
    for (int i = 0; i < sim->model->nv; i++) {
        bool carries[2] = {false, false};
        for (int k = 0; k < 2; k++) {
            for (int b = k ? other : body; b > 0; b = sim->model->bodies[b].parent) {
                const TactBody *own = &sim->model->bodies[b];
                carries[k] =
                    carries[k] || (i >= own->first_dof && i < own->first_dof + own->dof_count);
            }
        }
        J[i] = carries[0] && carries[1] ? 0 : J[i];
    }
    drive.rate = rate_of_J(sim);
    return drive;
}

/// How far up the axis of the slider's site the slider is that a rod of length r holds at the
/// crank:
///     x = a'w - sqrt((a'w)^2 - w'w + r^2) ,    w from the slider's site to the crank's, a its
///     axis.
static Drive slider_drive(const TactSim *sim, const TactActuator *actuator)
{
    TactTransform crank = site_pose(sim, actuator->target);
    TactTransform slider = site_pose(sim, actuator->reference);
    int           body = sim->model->sites[actuator->target].body;
    int           other = sim->model->sites[actuator->reference].body;
    double        gear = actuator->gear[0], r = actuator->crank_length, *J = sim->free.drive_J;
    TactVec3      a = tact_quat_rotate(slider.rotation, (TactVec3){0, 0, 1});
    TactVec3      w = tact_vec3_subtract(crank.position, slider.position);
    double        along = tact_vec3_dot(a, w);
    double        square = along * along - tact_vec3_dot(w, w) + r * r;
    Drive         drive = {.dof = -1, .by_J = true};
    memset(J, 0, (size_t)sim->model->nv * sizeof *J);
    // dx = (dx/dw)'dw + (dx/da)'da; where the rod does not reach, x is that of its nearest point
    TactVec3 by_w = a, by_a = w;
    drive.length = gear * along;
    if (square > 0) {
        double root = sqrt(square);
        drive.length = gear * (along - root);
        by_w = tact_vec3_add(a, tact_vec3_scale(1 / root, tact_vec3_add_scaled(w, -along, a)));
        by_a = tact_vec3_scale(1 - along / root, w);
    }
    tact_dynamics_add_point(sim->dynamics, body, crank.position, by_w, gear, J);
    tact_dynamics_add_point(sim->dynamics, other, slider.position, by_w, -gear, J);
    add_turn(sim, other, tact_vec3_cross(a, by_a), gear, J); // da = turn x a
    drive.rate = rate_of_J(sim);
    return drive;
}

/// What touches the body is drawn to it, along the normals, with an equal part of the force at each
/// contact. It has no length.
static Drive adhesion_drive(const TactSim *sim, const TactActuator *actuator)
{
    double *J = sim->free.drive_J;
    Drive   drive = {.dof = -1, .by_J = true};
    memset(J, 0, (size_t)sim->model->nv * sizeof *J);
    tact_sim_add_adhesion(sim, actuator->target, actuator->gear[0], J);
    return drive;
}

static Drive tendon_drive(const TactSim *sim, const TactActuator *actuator)
{
    const TactTendon *tendon = &sim->model->tendons[actuator->target];
    Drive             drive = {.dof = -1};
    if (tendon->part_count > 0) {
        drive.by_J = true;
        memset(sim->free.drive_J, 0, (size_t)sim->model->nv * sizeof(double));
        drive.length =
            actuator->gear[0] * tact_dynamics_tendon_length(sim->dynamics, actuator->target,
                                                            actuator->gear[0], sim->free.drive_J);
        drive.rate = rate_of_J(sim);
        return drive;
    }
    for (int i = 0; i < tendon->count; i++) {
        const TactJoint *joint = &sim->model->joints[tendon->joints[i]];
        drive.length += actuator->gear[0] * tendon->coefficients[i] * sim->dynamics->q[joint->q];
        drive.rate += actuator->gear[0] * tendon->coefficients[i] * sim->dynamics->v[joint->dof];
    }
    return drive;
}

/// A wrench on a body, in a frame of it: it has no length, and the rate of its own motion.
static Drive wrench_drive(const TactSim *sim, const TactActuator *actuator)
{
    TactTransform pose = tact_transform_identity();
    int           body = actuator->target;
    Drive         drive = {.dof = -1};
    if (actuator->transmission == TACT_TRANSMISSION_SITE) {
        body = sim->model->sites[actuator->target].body;
        pose = sim->model->sites[actuator->target].pose;
    }
    pose = tact_transform_multiply(sim->dynamics->pose[body], pose);
    TactTwist     v = tact_dynamics_compute_velocity(sim->dynamics, body, pose.position);
    TactVec3      linear = tact_quat_rotate_back(pose.rotation, v.linear);
    TactVec3      angular = tact_quat_rotate_back(pose.rotation, v.angular);
    const double *g = actuator->gear;
    drive.rate = g[0] * linear.x + g[1] * linear.y + g[2] * linear.z + g[3] * angular.x +
                 g[4] * angular.y + g[5] * angular.z;
    return drive;
}

static Drive find_drive(const TactSim *sim, const TactActuator *actuator)
{
    switch (actuator->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: return joint_drive(sim, actuator);
    case TACT_TRANSMISSION_TENDON: return tendon_drive(sim, actuator);
    case TACT_TRANSMISSION_SITE_TO_SITE: return site_to_site_drive(sim, actuator);
    case TACT_TRANSMISSION_SLIDER_CRANK: return slider_drive(sim, actuator);
    case TACT_TRANSMISSION_ADHESION: return adhesion_drive(sim, actuator);
    case TACT_TRANSMISSION_INPUT: {
        memset(sim->free.drive_J, 0, (size_t)sim->model->nv * sizeof(double));
        return (Drive){.dof = -1, .by_J = true}; // it moves nothing by itself
    }
    default: return wrench_drive(sim, actuator);
    }
}

void tact_sim_actuator_motion(const TactSim *sim, int actuator, double *length, double *rate)
{
    Drive drive = find_drive(sim, &sim->model->actuators[actuator]);
    *length = drive.length;
    *rate = drive.rate;
}

static double clamp_to_range(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

/// Generalized force of a wrench at a frame of a body, in the frame's axes.
static void apply_wrench(TactSim *sim, int body, TactTransform pose, const double w[6],
                         double force)
{
    int          nv = sim->model->nv;
    TactVec3     f = tact_quat_rotate(pose.rotation, (TactVec3){w[0], w[1], w[2]});
    TactVec3     t = tact_quat_rotate(pose.rotation, (TactVec3){w[3], w[4], w[5]});
    const double world[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
    tact_dynamics_compute_jacobian(sim->dynamics, body, pose.position, sim->free.site_J);
    for (int r = 0; r < 6; r++) {
        for (int i = 0; i < nv; i++) {
            sim->last.actuation[i] += force * world[r] * sim->free.site_J[r * nv + i];
        }
    }
}

static void apply_joint(TactSim *sim, const TactActuator *actuator, double force)
{
    const TactJoint *joint = &sim->model->joints[actuator->target];
    double           gear[6];
    turn_gear(sim, actuator, gear);
    int count = joint->type == TACT_JOINT_FREE ? 6 : joint->type == TACT_JOINT_BALL ? 3 : 1;
    for (int k = 0; k < count; k++) {
        sim->last.actuation[joint->dof + k] += gear[k] * force;
    }
}

/// The generalized force of an actuator.
static void apply(TactSim *sim, const TactActuator *actuator, double force)
{
    const TactModel     *model = sim->model;
    const TactTransform *pose = sim->dynamics->pose;
    switch (actuator->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: apply_joint(sim, actuator, force); break;
    case TACT_TRANSMISSION_TENDON: {
        const TactTendon *tendon = &model->tendons[actuator->target];
        for (int i = 0; i < tendon->count; i++) {
            sim->last.actuation[model->joints[tendon->joints[i]].dof] +=
                actuator->gear[0] * tendon->coefficients[i] * force;
        }
        break;
    }
    case TACT_TRANSMISSION_SITE: {
        const TactSite *site = &model->sites[actuator->target];
        apply_wrench(sim, site->body, tact_transform_multiply(pose[site->body], site->pose),
                     actuator->gear, force);
        break;
    }
    case TACT_TRANSMISSION_BODY_FORCE:
        apply_wrench(sim, actuator->target, pose[actuator->target], actuator->gear, force);
        break;
    case TACT_TRANSMISSION_SITE_TO_SITE:
    case TACT_TRANSMISSION_ADHESION:
    case TACT_TRANSMISSION_INPUT:
    case TACT_TRANSMISSION_SLIDER_CRANK: break; // by J
    }
}

void tact_sim_push(TactSim *sim, int actuator)
{
    const TactActuator *a = &sim->model->actuators[actuator];
    Drive               drive = find_drive(sim, a);
    if (!drive.by_J) {
        apply(sim, a, 1);
        return;
    }
    for (int i = 0; i < sim->model->nv; i++) {
        sim->last.actuation[i] += sim->free.drive_J[i];
    }
}

TactStatus tact_sim_check_control(const TactSim *sim, int actuator, double ctrl)
{
    if (!isfinite(ctrl)) {
        char label[64];
        return tact_fail(TACT_BAD_INPUT, "control: %s: ctrl[%d] is %g",
                         tact_model_label(sim->model, TACT_OBJECT_ACTUATOR, actuator, label),
                         actuator, ctrl);
    }
    return TACT_OK;
}

/// A control, in its range.
static TactStatus read_control(const TactSim *sim, int index, double *ctrl)
{
    const TactActuator *a = &sim->model->actuators[index];
    *ctrl = tact_sim_get_control(sim, index);
    TACT_TRY(tact_sim_check_control(sim, index, *ctrl));
    if (a->ctrl_limited && !sim->model->options.clamp_off) {
        *ctrl = clamp_to_range(*ctrl, a->ctrl_range);
    }
    return TACT_OK;
}

/// A position servo on turns of a ball, or of a site as another sees it, is for angles on a circle:
/// of those that are the same, the nearest is meant.
static double wrap_setpoint(const TactSim *sim, const TactActuator *a, double ctrl, double length)
{
    const double *g = a->gear;
    bool          sites =
        a->transmission == TACT_TRANSMISSION_SITE_TO_SITE && g[0] == 0 && g[1] == 0 && g[2] == 0;
    bool ball = (a->transmission == TACT_TRANSMISSION_JOINT ||
                 a->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) &&
                sim->model->joints[a->target].type == TACT_JOINT_BALL;
    if (!(sites || ball) || a->gain[0] == 0 || a->gain[0] != -a->bias[1] || a->is_muscle ||
        a->is_motor) {
        return ctrl;
    }
    g += sites ? 3 : 0;
    double turn = 2 * 3.14159265358979323846 * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return turn > 0 ? length + remainder(ctrl - length, turn) : ctrl;
}

/// All controls of a motor, each in its role.
static TactStatus read_roles(const TactSim *sim, int index, double u[4])
{
    const TactActuator *a = &sim->model->actuators[index];
    for (int k = 0; k < a->inputs; k++) {
        TACT_TRY(read_control(sim, index + k, &u[a[k].motor.input]));
    }
    return TACT_OK;
}

/// A servo for the whole turn of a ball or a site.
static TactStatus run_turn(TactSim *sim, int index, double h)
{
    double u[4] = {0};
    for (int k = 0; k < sim->model->actuators[index].inputs; k++) {
        TACT_TRY(read_control(sim, index + k, &u[k]));
    }
    tact_sim_turn(sim, index, u, h);
    return TACT_OK;
}

/// Force of an actuator, and its slopes.
typedef struct Pull {
    double force, by_length, by_rate;
} Pull;

/// The slopes of a force that is linear in length and rate.
static inline Pull linear_pull(const TactActuator *a, double force, double ctrl)
{
    return (Pull){force, a->gain[1] * ctrl + a->bias[1], a->gain[2] * ctrl + a->bias[2]};
}

/// A force beyond its range is the end of it, and constant.
static inline void limit_pull(const TactActuator *a, Pull *pull)
{
    double limited = clamp_to_range(pull->force, a->force_range);
    if (pull->force != limited) {
        *pull = (Pull){limited, 0, 0};
    }
}

/// What a force on one dof changes during the step.
static inline void make_implicit(TactSim *sim, int index, const Drive *drive, double h, Pull *pull)
{
    double square = drive->moment * drive->moment;
    double implicit = -(h * pull->by_rate + h * h * pull->by_length) * square;
    if (implicit > 0) { // only what steadies
        sim->last.actuation_added[drive->dof] += implicit;
        sim->last.actuator_slope[index] = pull->by_rate + h * pull->by_length;
        pull->force += h * pull->by_length * drive->rate;
    }
}

/// Is it on a hinge or a slide, and its force linear in what it is told and sees? Most are.
static inline bool is_plain(const TactModel *model, const TactActuator *a)
{
    return (a->transmission == TACT_TRANSMISSION_JOINT ||
            a->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) &&
           a->act < 0 && !a->is_muscle && !a->is_motor && !a->is_turn &&
           (model->joints[a->target].type == TACT_JOINT_HINGE ||
            model->joints[a->target].type == TACT_JOINT_SLIDE);
}

/// run_actuator() of one that is plain: the same numbers.
static void run_plain(TactSim *sim, int index, double ctrl, double h)
{
    const TactActuator *a = &sim->model->actuators[index];
    const TactJoint    *joint = &sim->model->joints[a->target];
    double              gear = a->gear[0];
    Drive               drive = {.length = gear * sim->dynamics->q[joint->q],
                                 .rate = gear * sim->dynamics->v[joint->dof],
                                 .dof = joint->dof,
                                 .moment = gear};
    double              gain = a->gain[0] + a->gain[1] * drive.length + a->gain[2] * drive.rate;
    double              bias = a->bias[0] + a->bias[1] * drive.length + a->bias[2] * drive.rate;
    Pull                pull = linear_pull(a, gain * ctrl + bias, ctrl);
    if (a->force_limited) {
        limit_pull(a, &pull);
    }
    sim->last.actuator_slope[index] = 0;
    make_implicit(sim, index, &drive, h, &pull);
    sim->last.actuator_force[index] = pull.force;
    sim->last.actuator_rate[index] = drive.rate;
    sim->last.actuation[joint->dof] += gear * pull.force;
}

static TactStatus run_actuator(TactSim *sim, int index, double h)
{
    const TactActuator *a = &sim->model->actuators[index];
    double              ctrl, roles[4] = {0};
    TACT_TRY(read_control(sim, index, &ctrl));
    if (is_plain(sim->model, a)) {
        run_plain(sim, index, ctrl, h);
        return TACT_OK;
    }
    if (a->transmission == TACT_TRANSMISSION_INPUT) {
        return TACT_OK; // of another, which has run
    }
    if (a->is_turn) {
        return run_turn(sim, index, h);
    }
    if (a->act >= 0 && !a->is_motor) {
        ctrl = tact_sim_activate(sim, index, ctrl);
    }
    Drive drive = find_drive(sim, a);
    ctrl = wrap_setpoint(sim, a, ctrl, drive.length);
    double gain = a->gain[0] + a->gain[1] * drive.length + a->gain[2] * drive.rate;
    double bias = a->bias[0] + a->bias[1] * drive.length + a->bias[2] * drive.rate;
    if (a->is_muscle) {
        tact_sim_find_muscle(sim, index, drive.length, drive.rate, &gain, &bias);
    }
    Pull           pull = linear_pull(a, gain * ctrl + bias, ctrl);
    TactMotorForce motor = {0};
    if (a->is_motor) {
        TACT_TRY(read_roles(sim, index, roles));
        motor = tact_sim_run_motor(sim, index, roles, drive.length, drive.rate);
        pull = (Pull){motor.electric, motor.by_length, motor.by_rate};
    }
    if (a->force_limited) {
        limit_pull(a, &pull);
    }
    pull.force += motor.mechanic; // which nothing limits
    pull.by_rate += motor.mechanic_by_rate;
    sim->last.actuator_slope[index] = 0;
    if (drive.dof >= 0 && !a->is_muscle) {
        make_implicit(sim, index, &drive, h, &pull);
    }
    double force = pull.force;
    sim->last.actuator_force[index] = force;
    sim->last.actuator_rate[index] = drive.rate;
    if (drive.by_J) {
        for (int i = 0; i < sim->model->nv; i++) {
            sim->last.actuation[i] += sim->free.drive_J[i] * force;
        }
        return TACT_OK;
    }
    apply(sim, a, force);
    return TACT_OK;
}

/// Joints may limit what all their actuators together do; the sum is constant then, not implicit.
static void limit_joint_forces(TactSim *sim)
{
    for (int j = 0; j < sim->model->joint_count; j++) {
        const TactJoint *joint = &sim->model->joints[j];
        if (!joint->force_limited ||
            (joint->type != TACT_JOINT_HINGE && joint->type != TACT_JOINT_SLIDE)) {
            continue;
        }
        // what carries weight is a force of the actuators too, where the joint says so
        double  carried = joint->carries_gravity ? sim->free.carried[joint->dof] : 0;
        double *sum = &sim->last.actuation[joint->dof];
        double  clamped = clamp_to_range(*sum + carried, joint->force_range);
        if (*sum + carried != clamped) {
            *sum = clamped - carried;
            sim->last.actuation_added[joint->dof] = 0;
        }
    }
}

/// An actuator on a tendon that pulls by a share of its force only, which is constant then.
static void lessen_pull(TactSim *sim, int index, double share, double h)
{
    const TactActuator *a = &sim->model->actuators[index];
    Drive               drive = find_drive(sim, a);
    double              less = (share - 1) * sim->last.actuator_force[index];
    if (drive.by_J) {
        for (int i = 0; i < sim->model->nv; i++) {
            sim->last.actuation[i] += sim->free.drive_J[i] * less;
        }
    } else {
        apply(sim, a, less);
    }
    if (drive.dof >= 0) {
        double square = drive.moment * drive.moment;
        sim->last.actuation_added[drive.dof] += h * sim->last.actuator_slope[index] * square;
    }
    sim->last.actuator_slope[index] = 0;
    sim->last.actuator_force[index] += less;
}

static bool pulls(const TactActuator *actuator, int tendon)
{
    return actuator->transmission == TACT_TRANSMISSION_TENDON && actuator->target == tendon;
}

/// Tendons may limit what all their actuators together do: each gives the same share of its force,
/// as in MuJoCo.
static void limit_tendon_forces(TactSim *sim, double h)
{
    const TactModel *model = sim->model;
    for (int t = 0; t < model->tendon_count && !model->options.actuation_off; t++) {
        double sum = 0;
        for (int i = 0; i < model->actuator_count && model->tendons[t].force_limited; i++) {
            sum += pulls(&model->actuators[i], t) ? sim->last.actuator_force[i] : 0;
        }
        double clamped = clamp_to_range(sum, model->tendons[t].force_range);
        for (int i = 0; i < model->actuator_count && model->tendons[t].force_limited; i++) {
            if (pulls(&model->actuators[i], t) && clamped != sum && sum != 0) {
                lessen_pull(sim, i, clamped / sum, h);
            }
        }
    }
}

/// Springs and dampers of single joints at the end of the step.
/// Springs: f_q is that of a spring at rest for balls and free joints too, whose angle otherwise
/// turns with the body. Those that give energy, of negative numbers, push at the beginning: at the
/// end they might take more from the diagonal than there is.
static void add_implicit_joints(TactSim *sim, double h)
{
    for (int i = 0; i < sim->model->nv; i++) {
        double k = sim->model->joints[sim->model->dofs[i].joint].stiffness;
        if (k > 0) {
            sim->free.added[i] += h * h * k;
            sim->last.passive[i] -= h * k * sim->dynamics->v[i];
        }
    }
    for (int j = 0; j < sim->model->joint_count; j++) {
        const TactJoint *joint = &sim->model->joints[j];
        double           k[3];
        if (!tact_joint_bends(joint)) {
            continue;
        }
        tact_dynamics_bend_slopes(sim->dynamics, j, k);
        for (int i = 0; i < 3; i++) {
            sim->free.added[joint->dof + i] += h * h * k[i];
            sim->last.passive[joint->dof + i] -= h * k[i] * sim->dynamics->v[joint->dof + i];
        }
    }
    for (int i = 0; i < sim->model->nv; i++) {
        sim->free.added[i] += h * tact_larger(0, sim->model->dofs[i].damping);
    }
}

/// With h = 0 nothing is implicit.
static TactStatus actuate(TactSim *sim, double h)
{
    const TactModel *model = sim->model;
    size_t           bytes = (size_t)model->nv * sizeof(double);
    memset(sim->last.actuation, 0, bytes);
    memset(sim->last.actuation_added, 0, bytes);
    TACT_TRY(tact_sim_find_adhesion(sim));
    for (int i = 0; i < model->actuator_count && !model->options.actuation_off; i++) {
        TACT_TRY(run_actuator(sim, i, h));
    }
    if (sim->free.carries) {
        tact_dynamics_compute_carried(sim->dynamics, sim->free.carried);
    }
    limit_tendon_forces(sim, h);
    limit_joint_forces(sim);
    memcpy(sim->free.added, sim->last.actuation_added, bytes);
    if (tact_sim_has_fluid(sim)) { // which is settled when all other forces are known (fluid.c)
        tact_dynamics_compute_dry(sim->dynamics, sim->last.passive);
    } else {
        tact_dynamics_compute_passive(sim->dynamics, sim->last.passive);
    }
    add_implicit_joints(sim, h);
    for (int i = 0; i < model->nv; i++) {
        if (!isfinite(sim->state.applied[i])) {
            char label[64];
            return tact_fail(
                TACT_BAD_INPUT, "applied force: %s: applied[%d] is %g",
                tact_model_label(model, TACT_OBJECT_JOINT, model->dofs[i].joint, label), i,
                sim->state.applied[i]);
        }
        sim->last.applied[i] = sim->state.applied[i];
    }
    tact_sim_add_drag(sim, sim->last.applied);
    for (int i = 0; i < model->nv; i++) {
        sim->free.tau[i] = sim->last.actuation[i] + sim->last.passive[i] + sim->last.applied[i];
    }
    return TACT_OK;
}

TactStatus tact_sim_actuate(TactSim *sim)
{
    return actuate(sim, sim->h);
}

TactStatus tact_sim_actuate_explicitly(TactSim *sim)
{
    return actuate(sim, 0);
}
