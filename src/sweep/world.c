// A simulation in which one trial after the other is made.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/io.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/look.h"

enum { PROBLEM = 400 };

struct TactSweepWorld {
    const TactSweep *sweep;
    TactSim         *sim;
    TactLook         look;
    double          *values; //                                                (column_count)
    char             problem[PROBLEM];
    char            *text; // the line of the table
    size_t           text_size;
};

TactStatus tact_sweep_world_create(const TactSweep *sweep, TactSweepWorld **world)
{
    TACT_NEED(sweep && world, "tact_sweep_world_create");
    *world = NULL;
    TactSweepWorld *w = NULL;
    TACT_TRY(tact_allocate(1, sizeof *w, (void **)&w));
    const TactSweepFound *f = &sweep->found;
    size_t                bodies = (size_t)sweep->model->body_count;
    size_t                measures = (size_t)f->measure_count, stops = (size_t)f->stop_count;
    w->sweep = sweep;
    w->text_size = (size_t)sweep->plan.column_count * 160 + 4 * PROBLEM; // words of outcomes too
    TactStatus status = tact_sim_create(sweep->model, &sweep->config, &w->sim);
    TactLook  *look = &w->look;
    const struct {
        size_t count, size;
        void **block;
    } blocks[] = {
        {(size_t)sweep->plan.column_count, sizeof(double), (void **)&w->values},
        {w->text_size, 1, (void **)&w->text},
        {bodies, sizeof *look->poses, (void **)&look->poses},
        {bodies, sizeof *look->twists, (void **)&look->twists},
        {measures + stops + 1, sizeof *look->references, (void **)&look->references},
        {measures + 1, sizeof *look->seen, (void **)&look->seen},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && status == TACT_OK; i++) {
        status = tact_allocate(blocks[i].count, blocks[i].size, blocks[i].block);
    }
    if (status != TACT_OK) {
        tact_sweep_world_destroy(w);
        return status;
    }
    look->sweep = sweep;
    look->sim = w->sim;
    *world = w;
    return TACT_OK;
}

void tact_sweep_world_destroy(TactSweepWorld *world)
{
    if (!world) {
        return;
    }
    tact_sim_destroy(world->sim);
    tact_release(world->values);
    tact_release(world->text);
    tact_release(world->look.poses);
    tact_release(world->look.twists);
    tact_release(world->look.references);
    tact_release(world->look.seen);
    tact_release(world);
}

// ---------------------------------------------------------------------------------------------
// Controls over time

/// On the line between the moments around the time.
static double schedule_at(const TactSchedule *s, double time)
{
    int i = 0;
    while (i < s->count && s->time[i] <= time) {
        i++;
    }
    if (i == 0 || i == s->count) {
        return s->value[i == 0 ? 0 : s->count - 1];
    }
    double share = (time - s->time[i - 1]) / (s->time[i] - s->time[i - 1]);
    return s->value[i - 1] + share * (s->value[i] - s->value[i - 1]);
}

static void control(const TactSweep *sweep, TactSim *sim, double time)
{
    TactSimState *state = tact_sim_view_state(sim);
    for (int i = 0; i < sweep->found.schedule_count; i++) {
        const TactSchedule *s = &sweep->found.schedules[i];
        state->ctrl[s->actuator] = schedule_at(s, time);
    }
}

// ---------------------------------------------------------------------------------------------
// Contact problems that are not certified

typedef struct Keeping {
    const char *folder;
    int         trial, number;
    long        step;
} Keeping;

static TactStatus keep_problem(void *context, const TactContactProblem *problem, double error)
{
    Keeping *k = context;
    char     path[4096];
    (void)error;
    int length = snprintf(path, sizeof path, "%s/trial-%09d-step-%06ld-%d.json", k->folder,
                          k->trial, k->step, k->number++);
    if (length < 0 || (size_t)length >= sizeof path) {
        return tact_fail(TACT_IO_ERROR, "%.80s...: the name of the folder is too long", k->folder);
    }
    return tact_contact_write_json(problem, path);
}

static TactStatus keep_problems(TactSweepWorld *world, int trial, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tact_fail(TACT_IO_ERROR, "%s: %s", folder, strerror(errno));
    }
    Keeping keeping = {folder, trial, 0, world->look.totals.steps};
    return tact_sim_visit_failures(world->sim, keep_problem, &keeping);
}

// ---------------------------------------------------------------------------------------------
// A trial

/// Is it the trial that cannot be, and not this process?
static bool is_of_trial(TactStatus status)
{
    return status == TACT_BAD_INPUT || status == TACT_BAD_ARGUMENT || status == TACT_UNSUPPORTED;
}

/// What made this trial fail, told in its row; of a step: the time that was reached.
static TactStatus note_problem(TactSweepWorld *world, TactStatus status, bool stepping)
{
    if (!is_of_trial(status)) {
        return status;
    }
    int used = stepping ? snprintf(world->problem, PROBLEM, "at %g s: ", world->look.time) : 0;
    snprintf(world->problem + used, (size_t)(PROBLEM - used), "%s", tact_status_message());
    return TACT_OK;
}

