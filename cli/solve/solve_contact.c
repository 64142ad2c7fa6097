// Running the methods on a contact problem.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solve/solve.h"

// From so many contacts on these methods take minutes: --method all leaves them out, and says so.
enum { MANY_FOR_STRUCTURAL = 100, MANY_FOR_LCP = 200 };

double tact_solve_step(const TactSolveProblem *problem)
{
    const TactContactProblem *contact = &problem->contact->problem;
    return contact->level == TACT_LEVEL_VELOCITY ? contact->step : 1;
}

/// The cone asked for, or else that of the method's default config.
static TactContactCone choose_cone(const TactSolveOptions *options, TactContactMethod method)
{
    return options->cone >= 0 ? (TactContactCone)options->cone
                              : tact_contact_config_default(method).cone;
}

static TactContactConfig configure(const TactSolveOptions *options, const TactSolveResult *result)
{
    TactContactConfig config = tact_contact_config_default(result->contact.method);
    config.cone = result->contact.cone;
    config.tol = options->tol >= 0 ? options->tol : config.tol;
    config.max_pivots = options->max_pivots > 0 ? options->max_pivots : config.max_pivots;
    config.max_sweeps = options->max_iterations > 0 ? options->max_iterations : config.max_sweeps;
    config.max_work = options->max_work;
    config.max_time = options->max_time;
    config.start = (TactContactStart)options->lcp.start;
    config.fallback = (TactContactFallback)options->lcp.fallback;
    config.cfm = options->lcp.cfm;
    if (options->lcp_method >= 0) {
        config.lcp_method = (TactLcpMethod)options->lcp_method;
    }
    return config;
}

/// Every solve starts cold.
static TactStatus solve_timed(const TactSolveOptions *options, TactContactSolver *solver,
                              const TactContactProblem *problem, TactSolveResult *result)
{
    double total = 0;
    result->time = 1e300;
    do {
        tact_contact_solver_forget(solver);
        double     start = tact_time_now();
        TactStatus status =
            tact_contact_solve(solver, problem, &result->contact.answer, &result->contact.report);
        double time = tact_time_now() - start;
        if (status != TACT_OK) {
            return status;
        }
        result->solves++;
        total += time;
        result->time = time < result->time ? time : result->time;
    } while (tact_solve_again(options, result->solves, total));
    result->solved = result->contact.report.outcome == TACT_OUTCOME_SOLVED;
    return TACT_OK;
}

static TactStatus run_method(const TactSolveOptions *options, const TactContactProblem *problem,
                             TactSolveResult *result)
{
    TactContactConfig   config = configure(options, result);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver = NULL;
    result->tol = config.tol;
    TactStatus status = tact_contact_solver_create(&capacity, &config, &solver);
    if (status == TACT_OK) {
        status = solve_timed(options, solver, problem, result);
    }
    tact_contact_solver_destroy(solver);
    return status;
}

bool tact_solve_has_moments(const TactContactProblem *problem)
{
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_contact_has_moments(&problem->contacts[i])) {
            return true;
        }
    }
    return false;
}

static bool allocate_answer(const TactContactProblem *problem, TactSolveContact *contact)
{
    size_t  contacts = 3 * (size_t)problem->contact_count;
    size_t  rows = (size_t)problem->row_count;
    size_t  dof = (size_t)tact_contact_get_dof(problem);
    double *block = calloc(5 * contacts + 2 * rows + dof + 1, sizeof *block);
    if (!block) {
        return false;
    }
    contact->answer = (TactContactAnswer){
        .impulse = block,
        .u = block + contacts,
        .row_impulse = block + 2 * contacts,
        .velocity = block + 2 * contacts + rows,
        .moment = block + 2 * contacts + rows + dof,
        .spin = block + 3 * contacts + rows + dof,
        .low = block + 4 * contacts + rows + dof,
    };
    return true;
}

/// Forces of least norm, and the range of normal forces, of a proven answer.
static TactStatus share(const TactSolveOptions *options, const TactContactProblem *problem,
                        TactSolveResult *result)
{
    TactSolveContact *contact = &result->contact;
    TactStatus        status = TACT_OK;
    if (!result->solved) {
        return TACT_OK;
    }
    if (options->share == TACT_SHARE_LEAST) {
        status = tact_contact_share(problem, contact->cone, result->tol, &contact->answer,
                                    &contact->sharing);
    }
    if (status == TACT_OK && contact->sharing.outcome == TACT_SHARING_OUTCOME_FOUND) {
        contact->report.certificate = contact->sharing.certificate;
    }
    if (status == TACT_OK && options->range) {
        contact->range = calloc((size_t)problem->contact_count + 1, sizeof *contact->range);
        status = contact->range ? tact_contact_compute_ranges(problem, contact->cone,
                                                              &contact->answer, contact->range)
                                : TACT_NO_MEMORY;
    }
    return status;
}

