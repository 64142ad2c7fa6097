// `ladder`: last step's basis, then one method after the other until an answer is certified.
//
// Every rung is certified from the raw problem before it counts, and reported with why it was
// left. If none holds, the best answer found is returned as what it is.
#include "contact/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/guess.h"
#include "contact/islands.h"
#include "contact/memory.h"
#include "contact/newton.h"
#include "contact/proximal.h"
#include "contact/reduced.h"
#include "contact/rows.h"
#include "contact/turning.h"

extern const TactContactMethodEntry tact_contact_lcp;
extern const TactContactMethodEntry tact_contact_box;
extern const TactContactMethodEntry tact_contact_baraff;
extern const TactContactMethodEntry tact_contact_nsgs;

// Above these sizes the dense LCP, and the pivoting of the kernel and the dense friction box, are
// no longer worth trying. Any number of contacts is fine where few degrees of freedom can move.
enum { MOST_CONTACTS_LCP = 64, MOST_CONTACTS_PIVOTING = 300, FEW_DOF = 120, MANY_DOF = 1200 };

// A start for Lemke's path is all that is asked of the friction box: outer iterations.
enum { BOX_ITERATIONS = 10 };

// Newton from the last step's impulses before the whole path.
enum { WARM_STEPS = 8 };

// Compliance of the first springs of the path, in units of w: about the last step's impulses, or 0.
static const double WARM_EPS = 1e-3, COLD_EPS = 0.1;

// Sweeps of a large problem that the proximal path could not solve.
enum { LARGE_SWEEPS = 300 };

// Rungs that measure their own error do so more strictly than the certificate.
static const double STRICTER = 0.8;

// Only above this many contacts and degrees of freedom the proximal path has a try.
enum { FEW_CONTACTS = 100, FEW_BODIES_DOF = 150 };

// Solves with what the factor of W leaves out (defect.h).
enum { MOST_CORRECTIONS = 6 };

typedef struct Ladder {
    TactKernel   kernel;
    TactTurning  turning;
    TactNewton   newton;
    TactIslands  islands;
    TactProximal proximal;
    double      *before; // motion before the step, whitened                  (dof)
    double      *last;   // impulses of the last step                         (3 items)
    void        *search; // work of the methods below: lcp twice
    void        *lemke;
    void        *box;
    void        *nsgs;
    void        *baraff;
    double      *best; // impulses of the smallest certified error          (3 items)
    double       best_error;
} Ladder;

static bool has_search(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= MOST_CONTACTS_LCP;
}

static bool has_box(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= MOST_CONTACTS_PIVOTING;
}

static bool has_baraff(const TactContactSolver *solver)
{
    return solver->config.cone == TACT_CONTACT_CIRCLE && has_box(solver);
}

/// Lets a method lay out, create, run or destroy with its own work and config.
typedef struct Lent {
    void             *work;
    TactContactConfig config;
} Lent;

static Lent lend(TactContactSolver *solver, void *work, TactLcpMethod lcp_method,
                 TactContactCone cone)
{
    Lent lent = {solver->work, solver->config};
    solver->work = work;
    solver->config.lcp_method = lcp_method;
    solver->config.cone = cone;
    if (cone == TACT_CONTACT_BOX_CONE && solver->config.max_sweeps > BOX_ITERATIONS) {
        solver->config.max_sweeps = BOX_ITERATIONS;
    }
    return lent;
}

static void take_back(TactContactSolver *solver, Lent lent)
{
    solver->work = lent.work;
    solver->config = lent.config;
}

static void *layout_of(const TactContactMethodEntry *method, TactContactSolver *solver,
                       TactArena *arena)
{
    method->layout(solver, arena);
    return solver->work;
}

/// Pivots are for what is small: where many degrees of freedom can move, the kernel has room for
/// few contacts only.
static int most_pivoting(const TactContactCapacity *capacity)
{
    return capacity->dof <= FEW_DOF    ? capacity->contacts + capacity->rows
           : capacity->dof <= MANY_DOF ? MOST_CONTACTS_PIVOTING
           : capacity->contacts + capacity->rows <= MOST_CONTACTS_PIVOTING ? MOST_CONTACTS_PIVOTING
                                                                           : MOST_CONTACTS_LCP;
}

