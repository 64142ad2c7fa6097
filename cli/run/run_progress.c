// How far a run is, on a terminal; and Ctrl-C.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/run/run.h"

static volatile sig_atomic_t came;

static void remember_signal(int signal)
{
    came = signal;
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

// ---------------------------------------------------------------------------------------------

enum { WIDTH = 30 };

static const double PERIOD = 0.1; // s from one look to the next

static bool shown;

/// 95 s as "1:35".
static const char *duration(double seconds, char text[32])
{
    long s = seconds < 1e8 ? (long)seconds : 100000000;
    if (s >= 3600) {
        snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, 32, "%ld:%02ld", s / 60, s % 60);
    }
    return text;
}

void tact_run_progress(const TactRun *run, long step, const TactSimReport *report)
{
    static double first, last;
    static long   before; // steps made at the first look
    static bool   terminal;
    double        now = tact_time_now();
    if (first == 0) {
        first = last = now;
        before = step;
        terminal = isatty(STDERR_FILENO);
    }
    if (!terminal || now - last < PERIOD) {
        return;
    }
    last = now;
    double share = (double)step / (double)run->steps;
    double rate = (double)(step - before) / (now - first); // steps a second
    char   left[32];
    shown = true;
    fprintf(stderr,
            "\r[%-*.*s] %3.0f %%  %.3g of %g s, %.3g x real time, %d contacts, %s left \033[K",
            WIDTH, (int)(WIDTH * share), "##############################", 100 * share,
            (double)step * run->dt, (double)run->steps * run->dt, rate * run->dt, report->contacts,
            duration((double)(run->steps - step) / rate, left));
}

void tact_run_progress_end(void)
{
    if (shown) {
        fprintf(stderr, "\r\033[K");
        shown = false;
    }
}
