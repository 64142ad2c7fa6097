// `tact bench baraff`: what [Baraff94, 7] measures.
//
// Without friction, up to n = 150: time against one Gaussian elimination of A, and against ODE's
// Dantzig on the same A. With static friction: pivots and time as contacts are added.
#include "bench/baraff/baraff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"
#include "bench/wanted.h"

static const double WANTED = 1.5; // time of section 4 over ODE's, at most

typedef struct Options {
    int         instances;
    double      budget; // seconds a solver and point
    const char *peers;  // NULL: beside the program
} Options;

// ---------------------------------------------------------------------------------------------
// Tables

static void print_time(const TactBenchCell *cell)
{
    if (cell->runs > 0) {
        printf(" %9.2f", 1e6 * cell->median);
    } else {
        printf(" %9s", "-");
    }
}

static void print_ratio(double ratio)
{
    if (isfinite(ratio)) {
        printf(" %6.2f", ratio);
    } else {
        printf(" %6s", "-");
    }
}

/// Medians: the yardstick does not solve the LCP, so there are no instances that both solve.
static double over_dgesv(const TactBaraff *bench, TactBaraffColumn column)
{
    const TactBenchCell *yard = &bench->cell[TACT_BARAFF_DGESV];
    return yard->runs > 0 ? bench->cell[column].median / yard->median : NAN;
}

/// Is it as wanted?
static bool print_smooth(TactBaraff *bench, const TactBaraffPoint *point)
{
    const TactBenchCell *cell = bench->cell;
    int                  both = 0, n = bench->problems[0].problem.n;
    double               ratio = cell[TACT_BARAFF_ODE].runs > 0
                                     ? tact_bench_ratio(&cell[TACT_BARAFF_SECTION_4], &cell[TACT_BARAFF_ODE],
                                                        bench->instances, &both)
                                     : NAN;
    ratio = both > 0 ? ratio : NAN;
    printf("%-6s %3d %3d %6.0e %7.1f", tact_baraff_shape_name(point->shape), n, point->bodies,
           point->softness, bench->clamped / cell[TACT_BARAFF_WHOLE].runs);
    print_time(&cell[TACT_BARAFF_SECTION_4]);
    printf(" %4d", cell[TACT_BARAFF_SECTION_4].solved);
    print_time(&cell[TACT_BARAFF_WHOLE]);
    printf(" %4d", cell[TACT_BARAFF_WHOLE].solved);
    print_time(&cell[TACT_BARAFF_ODE]);
    printf(" %4d", cell[TACT_BARAFF_ODE].solved);
    print_ratio(ratio);
    print_time(&cell[TACT_BARAFF_DGESV]);
    print_ratio(over_dgesv(bench, TACT_BARAFF_SECTION_4));
    print_ratio(over_dgesv(bench, TACT_BARAFF_WHOLE));
    print_ratio(cell[TACT_BARAFF_QP].solved > 0
                    ? cell[TACT_BARAFF_QP].median / cell[TACT_BARAFF_SECTION_4].median
                    : NAN);
    printf(" %4d", cell[TACT_BARAFF_QP].solved);
    bool holds = !(ratio > WANTED) &&
                 cell[TACT_BARAFF_SECTION_4].solved == cell[TACT_BARAFF_SECTION_4].asked &&
                 cell[TACT_BARAFF_WHOLE].solved == cell[TACT_BARAFF_WHOLE].asked;
    tact_bench_wanted(holds);
    printf(holds ? "\n" : "  MISSED\n");
    fflush(stdout);
    return holds;
}

