// How far a sweep is; and Ctrl-C.
#include "cli/progress/progress.h"
#include "cli/run/run.h"
#include "cli/signals.h"
#include "cli/sweep/sweep.h"

void tact_sweep_progress_begin(bool quiet)
{
    if (quiet) { // a rank that does not lead
        tact_progress_silence();
    }
    tact_progress_stage("first trials");
    tact_cli_catch_signals();
}

TactStatus tact_sweep_progress(void *context, const TactSweepProgress *p)
{
    const TactSweepPlan *plan = context;
    if (tact_progress_due()) {
        int made = p->done - p->before;
        tact_progress_tell(
            (double)p->done / p->trials, "%d of %d trials, %.3g a second, %s %.0f %%%s", p->done,
            p->trials, made / p->elapsed, plan->outcomes[0],
            made > 0 ? 100.0 * p->outcomes[0] / made : 0.0, p->lost > 0 ? ", ranks lost" : "");
    }
    return tact_cli_signal() ? TACT_BAD_ARGUMENT : TACT_OK;
}

void tact_sweep_progress_end(void)
{
    tact_progress_stage("reading the table");
}