static TactContactCapacity kernel_capacity(const TactContactCapacity *capacity)
{
    TactContactCapacity own = *capacity;
    int                 most = most_pivoting(capacity);
    own.contacts = own.contacts < most ? own.contacts : most;
    own.rows = own.rows < most ? own.rows : most;
    return own;
}

static void layout(TactContactSolver *solver, TactArena *arena)
{
    TactContactCapacity kernel = kernel_capacity(&solver->capacity);
    size_t              items = (size_t)solver->capacity.contacts + (size_t)solver->capacity.rows;
    Ladder             *ladder = tact_arena_take(arena, 1, sizeof *ladder);
    Ladder              sized = {0};
    tact_kernel_layout(&sized.kernel, &kernel, arena);
    tact_turning_layout(&sized.turning, &solver->capacity, arena);
    tact_newton_layout(&sized.newton, &solver->capacity, arena);
    tact_islands_layout(&sized.islands, &solver->capacity, arena);
    tact_proximal_layout(&sized.proximal, &solver->capacity, arena);
    sized.before = tact_arena_take(arena, (size_t)solver->capacity.dof, sizeof(double));
    sized.best = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.last = tact_arena_take(arena, 3 * items, sizeof(double));
    if (has_search(solver)) {
        sized.search = layout_of(&tact_contact_lcp, solver, arena);
        sized.lemke = layout_of(&tact_contact_lcp, solver, arena);
    }
    if (has_box(solver)) {
        sized.box = layout_of(&tact_contact_box, solver, arena);
    }
    if (has_baraff(solver)) {
        sized.baraff = layout_of(&tact_contact_baraff, solver, arena);
    }
    sized.nsgs = layout_of(&tact_contact_nsgs, solver, arena);
    if (arena->block) {
        *ladder = sized;
    }
    solver->work = ladder;
}

static TactStatus create_part(const TactContactMethodEntry *method, TactContactSolver *solver,
                              void *work, TactLcpMethod lcp_method, TactContactCone cone)
{
    if (!method->create) {
        return TACT_OK;
    }
    Lent       lent = lend(solver, work, lcp_method, cone);
    TactStatus status = method->create(solver);
    take_back(solver, lent);
    return status;
}

static void destroy_part(const TactContactMethodEntry *method, TactContactSolver *solver,
                         void *work)
{
    if (method->destroy && work) {
        void *own = solver->work;
        solver->work = work;
        method->destroy(solver);
        solver->work = own;
    }
}

static TactStatus create(TactContactSolver *solver)
{
    Ladder    *ladder = solver->work;
    TactStatus status = TACT_OK;
    if (ladder->search) {
        status = create_part(&tact_contact_lcp, solver, ladder->search, TACT_LCP_SEARCH,
                             TACT_CONTACT_PYRAMID);
    }
    if (status == TACT_OK && ladder->lemke) {
        status = create_part(&tact_contact_lcp, solver, ladder->lemke, TACT_LCP_LEMKE_LEX,
                             TACT_CONTACT_PYRAMID);
    }
    if (status == TACT_OK && ladder->box) {
        status = create_part(&tact_contact_box, solver, ladder->box, TACT_LCP_PGS_SM,
                             TACT_CONTACT_BOX_CONE);
    }
    if (status == TACT_OK && ladder->baraff) {
        status = create_part(&tact_contact_baraff, solver, ladder->baraff, TACT_LCP_DANTZIG,
                             TACT_CONTACT_CIRCLE);
    }
    return status;
}

static void destroy(TactContactSolver *solver)
{
    Ladder *ladder = solver->work;
    destroy_part(&tact_contact_lcp, solver, ladder->search);
    destroy_part(&tact_contact_lcp, solver, ladder->lemke);
    destroy_part(&tact_contact_box, solver, ladder->box);
    destroy_part(&tact_contact_nsgs, solver, ladder->nsgs);
    destroy_part(&tact_contact_baraff, solver, ladder->baraff);
}

