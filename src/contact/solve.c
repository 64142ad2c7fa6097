// Create, solve, destroy: the frame around every contact method. A method never certifies itself.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/budget.h"
#include "base/log.h"
#include "base/status.h"
#include "contact/disc/disc.h"
#include "contact/pivot/pivot.h"
#include "contact/solver.h"
#include "linalg/lapack.h"

// So many items fit into a variable of the kernel (TactVar).
enum { MOST_ITEMS = 1 << 22 };

// Memory of a method that is dense.
static const size_t MOST_BYTES = (size_t)4 << 30;

// A solver that takes more says so before it does.
static const size_t TOLD_BYTES = (size_t)100 << 20;

// Runs of a method on a W that is not quite symmetric, after the first.
enum { MOST_CORRECTIONS = 6 };
// Runs of a method that refines, after the first, and the tolerance of each over the last.
enum { MOST_REFINEMENTS = 2 };
static const double FINER = 1e-3;
// An answer with an error below this is right but for what the factor of W leaves out.
static const double NEARLY = 1e-2;

static TactStatus check_contact_config(const TactContactConfig *config)
{
    if (!config || config->cookie != TACT_CONTACT_COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config does not come from tact_contact_config_default()");
    }
    if (!(config->tol <= TACT_CONTACT_LARGEST_TOL)) {
        return tact_fail(TACT_BAD_ARGUMENT, "the tolerance is %g: at most %g may be called solved",
                         config->tol, TACT_CONTACT_LARGEST_TOL);
    }
    if (!(config->tol > 0) || !(config->lex_tol >= 0) || config->max_pivots < 0 ||
        config->max_turns < 1 || config->max_sweeps < 1 ||
        (unsigned)config->fallback > TACT_FALLBACK_FRICTIONLESS || !(config->cfm >= 0) ||
        !(config->cfm < INFINITY)) {
        return tact_fail(TACT_BAD_ARGUMENT, "a tolerance or count of the config is out of range");
    }
    if (!(config->max_work >= 0) || !(config->max_time >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "the budget of the config: %g operations, %g s",
                         config->max_work, config->max_time);
    }
    return TACT_OK;
}

static TactStatus check_cone(const TactContactMethodEntry *method, TactContactCone cone)
{
    static const struct {
        unsigned    takes;
        const char *name;
    } cones[] = {
        [TACT_CONE_PYRAMID] = {TACT_CONTACT_TAKES_PYRAMID, "pyramid"},
        [TACT_CONE_CIRCLE] = {TACT_CONTACT_TAKES_CIRCLE, "circle"},
        [TACT_CONE_BOX] = {TACT_CONTACT_TAKES_BOX, "box"},
    };
    if ((unsigned)cone >= sizeof cones / sizeof *cones) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no cone %d", (int)cone);
    }
    if (!(method->info.takes & cones[cone].takes)) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take the %s", method->info.name,
                         cones[cone].name);
    }
    return TACT_OK;
}

static void solver_layout(TactContactSolver *solver, TactArena *arena)
{
    const TactContactCapacity *capacity = &solver->capacity;
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactContactMemory         *memory = tact_arena_take(arena, 1, sizeof *memory);
    solver->memory = memory;
    TactContactCapacity linked = tact_disc_link_capacity(capacity);
    tact_memory_layout(memory, &linked, arena);
    tact_system_layout(&solver->system, capacity, arena);
    solver->p = tact_arena_take(arena, 3 * items, sizeof(double));
    solver->velocity = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    solver->row_impulse = tact_arena_take(arena, (size_t)capacity->rows, sizeof(double));
    tact_certifier_layout(&solver->certifier, capacity, arena);
    tact_defect_layout(&solver->defect, capacity, arena);
    tact_method_layout(&solver->method, arena);
    tact_patch_layout(&solver->patches, capacity, arena);
    tact_disc_link_layout(&solver->link, capacity, arena);
    if (solver->disc.entry) {
        tact_method_layout(&solver->disc, arena);
    }
}

/// Methods on dense matrices of all contacts say what they would take before they take it.
static TactStatus check_size(const TactContactSolver *solver)
{
    if (!solver->method.entry->is_dense || solver->arena.used <= MOST_BYTES) {
        return TACT_OK;
    }
    return tact_fail(TACT_UNSUPPORTED,
                     "%s takes %.1f GB for %d contacts and %d rows: ladder and nsgs take less",
                     solver->method.entry->info.name, (double)solver->arena.used / 1e9,
                     solver->capacity.contacts, solver->capacity.rows);
}

