// `tact bench baraff`: what [Baraff94, 7] measures.
//
// Without friction, up to n = 150: time against one Gaussian elimination of A, and against ODE's
// Dantzig on the same A. With static friction: pivots and time as contacts are added.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "contact_lcp.h"
#include "contact_scenes.h"
#include "lcp.h"
#include "watch.h"

static const double WANTED = 1.5; // time of section 4 over ODE's, at most

typedef enum Shape { PEG, TOWER } Shape;

/// Problems of one size.
typedef struct Point {
    Shape  shape;
    int    bodies, each; // contacts of a body
    double softness;     // compliance of the contacts, relative to the mean of A_ii
    double mu;
} Point;

typedef struct Options {
    int         instances;
    double      budget; // seconds a solver and point
    const char *peers;  // NULL: beside the program
} Options;

typedef enum Column { SECTION_4, WHOLE, ODE, DGESV, COLUMNS } Column;

typedef struct Bench {
    Options            options;
    const TactPeer    *peer[COLUMNS];
    TactContactCase   *cases;    // (instances)
    TactFamilyProblem *problems; // A and b without friction               (instances)
    TactBenchCell      cell[COLUMNS];
    double             clamped; // sum over the problems run
    double             turns;   // the same
    int                missed;  // ratios that are not as wanted
} Bench;

// ---------------------------------------------------------------------------------------------
// Problems

static void soften(TactContactCase *made, double softness)
{
    double sum = 0;
    for (int i = 0; i < made->problem.contact_count; i++) {
        const TactContact *contact = &made->contacts[i];
        sum += (contact->a >= 0 ? 1 / made->bodies[contact->a].mass : 0) +
               1 / made->bodies[contact->b].mass;
    }
    for (int i = 0; i < made->problem.contact_count; i++) {
        made->contacts[i].compliance = softness * sum / made->problem.contact_count;
    }
}

static TactStatus make(const Point *point, uint64_t seed, TactContactCase *out)
{
    TactRandom random = tact_random_seed(1000 * (uint64_t)point->each + seed);
    TactScene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        return TACT_NO_MEMORY;
    }
    if (point->shape == PEG) {
        tact_scene_peg(scene, &random, point->each, 0);
    } else {
        tact_scene_stack(scene, &random, point->bodies, point->each, NULL);
    }
    tact_scene_load(scene, &random);
    for (int i = 0; i < scene->contacts; i++) {
        scene->contact[i].mu = point->mu;
    }
    TactStatus status = tact_case_from_scene(scene, out);
    if (status == TACT_OK) {
        soften(out, point->softness);
    }
    free(scene);
    return status;
}

static TactStatus make_matrix(const TactContactCase *made, TactFamilyProblem *out)
{
    TactStatus status = tact_case_frictionless(&made->problem, out);
    for (size_t i = 0; status == TACT_OK && i < (size_t)out->problem.n; i++) {
        out->M[i * (size_t)out->problem.n + i] += made->contacts[i].compliance;
    }
    return status;
}

static void clear(Bench *bench)
{
    for (int k = 0; k < bench->options.instances; k++) {
        tact_case_destroy(&bench->cases[k]);
        tact_family_problem_destroy(&bench->problems[k]);
        bench->cases[k] = (TactContactCase){0};
        bench->problems[k] = (TactFamilyProblem){0};
    }
    for (int c = 0; c < COLUMNS; c++) {
        TactBenchRun *run = bench->cell[c].run;
        memset(run, 0, (size_t)bench->options.instances * sizeof *run);
        bench->cell[c] = (TactBenchCell){.run = run};
    }
    bench->clamped = bench->turns = 0;
}