// ---------------------------------------------------------------------------------------------
// Rungs

static bool is_small(const TactSystem *system)
{
    return system->item_count <= most_pivoting(&system->capacity);
}

typedef struct Climb {
    TactContactSolver        *solver;
    const TactContactProblem *problem;
    double                   *p;
    TactContactReport        *report;
    int                       pivots; // before the rung
} Climb;

/// Certifies what stands in p, writes the rung down (NULL: as one with the last) and keeps the
/// best. true: solved.
static bool judge(Climb *climb, const char *name, TactContactOutcome ended)
{
    TactContactReport *report = climb->report;
    Ladder            *ladder = climb->solver->work;
    tact_contact_judge(climb->solver, climb->problem, climb->p, ended, report);
    if (name && report->rung_count < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[report->rung_count++] = (TactContactRung){.name = name};
    }
    TactContactRung *rung = &report->rungs[report->rung_count - 1];
    rung->outcome = report->outcome;
    rung->pivots += report->pivots - climb->pivots;
    rung->error = report->certificate.error;
    climb->pivots = report->pivots;
    if (report->certificate.error < ladder->best_error) {
        ladder->best_error = report->certificate.error;
        memcpy(ladder->best, climb->p,
               3 * (size_t)climb->solver->system.item_count * sizeof(double));
    }
    return report->outcome == TACT_CONTACT_SOLVED;
}

static TactContactOutcome turn_from(Climb *climb, TactTurningStart start)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    return tact_turning_solve(&ladder->turning, &ladder->kernel, &solver->system, &start,
                              solver->config.max_turns, TACT_TURNING_TOL, climb->p, climb->report);
}

static bool rung_basis(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    if (solver->warm && solver->config.cone == TACT_CONTACT_PYRAMID &&
        tact_reduced_keep_basis(&ladder->kernel, &solver->system, solver->memory, climb->p)) {
        return judge(climb, "basis", TACT_CONTACT_SOLVED);
    }
    if (!solver->warm ||
        !tact_reduced_try_basis(&ladder->kernel, &solver->system, solver->memory, climb->report)) {
        return false;
    }
    TactContactOutcome ended = TACT_CONTACT_SOLVED;
    if (solver->config.cone == TACT_CONTACT_CIRCLE) {
        ended = turn_from(climb, (TactTurningStart){.from_kernel = true});
    } else {
        tact_kernel_impulses(&ladder->kernel, true, climb->p);
    }
    return judge(climb, "basis", ended);
}

static TactContactOutcome run_reduced(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    if (solver->config.cone == TACT_CONTACT_CIRCLE) {
        return turn_from(climb, (TactTurningStart){0});
    }
    return tact_reduced_solve(&ladder->kernel, &solver->system, NULL, solver->config.max_pivots,
                              climb->p, climb->report);
}

/// A W that is not quite symmetric: its symmetric part, and again with what that leaves out.
static bool rung_corrected(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    bool               solved = false;
    double             error = HUGE_VAL;
    tact_defect_begin(&solver->defect, &solver->system);
    for (int k = 0; k < MOST_CORRECTIONS && climb->report->certificate.error < error / 2; k++) {
        error = climb->report->certificate.error;
        if (!tact_defect_correct(&solver->system, climb->problem, climb->p)) {
            break;
        }
        solved = judge(climb, k == 0 ? "reduced, W as given" : NULL, run_reduced(climb));
        if (solved) {
            break;
        }
    }
    tact_defect_end(&solver->defect, &solver->system);
    return solved;
}

static bool rung_reduced(Climb *climb)
{
    bool solved = judge(climb, "reduced", run_reduced(climb));
    return solved || (climb->problem->W && rung_corrected(climb));
}