/// Is this a capacity, and a config for it?
static TactStatus check_create(const TactContactCapacity *capacity, const TactContactConfig *config)
{
    TACT_TRY(check_contact_config(config));
    const TactContactMethodEntry *method = tact_contact_method_entry(config->method);
    if (!method) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no contact method %d", (int)config->method);
    }
    if (capacity->contacts < 0 || capacity->rows < 0 || capacity->dof < 0 ||
        capacity->support < 0 || capacity->directions < 0 || capacity->patches < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "a capacity is negative");
    }
    if ((size_t)capacity->contacts + (size_t)capacity->rows > MOST_ITEMS) {
        return tact_fail(TACT_BAD_ARGUMENT, "at most %d contacts and rows", MOST_ITEMS);
    }
    return check_cone(method, config->cone);
}

static TactStatus create_solver(const TactContactCapacity *capacity,
                                const TactContactConfig *config, bool lazy,
                                TactContactSolver **solver)
{
    if (!solver || !capacity) {
        return tact_fail(TACT_BAD_ARGUMENT, "capacity or solver is NULL");
    }
    *solver = NULL;
    TACT_TRY(check_create(capacity, config));
    void *block;
    if (capacity->contacts >= TACT_LAPACK_LU_FROM / 3) {
        tact_lapack_prepare();
    }
    TACT_TRY(tact_allocate(1, sizeof **solver, &block));
    TactContactSolver *created = block;
    created->config = *config;
    created->capacity = *capacity;
    created->method = tact_method(tact_contact_method_entry(config->method), config, capacity);
    created->method.lazy = lazy;
    if (capacity->patches > 0 && created->method.entry->info.takes & TACT_CONTACT_TAKES_PATCHES) {
        created->disc = tact_method(&tact_contact_disc, config, capacity);
        created->disc.lazy = lazy;
    }
    solver_layout(created, &created->arena);
    TactStatus status = check_size(created);
    if (status == TACT_OK && created->arena.used > TOLD_BYTES) {
        tact_log(TACT_LOG_LEVEL_INFO,
                 "%s takes %.2f GB for %d contacts, %d rows and %d degrees of freedom%s",
                 created->method.entry->info.name, (double)created->arena.used / 1e9,
                 capacity->contacts, capacity->rows, capacity->dof,
                 lazy ? ", and more where a problem needs it" : "");
    }
    if (status == TACT_OK) {
        status = tact_arena_create(&created->arena);
    }
    if (status != TACT_OK) {
        tact_release(created);
        return status;
    }
    solver_layout(created, &created->arena);
    status = tact_method_create(&created->method);
    if (status == TACT_OK && created->disc.entry) {
        status = tact_method_create(&created->disc);
    }
    if (status != TACT_OK) {
        tact_contact_solver_destroy(created);
        return status;
    }
    *solver = created;
    return TACT_OK;
}

TactStatus tact_contact_solver_create(const TactContactCapacity *capacity,
                                      const TactContactConfig *config, TactContactSolver **solver)
{
    return create_solver(capacity, config, false, solver);
}

TactStatus tact_contact_solver_create_sparing(const TactContactCapacity *capacity,
                                              const TactContactConfig   *config,
                                              TactContactSolver        **solver)
{
    return create_solver(capacity, config, true, solver);
}

void tact_contact_solver_destroy(TactContactSolver *solver)
{
    if (solver) {
        tact_method_destroy(&solver->method);
        tact_method_destroy(&solver->disc);
        tact_arena_destroy(&solver->arena);
        tact_release(solver);
    }
}

void tact_contact_solver_forget(TactContactSolver *solver)
{
    if (solver) {
        tact_memory_forget(solver->memory);
    }
}

// ---------------------------------------------------------------------------------------------
// Solve

/// Can the method take contacts that resist spinning or rolling, or slide more easily one way?
static TactStatus check_patches(const TactContactSolver *solver, const TactContactProblem *problem)
{
    if (!(solver->method.entry->info.takes & TACT_CONTACT_TAKES_PATCHES)) {
        char names[200];
        return tact_fail(
            TACT_UNSUPPORTED,
            "method '%s' cannot take contacts with mu_spin, mu_roll, mu2 or the "
            "ellipsoid: %s can",
            solver->method.entry->info.name,
            tact_contact_methods_taking(TACT_CONTACT_TAKES_PATCHES, names, sizeof names));
    }
    if (solver->config.cone == TACT_CONE_BOX) {
        return tact_fail(TACT_UNSUPPORTED, "the friction box has no place for mu_spin, mu_roll, "
                                           "mu2 or the ellipsoid");
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        bool               ellipsoid = tact_contact_has_moments(contact) &&
                         contact->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
        if (ellipsoid && solver->config.cone == TACT_CONE_PYRAMID) {
            return tact_fail(TACT_UNSUPPORTED, "contact %d: the ellipsoid needs the circle as cone",
                             i);
        }
        if (ellipsoid && solver->disc.entry && tact_disc_only_pivots(&solver->config)) {
            return tact_fail(
                TACT_UNSUPPORTED,
                "contact %d: method '%s' cannot take the ellipsoid, whose friction has "
                "more than two dimensions: ladder and nsgs can",
                i, solver->method.entry->info.name);
        }
    }
    return TACT_OK;
}

