// Times and values of all engines on one model.
#include <math.h>
#include <stdlib.h>
#include <tact/dynamics.h>
#include <tact/load.h>

#include "bench/dynamics/dynamics.h"
#include "bench/watch.h"

// ---------------------------------------------------------------------------------------------
// tact as an engine

typedef struct Own {
    const TactDynamicsCase *state;
    TactDynamics           *dynamics;
    TactAssembly           *assembly[2]; // on one thread and on two
    double                 *result;      // (nv)
    double                 *added;       // minus the armature               (nv)
} Own;

static void own_destroy(void *engine)
{
    Own *own = engine;
    tact_assembly_destroy(own->assembly[0]);
    tact_assembly_destroy(own->assembly[1]);
    tact_dynamics_destroy(own->dynamics);
    free(own->result);
    free(own->added);
    free(own);
}

static void *own_create(const TactDynamicsCase *state)
{
    size_t nv = (size_t)state->model->nv;
    Own   *own = calloc(1, sizeof *own);
    if (!own) {
        return NULL;
    }
    own->state = state;
    own->result = calloc(nv, sizeof(double));
    own->added = calloc(nv, sizeof(double));
    if (!own->result || !own->added ||
        tact_dynamics_create(state->model, &own->dynamics) != TACT_OK ||
        tact_assembly_create(own->dynamics, 1, &own->assembly[0]) != TACT_OK ||
        tact_assembly_create(own->dynamics, 2, &own->assembly[1]) != TACT_OK ||
        tact_dynamics_set_position(own->dynamics, state->q) != TACT_OK ||
        tact_dynamics_set_velocity(own->dynamics, state->v) != TACT_OK) {
        own_destroy(own);
        return NULL;
    }
    for (size_t i = 0; i < nv; i++) {
        own->added[i] = -state->model->dofs[i].armature;
    }
    return own;
}

/// The states of a case are finite, which is all that these calls ask for.
static void set_position(Own *own)
{
    tact_status_ignore(tact_dynamics_set_position(own->dynamics, own->state->q));
}

static void set_velocity(Own *own)
{
    tact_status_ignore(tact_dynamics_set_velocity(own->dynamics, own->state->v));
}

static void own_part(Own *own, TactDynamicsPart part)
{
    TactAssemblyInput       none = {0};
    const TactDynamicsCase *state = own->state;
    switch (part) {
    case TACT_PART_POSITION: set_position(own); break;
    case TACT_PART_VELOCITY: set_velocity(own); break;
    case TACT_PART_INVERSE:
        tact_dynamics_compute_inverse(own->dynamics, state->a, NULL, own->result);
        break;
    case TACT_PART_MASS: tact_dynamics_compute_mass(own->dynamics, NULL); break;
    case TACT_PART_ACCELERATION:
        tact_dynamics_compute_forward(own->dynamics, NULL, NULL, NULL, own->result);
        break;
    case TACT_PART_FORWARD:
        set_position(own);
        set_velocity(own);
        tact_dynamics_compute_forward(own->dynamics, NULL, NULL, NULL, own->result);
        break;
    default: {
        TactAssembly *assembly = own->assembly[part == TACT_PART_ASSEMBLY_2];
        tact_assembly_compute(assembly, &none);
        tact_assembly_finish(assembly, NULL, own->result, NULL);
    }
    }
}

static double own_time(void *engine, TactDynamicsPart part, int repeats)
{
    TactWatch watch = tact_watch_start();
    for (int k = 0; k < repeats; k++) {
        own_part(engine, part);
    }
    // Two threads are not timed by the processor time of one.
    double seconds = part == TACT_PART_ASSEMBLY_2 ? tact_watch_read(CLOCK_MONOTONIC) - watch.wall
                                                  : tact_watch_stop(&watch);
    return seconds / repeats;
}

static void own_get(void *engine, TactDynamicsValues *values)
{
    Own    *own = engine;
    size_t  nv = (size_t)own->state->model->nv;
    double *added = values->armature ? NULL : own->added;
    tact_dynamics_compute_inverse(own->dynamics, own->state->a, NULL, values->tau);
    tact_dynamics_compute_forward(own->dynamics, NULL, NULL, added, values->qacc);
    tact_dynamics_compute_mass(own->dynamics, NULL);
    tact_dynamics_get_mass(own->dynamics, values->M);
    for (size_t i = 0; i < nv && added; i++) {
        values->tau[i] += added[i] * own->state->a[i];
        values->M[i * nv + i] += added[i];
    }
}

const TactDynamicsPeer tact_dynamics_own = {
    .name = "tact",
    .armature = 1,
    .create = own_create,
    .destroy = own_destroy,
    .time = own_time,
    .get = own_get,
};

// ---------------------------------------------------------------------------------------------
// Values

/// max_i |a_i - b_i| / max_i |b_i|; NaN counts as infinite
static double distance(const double *a, const double *b, size_t n)
{
    double most = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double apart = fabs(a[i] - b[i]);
        most = apart <= most ? most : isnan(apart) ? HUGE_VAL : apart;
        scale = fmax(scale, fabs(b[i]));
    }
    return scale > 0 ? most / scale : most;
}

