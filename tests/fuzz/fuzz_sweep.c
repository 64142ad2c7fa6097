// Any bytes as a sweep: an error with a message, or one whose trials have values, the first ones of
// them rows that read as they were printed.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tact/sweep.h>

#include "sweep/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void draw_values(const TactSweep *sweep)
{
    const TactSweepPlan *plan = tact_sweep_view_plan(sweep);
    double               values[TACT_SWEEP_MOST_VARIED];
    require(plan->trials > 0 && plan->varied_count <= TACT_SWEEP_MOST_VARIED);
    for (int k = 0; k < 8; k++) {
        int trial = (int)((int64_t)(plan->trials - 1) * k / 7);
        require(tact_sweep_draw(sweep, trial, values) == TACT_OK);
        for (int i = 0; i < plan->varied_count; i++) {
            require(isfinite(values[i]));
        }
    }
    require(tact_sweep_draw(sweep, plan->trials, values) != TACT_OK);
}

static void run_trials(const TactSweep *sweep)
{
    const TactSweepPlan *plan = tact_sweep_view_plan(sweep);
    TactSweepWorld      *world = NULL;
    require(tact_sweep_world_create(sweep, &world) == TACT_OK);
    for (int trial = 0; trial < plan->trials && trial < 2; trial++) {
        TactSweepRow row;
        double       values[TACT_SWEEP_MOST_COLUMNS];
        require(tact_sweep_world_run(world, trial, NULL, &row) == TACT_OK);
        require(row.outcome >= 0 && row.outcome < plan->outcome_count);
        require((row.problem[0] != 0) == (row.outcome == plan->outcome_count - 1));
        size_t length = strlen(row.text);
        require(length > 0 && row.text[length - 1] == '\n');
        require(tact_sweep_read_row(sweep, row.text, length - 1, values));
        for (int i = 0; i < plan->column_count; i++) {
            require(values[i] == row.values[i] || isnan(row.values[i]));
        }
    }
    tact_sweep_world_destroy(world);
}

/// Is a timestep drawn? Then a trial may have 1e9 steps.
static int varies_config(const TactSweep *sweep)
{
    int varies = 0;
    for (int i = 0; i < sweep->found.variable_count; i++) {
        for (int k = 0; k < sweep->found.variables[i].target_count; k++) {
            varies |= sweep->found.variables[i].targets[k].kind == TACT_TARGET_CONFIG;
        }
    }
    return varies;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TactSweep *sweep = NULL;
    // The scene is looked for in the folder of the name.
    TactStatus status = tact_sweep_read_memory(TACT_SOURCE_DIR "/scenes/fuzz.json",
                                               (const char *)data, size, &sweep);
    require((status == TACT_OK) == (sweep != NULL));
    require(status == TACT_OK || tact_status_message()[0] != '\0');
    if (sweep) {
        const TactSweepPlan *plan = tact_sweep_view_plan(sweep);
        draw_values(sweep);
        if (plan->time <= 4 * sweep->config.timestep && !varies_config(sweep) &&
            sweep->model->nv <= 30) {
            run_trials(sweep);
        }
    }
    tact_sweep_destroy(sweep);
    return 0;
}
