#include "bench/apart.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tact/base.h>
#include <unistd.h>

// Seconds of repeats of one instance: enough for a best, and too many to repeat at all.
static const double enough = 2e-3, too_many = 0.1;

bool tact_bench_is_enough(double seconds_spent, int repeats)
{
    return seconds_spent >= too_many || (seconds_spent >= enough && repeats >= 3);
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void tact_bench_sort(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, compare_seconds);
}

/// What the process writes, and this one reads.
typedef struct Shared {
    volatile int done; // instances finished
    TactBenchRun run[];
} Shared;

static void work(TactBenchInstance *instance, const void *context, int first, int count,
                 double budget, Shared *shared)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    double start = tact_time_now();
    for (int k = first; k < count && tact_time_now() - start < budget; k++) {
        instance(context, k, &shared->run[k]);
        shared->done = k + 1;
    }
}

bool tact_bench_wait_for(pid_t process, double deadline)
{
    for (;;) {
        int status;
        if (waitpid(process, &status, WNOHANG) == process) {
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        if (tact_time_now() > deadline) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            return false;
        }
        usleep(500);
    }
}

int tact_bench_run_apart(TactBenchInstance *instance, const void *context, int count, double budget,
                         TactBenchRun *runs)
{
    size_t  size = sizeof(Shared) + (size_t)count * sizeof(TactBenchRun);
    Shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return 0;
    }
    int    died = 0;
    double start = tact_time_now();
    for (int first = 0; first < count && tact_time_now() - start < budget;) {
        double left = budget - (tact_time_now() - start);
        fflush(stdout);
        pid_t process = fork();
        if (process == 0) {
            work(instance, context, first, count, left, shared);
            _exit(0);
        }
        if (process < 0 || tact_bench_wait_for(process, tact_time_now() + 2 * left + 1)) {
            break;
        }
        // The instance it was at is a failure without an answer; go on with the next.
        int fatal = shared->done;
        died++;
        if (fatal < count) {
            shared->run[fatal] = (TactBenchRun){.seconds = 0, .error = HUGE_VAL};
        }
        first = shared->done = fatal + 1;
    }
    memcpy(runs, shared->run, (size_t)count * sizeof *runs);
    munmap(shared, size);
    return died;
}
