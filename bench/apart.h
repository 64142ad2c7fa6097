// Other people's code in a process of its own: it may print, run for ever or die.
#ifndef TACT_BENCH_APART_H
#define TACT_BENCH_APART_H

#include <stdbool.h>
#include <sys/types.h>

/// One instance, one solver.
typedef struct TactBenchRun {
    double seconds; // best of the repeats; 0: not run
    double error;   // of the answer, by the benchmark's check; infinity: no answer
    int    pivots;
    int    iterations;
    bool   claimed;  // the solver says that it solved it
    bool   accepted; // the benchmark agrees that it is a solution
} TactBenchRun;

/// Runs instance k.
typedef void TactBenchInstance(const void *context, int k, TactBenchRun *run);

/// Runs instances 0 .. count - 1 until they or the budget in seconds end; what it died of, or did
/// not end with, has seconds = 0 and an infinite error. Returns how often it died or was ended.
int tact_bench_run_apart(TactBenchInstance *instance, const void *context, int count, double budget,
                         TactBenchRun *runs);

/// Waits for a process until the deadline (tact_time_now()), then ends it. True: it ended well and
/// by itself.
bool tact_bench_wait_for(pid_t process, double deadline);

/// Shortest first.
void tact_bench_sort(double *seconds, int count);

/// Has an instance been repeated often enough for a best?
bool tact_bench_is_enough(double seconds_spent, int repeats);
enum { TACT_BENCH_MOST_REPEATS = 100 };

#endif
