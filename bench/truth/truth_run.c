// One engine on one scene: every step looked at.
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/apart.h"
#include "bench/engines.h"
#include "bench/truth/truth.h"
#include "bench/watch.h"

// A tree whose mean velocity jumps by this much in a step, free fall apart, has hit something, m/s.
static const double HIT = 1e-2;
// Below this all speeds are those of rest, m/s or rad/s.
static const double RESTS = 1e-2;
// What kinetic energy is compared with besides itself: weight times this height, m.
static const double HEIGHT = 1;

typedef struct Work {
    const TactTruthTask *task;
    TactTruthMeasure    *measure;
    TactTruthState       begin;         // what the scene asks for, lent to the engine
    TactTruthState       before, after; // what the engine says
    void                *engine;
    TactTruthMomentum    momentum; // at the start
    TactTruthRun        *run;
} Work;

static bool is_finite(const TactModel *model, const TactTruthState *state)
{
    for (int b = 0; b < model->body_count; b++) {
        const TactVec3 x = state->poses[b].position, v = state->twists[b].linear;
        const TactVec3 w = state->twists[b].angular;
        if (!isfinite(x.x + x.y + x.z + v.x + v.y + v.z + w.x + w.y + w.z)) {
            return false;
        }
    }
    return true;
}

static TactStatus read_state(Work *work, TactTruthState *state)
{
    const TactSimPeer *peer = work->task->engine;
    if (!peer->get_coordinates) {
        peer->get_motion(work->engine, state->poses, state->twists);
        return TACT_OK;
    }
    peer->get_coordinates(work->engine, state->q, state->v);
    return tact_truth_set_coordinates(work->measure, state->q, state->v, state);
}

/// Keeps the worst and when it was.
static void keep(double *worst, double *when, double value, double time)
{
    if (!(value <= *worst)) {
        *worst = value;
        *when = time;
    }
}

static TactStatus add_departure(Work *work, double time)
{
    TactTruthRun      *run = work->run;
    TactTruthDeparture whole;
    double             h = work->task->step;
    TactStatus status = tact_truth_departure(work->measure, &work->before, &work->after, h, &whole);
    if (status != TACT_OK) {
        return status;
    }
    TactTruthOwnStep own = {.departure = whole, .beyond = whole.way};
    if (work->task->engine == &tact_truth_own) {
        own = tact_truth_own_step(work->engine);
    }
    run->departure = fmax(run->departure, whole.way);
    keep(&run->part_departure, &run->departure_time, own.departure.way, time);
    run->beyond = fmax(run->beyond, own.beyond);
    run->correction = fmax(run->correction, own.correction);
    run->turn = fmax(run->turn, own.departure.turn);
    run->parts += own.parts > 0 ? own.parts : 1;
    run->islands += own.islands;
    run->certified += own.certified;
    run->proven += own.certificate.certified;
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        run->failed[i] += own.parts > 0 && !own.certificate.laws[i].holds;
    }
    return TACT_OK;
}

/// Largest rise of kinetic and potential energy together.
static void add_energy(Work *work, double time)
{
    const TactModel *model = work->task->model;
    TactTruthEnergy  before = tact_truth_energy(model, &work->before);
    TactTruthEnergy  after = tact_truth_energy(model, &work->after);
    double           weight = model->mass * tact_vec3_norm(model->options.gravity);
    double           rise = after.kinetic - before.kinetic + (after.potential - before.potential);
    keep(&work->run->energy, &work->run->energy_time, rise / (before.kinetic + HEIGHT * weight),
         time);
}

/// Of bodies on which nothing acts from outside.
static void add_momentum(Work *work)
{
    const TactTruthMomentum *start = &work->momentum;
    if (tact_vec3_norm(work->task->model->options.gravity) > 0 || !(start->linear_sum > 0) ||
        !(start->angular_sum > 0)) {
        return;
    }
    TactTruthMomentum now = tact_truth_momentum(work->task->model, &work->after);
    double            linear = tact_vec3_norm(tact_vec3_subtract(now.linear, start->linear));
    double            angular = tact_vec3_norm(tact_vec3_subtract(now.angular, start->angular));
    work->run->momentum = fmax(work->run->momentum, linear / start->linear_sum);
    work->run->angular = fmax(work->run->angular, angular / start->angular_sum);
}

static void add_times(Work *work, double time)
{
    const TactModel *model = work->task->model;
    TactTruthRun    *run = work->run;
    if (run->impact == HUGE_VAL &&
        tact_truth_disturbance(model, &work->before, &work->after, work->task->step) > HIT) {
        run->impact = time;
    }
    if (tact_truth_speed(model, &work->after) > RESTS) {
        run->rest = HUGE_VAL;
    } else if (run->rest == HUGE_VAL) {
        run->rest = time;
    }
}

