// Certificates of the steps of a simulation: what it says about each part of a step goes to the
// judge of verify.h.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/readout/readout.h"

struct TactSimCertifier {
    TactVerifier    *verifier;
    TactArena        arena;
    double          *forces, *force_size, *driving;             //                        (nv)
    bool            *prescribed;                                //                        (nv)
    bool            *asleep;                                    //                        (bodies)
    double          *kept_q, *kept_v, *kept_q_end, *kept_v_end; // of the part to be shown
    int              contact_count, contact_capacity;
    TactStepContact *contacts;   //                                              (contact_capacity)
    TactSimStepCertificate step; // of the parts since it was taken
};

static void layout_certifier(TactSimCertifier *c, const TactModel *model, TactArena *arena)
{
    size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
    c->forces = tact_arena_take(arena, nv, sizeof(double));
    c->force_size = tact_arena_take(arena, nv, sizeof(double));
    c->driving = tact_arena_take(arena, nv, sizeof(double));
    c->prescribed = tact_arena_take(arena, nv, sizeof(bool));
    c->asleep = tact_arena_take(arena, (size_t)model->body_count, sizeof(bool));
    c->kept_q = tact_arena_take(arena, nq, sizeof(double));
    c->kept_v = tact_arena_take(arena, nv, sizeof(double));
    c->kept_q_end = tact_arena_take(arena, nq, sizeof(double));
    c->kept_v_end = tact_arena_take(arena, nv, sizeof(double));
}

static TactStatus create_certifier(TactSimCertifier *c, const TactModel *model,
                                   const TactVerifyConfig *config)
{
    layout_certifier(c, model, &c->arena);
    TACT_TRY(tact_arena_create(&c->arena));
    layout_certifier(c, model, &c->arena);
    return tact_verifier_create(model, config, &c->verifier);
}

TactStatus tact_sim_certifier_create(const TactSim *sim, const TactVerifyConfig *config,
                                     TactSimCertifier **certifier)
{
    TACT_NEED(sim && certifier, "tact_sim_certifier_create");
    TactSimCertifier *c = NULL;
    *certifier = NULL;
    TACT_TRY(tact_allocate(1, sizeof *c, (void **)&c));
    TactStatus status = create_certifier(c, sim->model, config);
    if (status != TACT_OK) {
        tact_sim_certifier_destroy(c);
        return status;
    }
    *certifier = c;
    return TACT_OK;
}

void tact_sim_certifier_destroy(TactSimCertifier *c)
{
    if (c) {
        tact_verifier_destroy(c->verifier);
        tact_release(c->contacts);
        tact_arena_destroy(&c->arena);
        tact_release(c);
    }
}

static TactStatus reserve_contacts(TactSimCertifier *c, int count)
{
    if (count > c->contact_capacity) {
        TactStepContact *larger = NULL;
        TACT_TRY(tact_allocate(2 * (size_t)count, sizeof *larger, (void **)&larger));
        tact_release(c->contacts);
        c->contacts = larger;
        c->contact_capacity = 2 * count;
    }
    return TACT_OK;
}

static TactStatus copy_contacts(TactSimCertifier *c, const TactSim *sim)
{
    TACT_TRY(reserve_contacts(c, sim->contact_count));
    c->contact_count = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *from = &sim->contacts[k];
        if (from->force[0] != 0 || from->force[1] != 0 || from->force[2] != 0) {
            c->contacts[c->contact_count++] = (TactStepContact){
                .geom = {from->geom[0], from->geom[1]},
                .point = from->point,
                .normal = from->normal,
                .force = tact_sim_contact_get_force(from),
                .mu = fmax(from->mu, from->mu2),
                .moment = tact_sim_contact_get_moment(from),
                .mu_spin = from->mu_spin,
                .mu_roll = from->mu_roll,
                .bounce = from->bounce,
            };
        }
    }
    return TACT_OK;
}

/// Passive forces that may add energy: of a fluid that moves, by itself or around ellipsoids, which
/// take it along, of dampers of negative numbers, and those that carry weight along some dofs of a
/// body only, which have no potential.
static void add_passive_drives(TactSimCertifier *c, const TactSim *sim)
{
    const TactModel *model = sim->model;
    tact_sim_add_wind(sim, c->driving);
    tact_dynamics_add_giving(sim->dynamics, c->driving);
    for (int b = 1; b < model->body_count; b++) {
        if (model->bodies[b].gravity_compensation != 0 &&
            !tact_dynamics_is_carried(sim->dynamics, b)) {
            tact_dynamics_add_carried_body(sim->dynamics, b, c->driving);
        }
    }
}

