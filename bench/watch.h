// A watch for solves, ours and others', that does not count what else a busy machine does.
//
// Short solves by the wall clock, of which the best of repeats is taken; a long one is interrupted
// by others in any event, and counts the processor time of its thread, whose clock costs too much
// to read (some 0.3 us) for a short one.
#ifndef TACT_BENCH_WATCH_H
#define TACT_BENCH_WATCH_H

#include <time.h>

typedef struct TactWatch {
    double thread; // s
    double wall;   // s
} TactWatch;

static inline double tact_watch_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline TactWatch tact_watch_start(void)
{
    TactWatch watch;
    watch.thread = tact_watch_read(CLOCK_THREAD_CPUTIME_ID);
    watch.wall = tact_watch_read(CLOCK_MONOTONIC);
    return watch;
}

/// Seconds since the start.
static inline double tact_watch_stop(const TactWatch *watch)
{
    const double is_long = 200e-6;
    double       wall = tact_watch_read(CLOCK_MONOTONIC) - watch->wall;
    double       thread = tact_watch_read(CLOCK_THREAD_CPUTIME_ID) - watch->thread;
    return wall > is_long && thread < wall ? thread : wall;
}

#endif