static TactStatus make_step(TactSweepWorld *world, int trial, const TactSweepTrial *how,
                            TactSimRecorder *recorder)
{
    TactSimReport report;
    TactTotals   *totals = &world->look.totals;
    control(world->sweep, world->sim, world->look.time);
    TactStatus status = tact_sim_step(world->sim, &report);
    if (status != TACT_OK) {
        return note_problem(world, status, true);
    }
    bool first = totals->certified == totals->solves && report.certified < report.islands;
    tact_look_add_step(&world->look, &report);
    if (first && how && how->failures) {
        TACT_TRY(keep_problems(world, trial, how->failures));
    }
    if (recorder) {
        TACT_TRY(tact_sim_recorder_add(recorder, &report));
    }
    TACT_TRY(tact_look_read(&world->look));
    tact_look_measure(&world->look, false);
    return TACT_OK;
}

/// All steps; *stop: the condition that ended them, -1: none did.
static TactStatus make_steps(TactSweepWorld *world, int trial, const TactSweepTrial *how,
                             TactSimRecorder *recorder, int *stop)
{
    TactLook *look = &world->look;
    long      steps = lround(world->sweep->plan.time / look->dt);
    steps = steps > 0 ? steps : 1;
    while (look->totals.steps < steps && *stop < 0 && world->problem[0] == 0) {
        TACT_TRY(make_step(world, trial, how, recorder));
        if (world->problem[0] == 0) {
            *stop = tact_look_find_stop(look, false);
        }
    }
    if (*stop < 0 && world->problem[0] == 0) {
        *stop = tact_look_find_stop(look, true);
    }
    return TACT_OK;
}

static TactStatus make_trial(TactSweepWorld *world, int trial, const TactSweepTrial *how, int *stop)
{
    const TactSweep *sweep = world->sweep;
    TactLook        *look = &world->look;
    TactStatus       status =
        tact_target_apply(sweep, world->sim, world->values + sweep->plan.first_varied);
    if (status != TACT_OK) {
        return note_problem(world, status, false);
    }
    look->dt = tact_sim_view_config(world->sim)->timestep;
    if (!(sweep->plan.time / look->dt <= TACT_SWEEP_MOST_STEPS)) { // it may vary
        snprintf(world->problem, PROBLEM, "a timestep of %g s is too short for a trial of %g s",
                 look->dt, sweep->plan.time);
        return TACT_OK;
    }
    control(sweep, world->sim, 0);
    TACT_TRY(tact_look_read(look));
    tact_look_measure(look, true);
    *stop = tact_look_find_stop(look, false); // what has come at the start is a reference
    *stop = -1;
    TactSimRecorder *recorder = NULL;
    if (how && how->record) {
        TACT_TRY(tact_sim_recorder_create(world->sim, how->record, &recorder));
    }
    status = make_steps(world, trial, how, recorder, stop);
    TactStatus closed = recorder ? tact_sim_recorder_destroy(recorder) : TACT_OK;
    return status != TACT_OK ? status : closed;
}

static void fill_row(TactSweepWorld *world, int trial, int stop, TactSweepRow *row)
{
    const TactSweep     *sweep = world->sweep;
    const TactSweepPlan *plan = &sweep->plan;
    const TactTotals    *totals = &world->look.totals;
    *row = (TactSweepRow){.trial = trial, .values = world->values, .text = world->text};
    row->unverified = (int)(totals->solves - totals->certified);
    row->step_time = totals->step_time;
    if (row->unverified > 0 && world->problem[0] == 0) {
        snprintf(world->problem, PROBLEM, "%d of %ld contact problems are not certified",
                 row->unverified, totals->solves);
    }
    row->outcome = world->problem[0] ? plan->outcome_count - 1
                   : stop >= 0       ? sweep->found.stops[stop].outcome
                                     : 0;
    row->problem = world->problem;
    world->values[0] = trial;
    world->values[plan->outcome_column] = row->outcome;
    world->values[plan->time_column] = world->look.time;
    for (int i = 0; i < plan->measured_count; i++) {
        world->values[plan->first_measured + i] = tact_look_result(&world->look, i);
    }
    world->values[plan->unverified_column] = row->unverified;
    world->values[plan->problem_column] = world->problem[0] != 0;
}

TactStatus tact_sweep_world_run(TactSweepWorld *world, int trial, const TactSweepTrial *how,
                                TactSweepRow *row)
{
    TACT_NEED(world && row, "tact_sweep_world_run");
    const TactSweep *sweep = world->sweep;
    int              stop = -1;
    TACT_TRY(tact_sweep_draw(sweep, trial, world->values + sweep->plan.first_varied));
    world->problem[0] = 0;
    tact_look_clear(&world->look);
    TactStatus status = make_trial(world, trial, how, &stop);
    if (status != TACT_OK) {
        char message[480];
        snprintf(message, sizeof message, "%s", tact_status_message());
        return tact_fail(status, "trial %d: %s", trial, message);
    }
    fill_row(world, trial, stop, row);
    return tact_sweep_print_row(sweep, row, world->text, world->text_size) > 0
               ? TACT_OK
               : tact_fail(TACT_NO_MEMORY, "trial %d: its row is too long", trial);
}