static TactStatus fill(Bench *bench, const Point *point)
{
    clear(bench);
    for (int k = 0; k < bench->options.instances; k++) {
        TactStatus status = make(point, (uint64_t)k, &bench->cases[k]);
        if (status == TACT_OK && point->mu == 0) {
            status = make_matrix(&bench->cases[k], &bench->problems[k]);
        }
        if (status != TACT_OK) {
            return status;
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Runs

/// `baraff` on one problem, from bodies and contacts to the certificate.
static void run_whole(TactContactSolver *solver, const TactContactProblem *problem,
                      const TactContactAnswer *answer, Bench *bench, TactBenchRun *run)
{
    TactContactReport report;
    double            spent = 0;
    for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
        tact_contact_solver_forget(solver);
        TactWatch watch = tact_watch_start();
        if (tact_contact_solve(solver, problem, answer, &report) != TACT_OK) {
            return;
        }
        double seconds = tact_watch_stop(&watch);
        run->seconds = repeat == 0 ? seconds : fmin(run->seconds, seconds);
        spent += seconds;
        if (tact_bench_is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->claimed = run->accepted = report.outcome == TACT_CONTACT_SOLVED;
    run->error = report.certificate.error;
    run->pivots = report.pivots;
    run->iterations = report.iterations;
    double pressed = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        pressed += answer->impulse[3 * i] > 0;
    }
    bench->clamped += pressed;
    bench->turns += report.turns;
}

static TactStatus run_all_whole(Bench *bench)
{
    TactContactConfig   config = tact_contact_config_default(TACT_CONTACT_BARAFF);
    TactContactCapacity capacity = tact_contact_capacity(&bench->cases[0].problem);
    TactContactSolver  *solver = NULL;
    double             *impulse = calloc(3 * (size_t)capacity.contacts + 1, sizeof *impulse);
    config.cone = TACT_CONTACT_CIRCLE;
    TactStatus status =
        impulse ? tact_contact_solver_create(&capacity, &config, &solver) : TACT_NO_MEMORY;
    double start = tact_time_now();
    for (int k = 0; status == TACT_OK && k < bench->options.instances &&
                    tact_time_now() - start < bench->options.budget;
         k++) {
        TactContactAnswer answer = {.impulse = impulse};
        run_whole(solver, &bench->cases[k].problem, &answer, bench, &bench->cell[WHOLE].run[k]);
    }
    tact_contact_solver_destroy(solver);
    free(impulse);
    return status;
}

static TactStatus run_smooth(Bench *bench)
{
    int             count = bench->options.instances;
    TactLcpConfig   config = tact_lcp_config_default(TACT_LCP_DANTZIG);
    TactBenchSolver ours = {"dantzig", NULL, config, config.residual_tol};
    TactStatus      status = run_all_whole(bench);
    tact_bench_run(&ours, bench->problems, count, bench->options.budget, &bench->cell[SECTION_4]);
    for (int c = ODE; c < COLUMNS; c++) {
        if (bench->peer[c]) {
            TactBenchSolver peer = {bench->peer[c]->name, bench->peer[c], .tolerance = 1e-8};
            tact_bench_run_peer(&peer, bench->problems, count, bench->options.budget,
                                &bench->cell[c]);
        }
    }
    for (int c = 0; c < COLUMNS; c++) {
        tact_bench_summarise(count, &bench->cell[c]);
    }
    return status;
}

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
static double over_dgesv(const Bench *bench, Column column)
{
    const TactBenchCell *yard = &bench->cell[DGESV];
    return yard->runs > 0 ? bench->cell[column].median / yard->median : NAN;
}

static void print_smooth(Bench *bench, const Point *point)
{
    const TactBenchCell *cell = bench->cell;
    int                  both = 0, n = bench->problems[0].problem.n;
    double               ratio = cell[ODE].runs > 0 ? tact_bench_ratio(&cell[SECTION_4], &cell[ODE],
                                                                       bench->options.instances, &both)
                                                    : NAN;
    ratio = both > 0 ? ratio : NAN;
    printf("%-6s %3d %3d %6.0e %7.1f", point->shape == PEG ? "peg" : "tower", n, point->bodies,
           point->softness, bench->clamped / cell[WHOLE].runs);
    print_time(&cell[SECTION_4]);
    printf(" %4d", cell[SECTION_4].solved);
    print_time(&cell[WHOLE]);
    printf(" %4d", cell[WHOLE].solved);
    print_time(&cell[ODE]);
    printf(" %4d", cell[ODE].solved);
    print_ratio(ratio);
    print_time(&cell[DGESV]);
    print_ratio(over_dgesv(bench, SECTION_4));
    print_ratio(over_dgesv(bench, WHOLE));
    bool holds = !(ratio > WANTED) && cell[SECTION_4].solved == cell[SECTION_4].runs &&
                 cell[WHOLE].solved == cell[WHOLE].runs;
    printf(holds ? "\n" : "  MISSED\n");
    bench->missed += !holds;
    fflush(stdout);
}

static TactStatus smooth_table(Bench *bench)
{
    static const Point points[] = {
        {PEG, 1, 8, 0, 0},       {PEG, 1, 16, 0, 0},      {PEG, 1, 32, 0, 0},
        {TOWER, 2, 4, 0, 0},     {TOWER, 5, 4, 0, 0},     {TOWER, 10, 5, 0, 0},
        {TOWER, 20, 5, 0, 0},    {TOWER, 30, 5, 0, 0},    {PEG, 1, 8, 1e-6, 0},
        {PEG, 1, 16, 1e-6, 0},   {PEG, 1, 32, 1e-6, 0},   {TOWER, 2, 4, 1e-6, 0},
        {TOWER, 5, 4, 1e-6, 0},  {TOWER, 10, 5, 1e-6, 0}, {TOWER, 20, 5, 1e-6, 0},
        {TOWER, 30, 5, 1e-6, 0},
    };
    printf("Without friction, %d problems a row. Section 4 of the paper on A (dantzig), and baraff "
           "from bodies to\ncertificate; ODE's Dantzig on the same A; one LAPACK dgesv of A. "
           "Compliance relative to A_ii; 0: A is\nsingular. Medians in us; ratios to ODE on what "
           "both solve, at most %.1f.\n",
           bench->options.instances, WANTED);
    printf("%-6s %3s %3s %6s %7s %9s %4s %9s %4s %9s %4s %6s %9s %6s %6s\n", "", "n", "m", "soft",
           "clamped", "4", "ok", "baraff", "ok", "ODE", "ok", "4/ODE", "dgesv", "4/", "all/");
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        TactStatus status = fill(bench, &points[k]);
        status = status == TACT_OK ? run_smooth(bench) : status;
        if (status != TACT_OK) {
            return status;
        }
        print_smooth(bench, &points[k]);
    }
    return TACT_OK;
}

static TactStatus friction_table(Bench *bench)
{
    static const Point points[] = {
        {PEG, 1, 8, 0, 0.25},   {PEG, 1, 16, 0, 0.25},   {PEG, 1, 32, 0, 0.25},
        {PEG, 1, 64, 0, 0.25},  {PEG, 1, 128, 0, 0.25},  {TOWER, 2, 4, 0, 0.25},
        {TOWER, 5, 4, 0, 0.25}, {TOWER, 10, 4, 0, 0.25}, {TOWER, 20, 4, 0, 0.25},
    };
    printf("\nWith friction, mu = 0.25, circular cone: means of a solve.\n");
    printf("%-6s %3s %3s %9s %9s %6s %9s %9s %6s\n", "", "n", "m", "us", "ok/run", "pivots",
           "pivots/n", "attempts", "turns");
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        TactStatus status = fill(bench, &points[k]);
        status = status == TACT_OK ? run_all_whole(bench) : status;
        if (status != TACT_OK) {
            return status;
        }
        TactBenchCell *cell = &bench->cell[WHOLE];
        int            n = bench->cases[0].problem.contact_count;
        tact_bench_summarise(bench->options.instances, cell);
        printf("%-6s %3d %3d", points[k].shape == PEG ? "peg" : "tower", n, points[k].bodies);
        print_time(cell);
        printf(" %4d/%-4d %6.1f %9.2f %9.2f %6.1f\n", cell->solved, cell->runs, cell->mean_pivots,
               cell->mean_pivots / n, cell->mean_iterations, bench->turns / cell->runs);
        fflush(stdout);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static int bad(const char *what, const char *word)
{
    fprintf(stderr, "tact bench baraff: %s '%s'\n", what, word);
    return 2;
}

static void help(void)
{
    printf("usage: tact bench baraff [--instances N] [--budget S] [--peers FILE]\n\n"
           "What Baraff's paper measures: contact forces without friction against one Gaussian\n"
           "elimination and ODE, up to 150 contacts, and the pivots that friction asks for.\n\n"
           "  --instances N  problems a row (20)\n"
           "  --budget S     seconds a solver and row (10)\n"
           "  --peers FILE   the module with other people's solvers (beside the program); none: "
           "without\n");
}

static int read_option(const char *name, const char *value, Options *options)
{
    if (strcmp(name, "--instances") == 0) {
        options->instances = (int)strtol(value, NULL, 10);
    } else if (strcmp(name, "--budget") == 0) {
        options->budget = strtod(value, NULL);
    } else if (strcmp(name, "--peers") == 0) {
        options->peers = value;
    } else {
        return bad("there is no option", name);
    }
    return 0;
}

static int read_options(int argc, char **argv, Options *options)
{
    *options = (Options){.instances = 20, .budget = 10};
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help();
            return -1;
        }
        if (i + 1 == argc) {
            return bad("what is meant by", argv[i]);
        }
        if (read_option(argv[i], argv[i + 1], options) != 0) {
            return 2;
        }
    }
    if (options->instances < 1 || options->instances > 1000) {
        return bad("from 1 to 1000 problems:", "--instances");
    }
    return options->budget > 0 ? 0 : bad("more than 0 seconds:", "--budget");
}

/// Without the module the columns of others stay empty.
static void add_peers(Bench *bench)
{
    TactPeers peers;
    if (bench->options.peers && strcmp(bench->options.peers, "none") == 0) {
        return;
    }
    if (!tact_bench_load_peers(bench->options.peers, &peers)) {
        return;
    }
    for (const TactPeer *peer = peers.lcp; peer->name; peer++) {
        if (strcmp(peer->name, "ode-dantzig") == 0) {
            bench->peer[ODE] = peer;
        } else if (strcmp(peer->name, "lapack-dgesv") == 0) {
            bench->peer[DGESV] = peer;
        }
    }
}

static bool create(Bench *bench)
{
    size_t count = (size_t)bench->options.instances;
    bench->cases = calloc(count, sizeof *bench->cases);
    bench->problems = calloc(count, sizeof *bench->problems);
    bool made = bench->cases && bench->problems;
    for (int c = 0; c < COLUMNS; c++) {
        bench->cell[c].run = calloc(count, sizeof(TactBenchRun));
        made = made && bench->cell[c].run;
    }
    return made;
}

static void destroy(Bench *bench)
{
    if (bench->cases && bench->problems && bench->cell[COLUMNS - 1].run) {
        clear(bench);
    }
    for (int c = 0; c < COLUMNS; c++) {
        free(bench->cell[c].run);
    }
    free(bench->cases);
    free(bench->problems);
}

int tact_bench_baraff(int argc, char **argv)
{
    Bench bench = {0};
    int   status = read_options(argc, argv, &bench.options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    add_peers(&bench);
    bool done =
        create(&bench) && smooth_table(&bench) == TACT_OK && friction_table(&bench) == TACT_OK;
    if (done) {
        printf("\n%s\n", bench.missed ? "some rows are not as wanted: MISSED"
                                      : "all rows as wanted: solved, and the ratio holds");
    }
    status = done ? 0 : bad("no memory for", "the problems");
    destroy(&bench);
    return status;
}
