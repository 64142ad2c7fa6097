// tact as an engine whose steps are looked at, part by part where they are divided.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/sim.h>

#include "bench/truth/truth.h"

typedef struct Own {
    TactSim          *sim;
    TactSimCertifier *certifier;
    TactSimReport     report;
    TactTruthMeasure *measure;
    TactTruthState    before, after; // of a part
    TactTruthOwnStep  step;
    const TactModel  *model;
    double            h, left; // the step, and what its parts have left of it, s
} Own;

static void destroy(void *engine)
{
    Own *own = engine;
    tact_sim_certifier_destroy(own->certifier);
    tact_sim_destroy(own->sim);
    tact_truth_measure_destroy(own->measure);
    tact_truth_state_destroy(&own->before);
    tact_truth_state_destroy(&own->after);
    free(own);
}

// A correction is reported by the largest shift of a coordinate; three of them, and turning about
// the origin, make a centre of mass move by up to this many times as much.
static const double SHIFTS = 2;

/// From the state before to the one that is reached now, along its velocity for the time h.
static TactStatus add_part(Own *own, const double *q, const double *v, double h, double correction)
{
    TactTruthOwnStep  *step = &own->step;
    TactTruthDeparture found;
    TactStatus         status = tact_truth_set_coordinates(own->measure, q, v, &own->after);
    if (status == TACT_OK) {
        status = tact_truth_departure(own->measure, &own->before, &own->after, h, &found);
    }
    if (status == TACT_OK) {
        step->departure.way = fmax(step->departure.way, found.way);
        step->departure.turn = fmax(step->departure.turn, found.turn);
        step->beyond = fmax(step->beyond, found.way - SHIFTS * correction);
        step->correction = fmax(step->correction, correction);
        own->left -= h;
        TactTruthState swap = own->before;
        own->before = own->after;
        own->after = swap;
    }
    return status;
}

/// Told of every part of a step. What it says to have started from is not read: a part starts where
/// the last one has ended.
static TactStatus look(void *context, TactSim *sim, const TactSimPart *part)
{
    Own *own = context;
    own->step.parts++;
    TactStatus status = tact_sim_certifier_observe(own->certifier, sim, part);
    return status == TACT_OK
               ? add_part(own, part->q_after, part->v_after, part->h, part->correction)
               : status;
}

static void *create(const TactSimCase *scene)
{
    Own          *own = calloc(1, sizeof *own);
    TactSimConfig config = tact_sim_config_default(scene->model);
    if (!own) {
        return NULL;
    }
    config.timestep = scene->step;
    own->model = scene->model;
    own->h = scene->step;
    if (tact_sim_create(scene->model, &config, &own->sim) != TACT_OK ||
        tact_sim_certifier_create(own->sim, NULL, &own->certifier) != TACT_OK ||
        tact_truth_measure_create(scene->model, &own->measure) != TACT_OK ||
        tact_truth_state_create(scene->model, &own->before) != TACT_OK ||
        tact_truth_state_create(scene->model, &own->after) != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
        destroy(own);
        return NULL;
    }
    TactSimState *state = tact_sim_view_state(own->sim);
    memcpy(state->q, scene->q, (size_t)scene->model->nq * sizeof *state->q);
    memcpy(state->v, scene->v, (size_t)scene->model->nv * sizeof *state->v);
    tact_sim_set_observer(own->sim, look, own);
    return own;
}

/// What parts leave of the step, and of the way to the state at its end, counts too.
static bool step(void *engine)
{
    Own                *own = engine;
    const TactSimState *state = tact_sim_view_state(own->sim);
    own->step = (TactTruthOwnStep){.parts = 0};
    own->left = own->h;
    TactStatus status = tact_truth_set_coordinates(own->measure, state->q, state->v, &own->before);
    if (status == TACT_OK) {
        status = tact_sim_step(own->sim, &own->report);
    }
    if (status == TACT_OK) {
        status = add_part(own, state->q, state->v, own->left, 0);
    }
    if (status != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
    }
    own->step.islands = own->report.islands;
    own->step.certified = own->report.certified;
    own->step.certificate = tact_sim_certifier_take(own->certifier).certificate;
    return status == TACT_OK;
}

static void get_coordinates(void *engine, double *q, double *v)
{
    Own                *own = engine;
    const TactSimState *state = tact_sim_view_state(own->sim);
    memcpy(q, state->q, (size_t)own->model->nq * sizeof *q);
    memcpy(v, state->v, (size_t)own->model->nv * sizeof *v);
}

TactTruthOwnStep tact_truth_own_step(const void *engine)
{
    return ((const Own *)engine)->step;
}

const TactSimPeer tact_truth_own = {
    .name = "tact",
    .create = create,
    .destroy = destroy,
    .step = step,
    .get_coordinates = get_coordinates,
    .hard = "as it comes",
};
