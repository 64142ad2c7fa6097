// All engines on one scene: times, and what they hold.
#define _GNU_SOURCE // mkstemps()
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>
#include <unistd.h>

#include "bench/engines.h"
#include "bench/sim/sim.h"
#include "bench/watch.h"

// ---------------------------------------------------------------------------------------------
// tact as an engine

typedef struct Own {
    TactSim          *sim;
    const TactModel  *model;
    TactSimReport     report;
    size_t            before; // bytes held before it was made
    TactSimOwnFigures figures;
} Own;

static void own_destroy(void *engine)
{
    Own *own = engine;
    tact_sim_destroy(own->sim);
    free(own);
}

// Rest after which bodies sleep where they may, s.
static const double SLEEP_TIME = 0.5;

static void *own_create(const TactSimCase *scene)
{
    Own *own = calloc(1, sizeof *own);
    if (!own) {
        return NULL;
    }
    TactSimConfig config = tact_sim_config_default(scene->model);
    config.timestep = scene->step;
    config.sleep_time = scene->sleeps ? SLEEP_TIME : config.sleep_time;
    config.compute_still = true; // as the others do, but for sleepers
    own->model = scene->model;
    own->before = tact_sim_memory_held();
    if (tact_sim_create(scene->model, &config, &own->sim) != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
        own_destroy(own);
        return NULL;
    }
    own->figures.made = tact_sim_memory_held() - own->before;
    TactSimState *state = tact_sim_view_state(own->sim);
    memcpy(state->q, scene->q, (size_t)scene->model->nq * sizeof *state->q);
    memcpy(state->ctrl, scene->ctrl, (size_t)scene->model->actuator_count * sizeof *state->ctrl);
    return own;
}

static bool own_step(void *engine)
{
    Own *own = engine;
    if (tact_sim_step(own->sim, &own->report) != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
        return false;
    }
    own->figures.solves += own->report.islands;
    own->figures.certified += own->report.certified;
    own->figures.error = fmax(own->figures.error, own->report.error);
    own->figures.grown = tact_sim_memory_held() - own->before - own->figures.made;
    if (own->report.contacts > own->figures.contacts) {
        own->figures.contacts = own->report.contacts;
    }
    return true;
}

static void own_get_poses(void *engine, TactTransform *poses)
{
    Own *own = engine;
    tact_model_compute_poses(own->model, tact_sim_view_state(own->sim)->q, poses);
}

static int own_count_contacts(void *engine)
{
    return ((Own *)engine)->report.contacts;
}

const TactSimPeer tact_sim_own = {
    .name = "tact",
    .create = own_create,
    .destroy = own_destroy,
    .step = own_step,
    .get_poses = own_get_poses,
    .count_contacts = own_count_contacts,
};

// ---------------------------------------------------------------------------------------------
// A run

// Drift is counted from this chunk on: every engine may settle as it likes.
enum { SETTLED = TACT_SIM_CHUNKS / 5 };

// Budgets after which an engine that is still at a step is stopped, and those that tact has.
static const double STOPPED = 2, OWN = 4;

/// What a run of an engine needs.
typedef struct Run {
    const TactSimCase *scene;
    const TactSimPeer *peer;
    TactSimMeasure    *measure;
    TactTransform     *start, *settled, *now; // (bodies)
    int                steps;
    int                settle; // steps before those that count
    double             budget;
    TactSimOwnFigures  own; // out: of tact
} Run;

/// Steps of one chunk are timed together, and each chunk counts with its best round: an engine does
/// the same in every round, so that what else the machine does is left out.
typedef struct Times {
    double best[TACT_SIM_CHUNKS];
    double spent;
} Times;

static int chunk_end(const Run *run, int chunk)
{
    return (int)((long)run->steps * (chunk + 1) / TACT_SIM_CHUNKS);
}

