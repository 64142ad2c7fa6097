// Forces of the last step: the workspace is taken back to its beginning, and everything that acted
// is collected dof by dof.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/readout/readout.h"

static const double SAME_BIAS = 1e-12; // of the largest entry

static void layout_forces(TactSimReadout *r, const TactModel *model, int rows, TactArena *arena)
{
    size_t nv = (size_t)model->nv, bodies = (size_t)model->body_count;
    r->acceleration = tact_arena_take(arena, nv, sizeof(double));
    r->inertia = tact_arena_take(arena, nv, sizeof(double));
    r->bias = tact_arena_take(arena, nv, sizeof(double));
    r->actuators = tact_arena_take(arena, nv, sizeof(double));
    r->passive = tact_arena_take(arena, nv, sizeof(double));
    r->applied = tact_arena_take(arena, nv, sizeof(double));
    r->contacts = tact_arena_take(arena, nv, sizeof(double));
    r->loops = tact_arena_take(arena, nv, sizeof(double));
    r->limits = tact_arena_take(arena, nv, sizeof(double));
    r->friction = tact_arena_take(arena, nv, sizeof(double));
    r->actuator_force = tact_arena_take(arena, (size_t)model->actuator_count, sizeof(double));
    r->work = tact_arena_take(arena, nv, sizeof(double));
    r->net = tact_arena_take(arena, bodies, sizeof *r->net);
    r->other = tact_arena_take(arena, bodies, sizeof *r->other);
    r->joint = tact_arena_take(arena, bodies, sizeof *r->joint);
    r->felt = tact_arena_take(arena, bodies, sizeof *r->felt);
    r->sensors = tact_arena_take(arena, (size_t)model->sensor_size, sizeof *r->sensors);
    r->rows = tact_arena_take(arena, (size_t)rows, sizeof *r->rows);
}

TactStatus tact_sim_readout_create(TactSim *sim)
{
    TactSimReadout *r = NULL;
    if (sim->readout) {
        return TACT_OK;
    }
    TACT_TRY(tact_allocate(1, sizeof *r, (void **)&r));
    layout_forces(r, sim->model, sim->rows.capacity, &r->arena);
    TactStatus status = tact_arena_create(&r->arena);
    if (status != TACT_OK) {
        tact_release(r);
        return status;
    }
    layout_forces(r, sim->model, sim->rows.capacity, &r->arena);
    sim->readout = r;
    return TACT_OK;
}

void tact_sim_readout_destroy(TactSimReadout *readout)
{
    if (readout) {
        tact_arena_destroy(&readout->share_arena);
        tact_share_memory_destroy(&readout->share_memory);
        tact_share_loops_destroy(&readout->loop_share);
        tact_release(readout->pairs);
        tact_release(readout->patches);
        tact_release(readout->of_contact);
        tact_release(readout->first_contact);
        tact_arena_destroy(&readout->arena);
        tact_release(readout);
    }
}

TactStatus tact_sim_open_last(TactSim *sim)
{
    if (!sim->last.stepped) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "read-out: there was no step since the simulation was made or reset");
    }
    TACT_TRY(tact_sim_readout_create(sim));
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->last.q));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->last.v));
    tact_sim_compute_mass(sim);
    TACT_TRY(tact_sim_make_islands(sim));
    for (int r = 0; r < sim->last.row_count; r++) {
        sim->rows.rows[r].target = sim->last.row_target[r];
    }
    return TACT_OK;
}

TactVec3 tact_sim_body_com(const TactSim *sim, int body)
{
    return tact_transform_point(sim->dynamics->pose[body], sim->model->bodies[body].inertia.com);
}

void tact_sim_add_wrench(const TactSim *sim, int body, TactVec3 point, TactWrench w, double *tau)
{
    const TactDynamics *d = sim->dynamics;
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactWrench      at_com = tact_wrench_shift(w, tact_vec3_subtract(point, d->com[l]));
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            tau[i] += tact_wrench_dot(at_com, d->axis[i]);
        }
    }
}

