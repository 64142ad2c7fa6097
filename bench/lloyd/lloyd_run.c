// One point: every method, and the peers that are wanted, on the same problems.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_error.h"
#include "bench/lloyd/lloyd.h"
#include "bench/problems/problems.h"
#include "bench/watch.h"

const char *tact_lloyd_method_name(TactLloydMethod method)
{
    static const char *const names[] = {"standard", "structural",   "reduced", "reduced, warm",
                                        "ladder",   "ladder, warm", "circle"};
    return names[method];
}

/// What a method is, in the words of the library.
static TactContactConfig config_of(TactLloydMethod method)
{
    static const TactContactMethod methods[] = {
        TACT_METHOD_LCP,    TACT_METHOD_STRUCTURAL, TACT_METHOD_REDUCED, TACT_METHOD_REDUCED,
        TACT_METHOD_LADDER, TACT_METHOD_LADDER,     TACT_METHOD_LADDER,
    };
    TactContactConfig config = tact_contact_config_default(methods[method]);
    config.cone = method == TACT_LLOYD_CIRCLE ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID;
    config.lcp_method = TACT_LCP_METHOD_LEMKE_LEX;
    return config;
}

static bool is_warm(TactLloydMethod method)
{
    return method == TACT_LLOYD_REDUCED_WARM || method == TACT_LLOYD_LADDER_WARM;
}

/// The problems of a point, and room for the answer of one.
typedef struct Batch {
    int              count;
    TactContactCase *cases;
    double          *impulse;
    double          *velocity;
} Batch;

// ---------------------------------------------------------------------------------------------
// Our methods

