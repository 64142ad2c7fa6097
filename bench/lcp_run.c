// One solver on the instances of one family, timed.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "lcp.h"

enum { MOST_REPEATS = 100, MAX_N = 1024 };

// Seconds of repeats of one instance: enough for a best, and too many to repeat at all.
static const double enough = 2e-3, too_many = 0.1;

static bool is_enough(double spent, int repeats)
{
    return spent >= too_many || (spent >= enough && repeats >= 3);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void tact_bench_summarise(int count, TactBenchCell *cell)
{
    double *seconds = calloc((size_t)count + 1, sizeof *seconds);
    if (!seconds) {
        return;
    }
    double pivots = 0, iterations = 0;
    for (int k = 0; k < count; k++) {
        const TactBenchRun *run = &cell->run[k];
        if (run->seconds <= 0) {
            continue;
        }
        seconds[cell->runs++] = run->seconds;
        cell->claimed += run->claimed;
        cell->solved += run->claimed && run->accepted;
        cell->wrong += run->claimed && !run->accepted;
        cell->worst = run->claimed ? fmax(cell->worst, run->error) : cell->worst;
        pivots += run->pivots;
        iterations += run->iterations;
    }
    if (cell->runs > 0) {
        qsort(seconds, (size_t)cell->runs, sizeof *seconds, compare);
        cell->median = seconds[cell->runs / 2];
        cell->best = seconds[0];
        cell->mean_pivots = pivots / cell->runs;
        cell->mean_iterations = iterations / cell->runs;
    }
    free(seconds);
}

// ---------------------------------------------------------------------------------------------
// Methods of tact

static bool run_instance(TactLcpSolver *solver, const TactLcpProblem *problem, double tolerance,
                         TactBenchRun *run)
{
    static double z[MAX_N];
    TactLcpReport report;
    double        spent = 0;
    for (int repeat = 0; repeat < MOST_REPEATS; repeat++) {
        double start = tact_time_now();
        if (tact_lcp_solve(solver, problem, z, &report) != TACT_OK) {
            return false;
        }
        double seconds = tact_time_now() - start;
        run->seconds = repeat == 0 ? seconds : fmin(run->seconds, seconds);
        spent += seconds;
        if (is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->pivots = report.pivots;
    run->iterations = report.iterations;
    run->claimed = report.outcome == TACT_LCP_SOLVED;
    run->error = tact_bench_error(problem, z);
    run->accepted = run->error <= tolerance;
    return true;
}

void tact_bench_run(const TactBenchSolver *solver, const TactFamilyProblem *problems, int count,
                    double budget, TactBenchCell *cell)
{
    int n = 0;
    for (int k = 0; k < count; k++) {
        n = problems[k].problem.n > n ? problems[k].problem.n : n;
    }
    TactLcpSolver *created;
    if (n > MAX_N || tact_lcp_solver_create(n, &solver->config, &created) != TACT_OK) {
        return; // e.g. enumerate: too large
    }
    double start = tact_time_now();
    for (int k = 0; k < count && tact_time_now() - start < budget; k++) {
        if (!run_instance(created, &problems[k].problem, solver->tolerance, &cell->run[k])) {
            break; // a form that the method refuses
        }
    }
    tact_lcp_solver_destroy(created);
}

// ---------------------------------------------------------------------------------------------
// Peers

static bool takes(const TactPeer *peer, const TactLcpProblem *problem)
{
    unsigned needs = problem->f_index ? TACT_LCP_TAKES_FRICTION : 0;
    size_t   n = (size_t)problem->n;
    for (size_t i = 0; i < n; i++) {
        bool lower = !problem->lo || problem->lo[i] == 0;
        bool upper = !problem->hi || isinf(problem->hi[i]);
        if (!lower || !upper) {
            needs |= upper ? TACT_LCP_TAKES_FREE : TACT_LCP_TAKES_UPPER;
        }
        needs |= problem->M[i * n + i] > 0 ? 0 : TACT_LCP_TAKES_ZERO_DIAGONAL;
        for (size_t j = 0; j < i; j++) {
            double a = problem->M[i * n + j], b = problem->M[j * n + i];
            needs |= fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) ? 0 : TACT_LCP_TAKES_ASYMMETRIC;
        }
    }
    return (needs & ~peer->takes) == 0;
}

static void run_peer_instance(const TactBenchSolver *solver, const TactLcpProblem *problem,
                              TactBenchRun *run)
{
    static double z[MAX_N];
    double        best = 0, spent = 0;
    bool          claimed = false;
    for (int repeat = 0; repeat < MOST_REPEATS; repeat++) {
        double seconds = 0;
        memset(z, 0, sizeof z);
        claimed =
            solver->peer->solve(problem, 50 * problem->n + 100, z, &seconds) == TACT_PEER_SOLVED;
        best = repeat == 0 ? seconds : fmin(best, seconds);
        spent += seconds;
        if (is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->claimed = claimed;
    run->error = tact_bench_error(problem, z);
    run->accepted = run->error <= solver->tolerance;
    run->seconds = best;
}

/// What the peer's process writes, and this one reads.
typedef struct Shared {
    volatile int done; // instances finished
    TactBenchRun run[];
} Shared;

static void be_the_peer(const TactBenchSolver *solver, const TactFamilyProblem *problems, int first,
                        int count, double budget, Shared *shared)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    double start = tact_time_now();
    for (int k = first; k < count && tact_time_now() - start < budget; k++) {
        run_peer_instance(solver, &problems[k].problem, &shared->run[k]);
        shared->done = k + 1;
    }
}

/// Waits for the process until the deadline, then ends it. True: it ended well and by itself.
static bool wait_for(pid_t process, double deadline)
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
        usleep(1000);
    }
}

void tact_bench_run_peer(const TactBenchSolver *solver, const TactFamilyProblem *problems,
                         int count, double budget, TactBenchCell *cell)
{
    if (!takes(solver->peer, &problems[0].problem) || problems[0].problem.n > MAX_N) {
        return;
    }
    size_t  size = sizeof(Shared) + (size_t)count * sizeof(TactBenchRun);
    Shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return;
    }
    double start = tact_time_now();
    for (int first = 0; first < count && tact_time_now() - start < budget;) {
        double left = budget - (tact_time_now() - start);
        fflush(stdout);
        pid_t process = fork();
        if (process == 0) {
            be_the_peer(solver, problems, first, count, left, shared);
            _exit(0);
        }
        if (process < 0 || wait_for(process, tact_time_now() + 2 * left + 1)) {
            break;
        }
        // The instance it was at is a failure without an answer; go on with the next.
        int fatal = shared->done;
        cell->died++;
        if (fatal < count) {
            shared->run[fatal] = (TactBenchRun){.seconds = 0, .error = HUGE_VAL};
        }
        first = shared->done = fatal + 1;
    }
    memcpy(cell->run, shared->run, (size_t)count * sizeof *cell->run);
    munmap(shared, size);
}

static const TactPeer *load(const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        return NULL;
    }
    TactPeersFunction *function;
    *(void **)&function = dlsym(module, TACT_PEERS_SYMBOL);
    return function ? function() : NULL;
}

const TactPeer *tact_bench_load_peers(const char *path)
{
    char    program[PATH_MAX], beside[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (!path && length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        int   folder = slash ? (int)(slash - program) : 0;
        snprintf(beside, sizeof beside, "%.*s/tact-peers.so", folder, program);
        path = beside;
    }
    const TactPeer *peers = path ? load(path) : NULL;
    if (!peers) {
        fprintf(stderr, "no peers: %s\n", path ? dlerror() : "where the program is, is unknown");
    }
    return peers;
}
