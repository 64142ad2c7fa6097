// Forces that a mechanism has by itself: springs, dampers, weight that is carried.
#include <math.h>

#include "dynamics/workspace.h"

/// Rotation vector from the spring's rest to a ball joint's place, in the child frame; the spring
/// pulls back along it.
static TactVec3 ball_angle(const double *rest, const double *q)
{
    TactQuat a = tact_quat_normalise((TactQuat){rest[0], rest[1], rest[2], rest[3]});
    TactQuat b = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
    return tact_quat_log(tact_quat_multiply(tact_quat_conjugate(a), b));
}

static void add_rotational_spring(double k, TactVec3 angle, double *tau)
{
    tau[0] -= k * angle.x;
    tau[1] -= k * angle.y;
    tau[2] -= k * angle.z;
}

/// k x + a x^2 + b x^3
static double spring_force(double k, const double more[2], double x)
{
    return k * x + (more[0] + more[1] * x) * x * x;
}

/// The integral of its terms beyond the first.
static double energy_of_more(const double more[2], double x)
{
    return (more[0] / 3 + more[1] / 4 * x) * x * x * x;
}

/// a v |v| + b v^3
static double damper_force_of_more(const double more[2], double v)
{
    return (more[0] * fabs(v) + more[1] * v * v) * v;
}

static void add_joint_force(const TactDynamics *d, const TactJoint *joint, double *tau)
{
    const double *q = d->q + joint->q, *rest = d->model->q_spring + joint->q;
    double       *t = tau + joint->dof;
    double        k = joint->stiffness;
    if (!tact_joint_has_spring(joint)) {
        return;
    }
    switch (joint->type) {
    case TACT_JOINT_FREE:
        for (int i = 0; i < 3; i++) {
            t[i] -= k * (q[i] - rest[i]);
        }
        add_rotational_spring(k, ball_angle(rest + 3, q + 3), t + 3);
        break;
    case TACT_JOINT_BALL: add_rotational_spring(k, ball_angle(rest, q), t); break;
    case TACT_JOINT_HINGE:
    case TACT_JOINT_SLIDE: t[0] -= spring_force(k, joint->spring_more, q[0] - rest[0]); break;
    }
}

/// How far a tendon's length lies outside the lengths at which its spring rests.
static double tendon_stretch(const TactDynamics *d, int index, double *rate)
{
    const TactTendon *tendon = &d->model->tendons[index];
    const double     *rest = d->tendon_rest + 2 * index;
    double            length = 0;
    *rate = 0;
    if (tendon->part_count > 0) {
        length = tact_dynamics_tendon_length(d, index, 0, NULL);
        *rate = tact_tendon_has_damper(tendon) ? tact_dynamics_tendon_rate(d, index) : 0;
        return length > rest[1] ? length - rest[1] : length < rest[0] ? length - rest[0] : 0;
    }
    for (int i = 0; i < tendon->count; i++) {
        const TactJoint *joint = &d->model->joints[tendon->joints[i]];
        length += tendon->coefficients[i] * d->q[joint->q];
        *rate += tendon->coefficients[i] * d->v[joint->dof];
    }
    double over = length - tendon->spring_range[1], under = length - tendon->spring_range[0];
    return over > 0 ? over : under < 0 ? under : 0;
}

static void add_tendon(const TactDynamics *d, int index, double *tau)
{
    const TactTendon *tendon = &d->model->tendons[index];
    double            rate = 0;
    if (tendon->part_count > 0 && !tact_tendon_has_spring(tendon) &&
        !tact_tendon_has_damper(tendon)) {
        return;
    }
    double stretch = tendon_stretch(d, index, &rate);
    double force = -spring_force(tendon->stiffness, tendon->spring_more, stretch) -
                   tendon->damping * rate - damper_force_of_more(tendon->damper_more, rate);
    if (tendon->part_count > 0) {
        tact_dynamics_tendon_length(d, index, force, tau);
    }
    for (int i = 0; i < tendon->count; i++) {
        tau[d->model->joints[tendon->joints[i]].dof] += tendon->coefficients[i] * force;
    }
}