static TactStatus smooth_table(TactBaraff *bench, int *missed)
{
    int                    count;
    const TactBaraffPoint *points = tact_baraff_smooth(&count);
    printf("Without friction, %d problems a row. Section 4 of the paper on A (dantzig), and baraff "
           "from bodies to\ncertificate; ODE's Dantzig and the QP solver CLP on the same A; one "
           "LAPACK dgesv "
           "of A. Compliance relative to A_ii;\n0: A is singular. Medians in us; ratios to ODE on "
           "what "
           "both solve, at most %.1f.\n",
           bench->instances, WANTED);
    printf("%-6s %3s %3s %6s %7s %9s %4s %9s %4s %9s %4s %6s %9s %6s %6s %6s %4s\n", "", "n", "m",
           "soft", "clamped", "4", "ok", "baraff", "ok", "ODE", "ok", "4/ODE", "dgesv", "4/",
           "all/", "QP/4", "ok");
    for (int k = 0; k < count; k++) {
        tact_bench_progress(k, count, "without friction");
        TactStatus status = tact_baraff_run(bench, &points[k]);
        if (status != TACT_OK) {
            return status;
        }
        *missed += !print_smooth(bench, &points[k]);
    }
    return TACT_OK;
}

static TactStatus friction_table(TactBaraff *bench, int *missed)
{
    int                    count;
    const TactBaraffPoint *points = tact_baraff_rough(&count);
    printf(
        "\nWith friction, mu = 0.25, circular cone: medians of time, means of the rest. Drives of "
        "one attempt with the\npaper's frozen directions of friction, over n; then directions are "
        "turned until they oppose the slip.\n");
    printf("%-6s %3s %3s %9s %9s %8s %6s %9s %9s %6s\n", "", "n", "m", "us", "ok/all", "drives/n",
           "pivots", "pivots/n", "attempts", "turns");
    tact_bench_progress_within(1, 2);
    for (int k = 0; k < count; k++) {
        tact_bench_progress(k, count, "with friction");
        TactStatus status = tact_baraff_run(bench, &points[k]);
        if (status != TACT_OK) {
            return status;
        }
        const TactBenchCell *cell = &bench->cell[TACT_BARAFF_WHOLE];
        int                  n = bench->cases[0].problem.contact_count;
        printf("%-6s %3d %3d", tact_baraff_shape_name(points[k].shape), n, points[k].bodies);
        print_time(cell);
        bool holds = cell->solved == cell->asked;
        printf(" %4d/%-4d %8.2f %6.1f %9.2f %9.2f %6.1f", cell->solved, cell->asked,
               bench->drives / bench->attempts / n, cell->mean_pivots, cell->mean_pivots / n,
               cell->mean_iterations, bench->turns / cell->runs);
        if (cell->runs < cell->asked) {
            printf("  %d not run", cell->asked - cell->runs);
        }
        tact_bench_wanted(holds);
        *missed += !holds;
        printf(holds ? "\n" : "  MISSED\n");
        fflush(stdout);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static const char help_text[] =
    "usage: tact bench baraff [--instances N] [--budget S] [--peers FILE]\n\n"
    "What Baraff's paper measures: contact forces without friction against one Gaussian\n"
    "elimination and ODE, up to 150 contacts, and the pivots that friction asks for.\n\n"
    "  --instances N  problems a row (20)\n"
    "  --budget S     seconds a solver and row (10)\n"
    "  --peers FILE   the module with other people's solvers (beside the program); none: "
    "without\n";

static int read_options(int argc, char **argv, Options *options)
{
    *options = (Options){.instances = 20, .budget = 10};
    const TactBenchOption words[] = {
        {"--instances", TACT_BENCH_INTEGER, &options->instances, 1, 1000},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-9, 1e9},
        {"--peers", TACT_BENCH_TEXT, &options->peers, 0, 0},
        {0},
    };
    return tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "baraff", .help = help_text, .options = words}, argc,
        argv);
}

int tact_bench_baraff(int argc, char **argv)
{
    Options    options;
    TactBaraff bench;
    int        missed = 0, status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    TactStatus done = tact_baraff_create(options.instances, options.budget, &bench);
    if (done == TACT_OK) {
        tact_baraff_add_peers(&bench, options.peers);
        tact_bench_progress_within(0, 2);
        done = smooth_table(&bench, &missed);
    }
    done = done == TACT_OK ? friction_table(&bench, &missed) : done;
    if (done == TACT_OK) {
        printf("\n%s\n", missed ? "some rows are not as wanted: MISSED"
                                : "all rows as wanted: solved, and the ratio holds");
    } else {
        status = tact_bench_refuse("baraff", "no memory for", "the problems");
    }
    tact_baraff_destroy(&bench);
    return status;
}
