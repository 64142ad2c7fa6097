#include "bench/gpu/mechanisms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 500,
    MAX_DOF = TACT_MECHANISM_MAX_DOF,
    MAX_CONTACTS = TACT_MECHANISM_MAX_CONTACTS,
    RUNS = 3,
    CHECKED = 20000,
};

// ---------------------------------------------------------------------------------------------
// Arrays

static size_t doubles_of(int dof, int contacts)
{
    size_t nv = (size_t)dof, n = (size_t)contacts;
    return nv * (nv + 1) / 2 + 2 * nv + 3 * n * nv + n + 3 * n + nv + 1;
}

static double *carve(double **block, size_t numbers, int count)
{
    double *out = *block;
    *block += numbers * (size_t)count;
    return out;
}

static void lay_out(TactBenchMechanisms *to)
{
    double *at = to->block;
    int     count = to->own.count, dof = tact_mechanism_mix_dof(to->own.kind);
    size_t  n = (size_t)to->own.contacts, nv = (size_t)dof;
    to->drawn = (TactMechanismArrays){.count = count,
                                      .contacts = to->own.contacts,
                                      .M = carve(&at, nv * (nv + 1) / 2, count),
                                      .velocity = carve(&at, nv, count),
                                      .force = carve(&at, nv, count),
                                      .J = carve(&at, 3 * n * nv, count),
                                      .mu = carve(&at, n, count)};
    to->problems = (TactMechanismProblems){.count = count,
                                           .dof = dof,
                                           .contacts = to->own.contacts,
                                           .step = 0.01,
                                           .M = to->drawn.M,
                                           .velocity = to->drawn.velocity,
                                           .force = to->drawn.force,
                                           .J = to->drawn.J,
                                           .mu = to->drawn.mu};
    to->answers.impulse = carve(&at, 3 * n, count);
    to->answers.velocity = carve(&at, nv, count);
    to->answers.error = carve(&at, 1, count);
    to->answers.pivots = (int *)at;
    to->answers.basis = (unsigned *)(to->answers.pivots + count);
}

TactStatus tact_bench_mechanisms_create(TactDevice device, const TactBenchMechanismCase *own,
                                        TactBenchMechanisms *mechanisms)
{
    TactContactBatchConfig config = tact_contact_batch_config_default(device);
    config.problems = own->count;
    config.contacts = own->contacts;
    config.directions = own->directions;
    config.dof = tact_mechanism_mix_dof(own->kind);
    config.cone = own->cone;
    *mechanisms = (TactBenchMechanisms){.own = *own, .tol = config.tol};
    size_t size = doubles_of(config.dof, own->contacts) * sizeof(double) +
                  (1 + (size_t)own->contacts) * sizeof(int);
    mechanisms->block = malloc(size * (size_t)own->count);
    if (!mechanisms->block) {
        return TACT_NO_MEMORY;
    }
    lay_out(mechanisms);
    return tact_contact_batch_create(&config, &mechanisms->batch);
}

void tact_bench_mechanisms_destroy(TactBenchMechanisms *mechanisms)
{
    tact_contact_batch_destroy(mechanisms->batch);
    free(mechanisms->block);
    *mechanisms = (TactBenchMechanisms){0};
}

// ---------------------------------------------------------------------------------------------
// Drawing

typedef struct Drawing {
    TactBenchMechanisms *to;
    double               change;
} Drawing;

static int end_of(int task, int count)
{
    return (task + 1) * PIECE < count ? (task + 1) * PIECE : count;
}

static TactStatus draw_piece(void *context, int worker, int task)
{
    const Drawing *drawing = context;
    (void)worker;
    tact_mechanism_mix_draw(drawing->to->own.kind, 1, task * PIECE,
                            end_of(task, drawing->to->own.count), drawing->change,
                            &drawing->to->drawn);
    return TACT_OK;
}

TactStatus tact_bench_mechanisms_send(TactBenchMechanisms *mechanisms, TactWorkers *workers,
                                      double change)
{
    Drawing    drawing = {mechanisms, change};
    int        pieces = (mechanisms->own.count + PIECE - 1) / PIECE;
    TactStatus status = tact_workers_run(workers, pieces, draw_piece, &drawing);
    return status ? status
                  : tact_contact_batch_send_mechanisms(mechanisms->batch, &mechanisms->problems);
}

// ---------------------------------------------------------------------------------------------
// Checking

/// A problem as contact.h has it.
typedef struct Raw {
    double             M[MAX_DOF * MAX_DOF];
    TactContact        contacts[MAX_CONTACTS];
    TactContactProblem problem;
} Raw;