/// Newton turning from other pyramids.
static bool rung_turned(Climb *climb)
{
    return judge(climb, "reduced, against the slip",
                 turn_from(climb, (TactTurningStart){.against_slip = true})) ||
           judge(climb, "reduced, turned by 11 degrees",
                 turn_from(climb, (TactTurningStart){.turn = 0.19634954084936207}));
}

/// Semismooth Newton from the best answer so far.
static bool rung_newton(Climb *climb, const char *name)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    if (ladder->best_error == HUGE_VAL) {
        return false;
    }
    memcpy(climb->p, ladder->best, 3 * (size_t)solver->system.item_count * sizeof(double));
    tact_newton_begin(&ladder->newton, &solver->system, climb->problem, solver->config.cone);
    bool polished = tact_newton_polish(&ladder->newton, 0.01 * solver->config.tol, climb->p,
                                       &climb->report->turns);
    solver->kernel = NULL; // its basis is not that of the answer
    return judge(climb, name, polished ? TACT_CONTACT_SOLVED : TACT_CONTACT_LIMIT);
}

/// Lets another method run on the same system; its answer is then polished for the asked cone.
static TactContactOutcome run_part(Climb *climb, const TactContactMethodEntry *method, void *work,
                                   TactLcpMethod lcp_method, TactContactCone cone)
{
    TactContactSolver *solver = climb->solver;
    Lent               lent = lend(solver, work, lcp_method, cone);
    TactContactOutcome ended = method->run(solver, climb->problem, climb->p, climb->report);
    take_back(solver, lent);
    return ended;
}

/// Baraff's order of events finds other answers than a path from nothing.
static bool rung_baraff(Climb *climb)
{
    Ladder *ladder = climb->solver->work;
    if (!ladder->baraff) {
        return false;
    }
    memset(climb->p, 0, 3 * (size_t)climb->solver->system.item_count * sizeof(double));
    climb->solver->kernel = NULL;
    return judge(climb, "baraff",
                 run_part(climb, &tact_contact_baraff, ladder->baraff, TACT_LCP_DANTZIG,
                          TACT_CONTACT_CIRCLE));
}

/// The assembled LCP by one of its methods.
static bool rung_lcp(Climb *climb, void *work, TactLcpMethod method, const char *name)
{
    Ladder *ladder = climb->solver->work;
    if (!work || !climb->solver->system.columns_built) {
        return false;
    }
    TactContactOutcome ended =
        run_part(climb, &tact_contact_lcp, work, method, TACT_CONTACT_PYRAMID);
    if (climb->solver->config.cone == TACT_CONTACT_CIRCLE && ended == TACT_CONTACT_SOLVED) {
        // The pyramid's answer as a basis, then turns from it.
        ended = tact_guess_solve(&ladder->kernel, &climb->solver->system, climb->p, climb->report);
        if (ended == TACT_CONTACT_SOLVED) {
            ended = turn_from(climb, (TactTurningStart){.from_kernel = true});
        }
    }
    return judge(climb, name, ended);
}

static bool rung_search(Climb *climb)
{
    Ladder *ladder = climb->solver->work;
    return rung_lcp(climb, ladder->search, TACT_LCP_SEARCH, "search") ||
           rung_lcp(climb, ladder->lemke, TACT_LCP_LEMKE_LEX, "lemke-lex");
}

static bool rung_pgs_sm(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    if (!ladder->box || !solver->system.columns_built) {
        return false;
    }
    run_part(climb, &tact_contact_box, ladder->box, TACT_LCP_PGS_SM, TACT_CONTACT_BOX_CONE);
    TactContactOutcome ended =
        tact_guess_solve(&ladder->kernel, &solver->system, climb->p, climb->report);
    if (solver->config.cone == TACT_CONTACT_CIRCLE && ended == TACT_CONTACT_SOLVED) {
        ended = turn_from(climb, (TactTurningStart){.from_kernel = true});
    }
    return judge(climb, "pgs-sm", ended);
}

/// Items of the largest island.
static int largest_island(const TactIslands *islands, const TactSystem *system)
{
    int most = 0;
    for (int k = 0; k < islands->count; k++) {
        int count = 0;
        for (int g = islands->start[k]; g < islands->start[k + 1]; g++) {
            count += system->groups[islands->group[g]].count;
        }
        most = count > most ? count : most;
    }
    return most;
}

