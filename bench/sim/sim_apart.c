// A round of another engine in a process of its own: a single step of it may take hours, or more
// memory than there is.
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tact/base.h>
#include <unistd.h>

#include "bench/apart.h"
#include "bench/sim/sim.h"

// A dense matrix of all contacts of a thousand boxes takes more than machines have.
static const rlim_t MOST_BYTES = (rlim_t)8 << 30;

// Of a machine that is busy: seconds on the clock for one of the processor.
static const double BUSY = 4;

static void bound(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 &&
        (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)) {
        limit.rlim_cur = most;
        setrlimit(resource, &limit);
    }
}

/// The most memory that this process has had at a time.
static double taken_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

bool tact_sim_run_apart(TactSimRoundFunction *round, void *context, double longest,
                        TactSimRound *result)
{
    TactSimRound *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return false;
    }
    double start = tact_time_now();
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        bound(RLIMIT_AS, MOST_BYTES);
        bound(RLIMIT_CPU, (rlim_t)ceil(longest));
        double before = taken_bytes(); // with all that came with the fork
        round(context, shared);
        shared->bytes = fmax(0, taken_bytes() - before);
        _exit(0);
    }
    bool ended = process > 0 && tact_bench_wait_for(process, start + BUSY * longest);
    *result = *shared;
    munmap(shared, sizeof *shared);
    if (!ended) {
        result->end = TACT_SIM_STOPPED;
        result->held = (TactSimHeld){NAN, NAN, NAN};
        result->spent = fmax(result->spent, fmin(longest, tact_time_now() - start));
    }
    return process > 0;
}
