// Problems of Baraff's measurements, and the solvers on them.
#include "bench/baraff/baraff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problems/problems.h"
#include "bench/watch.h"

#define PEG TACT_BARAFF_PEG
#define TOWER TACT_BARAFF_TOWER

const TactBaraffPoint *tact_baraff_smooth(int *count)
{
    static const TactBaraffPoint points[] = {
        {PEG, 1, 8, 0, 0},       {PEG, 1, 16, 0, 0},      {PEG, 1, 32, 0, 0},
        {TOWER, 2, 4, 0, 0},     {TOWER, 5, 4, 0, 0},     {TOWER, 10, 5, 0, 0},
        {TOWER, 20, 5, 0, 0},    {TOWER, 30, 5, 0, 0},    {PEG, 1, 8, 1e-6, 0},
        {PEG, 1, 16, 1e-6, 0},   {PEG, 1, 32, 1e-6, 0},   {TOWER, 2, 4, 1e-6, 0},
        {TOWER, 5, 4, 1e-6, 0},  {TOWER, 10, 5, 1e-6, 0}, {TOWER, 20, 5, 1e-6, 0},
        {TOWER, 30, 5, 1e-6, 0},
    };
    *count = (int)(sizeof points / sizeof *points);
    return points;
}

const TactBaraffPoint *tact_baraff_rough(int *count)
{
    static const TactBaraffPoint points[] = {
        {PEG, 1, 8, 0, 0.25},   {PEG, 1, 16, 0, 0.25},   {PEG, 1, 32, 0, 0.25},
        {PEG, 1, 64, 0, 0.25},  {PEG, 1, 128, 0, 0.25},  {TOWER, 2, 4, 0, 0.25},
        {TOWER, 5, 4, 0, 0.25}, {TOWER, 10, 4, 0, 0.25}, {TOWER, 20, 4, 0, 0.25},
    };
    *count = (int)(sizeof points / sizeof *points);
    return points;
}

const char *tact_baraff_shape_name(TactBaraffShape shape)
{
    return shape == TACT_BARAFF_PEG ? "peg" : "tower";
}

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

static TactStatus make(const TactBaraffPoint *point, uint64_t seed, TactContactCase *out)
{
    TactRandom random = tact_random_seed(1000 * (uint64_t)point->each + seed);
    TactScene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        return TACT_NO_MEMORY;
    }
    if (point->shape == TACT_BARAFF_PEG) {
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

static void clear(TactBaraff *bench)
{
    for (int k = 0; k < bench->instances; k++) {
        tact_case_destroy(&bench->cases[k]);
        tact_family_problem_destroy(&bench->problems[k]);
        bench->cases[k] = (TactContactCase){0};
        bench->problems[k] = (TactFamilyProblem){0};
    }
    for (int c = 0; c < TACT_BARAFF_COLUMNS; c++) {
        TactBenchRun *run = bench->cell[c].run;
        memset(run, 0, (size_t)bench->instances * sizeof *run);
        bench->cell[c] = (TactBenchCell){.run = run};
    }
    bench->clamped = bench->turns = bench->drives = bench->attempts = 0;
}

static TactStatus fill(TactBaraff *bench, const TactBaraffPoint *point)
{
    clear(bench);
    for (int k = 0; k < bench->instances; k++) {
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
                      const TactContactAnswer *answer, TactBaraff *bench, TactBenchRun *run)
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
    run->claimed = run->accepted = report.outcome == TACT_OUTCOME_SOLVED;
    run->error = report.certificate.error;
    run->pivots = report.pivots;
    run->iterations = report.iterations;
    double pressed = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        pressed += answer->impulse[3 * i] > 0;
    }
    bench->clamped += pressed;
    bench->turns += report.turns;
    bench->drives += report.drives;
    bench->attempts += report.iterations;
}

static TactStatus run_all_whole(TactBaraff *bench)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BARAFF);
    TactContactCapacity capacity = tact_contact_get_capacity(&bench->cases[0].problem);
    TactContactSolver  *solver = NULL;
    double             *impulse = calloc(3 * (size_t)capacity.contacts + 1, sizeof *impulse);
    config.cone = TACT_CONE_CIRCLE;
    TactStatus status =
        impulse ? tact_contact_solver_create(&capacity, &config, &solver) : TACT_NO_MEMORY;
    double start = tact_time_now();
    for (int k = 0;
         status == TACT_OK && k < bench->instances && tact_time_now() - start < bench->budget;
         k++) {
        TactContactAnswer answer = {.impulse = impulse};
        run_whole(solver, &bench->cases[k].problem, &answer, bench,
                  &bench->cell[TACT_BARAFF_WHOLE].run[k]);
    }
    tact_contact_solver_destroy(solver);
    free(impulse);
    return status;
}

/// A x = b by Gaussian elimination with partial pivoting, row by row; a pivot of 0 is passed over:
/// A may be singular, and only the time counts.                                 A (n x n), x (n)
static void eliminate(int n, double *A, double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        }
        for (int j = k; j < n && best != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = swap;
        }
        double swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        for (int i = k + 1; i < n && A[k * n + k] != 0; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++) {
                A[i * n + j] -= factor * A[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= A[i * n + j] * x[j];
        }
        x[i] = A[i * n + i] != 0 ? x[i] / A[i * n + i] : 0;
    }
}