/// `reduced` for one island after the other, if all of them are small enough.
static bool rung_islands(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    TactIslands       *islands = &ladder->islands;
    TactContactOutcome ended = TACT_CONTACT_SOLVED;
    tact_islands_find(islands, &solver->system);
    if (islands->count < 2 ||
        largest_island(islands, &solver->system) > most_pivoting(&solver->capacity)) {
        return false;
    }
    for (int k = 0; k < islands->count; k++) {
        const TactSystem  *part = tact_islands_take(islands, &solver->system, k);
        TactTurningStart   start = {0};
        TactContactOutcome own = TACT_CONTACT_LIMIT;
        memset(islands->p, 0, 3 * (size_t)part->item_count * sizeof(double));
        if (solver->config.cone == TACT_CONTACT_CIRCLE) {
            own = tact_turning_solve(&ladder->turning, &ladder->kernel, part, &start,
                                     solver->config.max_turns, TACT_TURNING_TOL, islands->p,
                                     climb->report);
        } else {
            own = tact_reduced_solve(&ladder->kernel, part, NULL, solver->config.max_pivots,
                                     islands->p, climb->report);
        }
        tact_islands_put(islands, climb->p);
        ended = own == TACT_CONTACT_SOLVED ? ended : own;
    }
    return judge(climb, "islands", ended);
}

/// The motion before the step, whitened: what the proximal path starts from.
static void set_before(Ladder *ladder, const TactSystem *system, const TactContactProblem *problem)
{
    if (system->bilateral.rank == 0 && problem->level == TACT_CONTACT_VELOCITY) {
        tact_rows_velocity(problem, ladder->before);
        tact_whitener_velocity(&system->whitener, problem, ladder->before);
    } else {
        memcpy(ladder->before, system->y0, (size_t)system->dof * sizeof(double));
    }
}

/// Makes the proximal path ready; false if the problem is not for it.
static bool begin_proximal(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    const TactSystem  *system = &solver->system;
    TactCoupling      *coupling = &ladder->newton.coupling;
    bool               few = system->item_count <= FEW_CONTACTS || system->dof <= FEW_BODIES_DOF;
    if (!system->columns_built || (few && is_small(system))) {
        return false;
    }
    tact_coupling_begin(coupling, system, climb->problem, solver->config.cone);
    set_before(ladder, system, climb->problem);
    return tact_proximal_begin(&ladder->proximal, coupling);
}

static void count_proximal(Climb *climb)
{
    TactProximal *proximal = &((Ladder *)climb->solver->work)->proximal;
    climb->report->turns += proximal->steps;
    climb->report->iterations += proximal->stages;
    proximal->steps = proximal->stages = 0;
}

/// The last step's impulses with a few steps of Newton.
static bool rung_warm(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    size_t             size = 3 * (size_t)solver->system.item_count * sizeof(double);
    if (!solver->warm) {
        return false;
    }
    memcpy(ladder->last, climb->p, size);
    bool ended = tact_proximal_polish(&ladder->proximal, ladder->before,
                                      STRICTER * solver->config.tol, WARM_STEPS, climb->p);
    count_proximal(climb);
    if (ended && judge(climb, "warm", TACT_CONTACT_SOLVED)) {
        return true;
    }
    memcpy(climb->p, ladder->last, size); // the basis rung starts from there
    return false;
}

static bool rung_proximal(Climb *climb)
{
    TactContactSolver *solver = climb->solver;
    Ladder            *ladder = solver->work;
    size_t             size = 3 * (size_t)solver->system.item_count * sizeof(double);
    double             eps = solver->warm ? WARM_EPS : COLD_EPS;
    if (solver->warm) {
        memcpy(climb->p, ladder->last, size);
    } else {
        memset(climb->p, 0, size);
    }
    solver->kernel = NULL; // its basis is not that of the answer
    bool ended = tact_proximal_run(&ladder->proximal, ladder->before, eps,
                                   STRICTER * solver->config.tol, climb->p);
    count_proximal(climb);
    return judge(climb, "proximal", ended ? TACT_CONTACT_SOLVED : TACT_CONTACT_LIMIT);
}

