// One file: tact's methods and the peers, each in a process of its own, all judged by one residual.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/friction/friction.h"
#include "bench/friction/friction_form.h"
#include "bench/watch.h"

static const struct {
    const char       *name;
    TactContactMethod method;
    TactContactCone   cone;
} methods[TACT_FRICTION_METHODS] = {
    [TACT_FRICTION_NSGS] = {"nsgs", TACT_METHOD_NSGS, TACT_CONE_CIRCLE},
    [TACT_FRICTION_LADDER] = {"ladder", TACT_METHOD_LADDER, TACT_CONE_CIRCLE},
    [TACT_FRICTION_REDUCED] = {"reduced", TACT_METHOD_REDUCED, TACT_CONE_CIRCLE},
    [TACT_FRICTION_LADDER_PYRAMID] = {"ladder", TACT_METHOD_LADDER, TACT_CONE_PYRAMID},
    [TACT_FRICTION_REDUCED_PYRAMID] = {"reduced", TACT_METHOD_REDUCED, TACT_CONE_PYRAMID},
};

const char *tact_friction_method_name(TactFrictionMethod method)
{
    return methods[method].name;
}

TactContactCone tact_friction_method_cone(TactFrictionMethod method)
{
    return methods[method].cone;
}

/// What a solver is run on.
typedef struct Context {
    const TactContactProblem *problem;
    const TactFrictionForm   *form; // NULL: none, the certificate judges
    TactFrictionProblem       friction;
    TactFrictionMethod        method;
    const TactFrictionPeer   *peer; // NULL: ours
    TactContactSolver        *solver;
    TactContact              *own;    // of the form as a problem               (contacts)
    TactContactProblem        same;   // the form as a problem
    TactContactBlocks         blocks; // of it
    double                   *p;      // in the form of others                  (5 contacts)
    double                   *answer; // of ours: impulses, then moments        (6 contacts)
} Context;

/// The answer of ours in the form of others.
static void take_answer(const Context *context)
{
    int     contacts = context->problem->contact_count;
    int     size = context->form ? tact_friction_size(context->form) : 3;
    double *moment = context->answer + 3 * contacts;
    for (int i = 0; i < size * contacts; i++) {
        int c = i % size;
        context->p[i] =
            c < 3 ? context->answer[3 * (i / size) + c] : moment[3 * (i / size) + c - 2];
    }
}

// ---------------------------------------------------------------------------------------------
// One solve

static bool solve_ours(const Context *context, TactBenchRun *run)
{
    TactContactAnswer answer = {.impulse = context->answer,
                                .moment = context->answer + 3 * context->problem->contact_count};
    TactContactReport report = {0};
    TactWatch         watch = tact_watch_start();
    TactStatus status = tact_contact_solve(context->solver, context->problem, &answer, &report);
    run->seconds = tact_watch_stop(&watch);
    run->pivots = report.pivots;
    run->iterations = report.iterations;
    run->claimed = status == TACT_OK && report.outcome == TACT_OUTCOME_SOLVED;
    run->error = status == TACT_OK ? report.certificate.error : HUGE_VAL;
    if (status != TACT_OK) {
        run->iterations = TACT_FRICTION_REFUSED;
    } else {
        take_answer(context);
    }
    return status == TACT_OK;
}

static bool solve_peer(const Context *context, double tolerance, TactBenchRun *run)
{
    TactFrictionRun     done = {0};
    const TactPeerClaim claim =
        context->peer->solve(&context->friction, tolerance, context->p, &done);
    run->seconds = done.seconds;
    run->iterations = done.iterations;
    run->claimed = claim == TACT_PEER_SOLVED;
    return done.seconds > 0;
}

/// The pyramid by its certificate, the circle by the natural map.
static void judge(const Context *context, TactBenchRun *run)
{
    bool is_pyramid = !context->peer && methods[context->method].cone == TACT_CONE_PYRAMID;
    if (context->form && !is_pyramid) {
        run->error = tact_friction_residual(context->form, context->p);
    }
    run->accepted = run->error <= tact_friction_wanted;
}

