// One scene, step by step: times by the processor's clock, problems kept.
#define _GNU_SOURCE // open_memstream()
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/io.h>
#include <tact/load.h>

#include "bench/piles/piles.h"
#include "bench/sim/sim.h"
#include "bench/watch.h"

// Rest after which bodies sleep where they may, s.
static const double SLEEP_TIME = 0.5;

#define TRY(call)                         \
    do {                                  \
        TactStatus tried_status = (call); \
        if (tried_status != TACT_OK) {    \
            return tried_status;          \
        }                                 \
    } while (0)

/// Of this thread, which does all the work but for that of others (--threads): the clock of the
/// process moves in ticks of 4 ms where its processor time is limited (ulimit -t), and a short step
/// then takes no time at all.
static double processor_time(void)
{
    return tact_watch_read(CLOCK_THREAD_CPUTIME_ID);
}

static TactStatus load(const TactPileScene *scene, TactModel **model)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    char               *text = NULL;
    size_t              size = 0;
    FILE               *file = open_memstream(&text, &size);
    *model = NULL;
    if (!file) {
        return TACT_NO_MEMORY;
    }
    tact_pile_write(scene, file);
    if (fclose(file) != 0) {
        free(text);
        return TACT_NO_MEMORY;
    }
    TactStatus status = tact_model_load_memory("pile.xml", text, size, &config, model, NULL);
    free(text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Problems

typedef struct Saving {
    const TactPileScene *scene;
    const TactPileSave  *save;
    TactPileRun         *run;
    int                  island;
} Saving;

static TactStatus save_problem(void *context, const TactContactProblem *problem, double error)
{
    Saving *saving = context;
    char    path[4096];
    (void)error;
    if (problem->contact_count < saving->save->least) {
        return TACT_OK;
    }
    int length = snprintf(path, sizeof path, "%s/%s-%d-%d%s-%05d-%d.json", saving->save->folder,
                          tact_pile_shape_name(saving->scene->shape), saving->scene->number,
                          saving->scene->seed, saving->scene->wedged ? "-wedged" : "",
                          saving->run->steps, saving->island++);
    if (length < 0 || (size_t)length >= sizeof path) {
        return TACT_BAD_ARGUMENT;
    }
    saving->run->saved++;
    return tact_contact_write_json(problem, path);
}

/// Problems of a slow step, and whatever is not certified.
static TactStatus save_step(TactSim *sim, Saving *saving, const TactSimReport *report, double took)
{
    saving->island = 0;
    if (!saving->save->folder) {
        return TACT_OK;
    }
    if (took >= saving->save->slower) {
        return tact_sim_visit_problems(sim, save_problem, saving);
    }
    return report->certified < report->islands ? tact_sim_visit_failures(sim, save_problem, saving)
                                               : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Steps

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sum_up(TactPileRun *run, double *times)
{
    qsort(times, (size_t)run->steps, sizeof *times, compare);
    run->mean = run->steps > 0 ? run->total / run->steps : 0;
    run->wall = run->steps > 0 ? run->wall / run->steps : 0;
    run->mean_contacts = run->steps > 0 ? run->mean_contacts / run->steps : 0;
    run->late = run->steps > 0 ? times[(int)(0.99 * (run->steps - 1))] : 0;
    run->longest = run->steps > 0 ? times[run->steps - 1] : 0;
    run->collide = run->total > 0 ? run->collide / run->total : 0;
}

static void count_step(TactPileRun *run, const TactSimReport *report, double took)
{
    run->total += took;
    run->wall += report->step_time;
    run->solves += report->islands;
    run->certified += report->certified;
    run->mean_contacts += report->contacts;
    run->contacts = report->contacts > run->contacts ? report->contacts : run->contacts;
    run->error = fmax(run->error, report->error);
    run->penetration = fmax(run->penetration, report->penetration);
    // by the clock on the wall, as a part of the step by the same clock
    run->collide += report->step_time > 0 ? took * report->collide_time / report->step_time : 0;
    run->steps++;
}

/// Steps before those that count: their problems count all the same.
static TactStatus settle(TactSim *sim, const TactPileScene *scene, TactPileRun *run)
{
    for (int k = 0; k < (int)lround(scene->settle / scene->step); k++) {
        TactSimReport report;
        TRY(tact_sim_step(sim, &report));
        run->solves += report.islands;
        run->certified += report.certified;
        run->error = fmax(run->error, report.error);
    }
    return TACT_OK;
}

/// Steps that are timed, from the first that is not made yet.
static TactStatus time_steps(TactSim *sim, int steps, Saving *saving, double *times)
{
    TactPileRun *run = saving->run;
    double       kept = processor_time();
    while (run->steps < steps) {
        TactSimReport report;
        double        before = processor_time(), took;
        TRY(tact_sim_step(sim, &report));
        took = processor_time() - before;
        times[run->steps] = took;
        count_step(run, &report, took);
        TRY(save_step(sim, saving, &report, took));
        if (saving->save->part && before - kept > saving->save->keep) {
            kept = before;
            if (!tact_pile_part_write(saving->save->part, saving->scene, sim, run, times)) {
                fprintf(stderr, "tact: bench piles: cannot write %s\n", saving->save->part);
            }
        }
    }
    return TACT_OK;
}

static TactStatus run_steps(TactSim *sim, int steps, Saving *saving)
{
    const TactPileSave *save = saving->save;
    double             *times = calloc((size_t)steps + 1, sizeof *times);
    TactStatus          status = times ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK &&
        !tact_pile_part_read(save->part, saving->scene, sim, saving->run, times, steps)) {
        status = settle(sim, saving->scene, saving->run);
    }
    if (status == TACT_OK) {
        status = time_steps(sim, steps, saving, times);
        sum_up(saving->run, times);
    }
    if (status == TACT_OK && save->part) {
        remove(save->part);
    }
    free(times);
    return status;
}

// Memory is counted where the caller has tact_sim_count_memory() on.
TactStatus tact_pile_run_scene(const TactPileScene *scene, double time, const TactPileSave *save,
                               TactPileRun *run)
{
    TactModel *model = NULL;
    TactSim   *sim = NULL;
    Saving     saving = {scene, save, run, 0};
    size_t     before = 0;
    *run = (TactPileRun){.threads = save->threads > 1 ? save->threads : 1};
    TactStatus status = load(scene, &model);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(model);
        config.threads = run->threads;
        config.sleep_time = scene->sleeps ? SLEEP_TIME : config.sleep_time;
        config.compute_still = true; // only sleepers are left out
        before = tact_sim_memory_held();
        status = tact_sim_create(model, &config, &sim);
        run->made = (double)(tact_sim_memory_held() - before);
    }
    if (status == TACT_OK) {
        double made = run->made;
        int    threads = run->threads;
        status = run_steps(sim, (int)lround(time / scene->step), &saving);
        run->made = made; // that it goes on from may be of another run
        run->threads = threads;
        run->grown = (double)(tact_sim_memory_held() - before) - made;
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
    return status;
}
