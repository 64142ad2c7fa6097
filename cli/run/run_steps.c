// The steps of `tact run`, their sums, and the files that they go to.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tact/io.h>

#include "cli/cli.h"
#include "cli/run/run.h"
#include "cli/signals.h"

static void add_rungs(TactRunResult *result, const TactSimReport *report)
{
    for (int k = 0; k < report->rung_count; k++) {
        int i = 0;
        while (i < result->rung_count &&
               strcmp(result->rungs[i].name, report->rungs[k].name) != 0) {
            i++;
        }
        if (i == result->rung_count && i < TACT_CONTACT_MAX_RUNGS) {
            result->rungs[result->rung_count++] = (TactSimRung){.name = report->rungs[k].name};
        }
        if (i < TACT_CONTACT_MAX_RUNGS) {
            result->rungs[i].count += report->rungs[k].count;
        }
    }
}

// Classes of time: 64 an octave, from 1 ns on.
static const double SHORTEST = 1e-9;
enum { BINS_AN_OCTAVE = 64 };

static void add_time(TactRunResult *result, double time)
{
    double octaves = time > SHORTEST ? log2(time / SHORTEST) : 0;
    int    bin = (int)fmin(BINS_AN_OCTAVE * octaves, TACT_RUN_BINS - 1);
    result->solve_bins[bin]++;
    result->solve_time += time;
    result->solve_time_max = fmax(result->solve_time_max, time);
}

double tact_run_solve_time(const TactRunResult *result, double share)
{
    long steps = 0;
    int  bin = 0;
    while (bin < TACT_RUN_BINS) {
        steps += result->solve_bins[bin++];
        if ((double)steps >= share * (double)result->steps) {
            break;
        }
    }
    return fmin(SHORTEST * exp2((double)bin / BINS_AN_OCTAVE), result->solve_time_max);
}

// Faster than this is no motion, m/s or rad/s.
static const double NO_MOTION = 1e6;

/// The first time that something is faster than that; the fastest of what is.
static void watch_speeds(const TactRun *run, TactRunResult *result)
{
    const TactSimState *state = tact_sim_view_state(run->sim);
    if (result->coarse.apart.is) {
        return;
    }
    for (int i = 0; i < run->model->nv; i++) {
        double speed = isfinite(state->v[i]) ? fabs(state->v[i]) : INFINITY;
        if (speed > NO_MOTION && speed > result->coarse.apart.speed) {
            result->coarse.apart = (TactRunApart){true, state->time, speed, i};
        }
    }
}

static void add_step(const TactRunOptions *options, TactRunResult *result,
                     const TactSimReport *report)
{
    result->steps++;
    add_time(result, report->solve_time);
    result->contacts += report->contacts;
    result->contacts_max =
        report->contacts > result->contacts_max ? report->contacts : result->contacts_max;
    result->solves += report->islands;
    result->certified += report->certified;
    result->error_max = fmax(result->error_max, report->error);
    result->penetration_max = fmax(result->penetration_max, report->penetration);
    result->loop_error_max = fmax(result->loop_error_max, report->loop_error);
    result->implied_rows = report->implied_rows;
    result->implied_error_max = fmax(result->implied_error_max, report->implied_error);
    result->out_of_budget += report->out_of_budget;
    result->out_of_time += report->out_of_time;
    result->coarse.divided += report->parts > 1;
    result->coarse.unresolved += report->unresolved > 0;
    result->correction_max = fmax(result->correction_max, report->correction);
    result->damping += report->damping;
    result->step_time += report->step_time;
    result->hash = report->hash;
    add_rungs(result, report);
    if (options->output.hash_every > 0 && result->steps % options->output.hash_every == 0) {
        result->hashes[result->hash_count++] = (TactRunHash){result->steps, report->hash};
    }
}

static bool reserve_hashes(const TactRun *run, TactRunResult *result)
{
    int every = run->options->output.hash_every;
    result->hashes =
        calloc(every > 0 ? (size_t)(run->steps / every) + 1 : 1, sizeof *result->hashes);
    if (!result->hashes) {
        tact_cli_bad("no memory for the hashes of %ld steps", run->steps);
        return false;
    }
    return true;
}

/// The files that were asked for; *recorder stays NULL if there are none. recording: its path.
static bool open_files(const TactRun *run, int argc, char **argv, const char *recording,
                       TactSimRecorder **recorder)
{
    const TactRunOptions *options = run->options;
    TactSimRecordConfig   config = tact_sim_record_config_default();
    if (!recording && !options->output.csv && !options->output.csv_contacts) {
        return true;
    }
    config.path = recording;
    config.csv = options->output.csv;
    config.csv_contacts = options->output.csv_contacts;
    config.every = options->output.record_every >= 0 ? options->output.record_every : config.every;
    config.scene = options->file;
    config.word_count = argc;
    config.words = (const char *const *)argv;
    if (tact_sim_recorder_create(run->sim, &config, recorder) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        return false;
    }
    return true;
}

/// A contact problem of the last step that is not certified, on its way to a file.
typedef struct Failure {
    const TactRun *run;
    TactRunResult *result;
    int            island;
} Failure;

