// What the processor says of a GPU's answers: its own certificate of each, and its own solver on
// the same problems.
#include <math.h>
#include <stdlib.h>

#include "bench/gpu/bodies.h"

enum { PIECE = 1000, MAX_CONTACTS = TACT_BODY_MAX_CONTACTS };

typedef struct Piece {
    int    refused, same, solved;
    double worst, difference;
} Piece;

typedef struct Checking {
    const TactBenchBodies *bodies;
    int                    count;
    Piece                 *pieces;
    TactContactSolver    **solvers; // one a thread
    bool                   solving; // or certifying
    double (*velocity)[6];          // the processor's answers
    bool *solved;
} Checking;

/// A problem as contact.h has it.
typedef struct Raw {
    TactContactBody    body;
    TactContact        contacts[MAX_CONTACTS];
    TactContactProblem problem;
} Raw;

static void copy_raw(const TactBenchBodies *bodies, int i, Raw *raw)
{
    const TactBodyProblems *from = &bodies->problems;
    size_t                  p = (size_t)from->stride, at = (size_t)i;
    *raw = (Raw){.body = {.mass = from->mass[at]}};
    for (size_t k = 0; k < 6; k++) {
        raw->body.inertia[k] = from->inertia[k * p + at];
    }
    for (size_t k = 0; k < 3; k++) {
        raw->body.position[k] = from->centre[k * p + at];
        raw->body.velocity[k] = from->velocity[k * p + at];
        raw->body.omega[k] = from->velocity[(k + 3) * p + at];
        raw->body.force[k] = from->force[k * p + at];
        raw->body.torque[k] = from->force[(k + 3) * p + at];
    }
    for (int c = 0; c < from->contacts; c++) {
        TactContact *to = &raw->contacts[c];
        to->a = -1;
        to->mu = from->mu[(size_t)c * p + at];
        to->directions = bodies->directions;
        for (size_t k = 0; k < 3; k++) {
            to->point[k] = from->point[(3 * (size_t)c + k) * p + at];
            to->normal[k] = from->normal[(3 * (size_t)c + k) * p + at];
        }
    }
    raw->problem = (TactContactProblem){.step = from->step,
                                        .body_count = 1,
                                        .bodies = &raw->body,
                                        .contact_count = from->contacts,
                                        .contacts = raw->contacts};
}

static TactStatus check_one(const Checking *checking, int i, const Raw *raw, Piece *piece)
{
    const TactBenchBodies *bodies = checking->bodies;
    size_t                 p = (size_t)bodies->count;
    double                 impulse[3 * MAX_CONTACTS], velocity[6], off = 0, size = 0;
    TactContactCertificate certificate;
    for (size_t k = 0; k < 3 * (size_t)bodies->contacts; k++) {
        impulse[k] = bodies->answers.impulse[k * p + (size_t)i];
    }
    for (size_t k = 0; k < 6; k++) {
        velocity[k] = bodies->answers.velocity[k * p + (size_t)i];
    }
    TactStatus status =
        tact_contact_certify(&raw->problem, bodies->cone, impulse, NULL, velocity, &certificate);
    double error = bodies->answers.error[i];
    if (status || !(error <= bodies->tol)) {
        return status;
    }
    piece->refused += !(certificate.error <= bodies->tol);
    piece->worst = fmax(piece->worst, certificate.error);
    piece->difference =
        fmax(piece->difference, fabs(error - certificate.error) / fmax(certificate.error, 1e-14));
    for (int k = 0; k < 6; k++) {
        double free = raw->problem.bodies->velocity[k % 3];
        off += pow(velocity[k] - checking->velocity[i][k], 2);
        size += free * free;
    }
    piece->same += checking->solved[i] && off <= 1e-16 * size;
    return TACT_OK;
}

static TactStatus do_piece(void *context, int worker, int task)
{
    const Checking *checking = context;
    Piece          *piece = &checking->pieces[task];
    TactStatus      status = TACT_OK;
    int end = (task + 1) * PIECE < checking->count ? (task + 1) * PIECE : checking->count;
    for (int i = task * PIECE; i < end && !status; i++) {
        Raw raw;
        copy_raw(checking->bodies, i, &raw);
        if (checking->solving) {
            double            impulse[3 * MAX_CONTACTS];
            TactContactReport report;
            TactContactAnswer answer = {.impulse = impulse, .velocity = checking->velocity[i]};
            status = tact_contact_solve(checking->solvers[worker], &raw.problem, &answer, &report);
            checking->solved[i] = !status && report.outcome == TACT_OUTCOME_SOLVED;
        } else {
            status = check_one(checking, i, &raw, piece);
        }
    }
    return status;
}

static TactStatus make_solvers(Checking *checking, int threads)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_REDUCED);
    TactContactCapacity capacity = {.contacts = checking->bodies->contacts,
                                    .dof = 6,
                                    .support = 12,
                                    .directions = checking->bodies->directions};
    config.cone = checking->bodies->cone;
    for (int k = 0; k < threads; k++) {
        TactStatus status = tact_contact_solver_create(&capacity, &config, &checking->solvers[k]);
        if (status) {
            return status;
        }
    }
    return TACT_OK;
}

/// Solves all problems, then certifies all answers.
static TactStatus check_all(Checking *checking, TactWorkers *workers, int pieces,
                            TactBenchCheck *check)
{
    TactStatus status = make_solvers(checking, tact_workers_get_threads(workers));
    double     begin = tact_time_now();
    checking->solving = true;
    status = status ? status : tact_workers_run(workers, pieces, do_piece, checking);
    check->seconds = tact_time_now() - begin;
    checking->solving = false;
    return status ? status : tact_workers_run(workers, pieces, do_piece, checking);
}

TactStatus tact_bench_bodies_check(const TactBenchBodies *bodies, TactWorkers *workers, int count,
                                   TactBenchCheck *check)
{
    int      threads = tact_workers_get_threads(workers), pieces = (count + PIECE - 1) / PIECE;
    Checking checking = {
        .bodies = bodies,
        .count = count,
        .pieces = calloc((size_t)pieces, sizeof(Piece)),
        .solvers = calloc((size_t)threads, sizeof(TactContactSolver *)),
        .velocity = calloc((size_t)count, sizeof *checking.velocity),
        .solved = calloc((size_t)count, sizeof(bool)),
    };
    bool       room = checking.pieces && checking.solvers && checking.velocity && checking.solved;
    TactStatus status = TACT_NO_MEMORY;
    *check = (TactBenchCheck){.checked = count};
    if (room) {
        status = check_all(&checking, workers, pieces, check);
    }
    for (int k = 0; k < pieces && !status; k++) {
        check->refused += checking.pieces[k].refused;
        check->same += checking.pieces[k].same;
        check->worst = fmax(check->worst, checking.pieces[k].worst);
        check->difference = fmax(check->difference, checking.pieces[k].difference);
    }
    for (int i = 0; i < count && !status; i++) {
        check->solved += checking.solved[i];
    }
    for (int k = 0; k < threads && checking.solvers; k++) {
        tact_contact_solver_destroy(checking.solvers[k]);
    }
    free(checking.pieces);
    free((void *)checking.solvers);
    free(checking.velocity);
    free(checking.solved);
    return status;
}