static void copy_raw(const TactBenchMechanisms *from, int i, Raw *raw)
{
    const TactMechanismProblems *all = &from->problems;
    size_t                       at = (size_t)i, nv = (size_t)all->dof, n = (size_t)all->contacts;
    const double                *M = all->M + at * (nv * (nv + 1) / 2);
    for (size_t j = 0; j < nv; j++) {
        for (size_t k = 0; k <= j; k++) {
            raw->M[j * nv + k] = raw->M[k * nv + j] = M[j * (j + 1) / 2 + k];
        }
    }
    for (size_t c = 0; c < n; c++) {
        raw->contacts[c] = (TactContact){.mu = all->mu[at * n + c],
                                         .J = all->J + (at * n + c) * 3 * nv,
                                         .directions = from->own.directions};
    }
    raw->problem = (TactContactProblem){.step = all->step,
                                        .nv = all->dof,
                                        .M = raw->M,
                                        .v = all->velocity + at * nv,
                                        .tau = all->force + at * nv,
                                        .contact_count = all->contacts,
                                        .contacts = raw->contacts};
}

typedef struct Piece {
    int    refused, same, solved;
    double worst, difference;
} Piece;

typedef struct Checking {
    const TactBenchMechanisms *of;
    int                        count;
    Piece                     *pieces;
    TactContactSolver        **solvers; // one a thread
    bool                       certify; // or solve alone, to be timed
} Checking;

static TactStatus check_one(const Checking *checking, int worker, int i, const Raw *raw,
                            Piece *piece)
{
    const TactBenchMechanisms *of = checking->of;
    double                     own[3 * MAX_CONTACTS], velocity[MAX_DOF], off = 0, size = 0;
    TactContactAnswer          answer = {.impulse = own, .velocity = velocity};
    TactContactReport          report;
    TactContactCertificate     certificate;
    TactStatus                 status =
        tact_contact_solve(checking->solvers[worker], &raw->problem, &answer, &report);
    if (status || !checking->certify) {
        return status;
    }
    bool          solved = report.outcome == TACT_OUTCOME_SOLVED;
    size_t        at = (size_t)i, nv = (size_t)raw->problem.nv;
    const double *there = of->answers.velocity + at * nv;
    double        error = of->answers.error[i];
    piece->solved += solved;
    for (size_t k = 0; k < nv; k++) {
        off += pow(velocity[k] - there[k], 2);
        size += pow(raw->problem.v[k], 2);
    }
    status = tact_contact_certify(&raw->problem, of->own.cone,
                                  of->answers.impulse + at * 3 * (size_t)of->own.contacts, NULL,
                                  there, &certificate);
    if (status || !(error <= of->tol)) {
        return status;
    }
    piece->same += solved && off <= 1e-16 * size;
    piece->refused += !(certificate.error <= of->tol);
    piece->worst = fmax(piece->worst, certificate.error);
    piece->difference =
        fmax(piece->difference, fabs(error - certificate.error) / fmax(certificate.error, 1e-14));
    return TACT_OK;
}

static TactStatus check_piece(void *context, int worker, int task)
{
    const Checking *checking = context;
    TactStatus      status = TACT_OK;
    for (int i = task * PIECE; i < end_of(task, checking->count) && !status; i++) {
        Raw raw;
        copy_raw(checking->of, i, &raw);
        status = check_one(checking, worker, i, &raw, &checking->pieces[task]);
    }
    return status;
}

static TactStatus check_all(Checking *checking, TactWorkers *workers, int pieces,
                            TactBenchCheck *check)
{
    TactContactConfig config = tact_contact_config_default(TACT_METHOD_REDUCED);
    int               dof = checking->of->problems.dof;
    config.cone = checking->of->own.cone;
    TactContactCapacity capacity = {.contacts = checking->of->own.contacts,
                                    .dof = dof,
                                    .support = dof,
                                    .dense = true,
                                    .directions = checking->of->own.directions};
    TactStatus          status = TACT_OK;
    for (int k = 0; k < tact_workers_get_threads(workers) && !status; k++) {
        status = tact_contact_solver_create(&capacity, &config, &checking->solvers[k]);
    }
    double begin = tact_time_now();
    status = status ? status : tact_workers_run(workers, pieces, check_piece, checking);
    check->seconds = tact_time_now() - begin;
    checking->certify = true;
    return status ? status : tact_workers_run(workers, pieces, check_piece, checking);
}