/// Of an engine against tact; of tact itself, accelerations by the factor of M against ABA.
static TactStatus compare(const TactDynamicsPeer *peer, void *engine, Own *own, double error[3])
{
    size_t  nv = (size_t)own->state->model->nv, size = 2 * nv + nv * nv;
    double *memory = calloc(2 * size, sizeof(double));
    if (!memory) {
        return TACT_NO_MEMORY;
    }
    TactDynamicsValues theirs = {
        .armature = peer->armature, .tau = memory, .M = memory + nv, .qacc = memory + nv + nv * nv};
    TactDynamicsValues ours = theirs;
    ours.tau += size;
    ours.M += size;
    ours.qacc += size;
    own_get(own, &ours);
    peer->get(engine, &theirs);
    if (engine == own) {
        tact_dynamics_compute_inverse(own->dynamics, NULL, NULL, theirs.qacc);
        tact_dynamics_solve_mass(own->dynamics, theirs.qacc); // M^-1 bias
        for (size_t i = 0; i < nv; i++) {
            theirs.qacc[i] = -theirs.qacc[i];
        }
    }
    error[0] = distance(theirs.tau, ours.tau, nv);
    error[1] = distance(theirs.M, ours.M, nv * nv);
    error[2] = distance(theirs.qacc, ours.qacc, nv);
    free(memory);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Times

/// One block of repeats of each part of each engine that has budget left.
static void time_round(TactDynamicsBench *bench, int model, void *const *engines, double budget,
                       double spent[TACT_DYNAMICS_ENGINES][TACT_PART_COUNT])
{
    const double block = 150e-6; // s: short enough to be left alone by other processes
    for (int e = 0; e < bench->engines; e++) {
        TactDynamicsCell *cell = &bench->cell[model][e];
        for (int part = 0; part < TACT_PART_COUNT && cell->taken; part++) {
            if (spent[e][part] > budget) {
                continue;
            }
            double best = cell->best[part], start = tact_watch_read(CLOCK_MONOTONIC);
            int    repeats = best < block / 1000 ? 1000 : best < block ? (int)(block / best) : 1;
            cell->best[part] =
                fmin(best, bench->engine[e]->time(engines[e], (TactDynamicsPart)part, repeats));
            spent[e][part] += tact_watch_read(CLOCK_MONOTONIC) - start;
        }
    }
}

static TactStatus run_engines(TactDynamicsBench *bench, int model, const TactDynamicsCase *state,
                              int rounds, double budget)
{
    double     spent[TACT_DYNAMICS_ENGINES][TACT_PART_COUNT] = {0};
    void      *engines[TACT_DYNAMICS_ENGINES] = {0};
    TactStatus status = TACT_OK;
    for (int e = 0; e < bench->engines; e++) {
        TactDynamicsCell *cell = &bench->cell[model][e];
        engines[e] = bench->engine[e]->create(state);
        cell->taken = engines[e] != NULL;
        for (int part = 0; part < TACT_PART_COUNT; part++) {
            cell->best[part] = HUGE_VAL;
        }
        if (e == 0 && !cell->taken) {
            return TACT_NO_MEMORY;
        }
        if (cell->taken && status == TACT_OK) {
            status = compare(bench->engine[e], engines[e], engines[0], cell->error);
        }
    }
    for (int round = 0; round < rounds && status == TACT_OK; round++) {
        time_round(bench, model, engines, budget, spent);
    }
    for (int e = 0; e < bench->engines; e++) {
        if (engines[e]) {
            bench->engine[e]->destroy(engines[e]);
        }
    }
    return status;
}

/// A state in general position; quaternions of length 1.
static void draw_state(const TactModel *model, double *q, double *v, double *a)
{
    TactRandom random = tact_random_seed(1);
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        if (joint->type == TACT_JOINT_FREE || joint->type == TACT_JOINT_BALL) {
            int    at = joint->q + (joint->type == TACT_JOINT_FREE ? 3 : 0);
            double turn[4] = {1, 0.2, -0.3, 0.4}, size = sqrt(1.29);
            for (int k = 0; k < 4; k++) {
                q[at + k] = turn[k] / size;
            }
        } else {
            q[joint->q] = tact_random_uniform(&random, -0.3, 0.3);
        }
    }
    for (int i = 0; i < model->nv; i++) {
        v[i] = tact_random_normal(&random);
        a[i] = tact_random_normal(&random);
    }
}

TactStatus tact_dynamics_run(TactDynamicsBench *bench, int model, const char *path, int rounds,
                             double budget)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *loaded = NULL;
    TactStatus          status = tact_model_load(path, &config, &loaded, NULL);
    if (status != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
        return status;
    }
    size_t  nq = (size_t)loaded->nq, nv = (size_t)loaded->nv;
    double *memory = calloc(nq + 2 * nv, sizeof(double));
    bench->nv[model] = loaded->nv;
    if (memory) {
        double *q = memory, *v = q + nq, *a = v + nv;
        for (size_t i = 0; i < nq; i++) {
            q[i] = loaded->q_reference[i];
        }
        draw_state(loaded, q, v, a);
        TactDynamicsCase state = {.model = loaded, .path = path, .q = q, .v = v, .a = a};
        status = run_engines(bench, model, &state, rounds, budget);
    } else {
        status = TACT_NO_MEMORY;
    }
    free(memory);
    tact_model_destroy(loaded);
    return status;
}