/// The steps of one chunk, or those up to where the budget is over.
static void run_chunk(const Run *run, void *engine, int chunk, TactSimRound *round)
{
    TactWatch watch = tact_watch_start();
    int       first = round->steps, end = chunk_end(run, chunk);
    while (round->steps < end && round->end == TACT_SIM_COMPLETE) {
        if (!run->peer->step(engine)) {
            round->end = TACT_SIM_GAVE_UP;
        }
        double so_far = tact_watch_read(CLOCK_MONOTONIC) - watch.wall;
        if (round->spent + so_far > run->budget) {
            so_far = tact_watch_stop(&watch); // what others did meanwhile does not count
        }
        if (round->end == TACT_SIM_COMPLETE && round->spent + so_far > run->budget) {
            round->end = TACT_SIM_TIME_OVER;
        }
        round->contacts += run->peer->count_contacts(engine);
        round->steps++;
        // A part of a chunk stands for all of it.
        round->chunk[chunk] = so_far / (round->steps - first) * (end - first);
    }
    double seconds = tact_watch_stop(&watch);
    if (round->steps > first) {
        round->chunk[chunk] = seconds / (round->steps - first) * (end - first);
    }
    round->spent += seconds;
}

/// Steps that do not count, within the budget.
static void settle(const Run *run, void *engine, TactSimRound *round)
{
    TactWatch watch = tact_watch_start();
    for (int k = 0; k < run->settle && round->end == TACT_SIM_COMPLETE; k++) {
        round->end = !run->peer->step(engine)                ? TACT_SIM_GAVE_UP
                     : tact_watch_stop(&watch) > run->budget ? TACT_SIM_TIME_OVER
                                                             : TACT_SIM_COMPLETE;
    }
}

/// From the start to the end, or to where the budget of this round is over.
static void run_round(void *context, TactSimRound *round)
{
    Run *run = context;
    *round = (TactSimRound){.end = TACT_SIM_COMPLETE};
    for (int c = 0; c < TACT_SIM_CHUNKS; c++) {
        round->chunk[c] = HUGE_VAL;
    }
    void *engine = run->peer->create(run->scene);
    round->taken = engine != NULL;
    if (!engine) {
        return;
    }
    memcpy(run->settled, run->start, (size_t)run->scene->model->body_count * sizeof *run->start);
    settle(run, engine, round);
    for (int c = 0; c < TACT_SIM_CHUNKS && round->end == TACT_SIM_COMPLETE; c++) {
        if (c == SETTLED) {
            run->peer->get_poses(engine, run->settled);
        }
        run_chunk(run, engine, c, round);
    }
    run->peer->get_poses(engine, run->now);
    if (tact_sim_measure_run(run->measure, run->settled, run->now, &round->held) != TACT_OK) {
        round->held = (TactSimHeld){NAN, NAN, NAN};
    }
    if (run->peer == &tact_sim_own) {
        run->own = ((Own *)engine)->figures;
    }
    run->peer->destroy(engine);
}

/// What a round has found, with what those before it have.
static void take_round(const Run *run, const TactSimRound *round, Times *times, TactSimCell *cell)
{
    double seconds = 0;
    int    steps = 0;
    times->spent += round->spent;
    for (int c = 0; c < TACT_SIM_CHUNKS; c++) {
        times->best[c] = fmin(times->best[c], round->chunk[c]);
    }
    for (int c = 0; c < TACT_SIM_CHUNKS && times->best[c] < HUGE_VAL; c++) {
        seconds += times->best[c];
        steps = chunk_end(run, c);
    }
    *cell = (TactSimCell){
        .taken = round->taken,
        .steps = round->steps,
        .end = round->end,
        .seconds = steps > 0 ? seconds / steps : round->spent,
        .contacts = round->steps > 0 ? round->contacts / round->steps : 0,
        .bytes = round->bytes,
        .held = round->held,
    };
}

// Rounds as long as this are told of, s.
static const double LONG = 1;

/// How far a long run has come, to who waits for it.
static void tell(const TactSimScene *scene, const TactSimPeer *peer, int round,
                 const TactSimRound *done)
{
    if (done->spent < LONG) {
        return;
    }
    fprintf(stderr, "%s: %s, round %d: %d steps in %.1f s\n", scene->name, peer->name, round + 1,
            done->steps, done->spent);
}

