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

/// -(k + a |x| + b |x|^2) x
static void add_vector_spring(double k, const double more[2], TactVec3 x, double *tau)
{
    double size = tact_vec3_norm(x), slope = k + (more[0] + more[1] * size) * size;
    tau[0] -= slope * x.x;
    tau[1] -= slope * x.y;
    tau[2] -= slope * x.z;
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

/// The rotation of the body of a joint in its parent.
static TactQuat turn_of_child(const TactDynamics *d, const TactJoint *joint)
{
    int parent = d->model->bodies[joint->body].parent;
    return tact_quat_multiply(tact_quat_conjugate(d->pose[parent].rotation),
                              d->pose[joint->body].rotation);
}

/// -K (w - w_0) about the axes of the parent, K = diag(bend), exp(w) = R: what turns pieces of a
/// cable against each other. The dofs of the ball are turns about the axes of the child: tau = R'
/// (.)
static TactVec3 bend_moment(const TactDynamics *d, const TactJoint *joint)
{
    TactQuat R = turn_of_child(d, joint);
    TactVec3 off = tact_vec3_subtract(tact_quat_log(R), joint->bend_rest);
    TactVec3 moment = {-joint->bend[0] * off.x, -joint->bend[1] * off.y, -joint->bend[2] * off.z};
    return tact_quat_rotate_back(R, moment);
}

void tact_dynamics_bend_slopes(const TactDynamics *d, int index, double k[3])
{
    const TactJoint *joint = &d->model->joints[index];
    TactMat3         R = tact_quat_to_mat3(turn_of_child(d, joint));
    for (int i = 0; i < 3; i++) {
        k[i] = 0;
        for (int j = 0; j < 3; j++) {
            k[i] += R.m[j][i] * R.m[j][i] * joint->bend[j];
        }
    }
}

static void add_joint_force(const TactDynamics *d, const TactJoint *joint, double *tau)
{
    const double *q = d->q + joint->q, *rest = d->model->q_spring + joint->q;
    double       *t = tau + joint->dof;
    double        k = joint->stiffness;
    if (!tact_joint_has_spring(joint)) {
        return;
    }
    if (tact_joint_bends(joint)) {
        TactVec3 moment = bend_moment(d, joint);
        t[0] += moment.x;
        t[1] += moment.y;
        t[2] += moment.z;
    }
    switch (joint->type) {
    case TACT_JOINT_FREE:
        add_vector_spring(k, joint->spring_more,
                          (TactVec3){q[0] - rest[0], q[1] - rest[1], q[2] - rest[2]}, t);
        add_vector_spring(k, joint->spring_more, ball_angle(rest + 3, q + 3), t + 3);
        break;
    case TACT_JOINT_BALL: add_vector_spring(k, joint->spring_more, ball_angle(rest, q), t); break;
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

static void add_tendon_force(const TactDynamics *d, const TactTendon *tendon, int index,
                             double force, double *tau)
{
    if (tendon->part_count > 0) {
        tact_dynamics_tendon_length(d, index, force, tau);
    }
    for (int i = 0; i < tendon->count; i++) {
        tau[d->model->joints[tendon->joints[i]].dof] += tendon->coefficients[i] * force;
    }
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
    add_tendon_force(d, tendon, index, force, tau);
}

/// Where compensation is a force of actuators, and nothing is actuated, there is none, as in
/// MuJoCo.
static bool is_compensated(const TactModel *model, int dof)
{
    return !model->joints[model->dofs[dof].joint].carries_gravity ||
           (model->actuator_count > 0 && !model->options.actuation_off);
}

bool tact_dynamics_is_carried(const TactDynamics *d, int body)
{
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            if (!is_compensated(d->model, i)) {
                return false;
            }
        }
    }
    return true;
}

/// A force that carries weight, at the centre of mass of a body.
static void add_body_force(const TactDynamics *d, int body, TactVec3 force, double *tau)
{
    TactVec3 place = tact_transform_point(d->pose[body], d->model->bodies[body].inertia.com);
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(place, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            double share = tact_vec3_dot(force, tact_twist_shift(d->axis[i], r).linear);
            tau[i] += is_compensated(d->model, i) ? share : 0;
        }
    }
}