/// Forces by who exerts them, and which dofs and bodies are outside.
static TactStatus collect(TactSimCertifier *c, TactSim *sim)
{
    const TactModel *model = sim->model;
    TACT_TRY(tact_sim_open_last(sim));
    tact_sim_collect_forces(sim);
    const TactSimReadout *r = sim->readout;
    for (int i = 0; i < model->nv; i++) {
        c->driving[i] = r->actuators[i] + r->applied[i] + r->loops[i];
        c->forces[i] = c->driving[i] + r->passive[i] + r->limits[i] + r->friction[i];
        c->force_size[i] = fabs(r->actuators[i]) + fabs(r->applied[i]) + fabs(r->passive[i]);
        c->prescribed[i] = false;
    }
    add_passive_drives(c, sim);
    for (int k = 0; k < sim->last.row_count; k++) {
        TactRowSource source = sim->last.row_sources[k];
        double        force = sim->last.row_impulse[k] / sim->h;
        // limits of ways through space are bent along the step as loops are, and do work
        bool bent = source.type == TACT_OBJECT_TENDON && source.part < 2 &&
                    model->tendons[source.index].part_count > 0;
        for (int i = 0; i < model->nv; i++) {
            c->force_size[i] += fabs(force * sim->rows.rows[k].J[i]);
            c->driving[i] += bent ? force * sim->rows.rows[k].J[i] : 0;
        }
        if (source.type == TACT_OBJECT_JOINT && source.part >= 3) {
            c->prescribed[model->joints[source.index].dof + source.part - 3] = true;
        }
    }
    for (int b = 0; b < model->body_count; b++) {
        c->asleep[b] = tact_sim_body_sleeps(sim, b);
    }
    return copy_contacts(c, sim);
}

/// Keeps the states of the first part that is not certified, or of the last one.
static void keep_part(TactSimCertifier *c, const TactSim *sim, const TactSimPart *part)
{
    size_t nq = (size_t)sim->model->nq * sizeof(double);
    size_t nv = (size_t)sim->model->nv * sizeof(double);
    if (nv > 0) {
        memcpy(c->kept_q, part->q, nq);
        memcpy(c->kept_v, part->v, nv);
        memcpy(c->kept_q_end, part->q_after, nq);
        memcpy(c->kept_v_end, part->v_after, nv);
    }
    c->step.time = part->time;
    c->step.h = part->h;
    c->step.q = c->kept_q;
    c->step.v = c->kept_v;
    c->step.q_after = c->kept_q_end;
    c->step.v_after = c->kept_v_end;
}

TactStatus tact_sim_certifier_observe(void *certifier, TactSim *sim, const TactSimPart *part)
{
    TACT_NEED(certifier && sim && part, "tact_sim_certifier_observe");
    TactSimCertifier   *c = certifier;
    TactStepCertificate found;
    TACT_TRY(collect(c, sim));
    TactStep step = {
        .h = part->h,
        .whole = sim->config.timestep,
        .q = part->q,
        .v = part->v,
        .q_after = part->q_after,
        .v_after = part->v_after,
        .v_products = part->v_products,
        .forces = c->forces,
        .force_size = c->force_size,
        .driving = c->driving,
        .contact_count = c->contact_count,
        .contacts = c->contacts,
        .slop = sim->config.slop,
        .correction = part->correction,
        .integrator = sim->config.integrator,
        .soft = sim->config.stiffness > 0,
        .asleep = c->asleep,
        .prescribed = c->prescribed,
    };
    TACT_TRY(tact_verifier_certify(c->verifier, &step, &found));
    if (c->step.parts == 0 || c->step.certificate.certified) {
        keep_part(c, sim, part);
    }
    if (c->step.parts++ == 0) {
        c->step.certificate = found;
    } else {
        tact_step_certificate_merge(&c->step.certificate, &found);
    }
    c->step.correction = tact_larger(c->step.correction, part->correction);
    return TACT_OK;
}

TactSimStepCertificate tact_sim_certifier_take(TactSimCertifier *c)
{
    TactSimStepCertificate step = c->step;
    c->step = (TactSimStepCertificate){0};
    return step;
}