static void run_instance(TactContactSolver *solver, TactLloydMethod method, const Batch *batch,
                         int k, TactBenchRun *run)
{
    const TactContactProblem *problem = &batch->cases[k].problem;
    TactContactAnswer         answer = {.impulse = batch->impulse, .velocity = batch->velocity};
    TactContactReport         report;
    double                    spent = 0;
    tact_contact_solver_forget(solver);
    if (is_warm(method) && tact_contact_solve(solver, problem, &answer, &report) != TACT_OK) {
        return;
    }
    for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
        if (!is_warm(method)) {
            tact_contact_solver_forget(solver);
        }
        TactWatch  watch = tact_watch_start();
        TactStatus status = tact_contact_solve(solver, problem, &answer, &report);
        double     seconds = tact_watch_stop(&watch);
        if (status != TACT_OK) {
            *run = (TactBenchRun){0};
            return;
        }
        run->seconds = repeat == 0 ? seconds : fmin(run->seconds, seconds);
        spent += seconds;
        if (tact_bench_is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->pivots = report.pivots;
    run->claimed = run->accepted = report.outcome == TACT_OUTCOME_SOLVED;
    run->error = report.certificate.error;
}

static void run_method(const TactLloyd *lloyd, TactLloydMethod method, const Batch *batch,
                       TactLloydCell *cell)
{
    TactContactConfig   config = config_of(method);
    TactContactCapacity capacity = tact_contact_get_capacity(&batch->cases[0].problem);
    TactContactSolver  *solver;
    if (tact_contact_solver_create(&capacity, &config, &solver) != TACT_OK) {
        return;
    }
    double start = tact_time_now();
    for (int k = 0; k < batch->count && tact_time_now() - start < lloyd->options.budget; k++) {
        run_instance(solver, method, batch, k, &cell->run[k]);
    }
    tact_contact_solver_destroy(solver);
}

/// tact_contact_certify() of the last answer: its own check and memory included, so no less than
/// the certificate inside of a solve.
static double time_certificate(const Batch *batch)
{
    TactContactCertificate    certificate;
    const TactContactProblem *problem = &batch->cases[batch->count - 1].problem;
    double                    best = HUGE_VAL;
    for (int repeat = 0; repeat < 200; repeat++) {
        TactWatch watch = tact_watch_start();
        if (tact_contact_certify(problem, TACT_CONE_PYRAMID, batch->impulse, NULL, batch->velocity,
                                 &certificate) != TACT_OK) {
            return NAN;
        }
        best = fmin(best, tact_watch_stop(&watch));
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Peers

typedef struct PeerContext {
    const TactLloydPeer       *peer;
    const TactFamilyProblem   *lcps;
    const TactContactCase     *delassus;
    const TactFrictionProblem *frictions;
    double                    *z;
} PeerContext;

static bool solve_once(const PeerContext *context, int k, double *seconds)
{
    const TactLloydPeer *peer = context->peer;
    if (peer->lcp) {
        const TactLcpProblem *problem = &context->lcps[k].problem;
        memset(context->z, 0, (size_t)problem->n * sizeof(double));
        return peer->lcp->solve(problem, 50 * problem->n + 100, context->z, seconds) ==
               TACT_PEER_SOLVED;
    }
    TactFrictionRun run = {0};
    TactPeerClaim   claim = peer->friction->solve(&context->frictions[k], 1e-9, context->z, &run);
    *seconds = run.seconds;
    return claim == TACT_PEER_SOLVED;
}

/// An LCP by the benchmark's own check, contacts by the certificate of the Delassus form.
static double error_of(const PeerContext *context, int k)
{
    TactContactCertificate certificate;
    if (context->peer->lcp) {
        return tact_bench_error(&context->lcps[k].problem, context->z);
    }
    TactStatus status = tact_contact_certify(&context->delassus[k].problem, TACT_CONE_CIRCLE,
                                             context->z, NULL, NULL, &certificate);
    return status == TACT_OK ? certificate.error : HUGE_VAL;
}

static void run_peer_instance(const void *pointer, int k, TactBenchRun *run)
{
    const PeerContext *context = pointer;
    double             best = 0, spent = 0;
    for (int repeat = 0; repeat < TACT_BENCH_MOST_REPEATS; repeat++) {
        double seconds = 0;
        run->claimed = solve_once(context, k, &seconds);
        best = repeat == 0 ? seconds : fmin(best, seconds);
        spent += seconds;
        if (tact_bench_is_enough(spent, repeat + 1)) {
            break;
        }
    }
    run->error = error_of(context, k);
    // An LCP to 1e-8, as `tact bench lcp` has it. Siconos measures contacts over the norm of b, the
    // certificate each over its own scale, of which a hundredth may be all that b is.
    run->accepted = run->error <= (context->peer->lcp ? 1e-8 : 1e-6);
    run->seconds = best;
}

/// Lemke on more unknowns takes seconds a problem.
static bool is_wanted(const TactLloydPeer *peer, const TactLloydPoint *point)
{
    return (point->disturbance == 0 && point->directions == 8) &&
           (peer->friction || point->contacts <= 32);
}

static void run_peers(TactLloyd *lloyd, int point, const Batch *batch)
{
    size_t               count = (size_t)batch->count;
    size_t               contacts = (size_t)lloyd->point[point].contacts;
    TactFamilyProblem   *lcps = calloc(count, sizeof *lcps);
    TactContactCase     *delassus = calloc(count, sizeof *delassus);
    TactFrictionProblem *frictions = calloc(count, sizeof *frictions);
    double              *z = calloc(10 * contacts, sizeof *z);
    double              *mu = calloc(count * contacts, sizeof *mu);
    bool                 made = lcps && delassus && frictions && z && mu;
    for (size_t k = 0; made && k < count; k++) {
        const TactContactProblem *problem = &batch->cases[k].problem;
        made = tact_case_lcp(problem, &lcps[k]) == TACT_OK &&
               tact_case_to_delassus(&batch->cases[k], &delassus[k]) == TACT_OK;
        for (size_t i = 0; made && i < contacts; i++) {
            mu[k * contacts + i] = problem->contacts[i].mu;
        }
        frictions[k] = (TactFrictionProblem){.contacts = (int)contacts,
                                             .dimension = 3,
                                             .W = delassus[k].W,
                                             .b = delassus[k].u_free,
                                             .mu = mu + k * contacts};
    }
    for (int p = 0; made && p < lloyd->peers; p++) {
        PeerContext    context = {&lloyd->peer[p], lcps, delassus, frictions, z};
        TactLloydCell *cell = &lloyd->peer_cell[point][p];
        if (is_wanted(&lloyd->peer[p], &lloyd->point[point])) {
            cell->died = tact_bench_run_apart(run_peer_instance, &context, batch->count,
                                              lloyd->options.budget, cell->run);
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (lcps && delassus) {
            tact_family_problem_destroy(&lcps[k]);
            tact_case_destroy(&delassus[k]);
        }
    }
    free(lcps);
    free(delassus);
    free(frictions);
    free(z);
    free(mu);
}

// ---------------------------------------------------------------------------------------------
// Points

/// Median over the instances that are solved: what failed says nothing about a time.
static double median_of_solved(int count, const TactBenchRun *run)
{
    double seconds[TACT_LLOYD_MAX_INSTANCES];
    int    solved = 0;
    for (int k = 0; k < count; k++) {
        if (run[k].seconds > 0 && run[k].claimed && run[k].accepted) {
            seconds[solved++] = run[k].seconds;
        }
    }
    tact_bench_sort(seconds, solved);
    return solved > 0 ? seconds[solved / 2] : NAN;
}

static void summarise(int count, TactLloydCell *cell)
{
    double seconds[TACT_LLOYD_MAX_INSTANCES], sum = 0, pivots = 0;
    cell->asked = count;
    cell->median_solved = median_of_solved(count, cell->run);
    for (int k = 0; k < count; k++) {
        const TactBenchRun *run = &cell->run[k];
        if (run->seconds <= 0) {
            continue;
        }
        seconds[cell->runs++] = run->seconds;
        sum += run->seconds;
        pivots += run->pivots;
        cell->most_pivots = fmax(cell->most_pivots, run->pivots);
        cell->solved += run->claimed && run->accepted;
        cell->wrong += run->claimed && !run->accepted;
    }
    if (cell->runs > 0) {
        tact_bench_sort(seconds, cell->runs);
        cell->mean = sum / cell->runs;
        cell->median = seconds[cell->runs / 2];
        cell->best = seconds[0];
        cell->pivots = pivots / cell->runs;
    }
}

TactStatus tact_lloyd_run_point(TactLloyd *lloyd, int point)
{
    int    count = lloyd->options.instances;
    size_t contacts = (size_t)lloyd->point[point].contacts;
    size_t bodies = (size_t)lloyd->point[point].bodies;
    Batch  batch = {
         .count = count,
         .cases = calloc((size_t)count, sizeof *batch.cases),
         .impulse = calloc(3 * contacts, sizeof(double)),
         .velocity = calloc(6 * bodies, sizeof(double)),
    };
    TactStatus status = batch.cases && batch.impulse && batch.velocity ? TACT_OK : TACT_NO_MEMORY;
    for (int k = 0; status == TACT_OK && k < count; k++) {
        status = tact_lloyd_generate(&lloyd->point[point], (uint64_t)k, &batch.cases[k]);
    }
    if (status == TACT_OK) {
        for (int m = 0; m < TACT_LLOYD_METHODS; m++) {
            run_method(lloyd, (TactLloydMethod)m, &batch, &lloyd->cell[point][m]);
            summarise(count, &lloyd->cell[point][m]);
        }
        lloyd->certificate[point] = time_certificate(&batch);
        run_peers(lloyd, point, &batch);
        for (int p = 0; p < lloyd->peers; p++) {
            summarise(count, &lloyd->peer_cell[point][p]);
        }
    }
    for (int k = 0; batch.cases && k < count; k++) {
        tact_case_destroy(&batch.cases[k]);
    }
    free(batch.cases);
    free(batch.impulse);
    free(batch.velocity);
    return status;
}

// ---------------------------------------------------------------------------------------------
// What the cells say

int tact_lloyd_find(const TactLloyd *lloyd, const TactLloydPoint *wanted)
{
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        if (point->shape == wanted->shape && point->contacts == wanted->contacts &&
            point->bodies == wanted->bodies && point->directions == wanted->directions &&
            point->disturbance == wanted->disturbance) {
            return i;
        }
    }
    return -1;
}

int tact_lloyd_find_peer(const TactLloyd *lloyd, const char *name)
{
    for (int i = 0; i < lloyd->peers; i++) {
        if (strcmp(lloyd->peer[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

double tact_lloyd_ratio(const TactLloydCell *a, const TactLloydCell *b, int count, int *both)
{
    double time_a = 0, time_b = 0;
    *both = 0;
    for (int k = 0; k < count; k++) {
        const TactBenchRun *x = &a->run[k], *y = &b->run[k];
        if (x->seconds > 0 && y->seconds > 0 && x->claimed && y->claimed && x->accepted &&
            y->accepted) {
            time_a += x->seconds;
            time_b += y->seconds;
            ++*both;
        }
    }
    return *both > 0 ? time_a / time_b : NAN;
}

double tact_lloyd_exponent(const TactLloyd *lloyd, TactLloydShape shape, TactLloydMethod method,
                           int least, int most)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < lloyd->points; i++) {
        const TactLloydPoint *point = &lloyd->point[i];
        const TactLloydCell  *cell = &lloyd->cell[i][method];
        if (point->shape == shape && point->disturbance == 0 && point->directions == 8 &&
            point->contacts >= least && point->contacts <= most && cell->runs > 0) {
            double a = log(point->contacts), b = log(cell->mean);
            n++;
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
        }
    }
    return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}