void tact_dynamics_add_carried_body(const TactDynamics *d, int body, double *tau)
{
    const TactBody *own = &d->model->bodies[body];
    if (own->gravity_compensation != 0 && !d->model->options.gravity_off) {
        double share = -own->gravity_compensation * own->inertia.mass;
        add_body_force(d, body, tact_vec3_scale(share, d->model->options.gravity), tau);
    }
}

static void add_carried(const TactDynamics *d, double *tau)
{
    for (int b = 1; b < d->model->body_count; b++) {
        tact_dynamics_add_carried_body(d, b, tau);
    }
}

void tact_dynamics_compute_carried(const TactDynamics *d, double *tau)
{
    for (int i = 0; i < d->model->nv; i++) {
        tau[i] = 0;
    }
    add_carried(d, tau);
}

void tact_dynamics_compute_dry(TactDynamics *d, double *tau)
{
    const TactModel *model = d->model;
    for (int i = 0; i < model->nv; i++) {
        tau[i] = -model->dofs[i].damping * d->v[i];
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        add_joint_force(d, joint, tau);
        if (joint->damper_more[0] != 0 || joint->damper_more[1] != 0) {
            int end = j + 1 < model->joint_count ? joint[1].dof : model->nv;
            for (int i = joint->dof; i < end; i++) {
                tau[i] -= damper_force_of_more(joint->damper_more, d->v[i]);
            }
        }
    }
    for (int t = 0; t < model->tendon_count; t++) {
        add_tendon(d, t, tau);
    }
    add_carried(d, tau);
}

static bool gives(double damping, const double more[2])
{
    return damping < 0 || more[0] < 0 || more[1] < 0;
}

void tact_dynamics_add_giving(const TactDynamics *d, double *tau)
{
    const TactModel *model = d->model;
    for (int i = 0; i < model->nv; i++) {
        const TactJoint *joint = &model->joints[model->dofs[i].joint];
        if (gives(model->dofs[i].damping, joint->damper_more)) {
            tau[i] -= model->dofs[i].damping * d->v[i] +
                      damper_force_of_more(joint->damper_more, d->v[i]);
        }
    }
    for (int t = 0; t < model->tendon_count; t++) {
        const TactTendon *tendon = &model->tendons[t];
        double            rate = 0;
        if (!gives(tendon->damping, tendon->damper_more)) {
            continue;
        }
        tendon_stretch(d, t, &rate);
        add_tendon_force(d, tendon, t,
                         -tendon->damping * rate - damper_force_of_more(tendon->damper_more, rate),
                         tau);
    }
}

void tact_dynamics_compute_passive(TactDynamics *d, double *tau)
{
    tact_dynamics_compute_dry(d, tau);
    tact_dynamics_add_fluid(d, tau);
}

double tact_dynamics_joint_energy(const TactDynamics *d, int index)
{
    const TactJoint *joint = &d->model->joints[index];
    const double    *q = d->q + joint->q, *rest = d->model->q_spring + joint->q;
    double           square = 0, more = 0;
    TactVec3         angle = {0, 0, 0};
    if (tact_joint_bends(joint)) { // of small turns: the moments of large ones have no energy
        TactVec3 off = tact_vec3_subtract(tact_quat_log(turn_of_child(d, joint)), joint->bend_rest);
        more = 0.5 * (joint->bend[0] * off.x * off.x + joint->bend[1] * off.y * off.y +
                      joint->bend[2] * off.z * off.z);
    }
    switch (joint->type) {
    case TACT_JOINT_FREE:
        for (int i = 0; i < 3; i++) {
            square += (q[i] - rest[i]) * (q[i] - rest[i]);
        }
        angle = ball_angle(rest + 3, q + 3);
        more += energy_of_more(joint->spring_more, sqrt(square)) +
                energy_of_more(joint->spring_more, tact_vec3_norm(angle));
        break;
    case TACT_JOINT_BALL:
        angle = ball_angle(rest, q);
        more += energy_of_more(joint->spring_more, tact_vec3_norm(angle));
        break;
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