TactVec3 tact_sim_contact_get_force(const TactSimContact *c)
{
    TactVec3 f = tact_vec3_scale(c->force[0], c->normal);
    f = tact_vec3_add_scaled(f, c->force[1], c->tangent[0]);
    return tact_vec3_add_scaled(f, c->force[2], c->tangent[1]);
}

TactVec3 tact_sim_contact_get_moment(const TactSimContact *c)
{
    TactVec3 m = tact_vec3_scale(c->moment[0], c->normal);
    m = tact_vec3_add_scaled(m, c->moment[1], c->tangent[0]);
    return tact_vec3_add_scaled(m, c->moment[2], c->tangent[1]);
}

static void clear(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

static void collect_contacts(TactSim *sim)
{
    double *tau = sim->readout->contacts;
    clear(tau, sim->model->nv);
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        TactWrench on_b = {tact_sim_contact_get_force(c), tact_sim_contact_get_moment(c)};
        TactWrench on_a = tact_wrench_scale(-1, on_b);
        tact_sim_add_wrench(sim, c->body[1], c->point, on_b, tau);
        tact_sim_add_wrench(sim, c->body[0], c->point, on_a, tau);
    }
}

static void collect_rows(TactSim *sim)
{
    TactSimReadout *r = sim->readout;
    int             nv = sim->model->nv;
    clear(r->loops, nv);
    clear(r->limits, nv);
    clear(r->friction, nv);
    for (int k = 0; k < sim->last.row_count; k++) {
        TactRowSource source = sim->last.row_sources[k];
        double        force = sim->last.row_impulse[k] / sim->h;
        r->rows[k] = (TactSimRow){source.type, source.index, source.part, force};
        double *tau = source.type == TACT_OBJECT_EQUALITY || source.part >= 3 ? r->loops
                      : source.part == 2                                      ? r->friction
                                                                              : r->limits;
        for (int i = 0; i < nv; i++) {
            tau[i] += force * sim->rows.rows[k].J[i];
        }
    }
}

/// Implicit forces are those of the end of the step: what stands on the diagonal of M is theirs.
static void collect_smooth(TactSim *sim)
{
    TactSimReadout    *r = sim->readout;
    const TactSimLast *last = &sim->last;
    for (int i = 0; i < sim->model->nv; i++) {
        double a = (sim->answer.v[i] - last->v[i]) / sim->h;
        r->acceleration[i] = a;
        r->actuators[i] = last->actuation[i] - last->actuation_added[i] * a;
        r->passive[i] = last->passive[i] - (sim->free.added[i] - last->actuation_added[i]) * a;
        r->applied[i] = last->applied[i];
    }
    for (int b = 1; b < sim->model->body_count; b++) {
        tact_sim_add_wrench(sim, b, tact_sim_body_com(sim, b), last->external[b], r->applied);
    }
    for (int k = 0; k < sim->model->actuator_count; k++) {
        const TactActuator *actuator = &sim->model->actuators[k];
        r->actuator_force[k] = last->actuator_force[k];
        if (last->actuator_slope[k] != 0) { // on a single joint
            int    dof = sim->model->joints[actuator->target].dof;
            double rate = actuator->gear[0] * sim->answer.v[dof];
            r->actuator_force[k] += last->actuator_slope[k] * (rate - last->actuator_rate[k]);
        }
    }
}

/// The implicit part of the drag is a force, not a mass.
static void take_drag_mass_off(TactSim *sim)
{
    if (sim->drag.on) {
        TactVec3   force = tact_sim_last_drag(sim, sim->readout->acceleration);
        TactVec3   point = tact_sim_drag_point(sim);
        TactWrench part = {tact_vec3_subtract(force, sim->drag.force), {0, 0, 0}};
        tact_sim_add_wrench(sim, sim->drag.asked.body, point, part, sim->readout->applied);
        tact_sim_add_wrench(sim, sim->drag.asked.body, point, part, sim->readout->inertia);
    }
}