/// From the best answer so far, or from nothing.
static bool rung_nsgs(Climb *climb, bool from_best, const char *name)
{
    Ladder *ladder = climb->solver->work;
    size_t  size = 3 * (size_t)climb->solver->system.item_count * sizeof(double);
    if (from_best && ladder->best_error < HUGE_VAL) {
        memcpy(climb->p, ladder->best, size);
    } else if (!from_best) {
        memset(climb->p, 0, size);
    }
    climb->solver->kernel = NULL; // its basis is not that of the answer
    TactContactOutcome ended = run_part(climb, &tact_contact_nsgs, ladder->nsgs, TACT_LCP_PGS_SM,
                                        climb->solver->config.cone);
    return judge(climb, name, ended);
}

/// The last rungs. Where the proximal path has tried, many sweeps would hardly do better.
static bool rung_last(Climb *climb, bool pivoting, bool large)
{
    TactContactConfig *config = &climb->solver->config;
    int                sweeps = config->max_sweeps;
    config->max_sweeps = large && !pivoting && sweeps > LARGE_SWEEPS ? LARGE_SWEEPS : sweeps;
    bool solved = rung_nsgs(climb, true, "nsgs");
    config->max_sweeps = sweeps;
    if (solved) {
        return true;
    }
    return pivoting && (rung_newton(climb, "newton, from there") ||
                        rung_nsgs(climb, false, "nsgs, from nothing"));
}

static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    Ladder *ladder = solver->work;
    Climb   climb = {solver, problem, p, report, 0};
    bool    circle = solver->config.cone == TACT_CONTACT_CIRCLE;
    bool    pivoting = solver->system.columns_built && is_small(&solver->system);
    ladder->best_error = HUGE_VAL;
    solver->kernel = NULL;
    bool large = begin_proximal(&climb);
    if (large && rung_warm(&climb)) {
        return TACT_CONTACT_SOLVED;
    }
    if (!pivoting && solver->system.columns_built && rung_islands(&climb)) {
        return TACT_CONTACT_SOLVED;
    }
    if (!pivoting && large && rung_proximal(&climb)) {
        return TACT_CONTACT_SOLVED;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    if (pivoting && (rung_basis(&climb) || rung_reduced(&climb))) {
        return TACT_CONTACT_SOLVED;
    }
    if (pivoting && large && rung_proximal(&climb)) {
        return TACT_CONTACT_SOLVED;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    if (pivoting && circle &&
        (rung_turned(&climb) || rung_newton(&climb, "newton") || rung_baraff(&climb))) {
        return TACT_CONTACT_SOLVED;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    if (rung_search(&climb) || (pivoting && !circle && rung_newton(&climb, "newton")) ||
        rung_pgs_sm(&climb)) {
        return TACT_CONTACT_SOLVED;
    }
    if (rung_last(&climb, pivoting, large)) {
        return TACT_CONTACT_SOLVED;
    }
    if (ladder->best_error < HUGE_VAL) {
        memcpy(p, ladder->best, 3 * (size_t)solver->system.item_count * sizeof(double));
    }
    solver->kernel = NULL;
    solver->judged = false;
    return TACT_CONTACT_LIMIT;
}

/// A large problem given by W is left to the sweeps: factoring W would cost more than solving.
static bool wants_columns(const TactContactProblem *problem)
{
    return !problem->W || problem->contact_count <= MOST_CONTACTS_LCP;
}

const TactContactMethodEntry tact_contact_ladder = {
    .info =
        {
            .name = "ladder",
            .source = "tact: last basis, reduced, search, pgs-sm, nsgs",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE |
                     TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W,
        },
    .corrects = true,
    .wants_columns = wants_columns,
    .layout = layout,
    .create = create,
    .destroy = destroy,
    .run = run,
};