static TactStatus look_at_step(Work *work)
{
    double time = work->run->steps * work->task->step, depth = 0;
    add_times(work, time);
    if (work->task->quick) {
        return TACT_OK;
    }
    TactStatus status = add_departure(work, time);
    if (status != TACT_OK) {
        return status;
    }
    add_energy(work, time);
    add_momentum(work);
    status = tact_truth_depth(work->measure, &work->after, &depth);
    keep(&work->run->depth, &work->run->depth_time, depth, time);
    return status;
}

static bool has_mechanisms(const TactModel *model)
{
    bool jointed = false;
    for (int j = 0; j < model->joint_count; j++) {
        jointed = jointed || model->joints[j].type != TACT_JOINT_FREE;
    }
    return jointed;
}

static TactStatus run_steps(Work *work)
{
    const TactTruthTask *task = work->task;
    TactTruthRun        *run = work->run;
    int                  steps = (int)lround(task->time / task->step);
    TactStatus           status = read_state(work, &work->before);
    work->momentum = tact_truth_momentum(task->model, &work->before);
    if (task->watch && status == TACT_OK) {
        task->watch(task->watcher, 0, &work->before);
    }
    while (status == TACT_OK && run->steps < steps && run->end == TACT_TRUTH_COMPLETE) {
        TactWatch watch = tact_watch_start();
        bool      good = task->engine->step(work->engine);
        run->seconds += tact_watch_stop(&watch);
        run->steps++;
        if (!good || read_state(work, &work->after) != TACT_OK ||
            !is_finite(task->model, &work->after)) {
            run->end = TACT_TRUTH_GAVE_UP;
            break;
        }
        status = look_at_step(work);
        if (task->watch) {
            task->watch(task->watcher, run->steps, &work->after);
        }
        if (run->seconds > task->budget && run->steps < steps) {
            run->end = TACT_TRUTH_TIME_OVER;
        }
        TactTruthState swap = work->before;
        work->before = work->after;
        work->after = swap;
    }
    return status;
}

/// Makes the engine, at the first keyframe's velocity.
static TactStatus run_engine(Work *work)
{
    const TactTruthTask *task = work->task;
    const TactModel     *model = task->model;
    const TactKeyframe  *key = model->keyframe_count > 0 ? &model->keyframes[0] : NULL;
    const double        *q = key ? key->q : model->q_reference;
    const double        *v = key ? key->v : work->begin.v; // zero so far
    TactStatus           status = tact_truth_set_coordinates(work->measure, q, v, &work->begin);
    TactSimCase          scene = {
                 .model = model,
                 .path = task->path,
                 .step = task->step,
                 .q = work->begin.q,
                 .v = work->begin.v,
                 .twists = work->begin.twists,
                 .hard = true,
                 .poses = work->begin.poses,
                 .friction = tact_bench_engine_friction,
    };
    if (status != TACT_OK) {
        return status;
    }
    work->engine = task->engine->create(&scene);
    if (!work->engine) {
        work->run->end = TACT_TRUTH_CANNOT;
        return TACT_OK;
    }
    status = run_steps(work);
    task->engine->destroy(work->engine);
    return status;
}

TactStatus tact_truth_run(const TactTruthTask *task, TactTruthRun *run)
{
    enum { STATES = 3 };
    Work                  work = {.task = task, .run = run};
    TactTruthState *const states[STATES] = {&work.begin, &work.before, &work.after};
    *run = (TactTruthRun){.end = TACT_TRUTH_COMPLETE, .impact = HUGE_VAL, .rest = HUGE_VAL};
    run->depth = -HUGE_VAL;
    run->jointed = has_mechanisms(task->model);
    TactStatus status = tact_truth_measure_create(task->model, &work.measure);
    for (int k = 0; k < STATES && status == TACT_OK; k++) {
        status = tact_truth_state_create(task->model, states[k]);
    }
    if (status == TACT_OK) {
        status = run_engine(&work);
    }
    for (int k = 0; k < STATES; k++) {
        tact_truth_state_destroy(states[k]);
    }
    tact_truth_measure_destroy(work.measure);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Another engine may run for ever or die

TactStatus tact_truth_run_apart(const TactTruthTask *task, TactTruthRun *run)
{
    TactTruthRun *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return TACT_NO_MEMORY;
    }
    double start = tact_time_now();
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        // what it does not take is counted, and its complaints are many
        bool quiet = freopen("/dev/null", "w", stderr) && freopen("/dev/null", "w", stdout);
        _exit(quiet && tact_truth_run(task, shared) == TACT_OK ? 0 : 1);
    }
    // Measuring takes its time too, and so does what else the machine does.
    bool ended = process > 0 && tact_bench_wait_for(process, start + 10 + 6 * task->budget);
    *run = *shared;
    munmap(shared, sizeof *shared);
    if (!ended) {
        run->end = TACT_TRUTH_DIED;
    }
    return process > 0 ? TACT_OK : TACT_NO_MEMORY;
}