TactStatus tact_bench_mechanisms_check(const TactBenchMechanisms *mechanisms, TactWorkers *workers,
                                       int count, TactBenchCheck *check)
{
    int        threads = tact_workers_get_threads(workers), pieces = (count + PIECE - 1) / PIECE;
    Checking   checking = {.of = mechanisms,
                           .count = count,
                           .pieces = calloc((size_t)pieces, sizeof(Piece)),
                           .solvers = calloc((size_t)threads, sizeof(TactContactSolver *))};
    TactStatus status = TACT_NO_MEMORY;
    *check = (TactBenchCheck){.checked = count};
    if (checking.pieces && checking.solvers) {
        status = check_all(&checking, workers, pieces, check);
    }
    for (int k = 0; k < pieces && !status; k++) {
        check->refused += checking.pieces[k].refused;
        check->same += checking.pieces[k].same;
        check->solved += checking.pieces[k].solved;
        check->worst = fmax(check->worst, checking.pieces[k].worst);
        check->difference = fmax(check->difference, checking.pieces[k].difference);
    }
    for (int k = 0; k < threads && checking.solvers; k++) {
        tact_contact_solver_destroy(checking.solvers[k]);
    }
    free(checking.pieces);
    free((void *)checking.solvers);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Rows

/// Median of three.
static double middle(const double times[RUNS])
{
    double low = fmin(times[0], times[1]), high = fmax(times[0], times[1]);
    return fmin(fmax(times[2], low), high);
}

static TactStatus time_cold(TactBenchMechanisms *mechanisms, TactBenchRow *row)
{
    double     times[RUNS] = {0};
    TactStatus status = TACT_OK;
    for (int k = 0; k < RUNS && !status; k++) {
        status = tact_contact_batch_solve(mechanisms->batch, false, &row->report);
        times[k] = row->report.seconds;
    }
    row->seconds = middle(times);
    return status;
}

static TactStatus check_cold(const TactBenchMechanisms *mechanisms, TactWorkers *workers,
                             TactBenchRow *row)
{
    int        count = mechanisms->own.count, checked = count < CHECKED ? count : CHECKED;
    TactStatus status = tact_contact_batch_fetch(mechanisms->batch, count, &mechanisms->answers);
    for (int i = 0; i < count && !status; i++) {
        int own = mechanisms->answers.pivots[i];
        own = own < 0 ? -own - 1 : own;
        row->pivots += (double)own / count;
        row->most_pivots = own > row->most_pivots ? own : row->most_pivots;
    }
    return status ? status : tact_bench_mechanisms_check(mechanisms, workers, checked, &row->check);
}

static TactStatus time_warm(TactBenchMechanisms *mechanisms, TactWorkers *workers,
                            TactBenchRow *row)
{
    TactStatus status = tact_bench_mechanisms_send(mechanisms, workers, mechanisms->own.change);
    status = status ? status : tact_contact_batch_solve(mechanisms->batch, true, &row->report);
    row->seconds = row->report.seconds;
    return status;
}

TactStatus tact_bench_mechanisms_row(TactDevice device, TactWorkers *workers,
                                     const TactBenchMechanismCase *own, TactBenchRow *row)
{
    TactBenchMechanisms mechanisms;
    *row = (TactBenchRow){0};
    TactStatus status = tact_bench_mechanisms_create(device, own, &mechanisms);
    status = status ? status : tact_bench_mechanisms_send(&mechanisms, workers, 0);
    status = status ? status : time_cold(&mechanisms, row);
    if (!status) {
        status = own->change < 0 ? check_cold(&mechanisms, workers, row)
                                 : time_warm(&mechanisms, workers, row);
    }
    int certified = row->report.first + row->report.retried + row->report.handed_over;
    row->rate = row->seconds > 0 ? certified / row->seconds : 0;
    tact_bench_mechanisms_destroy(&mechanisms);
    return status;
}

static TactStatus solve_first(TactDevice device, TactWorkers *workers, TactBenchMechanismCase own,
                              int count, TactBenchMechanisms *out)
{
    TactContactBatchReport report;
    own.count = count;
    TactStatus status = tact_bench_mechanisms_create(device, &own, out);
    status = status ? status : tact_bench_mechanisms_send(out, workers, 0);
    status = status ? status : tact_contact_batch_solve(out->batch, false, &report);
    return status ? status : tact_contact_batch_fetch(out->batch, count, &out->answers);
}

static bool are_same(const TactBenchMechanisms *a, const TactBenchMechanisms *b, int count)
{
    size_t impulses = (size_t)count * 3 * (size_t)a->own.contacts * sizeof(double);
    size_t velocities = (size_t)count * (size_t)a->problems.dof * sizeof(double);
    return memcmp(a->answers.impulse, b->answers.impulse, impulses) == 0 &&
           memcmp(a->answers.velocity, b->answers.velocity, velocities) == 0;
}

TactStatus tact_bench_mechanisms_repeat(TactDevice device, TactWorkers *workers,
                                        const TactBenchMechanismCase *own, bool *same)
{
    TactBenchMechanisms all, again, part;
    int                 quarter = (own->count + 3) / 4;
    TactStatus          status = solve_first(device, workers, *own, own->count, &all);
    TactStatus          second = solve_first(device, workers, *own, own->count, &again);
    TactStatus          third = solve_first(device, workers, *own, quarter, &part);
    status = status ? status : second ? second : third;
    *same = !status && are_same(&all, &again, own->count) && are_same(&all, &part, quarter);
    tact_bench_mechanisms_destroy(&all);
    tact_bench_mechanisms_destroy(&again);
    tact_bench_mechanisms_destroy(&part);
    return status;
}
