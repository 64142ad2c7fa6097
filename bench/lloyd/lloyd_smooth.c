#include "bench/lloyd/lloyd_smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/lcp/lcp.h"
#include "bench/problems/problems.h"
#include "bench/wanted.h"
#include "bench/watch.h"

/// One set of problems: cells of dantzig, of ODE on the same matrices, and on matrices with a
/// diagonal.
typedef struct Smooth {
    int                count;
    TactContactCase   *cases;
    TactFamilyProblem *exact;
    TactFamilyProblem *soft;
    TactBenchCell      ours, ode, ode_soft;
    double             baraff; // mean seconds of a whole tact_contact_solve()
    int                baraff_solved;
} Smooth;

static const double diagonal = 1e-8;

static TactStatus create(Smooth *smooth, const TactLloydPoint *point, int count)
{
    size_t size = (size_t)count;
    *smooth = (Smooth){
        .count = count,
        .cases = calloc(size, sizeof *smooth->cases),
        .exact = calloc(size, sizeof *smooth->exact),
        .soft = calloc(size, sizeof *smooth->soft),
        .ours.run = calloc(size, sizeof(TactBenchRun)),
        .ode.run = calloc(size, sizeof(TactBenchRun)),
        .ode_soft.run = calloc(size, sizeof(TactBenchRun)),
    };
    TactStatus status = smooth->cases && smooth->exact && smooth->soft && smooth->ours.run &&
                                smooth->ode.run && smooth->ode_soft.run
                            ? TACT_OK
                            : TACT_NO_MEMORY;
    for (int k = 0; status == TACT_OK && k < count; k++) {
        status = tact_lloyd_generate(point, (uint64_t)k, &smooth->cases[k]);
        for (int i = 0; i < smooth->cases[k].problem.contact_count; i++) {
            smooth->cases[k].contacts[i].mu = 0;
        }
        if (status == TACT_OK) {
            status = tact_case_frictionless(&smooth->cases[k].problem, &smooth->exact[k]);
        }
        if (status == TACT_OK) {
            status = tact_case_frictionless(&smooth->cases[k].problem, &smooth->soft[k]);
        }
        for (size_t i = 0; status == TACT_OK && i < (size_t)smooth->soft[k].problem.n; i++) {
            smooth->soft[k].M[i * (size_t)smooth->soft[k].problem.n + i] += diagonal;
        }
    }
    return status;
}

static void destroy(Smooth *smooth)
{
    for (int k = 0; k < smooth->count && smooth->cases && smooth->exact && smooth->soft; k++) {
        tact_case_destroy(&smooth->cases[k]);
        tact_family_problem_destroy(&smooth->exact[k]);
        tact_family_problem_destroy(&smooth->soft[k]);
    }
    free(smooth->cases);
    free(smooth->exact);
    free(smooth->soft);
    free(smooth->ours.run);
    free(smooth->ode.run);
    free(smooth->ode_soft.run);
}

static void run_baraff(Smooth *smooth)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BARAFF);
    TactContactCapacity capacity = tact_contact_get_capacity(&smooth->cases[0].problem);
    TactContactSolver  *solver = NULL;
    double             *impulse = calloc(3 * (size_t)capacity.contacts, sizeof *impulse);
    config.cone = TACT_CONE_CIRCLE;
    if (impulse && tact_contact_solver_create(&capacity, &config, &solver) == TACT_OK) {
        for (int k = 0; k < smooth->count; k++) {
            TactContactAnswer answer = {.impulse = impulse};
            TactContactReport report = {0};
            double            best = HUGE_VAL;
            bool              done = true;
            for (int repeat = 0; repeat < 20; repeat++) {
                tact_contact_solver_forget(solver);
                TactWatch  watch = tact_watch_start();
                TactStatus status =
                    tact_contact_solve(solver, &smooth->cases[k].problem, &answer, &report);
                best = fmin(best, tact_watch_stop(&watch));
                done = done && status == TACT_OK;
            }
            smooth->baraff += best / smooth->count;
            smooth->baraff_solved += done && report.outcome == TACT_OUTCOME_SOLVED;
        }
    }
    tact_contact_solver_destroy(solver);
    free(impulse);
}

