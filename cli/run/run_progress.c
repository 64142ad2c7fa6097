// How far a run is.
#include "cli/progress/progress.h"
#include "cli/run/run.h"

/// Of three digits; of large numbers all before the point.
static int decimals(double x)
{
    return x >= 100 ? 0 : x >= 10 ? 1 : 2;
}

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
    double seconds = (double)(step - before) * run->dt, time = (double)step * run->dt;
    double speed = now > first ? seconds / (now - first) : 0;
    tact_progress_tell((double)step / (double)run->steps,
                       "%.*f of %g s, %.*f x real time, %d contacts", decimals(time), time,
                       (double)run->steps * run->dt, decimals(speed), speed, report->contacts);
}