/// A force at the centre of mass of a body.
static void add_body_force(const TactDynamics *d, int body, TactVec3 force, double *tau)
{
    TactVec3 place = tact_transform_point(d->pose[body], d->model->bodies[body].inertia.com);
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(place, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            tau[i] += tact_vec3_dot(force, tact_twist_shift(d->axis[i], r).linear);
        }
    }
}

static void add_carried(const TactDynamics *d, double *tau)
{
    const TactModel *model = d->model;
    for (int b = 1; b < model->body_count && !model->options.gravity_off; b++) {
        const TactBody *body = &model->bodies[b];
        if (body->gravity_compensation != 0) {
            double share = -body->gravity_compensation * body->inertia.mass;
            add_body_force(d, b, tact_vec3_scale(share, model->options.gravity), tau);
        }
    }
}

void tact_dynamics_compute_carried(const TactDynamics *d, double *tau)
{
    for (int i = 0; i < d->model->nv; i++) {
        tau[i] = 0;
    }
    add_carried(d, tau);
}

void tact_dynamics_compute_passive(TactDynamics *d, double *tau)
{
    const TactModel *model = d->model;
    for (int i = 0; i < model->nv; i++) {
        tau[i] = -model->dofs[i].damping * d->v[i];
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        add_joint_force(d, joint, tau);
        if (joint->damper_more[0] != 0 || joint->damper_more[1] != 0) {
            tau[joint->dof] -= damper_force_of_more(joint->damper_more, d->v[joint->dof]);
        }
    }
    for (int t = 0; t < model->tendon_count; t++) {
        add_tendon(d, t, tau);
    }
    add_carried(d, tau);
    tact_dynamics_add_fluid(d, tau);
}

double tact_dynamics_joint_energy(const TactDynamics *d, int index)
{
    const TactJoint *joint = &d->model->joints[index];
    const double    *q = d->q + joint->q, *rest = d->model->q_spring + joint->q;
    double           square = 0, more = 0;
    TactVec3         angle = {0, 0, 0};
    switch (joint->type) {
    case TACT_JOINT_FREE:
        for (int i = 0; i < 3; i++) {
            square += (q[i] - rest[i]) * (q[i] - rest[i]);
        }
        angle = ball_angle(rest + 3, q + 3);
        break;
    case TACT_JOINT_BALL: angle = ball_angle(rest, q); break;
    case TACT_JOINT_HINGE:
    case TACT_JOINT_SLIDE:
        square = (q[0] - rest[0]) * (q[0] - rest[0]);
        more = energy_of_more(joint->spring_more, q[0] - rest[0]);
        break;
    }
    return 0.5 * joint->stiffness * (square + tact_vec3_dot(angle, angle)) + more;
}

double tact_dynamics_tendon_energy(const TactDynamics *d, int index)
{
    double            rate = 0;
    double            stretch = tendon_stretch(d, index, &rate);
    const TactTendon *tendon = &d->model->tendons[index];
    return 0.5 * tendon->stiffness * stretch * stretch +
           energy_of_more(tendon->spring_more, stretch);
}

double tact_dynamics_compute_potential_energy(const TactDynamics *d)
{
    const TactModel *model = d->model;
    double           energy = 0;
    for (int l = 1; l < d->link_count && !model->options.gravity_off; l++) {
        energy -= d->links[l].inertia.mass * tact_vec3_dot(model->options.gravity, d->com[l]);
    }
    for (int j = 0; j < model->joint_count; j++) {
        if (tact_joint_has_spring(&model->joints[j])) {
            energy += tact_dynamics_joint_energy(d, j);
        }
    }
    for (int t = 0; t < model->tendon_count; t++) {
        if (model->tendons[t].part_count > 0 && !tact_tendon_has_spring(&model->tendons[t])) {
            continue;
        }
        energy += tact_dynamics_tendon_energy(d, t);
    }
    return energy;
}
