// `tact run SCENE`: simulate.
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/// Physics of the file that the run does not honour: said once, on standard error.
static void warn(const TactRunOptions *options, const TactModelNotes *notes)
{
    int count = 0;
    for (int i = 0; notes && i < notes->count; i++) {
        count += notes->items[i].physics && notes->items[i].verdict != TACT_HONOURED;
    }
    if (count > 0) {
        fprintf(stderr,
                "tact: %s: %d places of physics are approximated or ignored; see tact check\n",
                options->file, count);
    }
}

static bool choose_method(const TactRunOptions *options, TactSimConfig *config)
{
    if (options->method && tact_contact_method_find(options->method, &config->method) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        return false;
    }
    if (options->cone >= 0) {
        config->cone = (TactContactCone)options->cone;
    }
    if (options->integrator >= 0) {
        config->integrator = (TactIntegrator)options->integrator;
    }
    return true;
}

static bool start(const TactRunOptions *options, const TactModel *model, TactSim *sim)
{
    if (options->keyframe && strcmp(options->keyframe, "none") == 0) {
        return true;
    }
    int key = model->keyframe_count > 0 ? 0 : -1;
    if (options->keyframe) {
        key = tact_model_find(model, TACT_OBJECT_KEYFRAME, options->keyframe);
        if (key < 0) {
            tact_cli_bad("%s has no keyframe '%s'", options->file, options->keyframe);
            return false;
        }
    }
    return tact_sim_reset(sim, key) == TACT_OK;
}

static void progress(double share)
{
    static int last = -1;
    int        now = (int)(50 * share);
    if (isatty(STDERR_FILENO) && now != last) {
        last = now;
        fprintf(stderr, "\r[%-50.*s] %3.0f %%", now,
                "##################################################", 100 * share);
        if (share >= 1) {
            fprintf(stderr, "\r%60s\r", "");
        }
    }
}

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

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_step(TactRunResult *result, const TactSimReport *report, double time)
{
    result->steps++;
    result->contacts += report->contacts;
    result->contacts_max =
        report->contacts > result->contacts_max ? report->contacts : result->contacts_max;
    result->solves += report->islands;
    result->certified += report->certified;
    result->error_max = fmax(result->error_max, report->error);
    result->penetration_max = fmax(result->penetration_max, report->penetration);
    result->loop_error_max = fmax(result->loop_error_max, report->loop_error);
    result->solve_time += report->solve_time;
    result->solve_times[result->steps - 1] = report->solve_time;
    add_rungs(result, report);
    result->step_time += time;
    result->hash = report->hash;
}

/// Steps through the time; false, with the message said, if a step is refused.
static bool simulate(const TactRunOptions *options, TactRunResult *result)
{
    long steps = lround(options->time / result->dt);
    steps = steps > 0 ? steps : 1;
    result->solve_times = calloc((size_t)steps, sizeof *result->solve_times);
    if (!result->solve_times) {
        tact_cli_bad("no memory for the times of %ld steps", steps);
        return false;
    }
    for (long k = 0; k < steps; k++) {
        TactSimReport report;
        double        begin = tact_time_now();
        if (tact_sim_step(result->sim, &report) != TACT_OK) {
            tact_cli_bad("%s: step %ld: %s", options->file, k, tact_status_message());
            return false;
        }
        add_step(result, &report, tact_time_now() - begin);
        progress((double)(k + 1) / (double)steps);
    }
    qsort(result->solve_times, (size_t)steps, sizeof *result->solve_times, compare_times);
    return true;
}

static int run(const TactRunOptions *options, const TactModel *model)
{
    TactSimConfig config = tact_sim_config_default(model);
    TactRunResult result = {.model = model};
    if (!choose_method(options, &config)) {
        return TACT_EXIT_BAD;
    }
    config.timestep = options->dt > 0 ? options->dt : config.timestep;
    result.dt = config.timestep;
    if (tact_sim_create(model, &config, &result.sim) != TACT_OK) {
        return tact_cli_bad("%s: %s", options->file, tact_status_message());
    }
    int status = TACT_EXIT_BAD;
    if (start(options, model, result.sim) && simulate(options, &result)) {
        status = result.certified == result.solves ? TACT_EXIT_DONE : TACT_EXIT_UNSOLVED;
        if (options->json) {
            status = tact_run_print_json(options, &result) == 0 ? status : TACT_EXIT_BAD;
        } else {
            tact_run_print(options, &result);
        }
    }
    free(result.solve_times);
    tact_sim_destroy(result.sim);
    return status;
}

int tact_cli_run(int argc, char **argv)
{
    TactRunOptions options;
    if (!tact_run_parse(argc, argv, &options)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        tact_run_help();
        return TACT_EXIT_DONE;
    }
    TactModelLoad load = tact_model_load_default();
    load.strict = options.strict;
    load.package_paths = options.packages.texts;
    load.package_path_count = options.packages.count;
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    int             status = TACT_EXIT_BAD;
    if (tact_model_load(options.file, &load, &model, &notes) != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
    } else {
        warn(&options, notes);
        status = run(&options, model);
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return status;
}