static TactStatus write_failure(void *context, const TactContactProblem *problem, double error)
{
    Failure    *failure = context;
    const char *folder = failure->run->options->save_failures;
    char        path[4096];
    (void)error;
    int length = snprintf(path, sizeof path, "%s/step-%06ld-%d.json", folder,
                          failure->result->steps, failure->island++);
    if (length < 0 || (size_t)length >= sizeof path) {
        tact_cli_bad("--save-failures: the name of the folder is too long");
        return TACT_BAD_ARGUMENT;
    }
    failure->result->saved++;
    return tact_contact_write_json(problem, path);
}

bool tact_run_make_folder(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tact_cli_bad("--save-failures: %s: %s", folder, strerror(errno));
        return false;
    }
    return true;
}

/// --save-failures: false if one cannot be written, said on standard error.
static bool save_failures(const TactRun *run, TactRunResult *result)
{
    const char *folder = run->options->save_failures;
    Failure     failure = {run, result, 0};
    if (!folder) {
        return true;
    }
    if (!tact_run_make_folder(folder)) {
        return false;
    }
    if (tact_sim_visit_failures(run->sim, write_failure, &failure) != TACT_OK) {
        tact_cli_bad("--save-failures: %s", tact_status_message());
        return false;
    }
    return true;
}

/// Copies q, v and act to or from before.                              (nq + nv + act_count)
static void copy_state(const TactRun *run, double *before, bool back)
{
    const TactModel    *m = run->model;
    const TactSimState *state = tact_sim_view_state(run->sim);
    double *const       part[] = {state->q, state->v, state->act};
    const int           size[] = {m->nq, m->nv, m->act_count};
    for (int k = 0; k < 3; before += size[k++]) {
        if (size[k] > 0) {
            memcpy(back ? part[k] : before, back ? before : part[k],
                   (size_t)size[k] * sizeof *before);
        }
    }
}

/// A step whose solves were interrupted is none: the state is the one before it again.
static void take_back(TactRun *run, double *before, TactRunResult *result)
{
    copy_state(run, before, true);
    tact_sim_view_state(run->sim)->time -= run->dt;
    result->signal = tact_cli_signal();
    fprintf(stderr,
            "tact: interrupted within step %ld, which is left out: the best answer of its "
            "contact problem had an error of %.1e\n",
            result->steps + 1, tact_work_get().error);
}

/// False if something went wrong: said on standard error.
static bool make_steps(TactRun *run, TactSimRecorder *recorder, double *before,
                       TactRunResult *result)
{
    bool limited = false;
    while (result->steps < run->steps && !result->signal && !limited) {
        TactSimReport report;
        copy_state(run, before, false);
        if (!tact_run_step(run, &report)) {
            return false;
        }
        if (report.out_of_time > 0 && tact_interrupt_is_raised()) {
            take_back(run, before, result);
            break;
        }
        add_step(run->options, result, &report);
        watch_speeds(run, result);
        if (report.certified < report.islands && !save_failures(run, result)) {
            return false;
        }
        if (!tact_run_certify_step(run, result) || !tact_run_prove_step(run, result)) {
            return false;
        }
        tact_run_progress(run, result->steps, &report);
        if (recorder && tact_sim_recorder_add(recorder, &report) != TACT_OK) {
            tact_cli_bad("%s", tact_status_message());
            return false;
        }
        result->signal = result->steps < run->steps ? tact_cli_signal() : 0;
        limited = run->options->budget.stop_on_limit && report.out_of_budget > 0;
    }
    return true;
}

/// Steps with their files, of which the recording is one, or NULL.
static void simulate(TactRun *run, int argc, char **argv, const char *recording,
                     TactRunResult *result)
{
    TactSimRecorder *recorder = NULL;
    result->failed = true;
    if (!reserve_hashes(run, result) || !open_files(run, argc, argv, recording, &recorder)) {
        return;
    }
    tact_cli_catch_signals();
    const TactModel *m = run->model;
    double          *before = calloc((size_t)(m->nq + m->nv + m->act_count) + 1, sizeof *before);
    if (!before) {
        tact_cli_bad("not enough memory for a copy of the state");
    }
    result->failed = !before || !make_steps(run, recorder, before, result);
    free(before);
    tact_interrupt_clear(); // what comes now is to be done
    if (tact_sim_recorder_destroy(recorder) != TACT_OK && !result->failed) {
        tact_cli_bad("%s", tact_status_message());
        result->failed = true;
    }
}

void tact_run_simulate(TactRun *run, int argc, char **argv, TactRunResult *result)
{
    const char *html = run->options->output.html;
    const char *record = run->options->output.record;
    char       *part = html && !record ? tact_run_html_recording(html) : NULL;
    const char *recording = part ? part : record;
    simulate(run, argc, argv, recording, result);
    if (html && result->steps > 0 && !(recording && tact_run_write_html(recording, html))) {
        result->failed = true;
    }
    if (part) {
        remove(part);
        free(part);
    }
}
