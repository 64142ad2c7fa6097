// A file run by tact and by MuJoCo's library, each in a process of its own: it may die, or never
// end.
#define _GNU_SOURCE // clocks
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tact/load.h>
#include <tact/sim.h>
#include <unistd.h>

#include "bench/apart.h"
#include "bench/engines.h"
#include "bench/robots/robots.h"
#include "bench/watch.h"

// Of a machine that is busy: seconds on the clock for one of the processor.
static const double BUSY = 4;

typedef void Work(const char *path, const TactRobotsOptions *options, TactRobotRun *run);

/// Runs the work in a process of its own; what it has written by its end counts.
static void run_apart(Work *work, const char *path, const TactRobotsOptions *options,
                      TactRobotRun *run)
{
    TactRobotRun *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return;
    }
    fflush(stdout);
    fflush(stderr);
    double start = tact_time_now();
    pid_t  process = fork();
    if (process == 0) {
        rlim_t most = (rlim_t)ceil(2 * options->budget + 10);
        setrlimit(RLIMIT_CPU, &(struct rlimit){most, most});
        work(path, options, shared);
        _exit(0);
    }
    bool ended =
        process > 0 && tact_bench_wait_for(process, start + BUSY * (2 * options->budget + 10));
    *run = *shared;
    if (!ended && run->said[0] == '\0') {
        snprintf(run->said, sizeof run->said, "%s",
                 run->loaded ? "did not end in its time" : "did not load in its time");
    }
    munmap(shared, sizeof *shared);
}

static void take_speed(const double *v, int nv, TactRobotRun *run)
{
    for (int i = 0; i < nv; i++) {
        run->speed = fmax(run->speed, fabs(v[i]));
    }
}

// ---------------------------------------------------------------------------------------------
// tact

/// Words of softness, which tact's contacts have not by design (docs/guide/mjcf.md).
static bool is_softness(const TactModelNote *note)
{
    return strncmp(note->attribute, "sol", 3) == 0 || strcmp(note->attribute, "impratio") == 0 ||
           strncmp(note->attribute, "noslip", 6) == 0;
}

static void judge_notes(const TactModelNotes *notes, TactRobotRun *run)
{
    run->in_full = true;
    run->soft_only = true;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        if (note->physics && note->verdict != TACT_VERDICT_HONOURED) {
            run->in_full = false;
            run->soft_only = run->soft_only && is_softness(note);
        }
    }
}

static void step_own(const TactModel *model, TactSim *sim, const TactRobotsOptions *options,
                     TactRobotRun *run)
{
    while (run->steps < run->wanted && run->seconds < options->budget) {
        TactSimReport report;
        double        before = tact_watch_read(CLOCK_THREAD_CPUTIME_ID);
        if (tact_sim_step(sim, &report) != TACT_OK) {
            snprintf(run->said, sizeof run->said, "%s", tact_status_message());
            return;
        }
        run->seconds += tact_watch_read(CLOCK_THREAD_CPUTIME_ID) - before;
        run->steps++;
        run->still += report.repeated;
        run->solves += report.islands;
        run->certified += report.certified;
        run->error = fmax(run->error, report.error);
        run->contacts += (report.contacts - run->contacts) / run->steps;
        take_speed(tact_sim_view_state(sim)->v, model->nv, run);
    }
    run->finished = run->steps == run->wanted;
}

static void own(const char *path, const TactRobotsOptions *options, TactRobotRun *run)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    TactSim            *sim = NULL;
    TactStatus          status = tact_model_load(path, &load, &model, &notes);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        config.compute_still = options->computed;
        status = tact_sim_create(model, &config, &sim);
        run->wanted = (int)ceil(options->time / config.timestep - 1e-6);
    }
    if (status == TACT_OK) {
        run->keyframes = model->keyframe_count;
        bool has = options->keyframe < model->keyframe_count;
        snprintf(run->keyframe, sizeof run->keyframe, "%s",
                 has ? model->keyframes[options->keyframe].name : "");
        status = tact_sim_reset(sim, has ? options->keyframe : -1);
    }
    if (status != TACT_OK) {
        snprintf(run->said, sizeof run->said, "%s", tact_status_message());
    } else {
        judge_notes(notes, run);
        run->nv = model->nv;
        run->loaded = true;
        step_own(model, sim, options, run);
    }
    tact_sim_destroy(sim);
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
}

void tact_robots_run_own(const char *path, const TactRobotsOptions *options, TactRobotRun *run)
{
    run_apart(own, path, options, run);
}

// ---------------------------------------------------------------------------------------------
// MuJoCo's library

static void step_peer(const TactSimPeer *peer, const TactSimCase *scene,
                      const TactRobotsOptions *options, TactRobotRun *run)
{
    double *q = calloc((size_t)scene->model->nq + 1, sizeof *q);
    double *v = calloc((size_t)scene->model->nv + 1, sizeof *v);
    void   *engine = q && v ? peer->create(scene) : NULL;
    run->loaded = engine != NULL;
    run->wanted = (int)ceil(options->time / scene->step - 1e-6);
    bool goes = engine != NULL;
    while (goes && run->steps < run->wanted && run->seconds < options->budget) {
        double before = tact_watch_read(CLOCK_THREAD_CPUTIME_ID);
        goes = peer->step(engine);
        run->seconds += tact_watch_read(CLOCK_THREAD_CPUTIME_ID) - before;
        run->steps++;
        run->contacts += (peer->count_contacts(engine) - run->contacts) / run->steps;
        peer->get_coordinates(engine, q, v);
        take_speed(v, scene->model->nv, run);
    }
    run->finished = goes && run->steps == run->wanted;
    if (engine) {
        peer->destroy(engine);
    }
    free(q);
    free(v);
}

static const TactSimPeer *find_library(const TactRobotsOptions *options)
{
    TactPeers peers;
    if (!tact_bench_has_peers() || !tact_bench_load_peers(options->module, &peers)) {
        return NULL;
    }
    const TactSimPeer *peer = peers.sim;
    while (peer && peer->name && strcmp(peer->name, "mujoco") != 0) {
        peer++;
    }
    return peer && peer->name ? peer : NULL;
}

static void library(const char *path, const TactRobotsOptions *options, TactRobotRun *run)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model = NULL;
    const TactSimPeer  *peer = find_library(options);
    if (!freopen("/dev/null", "w", stderr)) { // what it cannot read is no news
        return;
    }
    if (peer && tact_model_load(path, &load, &model, NULL) == TACT_OK) {
        const TactKeyframe *key = model->keyframe_count > 0 ? &model->keyframes[0] : NULL;
        double             *zero = calloc((size_t)(model->nv + model->actuator_count) + 1, 8);
        TactSimCase         scene = {
                    .model = model,
                    .path = path,
                    .step = model->options.timestep,
                    .q = key ? key->q : model->q_reference,
                    .v = key ? key->v : zero,
                    .ctrl = key ? key->ctrl : zero,
                    .friction = tact_bench_engine_friction,
        };
        if (zero) {
            step_peer(peer, &scene, options, run);
        }
        free(zero);
    }
    tact_model_destroy(model);
}

TactRobotPeer tact_robots_run_peer(const char *path, const TactRobotsOptions *options,
                                   TactRobotRun *run)
{
    run_apart(library, path, options, run);
    if (run->loaded) {
        return TACT_ROBOT_PEER_NATIVE;
    }
    *run = (TactRobotRun){0};
    return tact_robots_run_node(path, options, run) ? TACT_ROBOT_PEER_NODE : TACT_ROBOT_PEER_NONE;
}