/// What the contacts do; an answer that is none has no diagnosis. Fails if memory lacks.
static TactStatus diagnose(const TactContactProblem *problem, TactSolveContact *contact)
{
    contact->diagnosis = calloc((size_t)problem->contact_count + 1, sizeof *contact->diagnosis);
    TactStatus status = contact->diagnosis
                            ? tact_contact_diagnose(problem, &contact->answer, contact->diagnosis)
                            : TACT_NO_MEMORY;
    if (status != TACT_OK) {
        free(contact->diagnosis);
        contact->diagnosis = NULL;
    }
    return status == TACT_NO_MEMORY ? status : TACT_OK;
}

/// Appends the method's result; true if it did not refuse.
static bool run_contact(const TactSolveOptions *options, TactContactMethod method,
                        TactSolveProblem *problem)
{
    const TactContactProblem *contact = &problem->contact->problem;
    TactSolveResult          *result = &problem->results[problem->result_count++];
    *result = (TactSolveResult){
        .name = tact_contact_method_info(method)->name,
        .contact = {.method = method, .cone = choose_cone(options, method)},
    };
    if (!allocate_answer(contact, &result->contact)) {
        result->status = TACT_NO_MEMORY;
        snprintf(result->reason, sizeof result->reason, "no memory for the answer");
        return false;
    }
    tact_solve_progress(options, problem, result->name);
    result->status = run_method(options, contact, result);
    if (result->status == TACT_OK) {
        result->status = share(options, contact, result);
    }
    if (result->status != TACT_OK) {
        snprintf(result->reason, sizeof result->reason, "%s", tact_status_message());
        free(result->contact.answer.impulse);
        free(result->contact.range);
        result->solved = false;
        result->contact.answer = (TactContactAnswer){0};
        result->contact.range = NULL;
        return false;
    }
    result->status = diagnose(contact, &result->contact);
    if (result->status != TACT_OK) {
        snprintf(result->reason, sizeof result->reason, "no memory to look at the contacts");
    }
    return result->status == TACT_OK;
}

/// The first of these methods that takes the problem; only its result is kept.
static void run_chosen(const TactSolveOptions *options, TactSolveProblem *problem)
{
    static const TactContactMethod usual[] = {TACT_METHOD_LADDER, TACT_METHOD_REDUCED,
                                              TACT_METHOD_NSGS,   TACT_METHOD_BARAFF,
                                              TACT_METHOD_LCP,    TACT_METHOD_BOX};
    enum { USUAL = sizeof usual / sizeof usual[0] };

    problem->chosen = true;
    for (int k = 0; k < USUAL; k++) {
        if (!tact_contact_method_info(usual[k])) {
            continue;
        }
        bool done = run_contact(options, usual[k], problem);
        if (done || problem->results[problem->result_count - 1].status == TACT_NO_MEMORY) {
            problem->results[0] = problem->results[problem->result_count - 1];
            problem->result_count = 1;
            return;
        }
    }
}

static bool takes_minutes(TactContactMethod method, int contacts)
{
    return (method == TACT_METHOD_STRUCTURAL && contacts > MANY_FOR_STRUCTURAL) ||
           (method == TACT_METHOD_LCP && contacts > MANY_FOR_LCP);
}

static void run_all(const TactSolveOptions *options, TactSolveProblem *problem)
{
    int contacts = problem->contact->problem.contact_count;
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        TactContactMethod            method = (TactContactMethod)i;
        const TactContactMethodInfo *info = tact_contact_method_info(method);
        if (!info) {
            continue;
        }
        if (!options->wanted_contact[i] && takes_minutes(method, contacts)) {
            char reason[160];
            snprintf(reason, sizeof reason,
                     "left out of all: %d contacts may take it minutes; name it to run it",
                     contacts);
            tact_solve_refuse(problem, info->name, reason);
        } else {
            run_contact(options, method, problem);
        }
    }
}

void tact_solve_run_contact(const TactSolveOptions *options, TactSolveProblem *problem)
{
    if (!options->method) {
        run_chosen(options, problem);
        return;
    }
    if (options->all) {
        run_all(options, problem);
    }
    for (int i = 0; i < TACT_METHOD_COUNT && !options->all; i++) {
        if (options->wanted_contact[i]) {
            run_contact(options, (TactContactMethod)i, problem);
        }
    }
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        if (options->wanted[i]) {
            const char *name = tact_lcp_method_info((TactLcpMethod)i)->name;
            char        reason[160];
            snprintf(reason, sizeof reason,
                     "a method for LCPs, and this is a contact problem: its LCP is solved by "
                     "--method lcp --lcp-method %s",
                     name);
            tact_solve_refuse(problem, name, reason);
        }
    }
}
