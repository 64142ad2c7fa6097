// What contacts do to bodies, and what the contacts themselves do.
#include <math.h>

#include "base/status.h"
#include "sim/readout/readout.h"

enum { MOST_DIAGNOSED = 600 }; // contacts of an island; beyond it, ranks take seconds

TactStatus tact_sim_compute_wrenches(TactSim *sim, TactWrench *wrenches)
{
    TACT_NEED(sim && wrenches, "tact_sim_compute_wrenches");
    TACT_TRY(tact_sim_open_shared(sim));
    for (int b = 0; b < sim->model->body_count; b++) {
        wrenches[b] = (TactWrench){{0, 0, 0}, {0, 0, 0}};
    }
    TactSimPairs all = {0};
    TACT_TRY(tact_sim_compute_pairs(sim, &all));
    for (int k = 0; k < all.count; k++) {
        const TactSimPair *pair = &all.pairs[k];
        wrenches[pair->body[0]] = tact_wrench_add(wrenches[pair->body[0]], pair->on_a);
        wrenches[pair->body[1]] = tact_wrench_add(wrenches[pair->body[1]], pair->on_b);
    }
    return TACT_OK;
}

static TactWrench about(const TactSim *sim, int body, TactVec3 point, TactVec3 force)
{
    TactVec3   r = tact_vec3_subtract(point, tact_sim_body_com(sim, body));
    TactWrench w = {force, tact_vec3_cross(r, force)};
    return w;
}

/// The pair of two bodies, a new one if there is none yet.
static TactSimPair *find_pair(TactSimPair *pairs, int *count, int a, int b)
{
    for (int k = 0; k < *count; k++) {
        if (pairs[k].body[0] == a && pairs[k].body[1] == b) {
            return &pairs[k];
        }
    }
    pairs[*count] = (TactSimPair){.body = {a, b}};
    return &pairs[(*count)++];
}

TactStatus tact_sim_compute_pairs(TactSim *sim, TactSimPairs *pairs)
{
    TACT_NEED(sim && pairs, "tact_sim_compute_pairs");
    TACT_TRY(tact_sim_open_shared(sim));
    TactSimReadout *r = sim->readout;
    if (sim->contact_count > r->pair_capacity) {
        tact_release(r->pairs);
        r->pairs = NULL;
        r->pair_capacity = 0;
        size_t room = 2 * (size_t)sim->contact_count;
        TACT_TRY(tact_allocate(room, sizeof *r->pairs, (void **)&r->pairs));
        r->pair_capacity = (int)room;
    }
    int count = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        int                   a = c->body[0], b = c->body[1];
        TactVec3              on_b = tact_sim_contact_get_force(c);
        TactVec3              moment = tact_sim_contact_get_moment(c);
        if (a > b) {
            a = c->body[1];
            b = c->body[0];
            on_b = tact_vec3_negate(on_b);
            moment = tact_vec3_negate(moment);
        }
        TactSimPair *pair = find_pair(r->pairs, &count, a, b);
        pair->contact_count++;
        pair->on_b = tact_wrench_add(pair->on_b, about(sim, b, c->point, on_b));
        pair->on_a = tact_wrench_add(pair->on_a, about(sim, a, c->point, tact_vec3_negate(on_b)));
        pair->on_b.torque = tact_vec3_add(pair->on_b.torque, moment);
        pair->on_a.torque = tact_vec3_subtract(pair->on_a.torque, moment);
    }
    *pairs = (TactSimPairs){.count = count, .pairs = r->pairs};
    return TACT_OK;
}

void tact_sim_recall_answer(TactSim *sim, const TactSimIsland *island)
{
    TactProblemArrays *a = &sim->solve.arrays;
    for (int k = 0; k < island->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        for (int r = 0; r < 3; r++) {
            a->impulse[3 * k + r] = c->force[r] * sim->h;
            a->moment[3 * k + r] = c->moment[r] * sim->h;
        }
    }
    for (int k = 0; k < island->row_count; k++) {
        a->row_impulse[k] = sim->last.row_impulse[sim->islands.rows[island->first_row + k]];
    }
}

/// What the step itself said of a contact.
static TactContactDiagnosis diagnose_roughly(const TactSimContact *c)
{
    return (TactContactDiagnosis){
        .state = c->state,
        .friction_used = c->friction_used,
        .slip = hypot(c->velocity[1], c->velocity[2]),
        .unique = false,
        .group = -1,
    };
}

static TactStatus diagnose_island(TactSim *sim, int index, TactContactDiagnosis *diagnosis)
{
    const TactSimIsland  *island = &sim->islands.islands[index];
    TactContactProblem    problem;
    TactContactDiagnosis *found = NULL;
    TACT_TRY(tact_sim_make_problem(sim, &sim->solve.arrays, index, TACT_SOLVE_MOTION, &problem));
    tact_sim_recall_answer(sim, island);
    TACT_TRY(tact_allocate((size_t)island->contact_count, sizeof *found, (void **)&found));
    TactContactAnswer answer = {.impulse = sim->solve.arrays.impulse,
                                .row_impulse = sim->solve.arrays.row_impulse,
                                .moment = sim->solve.arrays.moment};
    TactStatus        status = tact_contact_diagnose(&problem, &answer, found);
    for (int k = 0; k < island->contact_count && status == TACT_OK; k++) {
        diagnosis[sim->islands.contacts[island->first_contact + k]] = found[k];
    }
    tact_release(found);
    return status;
}

TactStatus tact_sim_diagnose_part(TactSim *sim, TactContactDiagnosis *diagnosis)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->contact_count && island->contact_count > MOST_DIAGNOSED; k++) {
            int index = sim->islands.contacts[island->first_contact + k];
            diagnosis[index] = diagnose_roughly(&sim->contacts[index]);
        }
        if (island->contact_count > 0 && island->contact_count <= MOST_DIAGNOSED) {
            TACT_TRY(diagnose_island(sim, i, diagnosis));
        }
    }
    return TACT_OK;
}

TactStatus tact_sim_compute_diagnosis(TactSim *sim, TactContactDiagnosis *diagnosis)
{
    TACT_NEED(sim && diagnosis, "tact_sim_compute_diagnosis");
    int earlier = tact_sim_earlier_contacts(sim);
    TACT_TRY(tact_sim_open_shared(sim));
    for (int k = 0; k < earlier; k++) {
        diagnosis[k] = diagnose_roughly(&sim->parts.contacts[k]);
    }
    return tact_sim_diagnose_part(sim, diagnosis + earlier);
}
