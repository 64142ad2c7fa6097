// The ratios that the project promises, each from the same run and the same matrices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/lcp/lcp.h"

static int solver_index(const TactBench *bench, const char *name)
{
    for (int s = 0; s < bench->solvers; s++) {
        if (strcmp(bench->solver[s].name, name) == 0) {
            return s;
        }
    }
    return -1;
}

static int family_index(const TactBench *bench, const char *name)
{
    for (int f = 0; f < bench->families; f++) {
        if (strcmp(bench->family[f].name, name) == 0 && bench->n[f] > 0) {
            return f;
        }
    }
    return -1;
}

/// Time of a over time of b. A yardstick has no answer to agree with: all of its runs count.
static void print_ratio(const TactBench *bench, const char *a, const char *b, const char *family,
                        const char *wish)
{
    int f = family_index(bench, family);
    int s = solver_index(bench, a), t = solver_index(bench, b);
    if (f < 0 || s < 0 || t < 0) {
        return;
    }
    const TactBenchCell *x = tact_bench_cell(bench, f, s), *y = tact_bench_cell(bench, f, t);
    int                  both = 0;
    double               ratio = tact_bench_ratio(x, y, bench->options.instances, &both);
    bool                 yardstick = bench->solver[t].peer && !bench->solver[t].peer->is_lcp;
    if (yardstick && y->median > 0) {
        ratio = x->median / y->median;
        both = x->solved;
    }
    printf("  %-24s %4d  %9.2f  %s\n", family, both, ratio, wish);
}

static void print_ratios(const TactBench *bench, const char *a, const char *b,
                         const char *const *families, const char *wish)
{
    int other = solver_index(bench, b);
    if (solver_index(bench, a) < 0 || other < 0) {
        return;
    }
    bool yardstick = bench->solver[other].peer && !bench->solver[other].peer->is_lcp;
    printf("\ntime of %s / time of %s (%s)\n", a, b,
           yardstick ? "medians; instances solved" : "all instances both solve");
    for (int k = 0; families[k]; k++) {
        print_ratio(bench, a, b, families[k], wish);
    }
}

// ---------------------------------------------------------------------------------------------
// pgs and pgs-sm to 1e-8, with as many sweeps as it takes

enum { SWEEPS_TO_THE_END = 200000 };

static void run_to_the_end(const TactBench *bench, int family, TactLcpMethod method,
                           TactBenchCell *cell)
{
    int                count = bench->options.instances < 10 ? bench->options.instances : 10;
    TactFamilyProblem *problems = calloc((size_t)count, sizeof *problems);
    TactBenchSolver    solver = {.config = tact_lcp_config_default(method), .tolerance = 1e-8};
    solver.config.residual_tol = 1e-8;
    solver.config.max_iterations = SWEEPS_TO_THE_END;
    cell->run = calloc((size_t)bench->options.instances, sizeof *cell->run);
    bool made = problems && cell->run;
    for (int k = 0; made && k < count; k++) {
        made = tact_family_generate(&bench->family[family], (uint64_t)k, &problems[k]) == TACT_OK;
    }
    if (made) {
        tact_bench_run(&solver, problems, count, 10 * bench->options.budget, cell);
        tact_bench_summarise(count, cell);
    }
    for (int k = 0; problems && k < count; k++) {
        tact_family_problem_destroy(&problems[k]);
    }
    free(problems);
}

/// Total time of pgs over that of pgs-sm on what pgs-sm solves; where pgs gives up, its time until
/// then is counted, and the ratio is a lower bound.
static double sweeping_ratio(const TactBenchCell *pgs, const TactBenchCell *sm, int count,
                             int *compared, int *given_up)
{
    double time_pgs = 0, time_sm = 0;
    *compared = *given_up = 0;
    for (int k = 0; k < count; k++) {
        const TactBenchRun *x = &pgs->run[k], *y = &sm->run[k];
        if (x->seconds > 0 && y->seconds > 0 && y->claimed && y->accepted) {
            time_pgs += x->seconds;
            time_sm += y->seconds;
            ++*compared;
            *given_up += !(x->claimed && x->accepted);
        }
    }
    return *compared > 0 ? time_pgs / time_sm : NAN;
}

