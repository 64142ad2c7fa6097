// How far a run is.
#include "cli/progress/progress.h"
#include "cli/run/run.h"

void tact_run_progress(const TactRun *run, long step, const TactSimReport *report)
{
    static double first;  // s, of the first look
    static long   before; // steps made then
    if (!tact_progress_due()) {
        return;
    }
    double now = tact_time_now();
    if (first == 0) {
        first = now;
        before = step;
    }
    double seconds = (double)(step - before) * run->dt;
    tact_progress_tell((double)step / (double)run->steps,
                       "%.3g of %g s, %.3g x real time, %d contacts", (double)step * run->dt,
                       (double)run->steps * run->dt, now > first ? seconds / (now - first) : 0,
                       report->contacts);
}