/// Repeats at one tolerance; the best time.
static bool repeat(Context *context, double tolerance, TactBenchRun *run)
{
    double              best = HUGE_VAL, spent = 0;
    TactContactConfig   config = tact_contact_config_default(methods[context->method].method);
    TactContactCapacity capacity = tact_contact_get_capacity(context->problem);
    bool                solved = true;
    config.cone = methods[context->method].cone;
    config.tol = tolerance;
    for (int k = 0; solved && k < TACT_BENCH_MOST_REPEATS; k++) {
        // A solver each time: what one has found out about the pattern of W is not free.
        if (!context->peer &&
            tact_contact_solver_create(&capacity, &config, &context->solver) != TACT_OK) {
            return false;
        }
        solved = context->peer ? solve_peer(context, tolerance, run) : solve_ours(context, run);
        if (!context->peer) {
            tact_contact_solver_destroy(context->solver);
        }
        best = fmin(best, run->seconds);
        spent += run->seconds;
        if (tact_bench_is_enough(spent, k + 1)) {
            break;
        }
    }
    run->seconds = solved ? best : 0;
    judge(context, run);
    return solved;
}

/// Each solver stops by a measure of its own: its tolerance is tightened until the common one is
/// reached, and that run counts.
static void run_instance(const void *pointer, int k, TactBenchRun *run)
{
    Context context = *(const Context *)pointer;
    (void)k;
    for (double tolerance = tact_friction_wanted; tolerance > 1e-14; tolerance *= 0.1) {
        if (!repeat(&context, tolerance, run) || run->accepted || !run->claimed) {
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// One file

static void run_all(const TactFriction *friction, Context *context, TactFrictionCase *c)
{
    double                    budget = friction->options.budget;
    const TactContactProblem *problem = context->problem;
    // nsgs gets the matrices that others get, also where the file has a mass matrix.
    if (context->form && !problem->bodies && !tact_contact_has_W(problem) &&
        tact_friction_form_problem(context->form, problem->contacts, context->own, &context->blocks,
                                   &context->same)) {
        context->problem = &context->same;
    }
    for (int m = 0; m < TACT_FRICTION_METHODS; m++) {
        if (m == TACT_FRICTION_NSGS || !friction->options.quick) {
            context->method = (TactFrictionMethod)m;
            tact_bench_run_apart(run_instance, context, 1, budget, &c->ours[m]);
        }
        context->problem = problem;
    }
    for (int p = 0; context->form && p < friction->peers; p++) {
        context->peer = friction->peer[p];
        tact_bench_run_apart(run_instance, context, 1, budget, &c->peers[p]);
    }
}

void tact_friction_run(const TactFriction *friction, TactFrictionCase *c)
{
    TactContactFile *file = NULL;
    c->status = tact_contact_read(c->path, &file);
    if (c->status != TACT_OK) {
        snprintf(c->message, sizeof c->message, "%s", tact_status_message());
        return;
    }
    TactFrictionForm form;
    TactStatus       formed = tact_friction_form_create(&file->problem, &form);
    Context          context = {
                 .problem = &file->problem,
                 .form = formed == TACT_OK ? &form : NULL,
                 .friction = {.contacts = form.contacts,
                              .dimension = file->dimension,
                              .storage = form.contacts < TACT_FRICTION_FEW ? TACT_FRICTION_DENSE
                                                                           : TACT_FRICTION_BLOCKS,
                              .W = form.W,
                              .start = form.start,
                              .column = form.column,
                              .value = form.value,
                              .b = form.b,
                              .mu = form.mu,
                              .mu_roll = form.mu_roll},
                 .own = calloc((size_t)file->problem.contact_count + 1, sizeof(TactContact)),
                 .p = calloc(5 * (size_t)file->problem.contact_count + 1, sizeof(double)),
                 .answer = calloc(6 * (size_t)file->problem.contact_count + 1, sizeof(double)),
    };
    c->contacts = file->problem.contact_count;
    c->dimension = file->dimension;
    snprintf(c->form, sizeof c->form, "%s", file->format);
    if (formed != TACT_OK) {
        snprintf(c->message, sizeof c->message, "%s",
                 formed == TACT_UNSUPPORTED ? "others take no joint rows, accelerations, spinning"
                                            : "the form that others take could not be made");
    }
    if (context.p && context.answer && context.own) {
        run_all(friction, &context, c);
    } else {
        c->status = TACT_NO_MEMORY;
    }
    free(context.p);
    free(context.own);
    free(context.answer);
    tact_friction_form_destroy(&form);
    tact_contact_file_destroy(file);
}
