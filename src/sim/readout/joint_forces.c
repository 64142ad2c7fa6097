// Forces between bodies through their joints: Newton and Euler body by body, from the leaves to the
// root, with all forces that act on a body as such (contacts, loops, external forces, actuators on
// sites, weight that is carried).
//
//     joint_i = m a + I dw + w x I w - forces on i + sum of the children's joint        (1)
//
// Gravity is an acceleration of the world by -g. Bodies that are fixed to their parents have a
// wrench too: that of the weld.
#include <string.h>

#include "dynamics/links.h"
#include "sim/readout/readout.h"

/// other += a force on a body at a point.
static void push_body(TactSim *sim, int body, TactVec3 point, TactWrench w)
{
    TactVec3 r = tact_vec3_subtract(point, tact_sim_body_com(sim, body));
    sim->readout->other[body] = tact_wrench_add(sim->readout->other[body], tact_wrench_shift(w, r));
}

/// Connects and welds: rows 0 .. 2 are forces along the axes of a on b at its anchor, 3 .. 5
/// torques; a feels the opposite at the same point.
static void push_loops(TactSim *sim)
{
    for (int k = 0; k < sim->last.row_count; k++) {
        TactRowSource source = sim->last.row_sources[k];
        if (source.type != TACT_OBJECT_EQUALITY) {
            continue;
        }
        const TactEquality *equality = &sim->model->equalities[source.index];
        if (equality->type != TACT_EQUALITY_CONNECT && equality->type != TACT_EQUALITY_WELD) {
            continue;
        }
        double       f = sim->last.row_impulse[k] / sim->h;
        const double on[6] = {source.part == 0 ? f : 0, source.part == 1 ? f : 0,
                              source.part == 2 ? f : 0, source.part == 3 ? f : 0,
                              source.part == 4 ? f : 0, source.part == 5 ? f : 0};
        const TactTransform *pose = sim->dynamics->pose;
        TactQuat             axes = pose[equality->a].rotation;
        TactVec3             point = tact_transform_point(pose[equality->b], equality->anchor_b);
        TactWrench           w = {tact_quat_rotate(axes, (TactVec3){on[0], on[1], on[2]}),
                                  tact_quat_rotate(axes, (TactVec3){on[3], on[4], on[5]})};
        push_body(sim, equality->b, point, w);
        push_body(sim, equality->a, point, tact_wrench_scale(-1, w));
        if (equality->via) { // in the world's axes what it is in those of a
            TactWrench own = {{-on[0], -on[1], -on[2]}, {-on[3], -on[4], -on[5]}};
            push_body(sim, equality->via,
                      tact_transform_point(pose[equality->via], equality->anchor_b), own);
        }
    }
}

static void push_actuators(TactSim *sim)
{
    const TactModel *model = sim->model;
    for (int k = 0; k < model->actuator_count && !model->options.actuation_off; k++) {
        const TactActuator *actuator = &model->actuators[k];
        int                 body = actuator->target;
        TactTransform       pose = tact_transform_identity();
        if (actuator->transmission == TACT_TRANSMISSION_SITE) {
            body = model->sites[actuator->target].body;
            pose = model->sites[actuator->target].pose;
        } else if (actuator->transmission != TACT_TRANSMISSION_BODY_FORCE) {
            continue;
        }
        const double *g = actuator->gear;
        double        f = sim->last.actuator_force[k];
        pose = tact_transform_multiply(sim->dynamics->pose[body], pose);
        TactWrench w = {tact_quat_rotate(pose.rotation, (TactVec3){f * g[0], f * g[1], f * g[2]}),
                        tact_quat_rotate(pose.rotation, (TactVec3){f * g[3], f * g[4], f * g[5]})};
        push_body(sim, body, pose.position, w);
    }
}

static void push_smooth(TactSim *sim)
{
    const TactModel *model = sim->model;
    for (int b = 1; b < model->body_count; b++) {
        TactWrench *w = &sim->readout->other[b];
        *w = tact_wrench_add(*w, sim->last.external[b]);
        double carried = model->bodies[b].gravity_compensation * model->bodies[b].inertia.mass;
        if (carried != 0 && !model->options.gravity_off) {
            w->force = tact_vec3_add_scaled(w->force, -carried, model->options.gravity);
        }
    }
}

static void push_drag(TactSim *sim)
{
    if (sim->drag.on) {
        TactWrench w = {tact_sim_last_drag(sim, sim->readout->acceleration), {0, 0, 0}};
        push_body(sim, sim->drag.asked.body, tact_sim_drag_point(sim), w);
    }
}