/// Median time, and solved/run.
static void print_cell(const TactBenchCell *cell)
{
    printf(" %7.2f %3d/%-3d", 1e6 * cell->median, cell->solved, cell->asked);
}

static void print_ratio(double ratio)
{
    char text[32] = "-";
    if (!isnan(ratio)) {
        snprintf(text, sizeof text, "%.2f", ratio);
    }
    printf(" %6s", text);
}

static void print_row(const TactLloydPoint *point, const Smooth *smooth)
{
    int    both, soft;
    double same = tact_bench_ratio(&smooth->ours, &smooth->ode, smooth->count, &both);
    double other = tact_bench_ratio(&smooth->ours, &smooth->ode_soft, smooth->count, &soft);
    printf("  %-5s m = %-2d n = %-3d", tact_lloyd_shape_name(point->shape), point->bodies,
           point->contacts);
    print_cell(&smooth->ours);
    print_cell(&smooth->ode);
    print_ratio(same);
    print_cell(&smooth->ode_soft);
    print_ratio(other);
    printf(" %-7s", tact_bench_wanted(other <= 1.5 && !(same > 1.5)));
    printf(" %7.2f %3d/%-3d\n", 1e6 * smooth->baraff, smooth->baraff_solved, smooth->count);
}

static void run_point(const TactLloyd *lloyd, const TactPeer *ode, const TactLloydPoint *point)
{
    Smooth          smooth;
    TactLcpConfig   config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    TactBenchSolver dantzig = {"dantzig", NULL, config, config.residual_tol};
    TactBenchSolver peer = {.name = ode->name, .peer = ode, .tolerance = 1e-8};
    if (create(&smooth, point, lloyd->options.instances) == TACT_OK) {
        double budget = lloyd->options.budget;
        tact_bench_run(&dantzig, smooth.exact, smooth.count, budget, &smooth.ours);
        tact_bench_run_peer(&peer, smooth.exact, smooth.count, budget, &smooth.ode);
        tact_bench_run_peer(&peer, smooth.soft, smooth.count, budget, &smooth.ode_soft);
        tact_bench_summarise(smooth.count, &smooth.ours);
        tact_bench_summarise(smooth.count, &smooth.ode);
        tact_bench_summarise(smooth.count, &smooth.ode_soft);
        run_baraff(&smooth);
        print_row(point, &smooth);
    }
    destroy(&smooth);
}

void tact_lloyd_smooth(const TactLloyd *lloyd)
{
    static const TactLloydPoint points[] = {
        {TACT_LLOYD_PEG, 8, 1, 8, 0},     {TACT_LLOYD_PEG, 16, 1, 8, 0},
        {TACT_LLOYD_PEG, 32, 1, 8, 0},    {TACT_LLOYD_STACK, 8, 2, 8, 0},
        {TACT_LLOYD_STACK, 20, 5, 8, 0},  {TACT_LLOYD_STACK, 32, 5, 8, 0},
        {TACT_LLOYD_STACK, 40, 10, 8, 0},
    };
    TactPeers peers;
    if (!tact_bench_load_peers(lloyd->options.module, &peers)) {
        return;
    }
    for (const TactPeer *peer = peers.lcp; peer->name; peer++) {
        if (strcmp(peer->name, "ode-dantzig") == 0) {
            printf("\nWithout friction: dantzig on N'N as it is, ODE's Dantzig on the same "
                   "matrices and with %g on their\ndiagonal; dantzig's time, check of the problem "
                   "and certificate included, over ODE's, which has neither, on\nthe problems both "
                   "solve (wanted: at most 1.5); and a whole solve by baraff, from bodies to "
                   "certificate.\nus, solved/run\n",
                   diagonal);
            printf("  %-20s %15s %15s %6s %15s %6s %7s %15s\n", "", "dantzig", "ODE", "ratio",
                   "ODE, diagonal", "ratio", "", "baraff");
            for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
                run_point(lloyd, peer, &points[k]);
            }
        }
    }
}