static size_t room_for_blocks(const TactContactCapacity *have)
{
    size_t most = (size_t)have->contacts * (size_t)have->contacts;
    return have->blocks > 0 || !have->dense ? have->blocks : most;
}

static TactStatus check_fit(TactContactSolver *solver, const TactContactCapacity *of,
                            const TactContactProblem *problem)
{
    const TactContactCapacity need = *of, *have = &solver->capacity;
    solver->need = need;
    if (need.contacts > have->contacts || need.rows > have->rows || need.dof > have->dof ||
        need.support > have->support || (need.dense && !have->dense) ||
        need.directions > (have->directions > 8 ? have->directions : 8) ||
        need.patches > have->patches || need.blocks > room_for_blocks(have)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "%d contacts, %d rows, %d degrees of freedom do not fit a solver made for "
                         "%d, %d, %d",
                         need.contacts, need.rows, need.dof, have->contacts, have->rows, have->dof);
    }
    unsigned    takes = solver->method.entry->info.takes;
    const char *name = solver->method.entry->info.name;
    if (tact_contact_has_W(problem) && !(takes & TACT_CONTACT_TAKES_W)) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take a problem given by W", name);
    }
    if (problem->blocks && !problem->W && !(takes & TACT_CONTACT_TAKES_BLOCKS)) {
        char names[200];
        return tact_fail(
            TACT_UNSUPPORTED,
            "method '%s' needs W as a dense matrix, and only blocks are given: %s "
            "take them",
            name, tact_contact_methods_taking(TACT_CONTACT_TAKES_BLOCKS, names, sizeof names));
    }
    if (problem->row_count > 0 && !(takes & TACT_CONTACT_TAKES_ROWS)) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take joint rows", name);
    }
    if (problem->level == TACT_LEVEL_ACCELERATION && !(takes & TACT_CONTACT_TAKES_ACCELERATION)) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take accelerations", name);
    }
    return need.patches > 0 ? check_patches(solver, problem) : TACT_OK;
}

/// The answer goes to the caller's arrays, or to the solver's own where the certificate needs what
/// nobody asked for.
static TactContactAnswer complete_answer(TactContactSolver *solver, const TactContactAnswer *given)
{
    return (TactContactAnswer){
        .impulse = given->impulse,
        .row_impulse = given->row_impulse ? given->row_impulse : solver->row_impulse,
        .velocity = given->velocity ? given->velocity : solver->velocity,
        .u = given->u,
        .low = given->low,
    };
}

void tact_attempt_write(TactAttempt *attempt)
{
    const TactSystem *system = attempt->whole ? attempt->whole : attempt->system;
    double           *p = attempt->whole ? attempt->whole_p : attempt->p;
    if (attempt->whole) {
        tact_disc_link_give(attempt->link, attempt->whole, p);
    }
    tact_system_answer(system, attempt->problem, p, &attempt->answer);
}

void tact_attempt_judge(TactAttempt *attempt, TactContactOutcome ended)
{
    tact_attempt_write(attempt);
    tact_attempt_judge_answer(attempt, ended);
}

void tact_attempt_judge_answer(TactAttempt *attempt, TactContactOutcome ended)
{
    const TactContactAnswer *answer = &attempt->answer;
    TactContactReport       *report = attempt->report;
    tact_certifier_run(attempt->certifier, attempt->problem, attempt->cone, answer->impulse,
                       answer->row_impulse, answer->velocity, &report->certificate);
    report->ended = ended;
    // NaN is not certified: every comparison with it is false.
    if (report->certificate.error <= attempt->tol && ended != TACT_OUTCOME_UNBOUNDED) {
        report->outcome = TACT_OUTCOME_SOLVED;
    } else {
        report->outcome = ended == TACT_OUTCOME_SOLVED ? TACT_OUTCOME_UNVERIFIED : ended;
    }
}