static void print_sweeping(const TactBench *bench, const char *const *families)
{
    if (solver_index(bench, "pgs") < 0 || solver_index(bench, "pgs-sm") < 0) {
        return;
    }
    printf("\ntime of pgs / time of pgs-sm to a relative error of 1e-8, at most %d sweeps\n",
           SWEEPS_TO_THE_END);
    printf("  %-24s %5s  %11s  %12s %12s  %8s %8s\n", "", "", "ratio", "pgs us", "pgs-sm us", "pgs",
           "pgs-sm");
    for (int k = 0; families[k]; k++) {
        int f = family_index(bench, families[k]);
        if (f < 0) {
            continue;
        }
        TactBenchCell pgs = {0}, sm = {0};
        int           compared = 0, given_up = 0;
        run_to_the_end(bench, f, TACT_LCP_METHOD_PGS, &pgs);
        run_to_the_end(bench, f, TACT_LCP_METHOD_PGS_SM, &sm);
        if (pgs.run && sm.run) {
            double ratio =
                sweeping_ratio(&pgs, &sm, bench->options.instances, &compared, &given_up);
            printf("  %-24s %5d  %s%9.2f  %12.1f %12.1f  %4d/%-3d %4d/%-3d  wanted: at least 3\n",
                   families[k], compared, given_up > 0 ? ">=" : "  ", ratio, 1e6 * pgs.median,
                   1e6 * sm.median, pgs.solved, pgs.asked, sm.solved, sm.asked);
        }
        free(pgs.run);
        free(sm.run);
    }
}

// ---------------------------------------------------------------------------------------------

static void print_totals(const TactBench *bench)
{
    printf("\nall families: solved of all problems of the families that a method takes, and "
           "answers called solved that are not\n");
    for (int s = 0; s < bench->solvers; s++) {
        int    asked = 0, left = 0, solved = 0, wrong = 0, died = 0;
        double worst = 0;
        for (int f = 0; f < bench->families; f++) {
            const TactBenchCell *cell = tact_bench_cell(bench, f, s);
            asked += cell->runs > 0 ? cell->asked : 0;
            left += cell->runs > 0 ? cell->asked - cell->runs : 0;
            solved += cell->solved;
            wrong += cell->wrong;
            died += cell->died;
            worst = fmax(worst, cell->worst);
        }
        if (!bench->solver[s].peer || bench->solver[s].peer->is_lcp) {
            printf("  %-20s %6d of %-6d wrong %-5d worst error of 'solved' %.1e%s",
                   bench->solver[s].name, solved, asked, wrong, worst,
                   died > 0 ? "  (died, or was ended)" : "");
            printf(left > 0 ? "  (%d not run within the budget)\n" : "\n", left);
        }
    }
}

void tact_bench_print_summary(const TactBench *bench)
{
    static const char *const friction[] = {"peg-16",  "peg-jittered-16", "block-16",    "groove-16",
                                           "ball-16", "stack-4-16",      "near-peg-16", NULL};
    static const char *const normal[] = {"frictionless-tower-50",
                                         "frictionless-tower-100",
                                         "frictionless-tower-150",
                                         "frictionless-soft-50",
                                         "frictionless-soft-100",
                                         "frictionless-soft-150",
                                         "spd-50",
                                         "spd-100",
                                         "spd-150",
                                         NULL};
    static const char *const stiff[] = {"frictionless-soft-50",
                                        "frictionless-soft-150",
                                        "frictionless-tower-150",
                                        "frictionless-ratio-3",
                                        "frictionless-ratio-4",
                                        "frictionless-ratio-5",
                                        "box-soft-5",
                                        "box-tower-10",
                                        "box-ratio-3",
                                        "box-ratio-4",
                                        NULL};
    print_totals(bench);
    print_ratios(bench, "siconos-lexicolemke", "lemke-lex", friction, "wanted: at least 10");
    print_ratios(bench, "dantzig", "lapack-dgesv", normal, "wanted: at most 3");
    print_ratios(bench, "dantzig", "ode-dantzig", normal, "wanted: at most 1");
    print_sweeping(bench, stiff);
}
