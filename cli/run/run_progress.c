// How far a run is; and Ctrl-C.
#include <signal.h>

#include "cli/progress/progress.h"
#include "cli/run/run.h"

static volatile sig_atomic_t came;

static void remember_signal(int signal)
{
    came = signal;
    tact_interrupt_raise(); // a solve may take long
}

void tact_run_catch_signals(void)
{
    struct sigaction action = {.sa_handler = remember_signal};
    action.sa_flags = (int)SA_RESETHAND; // a second one ends the program at once
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int tact_run_signal(void)
{
    return came;
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
    double seconds = (double)(step - before) * run->dt;
    tact_progress_tell((double)step / (double)run->steps,
                       "%.3g of %g s, %.3g x real time, %d contacts", (double)step * run->dt,
                       (double)run->steps * run->dt, now > first ? seconds / (now - first) : 0,
                       report->contacts);
}