/// Runs the method again with what the factor of W leaves out (defect.h), while that gets better.
static void correct_W(TactMethod *method, TactAttempt *attempt)
{
    const TactContactReport *report = attempt->report;
    double                   error = 2 * NEARLY;
    tact_defect_begin(attempt->defect, attempt->system);
    for (int k = 0; k < MOST_CORRECTIONS && report->outcome != TACT_OUTCOME_SOLVED &&
                    !tact_budget_is_over() && report->certificate.error < error / 2;
         k++) {
        error = report->certificate.error;
        if (!tact_defect_correct(attempt->system, attempt->problem, attempt->p)) {
            break;
        }
        memset(attempt->p, 0, 3 * (size_t)attempt->system->item_count * sizeof(double));
        attempt->warm = false;
        tact_attempt_judge(attempt, tact_method_run(method, attempt));
    }
    tact_defect_end(attempt->defect, attempt->system);
}

/// Runs the method on from its answer with finer tolerances, while the certificate does not hold.
static void refine_answer(TactMethod *method, TactAttempt *attempt)
{
    double tol = method->config.tol;
    for (int k = 0; k < MOST_REFINEMENTS && attempt->report->outcome == TACT_OUTCOME_UNVERIFIED &&
                    !tact_budget_is_over();
         k++) {
        method->config.tol *= FINER;
        tact_attempt_judge(attempt, tact_method_run(method, attempt));
    }
    method->config.tol = tol;
}

/// Runs the method, and again where the certificate asks for it; certified.
static void run_method(TactMethod *method, TactAttempt *attempt, bool columns)
{
    TactContactOutcome ended = tact_method_run(method, attempt);
    if (attempt->status != TACT_OK) {
        return;
    }
    if (!method->entry->certifies) {
        tact_attempt_judge(attempt, ended);
    }
    if (method->entry->refines) {
        refine_answer(method, attempt);
    }
    if (tact_contact_has_W(attempt->problem) && columns && !method->entry->corrects) {
        correct_W(method, attempt);
    }
}

/// A method that tries nothing else is its own only rung.
static void name_rung(const TactMethod *method, TactContactReport *report)
{
    if (report->rung_count == 0) {
        report->rungs[report->rung_count++] = (TactContactRung){
            .name = method->entry->info.name,
            .outcome = report->outcome,
            .pivots = report->pivots,
            .error = report->certificate.error,
        };
    }
}

/// Nothing is solved before it is certified.
static void begin_report(TactContactReport *report)
{
    report->outcome = report->ended = TACT_OUTCOME_UNVERIFIED;
    report->certificate.error = INFINITY;
}

/// Without its rungs, most of it: they are written as they are tried, one of a warm solve.
static void clear_report(TactContactReport *report)
{
    memset(report, 0, offsetof(TactContactReport, rungs));
    report->certificate = (TactContactCertificate){0};
}

/// Impulses of the last step into p, or into that of the linked system.
static bool recall(TactContactSolver *solver, TactDiscLink *link)
{
    return (link ? tact_memory_recall(solver->memory, &link->system, link->p)
                 : tact_memory_recall(solver->memory, &solver->system, solver->p)) > 0;
}

/// What the next step starts from.
static void store(TactContactSolver *solver, TactDiscLink *link, const struct TactKernel *kernel)
{
    if (!link) {
        tact_memory_store(solver->memory, &solver->system, solver->p, kernel);
        return;
    }
    if (!kernel) { // whose answer stands there
        tact_disc_link_take(link, solver->p);
    }
    tact_memory_store(solver->memory, &link->system, link->p, kernel);
}

bool tact_contact_solver_has_draft(const TactContactSolver *solver)
{
    return solver->memory->drafted;
}

/// The system of a problem, built or renewed.
static TactStatus make_system(TactContactSolver *solver, const TactContactProblem *problem,
                              bool without_columns)
{
    bool same = solver->repeats && solver->built && !solver->certifier.patches;
    solver->repeats = false;
    if (same && tact_system_renew(&solver->system, problem)) {
        return TACT_OK;
    }
    solver->built = false;
    TACT_TRY(tact_system_build(&solver->system, problem, without_columns));
    if (!solver->certifier.patches) {
        tact_system_join(&solver->system, problem);
        solver->built = true;
    }
    return TACT_OK;
}