/// Largest |A x + q| over the largest |q|: 0 if x is the solution.
static double elimination_error(const TactLcpProblem *problem, const double *x)
{
    double most = 0, scale = 0;
    for (int i = 0; i < problem->n; i++) {
        double sum = problem->q[i];
        for (int j = 0; j < problem->n; j++) {
            sum += problem->M[i * problem->n + j] * x[j];
        }
        most = fmax(most, fabs(sum));
        scale = fmax(scale, fabs(problem->q[i]));
    }
    return most / scale;
}

static TactStatus run_elimination(TactBaraff *bench)
{
    size_t  n = (size_t)bench->problems[0].problem.n;
    double *A = calloc(n * n + n, sizeof *A), *x = A ? A + n * n : NULL;
    for (int k = 0; A && k < bench->instances; k++) {
        const TactLcpProblem *problem = &bench->problems[k].problem;
        TactBenchRun         *run = &bench->cell[TACT_BARAFF_ELIMINATION].run[k];
        double                spent = 0;
        for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
            memcpy(A, problem->M, n * n * sizeof *A);
            for (size_t i = 0; i < n; i++) {
                x[i] = -problem->q[i];
            }
            TactWatch watch = tact_watch_start();
            eliminate((int)n, A, x);
            double seconds = tact_watch_stop(&watch);
            run->seconds = repeat == 0 ? seconds : fmin(run->seconds, seconds);
            spent += seconds;
            if (tact_bench_is_enough(spent, repeat + 1)) {
                break;
            }
        }
        run->claimed = run->accepted = true;
        run->error = elimination_error(problem, x);
    }
    free(A);
    return A ? TACT_OK : TACT_NO_MEMORY;
}

static TactStatus run_smooth(TactBaraff *bench)
{
    static const struct {
        TactBaraffColumn column;
        TactLcpMethod    method;
    } ours[] = {{TACT_BARAFF_SECTION_4, TACT_LCP_METHOD_DANTZIG},
                {TACT_BARAFF_LEMKE, TACT_LCP_METHOD_LEMKE}};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        TactLcpConfig   config = tact_lcp_config_default(ours[i].method);
        TactBenchSolver solver = {"", NULL, config, config.residual_tol};
        tact_bench_run(&solver, bench->problems, bench->instances, bench->budget,
                       &bench->cell[ours[i].column]);
    }
    for (int c = 0; c < TACT_BARAFF_COLUMNS; c++) {
        if (bench->peer[c]) {
            TactBenchSolver peer = {bench->peer[c]->name, bench->peer[c], .tolerance = 1e-8};
            tact_bench_run_peer(&peer, bench->problems, bench->instances, bench->budget,
                                &bench->cell[c]);
        }
    }
    return run_elimination(bench);
}

TactStatus tact_baraff_run(TactBaraff *bench, const TactBaraffPoint *point)
{
    TactStatus status = fill(bench, point);
    status = status == TACT_OK ? run_all_whole(bench) : status;
    if (status == TACT_OK && point->mu == 0) {
        status = run_smooth(bench);
    }
    for (int c = 0; c < TACT_BARAFF_COLUMNS; c++) {
        tact_bench_summarise(bench->instances, &bench->cell[c]);
    }
    return status;
}

void tact_baraff_add_peers(TactBaraff *bench, const char *path)
{
    static const struct {
        const char      *name;
        TactBaraffColumn column;
    } known[] = {{"ode-dantzig", TACT_BARAFF_ODE},
                 {"lapack-dgesv", TACT_BARAFF_DGESV},
                 {"clp-qp", TACT_BARAFF_QP}};
    TactPeers peers;
    if ((path && strcmp(path, "none") == 0) || !tact_bench_load_peers(path, &peers)) {
        return;
    }
    for (const TactPeer *peer = peers.lcp; peer->name; peer++) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (strcmp(peer->name, known[k].name) == 0) {
                bench->peer[known[k].column] = peer;
            }
        }
    }
}

TactStatus tact_baraff_create(int instances, double budget, TactBaraff *bench)
{
    size_t count = (size_t)instances;
    *bench = (TactBaraff){.instances = instances, .budget = budget};
    bench->cases = calloc(count, sizeof *bench->cases);
    bench->problems = calloc(count, sizeof *bench->problems);
    bool made = bench->cases && bench->problems;
    for (int c = 0; c < TACT_BARAFF_COLUMNS; c++) {
        bench->cell[c].run = calloc(count, sizeof(TactBenchRun));
        made = made && bench->cell[c].run;
    }
    return made ? TACT_OK : TACT_NO_MEMORY;
}

void tact_baraff_destroy(TactBaraff *bench)
{
    for (int k = 0; bench->cases && bench->problems && k < bench->instances; k++) {
        tact_case_destroy(&bench->cases[k]);
        tact_family_problem_destroy(&bench->problems[k]);
    }
    for (int c = 0; c < TACT_BARAFF_COLUMNS; c++) {
        free(bench->cell[c].run);
    }
    free(bench->cases);
    free(bench->problems);
}
