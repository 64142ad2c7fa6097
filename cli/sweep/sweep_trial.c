// `tact sweep --trial K`: one trial, from its number alone.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/run/run.h"
#include "cli/sweep/sweep.h"

static void print_trial(const TactSweepOptions *options, const TactSweepPlan *plan,
                        const TactSweepRow *row)
{
    printf("%s: trial %d of %d: %s\n", options->file, row->trial, plan->trials,
           plan->outcomes[row->outcome]);
    for (int i = 1; i < plan->column_count; i++) {
        if (i == plan->problem_column && row->problem[0]) {
            printf("  %-24s %s\n", plan->columns[i], row->problem);
        } else if (i != plan->outcome_column && i != plan->problem_column) {
            printf("  %-24s %.10g\n", plan->columns[i], row->values[i]);
        }
    }
}

static int print_trial_json(const TactSweepOptions *options, const TactSweepPlan *plan,
                            const TactSweepRow *row)
{
    json_t *values = json_object();
    for (int i = 1; i < plan->column_count; i++) {
        if (i != plan->outcome_column && i != plan->problem_column) {
            tact_json_set(values, plan->columns[i], tact_json_value_real(row->values[i]));
        }
    }
    json_t *object =
        tact_json_pack("{s:o, s:i, s:s, s:o, s:o}", "sweep", tact_json_value_text(options->file),
                       "trial", row->trial, "outcome", plan->outcomes[row->outcome], "problem",
                       tact_json_value_text(row->problem), "values", values);
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}

/// Makes it, recorded if that is asked for. False: said on standard error.
static bool make(TactSweepWorld *world, int trial, const TactSweepOptions *options,
                 const TactSweepPlan *plan, TactSweepRow *row)
{
    TactSimRecordConfig record = tact_sim_record_config_default();
    char *part = options->html && !options->record ? tact_run_html_recording(options->html) : NULL;
    record.path = part ? part : options->record;
    record.scene = plan->scene;
    TactSweepTrial how = {.failures = options->failures, .record = record.path ? &record : NULL};
    bool           done = tact_sweep_world_run(world, trial, &how, row) == TACT_OK;
    if (!done) {
        tact_cli_bad("%s", tact_status_message());
    }
    done = done && (!options->html || tact_run_write_html(record.path, options->html));
    if (part) {
        remove(part);
        free(part);
    }
    return done;
}

int tact_sweep_make_trial(const TactSweepOptions *options, const TactSweep *sweep)
{
    const TactSweepPlan *plan = tact_sweep_view_plan(sweep);
    char                *end = NULL;
    errno = 0;
    long trial = strtol(options->trial, &end, 10);
    if (end == options->trial || *end || errno == ERANGE || trial < 0 || trial >= plan->trials) {
        return tact_cli_bad("--trial: '%s' is none of the trials 0 to %d", options->trial,
                            plan->trials - 1);
    }
    if (options->html && !tact_run_can_write_html()) {
        return TACT_EXIT_BAD;
    }
    TactSweepWorld *world = NULL;
    TactSweepRow    row;
    int             status = TACT_EXIT_BAD;
    if (tact_sweep_world_create(sweep, &world) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    if (make(world, (int)trial, options, plan, &row)) {
        status = row.outcome == plan->outcome_count - 1 ? TACT_EXIT_UNSOLVED : TACT_EXIT_DONE;
        if (!options->json) {
            print_trial(options, plan, &row);
        } else if (print_trial_json(options, plan, &row) != 0) {
            status = TACT_EXIT_BAD;
        }
    }
    tact_sweep_world_destroy(world);
    return status;
}