/// Solves a problem that fits by a method.
static TactStatus solve_by(TactContactSolver *solver, TactMethod *method,
                           const TactContactProblem *problem, const TactContactAnswer *answer,
                           TactContactReport *report)
{
    // The system: rows whitened by M; what the last step left.
    const TactContactMethodEntry *entry = method->entry;
    bool columns = entry->wants_columns ? entry->wants_columns(problem) : !entry->reads_W;
    TACT_TRY(make_system(solver, problem, !columns));
    clear_report(report);
    begin_report(report);
    report->dof = solver->system.dof;
    report->redundant_rows = solver->system.redundant_rows;
    TactDiscLink *link =
        solver->certifier.patches &&
                tact_disc_link_build(&solver->link, &solver->system, &solver->patches)
            ? &solver->link
            : NULL;
    bool warm = recall(solver, link);

    // The method, within its budget.
    TactBudget  budget;
    TactAttempt attempt = {
        .problem = problem,
        .system = &solver->system,
        .memory = solver->memory,
        .warm = warm,
        .p = solver->p,
        .report = report,
        .certifier = &solver->certifier,
        .defect = &solver->defect,
        .answer = complete_answer(solver, answer),
        .cone = solver->config.cone,
        .tol = solver->config.tol,
        .link = link,
        .threads = solver->threads,
        .need = &solver->need,
        .drafts = solver->drafts,
        .resumes = solver->resumes && solver->memory->drafted,
    };
    solver->drafts = solver->resumes = false;
    tact_budget_begin(&budget, solver->config.max_work, solver->config.max_time);
    run_method(method, &attempt, columns);
    tact_budget_end(&budget);
    TACT_TRY(attempt.status);

    // What is reported, and remembered for the next step.
    report->work = budget.work;
    report->out_of_budget = budget.over;
    report->reproducible = !budget.by_clock;
    if (attempt.steady) {
        tact_steady_remember(attempt.steady, solver->memory);
        tact_memory_store_again(solver->memory, link ? &link->system : &solver->system,
                                link ? link->p : solver->p);
    } else {
        store(solver, link, attempt.kernel);
    }
    solver->memory->settled = attempt.settled;
    solver->memory->missed = attempt.missed;
    solver->memory->drafted = attempt.drafted;
    solver->kernel = attempt.kernel;
    name_rung(&solver->method, report);
    return TACT_OK;
}

/// Solves the expanded problem of one with patches.
static TactStatus solve_patches(TactContactSolver *solver, const TactContactProblem *problem,
                                const TactContactAnswer *answer, TactContactReport *report)
{
    TactPatches *patches = &solver->patches;
    tact_patch_expand(patches, problem);
    TactContactAnswer expanded = tact_patch_answer(patches, answer, solver->velocity);
    solver->certifier.patches = patches;
    solver->need = tact_contact_get_capacity(&patches->problem);
    TactStatus status = solve_by(solver, &solver->disc, &patches->problem, &expanded, report);
    solver->certifier.patches = NULL;
    if (status == TACT_OK) {
        tact_patch_give(patches, &expanded, answer);
    }
    return status;
}

/// Few answers need a low part.
static void clear_low(const TactContactProblem *problem, const TactContactAnswer *answer)
{
    for (int i = 0; answer->low && i < 3 * problem->contact_count + problem->row_count; i++) {
        answer->low[i] = 0;
    }
}

static TactStatus solve_checked(TactContactSolver *solver, const TactContactCapacity *need,
                                const TactContactProblem *problem, const TactContactAnswer *answer,
                                TactContactReport *report)
{
    TACT_TRY(check_fit(solver, need, problem));
    if (solver->need.patches > 0) {
        clear_low(problem, answer);
        return solve_patches(solver, problem, answer, report);
    }
    size_t bytes = 3 * (size_t)problem->contact_count * sizeof(double);
    if (answer->moment && bytes > 0) {
        memset(answer->moment, 0, bytes);
    }
    if (answer->spin && bytes > 0) {
        memset(answer->spin, 0, bytes);
    }
    clear_low(problem, answer);
    return solve_by(solver, &solver->method, problem, answer, report);
}

TactStatus tact_contact_solve(TactContactSolver *solver, const TactContactProblem *problem,
                              const TactContactAnswer *answer, TactContactReport *report)
{
    if (report) {
        begin_report(report);
    }
    if (!solver || !problem || !answer || !report || !answer->impulse) {
        return tact_fail(TACT_BAD_ARGUMENT, "solver, problem, answer or report is NULL");
    }
    TACT_TRY(tact_contact_check(problem));
    TactContactCapacity need = tact_contact_get_capacity(problem);
    return solve_checked(solver, &need, problem, answer, report);
}

TactStatus tact_contact_solve_made(TactContactSolver *solver, const TactContactCapacity *need,
                                   const TactContactProblem *problem,
                                   const TactContactAnswer *answer, TactContactReport *report)
{
    begin_report(report);
    TACT_TRY(tact_contact_check_made(problem));
    return solve_checked(solver, need, problem, answer, report);
}
