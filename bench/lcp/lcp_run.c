// One solver on the instances of one family, timed.
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench_error.h"
#include "bench/lcp/lcp.h"
#include "bench/watch.h"

enum { MAX_N = 2048 };

void tact_bench_summarise(int count, TactBenchCell *cell)
{
    double *seconds = calloc((size_t)count + 1, sizeof *seconds);
    if (!seconds) {
        return;
    }
    double pivots = 0, iterations = 0;
    cell->asked = count;
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
        tact_bench_sort(seconds, cell->runs);
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
    for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
        TactWatch watch = tact_watch_start();
        if (tact_lcp_solve(solver, problem, z, &report) != TACT_OK) {
            return false;
        }
        double seconds = tact_watch_stop(&watch);
        run->seconds = repeat == 0 ? seconds : fmin(run->seconds, seconds);
        spent += seconds;
        if (tact_bench_is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->pivots = report.pivots;
    run->iterations = report.iterations;
    run->claimed = report.outcome == TACT_LCP_OUTCOME_SOLVED;
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

static void solve_peer_instance(const TactBenchSolver *solver, const TactLcpProblem *problem,
                                TactBenchRun *run)
{
    static double z[MAX_N];
    double        best = 0, spent = 0;
    bool          claimed = false;
    for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
        double seconds = 0;
        memset(z, 0, sizeof z);
        claimed =
            solver->peer->solve(problem, 50 * problem->n + 100, z, &seconds) == TACT_PEER_SOLVED;
        best = repeat == 0 ? seconds : fmin(best, seconds);
        spent += seconds;
        if (tact_bench_is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->claimed = claimed;
    run->error = tact_bench_error(problem, z);
    run->accepted = run->error <= solver->tolerance;
    run->seconds = best;
}

typedef struct PeerContext {
    const TactBenchSolver   *solver;
    const TactFamilyProblem *problems;
} PeerContext;

static void run_peer_instance(const void *context, int k, TactBenchRun *run)
{
    const PeerContext *peer = context;
    solve_peer_instance(peer->solver, &peer->problems[k].problem, run);
}

void tact_bench_run_peer(const TactBenchSolver *solver, const TactFamilyProblem *problems,
                         int count, double budget, TactBenchCell *cell)
{
    if (takes(solver->peer, &problems[0].problem) && problems[0].problem.n <= MAX_N) {
        PeerContext context = {solver, problems};
        cell->died = tact_bench_run_apart(run_peer_instance, &context, count, budget, cell->run);
    }
}