static TactStatus run_engines(TactSimBench *bench, int scene, Run *run, int rounds)
{
    Times  times[TACT_SIM_ENGINES];
    double budget = run->budget;
    for (int e = 0; e < bench->engines; e++) {
        times[e].spent = 0;
        for (int c = 0; c < TACT_SIM_CHUNKS; c++) {
            times[e].best[c] = HUGE_VAL;
        }
    }
    for (int round = 0; round < rounds; round++) {
        for (int e = 0; e < bench->engines; e++) {
            TactSimCell *cell = &bench->cell[scene][e];
            TactSimRound done;
            // A round is begun only if there is time to end it.
            if (round > 0 && (!cell->taken || times[e].spent * (round + 1) / round > budget)) {
                continue;
            }
            run->peer = bench->engine[e];
            run->budget = e == 0 ? OWN * budget : budget;
            if (e == 0) {
                run_round(run, &done);
                bench->own[scene] = run->own;
            } else if (!tact_sim_run_apart(run_round, run, STOPPED * budget, &done)) {
                return TACT_NO_MEMORY;
            }
            take_round(run, &done, &times[e], cell);
            tell(bench->scene[scene], run->peer, round, &done);
        }
    }
    return TACT_OK;
}

/// Where the scene starts: its first keyframe, or its reference.
static TactStatus run_scene(TactSimBench *bench, int scene, TactSimCase *at, int rounds,
                            double budget)
{
    const TactModel    *model = at->model;
    const TactKeyframe *key = model->keyframe_count > 0 ? &model->keyframes[0] : NULL;
    size_t              actuators = (size_t)model->actuator_count;
    double             *ctrl = calloc(actuators + 1, sizeof *ctrl);
    Run                 run = {
                        .scene = at,
                        .start = calloc((size_t)model->body_count, sizeof *run.start),
                        .settled = calloc((size_t)model->body_count, sizeof *run.settled),
                        .now = calloc((size_t)model->body_count, sizeof *run.now),
                        .steps = (int)lround(bench->scene[scene]->time / at->step),
                        .settle = (int)lround(bench->scene[scene]->settle / at->step),
                        .budget = budget,
    };
    TactStatus status = TACT_NO_MEMORY;
    if (ctrl && run.start && run.settled && run.now) {
        at->q = key ? key->q : model->q_reference;
        at->ctrl = ctrl;
        at->friction = tact_bench_engine_friction;
        at->poses = run.start;
        tact_model_compute_poses(model, at->q, run.start);
        for (size_t i = 0; i < actuators && key; i++) {
            ctrl[i] = key->ctrl[i];
        }
        status = tact_sim_measure_create(model, &run.measure);
    }
    if (status == TACT_OK) {
        status = run_engines(bench, scene, &run, rounds);
    }
    tact_sim_measure_destroy(run.measure);
    free(run.start);
    free(run.settled);
    free(run.now);
    free(ctrl);
    return status;
}

TactStatus tact_sim_bench_run(TactSimBench *bench, int scene, const char *path, int rounds,
                              double budget)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactStatus          status = tact_model_load(path, &config, &model, NULL);
    if (status != TACT_OK) {
        fprintf(stderr, "tact: %s\n", tact_status_message());
        return status;
    }
    char flat[] = "/tmp/tact-bench-XXXXXX.xml";
    int  handle = mkstemps(flat, 4);
    bool written = handle >= 0 && close(handle) == 0 && tact_sim_write_flat(model, flat) == TACT_OK;
    double      step = bench->scene[scene]->step;
    TactSimCase at = {
        .model = model,
        .path = path,
        .flat = written ? flat : NULL,
        .step = step > 0 ? step : model->options.timestep,
        .sleeps = bench->scene[scene]->sleeps,
    };
    bench->nv[scene] = model->nv;
    bench->bodies[scene] = model->body_count - 1;
    status = run_scene(bench, scene, &at, rounds, budget);
    unlink(flat);
    tact_model_destroy(model);
    return status;
}