/// Contacts of all bodies, about their centres of mass.
static void collect_net(TactSim *sim)
{
    TactWrench *net = sim->readout->net;
    memset(net, 0, (size_t)sim->model->body_count * sizeof *net);
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        TactWrench            w = {tact_sim_contact_get_force(c), tact_sim_contact_get_moment(c)};
        for (int side = 1; side >= 0; side--) {
            int      body = c->body[side];
            TactVec3 r = tact_vec3_subtract(c->point, tact_sim_body_com(sim, body));
            net[body] = tact_wrench_add(net[body],
                                        tact_wrench_scale(side ? 1 : -1, tact_wrench_shift(w, r)));
        }
    }
}

/// Spatial acceleration of a body's centre of mass, and velocity there; dynamics has those of
/// links.
static TactTwist link_motion(const TactDynamics *d, const TactTwist *of_link, int body,
                             TactVec3 point)
{
    int link = d->link_of[body];
    return tact_twist_shift(of_link[link], tact_vec3_subtract(point, d->com[link]));
}

/// m a and the change of spin of a body, about its centre of mass.
static TactWrench inertial_force(const TactSim *sim, int body)
{
    const TactDynamics *d = sim->dynamics;
    const TactInertia  *inertia = &sim->model->bodies[body].inertia;
    TactVec3            com = tact_sim_body_com(sim, body);
    TactTwist           a = link_motion(d, d->acceleration, body, com);
    TactTwist           v = link_motion(d, d->velocity, body, com);
    TactMat3            R = tact_quat_to_mat3(d->pose[body].rotation);
    TactSym3            I = tact_sym3_rotate(&R, &inertia->rotary);
    TactWrench          f = {
                 tact_vec3_scale(inertia->mass,
                                 tact_vec3_add(a.linear, tact_vec3_cross(v.angular, v.linear))),
                 tact_vec3_add(tact_sym3_apply(I, a.angular),
                               tact_vec3_cross(v.angular, tact_sym3_apply(I, v.angular))),
    };
    return f;
}

/// Sets the motion that bodies feel: that of the forces, but with the spin of free bodies, which
/// the step has in their flight (flight.c).
static void set_felt_motion(TactSim *sim)
{
    TactDynamics *d = sim->dynamics;
    double       *v = sim->scratch.a, *a = sim->scratch.b;
    memcpy(v, d->v, (size_t)sim->model->nv * sizeof *v);
    memcpy(a, sim->readout->acceleration, (size_t)sim->model->nv * sizeof *a);
    for (int k = 0; k < sim->flight.count; k++) {
        for (int i = sim->flight.flyers[k].dof; i < sim->flight.flyers[k].dof + 6; i++) {
            v[i] = 0.5 * (sim->answer.v[i] + sim->answer.v_end[i]);
            a[i] = (sim->answer.v_end[i] - sim->last.v[i]) / sim->h;
        }
    }
    if (tact_dynamics_set_velocity(d, v) == TACT_OK) { // finite as the step was
        tact_dynamics_compute_inverse(d, a, NULL, sim->readout->work);
    }
}

void tact_sim_collect_joint_forces(TactSim *sim)
{
    const TactModel *model = sim->model;
    TactDynamics    *d = sim->dynamics;
    TactSimReadout  *r = sim->readout;
    memset(r->other, 0, (size_t)model->body_count * sizeof *r->other);
    memset(r->joint, 0, (size_t)model->body_count * sizeof *r->joint);
    collect_net(sim);
    push_smooth(sim);
    push_loops(sim);
    push_actuators(sim);
    push_drag(sim);
    tact_dynamics_compute_inverse(d, r->acceleration, NULL, r->work); // accelerations of links
    for (int b = model->body_count - 1; b > 0; b--) {                 // (1)
        TactVec3   origin = d->pose[b].position;
        TactVec3   arm = tact_vec3_subtract(tact_sim_body_com(sim, b), origin);
        TactWrench acting = tact_wrench_add(r->net[b], r->other[b]);
        TactWrench f = tact_wrench_add(inertial_force(sim, b), tact_wrench_scale(-1, acting));
        r->joint[b] = tact_wrench_add(r->joint[b], tact_wrench_shift(f, arm));
        int parent = model->bodies[b].parent;
        r->joint[parent] = tact_wrench_add(
            r->joint[parent],
            tact_wrench_shift(r->joint[b], tact_vec3_subtract(origin, d->pose[parent].position)));
    }
    set_felt_motion(sim);
    for (int b = 0; b < model->body_count; b++) {
        TactVec3  origin = d->pose[b].position;
        TactTwist a = link_motion(d, d->acceleration, b, origin);
        TactTwist v = link_motion(d, d->velocity, b, origin);
        a.linear = tact_vec3_add(a.linear, tact_vec3_cross(v.angular, v.linear));
        r->felt[b] = a;
    }
}