/// The same of the drag of the fluid; its lift is a force among velocity products.
static void collect_fluid(TactSim *sim)
{
    TactSimReadout *r = sim->readout;
    if (!tact_sim_has_fluid(sim)) {
        return;
    }
    memset(r->work, 0, (size_t)sim->model->nv * sizeof *r->work);
    tact_sim_add_last_drag(sim, r->acceleration, r->work);
    for (int i = 0; i < sim->model->nv; i++) {
        double lift = sim->free.fluid.lifts ? sim->free.fluid.lift[i] : 0;
        r->inertia[i] += r->work[i];
        r->passive[i] += r->work[i] + lift;
        r->bias[i] += lift;
    }
}

void tact_sim_collect_forces(TactSim *sim)
{
    TactSimReadout *r = sim->readout;
    collect_smooth(sim);
    collect_contacts(sim);
    collect_rows(sim);
    // M acceleration; and the bias that the step was made with: impulse = h (tau - bias)
    tact_dynamics_multiply_mass(sim->dynamics, r->acceleration, r->inertia);
    for (int i = 0; i < sim->model->nv; i++) {
        double tau = sim->last.actuation[i] + sim->last.passive[i] + r->applied[i];
        r->bias[i] = tau - sim->free.impulse[i] / sim->h;
        r->inertia[i] -= sim->free.added[i] * r->acceleration[i];
    }
    take_drag_mass_off(sim);
    collect_fluid(sim);
}

/// The velocity at which velocity products were taken: the mean of those before and after the
/// step. Where contacts changed the motion the step had only the free motion to take it from
/// (midpoint.c); that is taken here too if it makes a difference to the forces on the dofs.
static TactStatus set_products(TactSim *sim)
{
    TactSimReadout *r = sim->readout;
    int             nv = sim->model->nv;
    double          off = 0, size = 0;
    for (int i = 0; i < nv; i++) {
        r->work[i] = 0.5 * (sim->last.v[i] + sim->answer.v[i]);
    }
    tact_sim_still_flyers(sim, r->work);
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, r->work));
    tact_dynamics_compute_inverse(sim->dynamics, NULL, NULL, r->work);
    for (int i = 0; i < nv; i++) {
        off = fmax(off, fabs(r->work[i] - r->bias[i]));
        size = fmax(size, fabs(r->bias[i]));
    }
    return off <= SAME_BIAS * size ? TACT_OK
                                   : tact_dynamics_set_velocity(sim->dynamics, sim->last.v_middle);
}

TactStatus tact_sim_collect_all(TactSim *sim)
{
    TACT_TRY(tact_sim_open_shared(sim));
    tact_sim_collect_forces(sim);
    TACT_TRY(set_products(sim));
    tact_sim_collect_joint_forces(sim);
    return TACT_OK;
}

TactStatus tact_sim_compute_forces(TactSim *sim, TactSimForces *forces)
{
    TACT_NEED(sim && forces, "tact_sim_compute_forces");
    TACT_TRY(tact_sim_collect_all(sim));
    const TactSimReadout *r = sim->readout;
    *forces = (TactSimForces){
        .acceleration = r->acceleration,
        .inertia = r->inertia,
        .bias = r->bias,
        .actuators = r->actuators,
        .passive = r->passive,
        .applied = r->applied,
        .contacts = r->contacts,
        .loops = r->loops,
        .limits = r->limits,
        .friction = r->friction,
        .actuator_force = r->actuator_force,
        .joint = r->joint,
    };
    return TACT_OK;
}

TactStatus tact_sim_compute_rows(TactSim *sim, TactSimRows *rows)
{
    TACT_NEED(sim && rows, "tact_sim_compute_rows");
    TACT_TRY(tact_sim_open_shared(sim));
    collect_rows(sim);
    *rows = (TactSimRows){.count = sim->last.row_count, .rows = sim->readout->rows};
    return TACT_OK;
}
