// How far a sweep is, on a terminal; and Ctrl-C.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/run/run.h"
#include "cli/sweep/sweep.h"

enum { WIDTH = 30 };

static bool terminal, drawn;

void tact_sweep_progress_begin(bool quiet)
{
    terminal = !quiet && isatty(STDERR_FILENO);
    tact_run_catch_signals();
}

/// 95 s as "1:35".
static const char *clock_words(double seconds, char text[32])
{
    long s = seconds < 1e8 ? (long)seconds : 100000000;
    if (s >= 3600) {
        snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, 32, "%ld:%02ld", s / 60, s % 60);
    }
    return text;
}

TactStatus tact_sweep_progress(void *context, const TactSweepProgress *p)
{
    const TactSweepPlan *plan = context;
    if (terminal) {
        int    made = p->done - p->before;
        double share = (double)p->done / p->trials, rate = made / p->elapsed; // trials a second
        char   left[32];
        drawn = true;
        fprintf(stderr,
                "\r[%-*.*s] %3.0f %%  %d of %d trials, %.3g a second, %s %.0f %%%s, %s left \033[K",
                WIDTH, (int)(WIDTH * share), "##############################", 100 * share, p->done,
                p->trials, rate, plan->outcomes[0], made > 0 ? 100.0 * p->outcomes[0] / made : 0.0,
                p->lost > 0 ? ", ranks lost" : "",
                made > 0 ? clock_words((p->trials - p->done) / rate, left) : "?");
    }
    return tact_run_signal() ? TACT_BAD_ARGUMENT : TACT_OK;
}

void tact_sweep_progress_end(void)
{
    if (drawn) {
        fprintf(stderr, "\r\033[K");
        drawn = false;
    }
}
