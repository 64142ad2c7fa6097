// Memory of `ladder`: what every problem needs, the kernel of the pivots, and the reserve, whose
// methods are lent the solver with their work and their config in the place of its own.
#include <string.h>

#include "base/status.h"
#include "contact/ladder/ladder.h"

extern const TactContactMethodEntry tact_contact_lcp;
extern const TactContactMethodEntry tact_contact_box;
extern const TactContactMethodEntry tact_contact_baraff;

// Above these sizes the pivoting of the kernel is no longer worth trying. Any number of contacts is
// fine where few degrees of freedom can move.
enum { MOST_CONTACTS = 64, MOST_CONTACTS_PIVOTING = 300, FEW_DOF = 120, MANY_DOF = 1200 };

// Only above this many contacts and degrees of freedom the proximal path has a try.
enum { FEW_CONTACTS = 100, FEW_BODIES_DOF = 150 };

// A start for Lemke's path is all that is asked of the friction box: outer iterations.
enum { BOX_ITERATIONS = 10 };

int tact_ladder_most_pivoting(const TactContactCapacity *capacity)
{
    return capacity->dof <= FEW_DOF    ? capacity->contacts + capacity->rows
           : capacity->dof <= MANY_DOF ? MOST_CONTACTS_PIVOTING
           : capacity->contacts + capacity->rows <= MOST_CONTACTS_PIVOTING ? MOST_CONTACTS_PIVOTING
                                                                           : MOST_CONTACTS;
}

bool tact_ladder_is_small(const TactSystem *system)
{
    return system->item_count <= tact_ladder_most_pivoting(&system->capacity);
}

bool tact_ladder_is_large(const TactContactCapacity *capacity, int items, int dof)
{
    bool few = items <= FEW_CONTACTS || dof <= FEW_BODIES_DOF;
    return !few || items > tact_ladder_most_pivoting(capacity);
}

static TactContactCapacity kernel_capacity(const TactContactCapacity *capacity)
{
    TactContactCapacity own = *capacity;
    int                 most = tact_ladder_most_pivoting(capacity);
    own.contacts = own.contacts < most ? own.contacts : most;
    own.rows = own.rows < most ? own.rows : most;
    return own;
}

static bool has_search(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= TACT_LADDER_MOST_LCP;
}

static bool has_box(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= TACT_LADDER_MOST_BOX;
}

static bool has_baraff(const TactContactSolver *solver)
{
    return solver->config.cone == TACT_CONTACT_CIRCLE && has_box(solver);
}

TactLent tact_ladder_lend(TactContactSolver *solver, void *work, TactLcpMethod lcp_method,
                          TactContactCone cone)
{
    TactLent lent = {solver->work, solver->config};
    solver->work = work;
    solver->config.lcp_method = lcp_method;
    solver->config.cone = cone;
    if (cone == TACT_CONTACT_BOX_CONE && solver->config.max_sweeps > BOX_ITERATIONS) {
        solver->config.max_sweeps = BOX_ITERATIONS;
    }
    return lent;
}

void tact_ladder_take_back(TactContactSolver *solver, TactLent lent)
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

static void layout_reserve(TactContactSolver *solver, TactLadderReserve *reserve, TactArena *arena)
{
    tact_newton_layout(&reserve->newton, &solver->capacity, arena);
    if (has_search(solver)) {
        reserve->search = layout_of(&tact_contact_lcp, solver, arena);
        reserve->lemke = layout_of(&tact_contact_lcp, solver, arena);
    }
    if (has_box(solver)) {
        reserve->box = layout_of(&tact_contact_box, solver, arena);
    }
    if (has_baraff(solver)) {
        reserve->baraff = layout_of(&tact_contact_baraff, solver, arena);
    }
    reserve->nsgs = layout_of(&tact_contact_nsgs, solver, arena);
    tact_ladder_layout_quad(&reserve->quad, &solver->capacity, arena);
}

static TactStatus create_part(const TactContactMethodEntry *method, TactContactSolver *solver,
                              void *work, TactLcpMethod lcp_method, TactContactCone cone)
{
    if (!method->create) {
        return TACT_OK;
    }
    TactLent   lent = tact_ladder_lend(solver, work, lcp_method, cone);
    TactStatus status = method->create(solver);
    tact_ladder_take_back(solver, lent);
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

static TactStatus create_reserve(TactContactSolver *solver)
{
    TactLadderReserve *reserve = &((TactLadder *)solver->work)->reserve;
    TactStatus         status = TACT_OK;
    if (reserve->search) {
        status = create_part(&tact_contact_lcp, solver, reserve->search, TACT_LCP_SEARCH,
                             TACT_CONTACT_PYRAMID);
    }
    if (status == TACT_OK && reserve->lemke) {
        status = create_part(&tact_contact_lcp, solver, reserve->lemke, TACT_LCP_LEMKE_LEX,
                             TACT_CONTACT_PYRAMID);
    }
    if (status == TACT_OK && reserve->box) {
        status = create_part(&tact_contact_box, solver, reserve->box, TACT_LCP_PGS_SM,
                             TACT_CONTACT_BOX_CONE);
    }
    if (status == TACT_OK && reserve->baraff) {
        status = create_part(&tact_contact_baraff, solver, reserve->baraff, TACT_LCP_DANTZIG,
                             TACT_CONTACT_CIRCLE);
    }
    reserve->made = status == TACT_OK;
    return status;
}

// ---------------------------------------------------------------------------------------------
// Memory that is made at once

void tact_ladder_layout(TactContactSolver *solver, TactArena *arena)
{
    const TactContactCapacity *capacity = &solver->capacity;
    TactContactCapacity        kernel = kernel_capacity(capacity);
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactLadder                *ladder = tact_arena_take(arena, 1, sizeof *ladder);
    TactLadder                 sized = {0};
    sized.has_kernel = !solver->sparing || (int)items <= tact_ladder_most_pivoting(capacity);
    if (sized.has_kernel) {
        tact_kernel_layout(&sized.kernel, &kernel, arena);
    }
    tact_turning_layout(&sized.turning, capacity, arena);
    sized.best = tact_arena_take(arena, 3 * items, sizeof(double));
    if (tact_ladder_is_large(capacity, (int)items, capacity->dof)) {
        tact_islands_layout(&sized.islands, capacity, arena);
        tact_proximal_layout(&sized.proximal, capacity, arena);
        tact_coupling_layout(&sized.coupling, capacity, arena);
        sized.before = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
        sized.last = tact_arena_take(arena, 3 * items, sizeof(double));
    }
    if (!solver->sparing) {
        layout_reserve(solver, &sized.reserve, arena);
    }
    if (arena->block) {
        *ladder = sized;
    }
    solver->work = ladder;
}

TactStatus tact_ladder_create(TactContactSolver *solver)
{
    return solver->sparing ? TACT_OK : create_reserve(solver);
}

// ---------------------------------------------------------------------------------------------
// Memory of a sparing ladder, made when a rung needs it

static TactStatus make_kernel(TactContactSolver *solver, TactLadder *ladder)
{
    TactContactCapacity capacity = kernel_capacity(&solver->capacity);
    TactArena           arena = {0};
    tact_kernel_layout(&ladder->kernel, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_kernel_layout(&ladder->kernel, &capacity, &arena);
    ladder->kernel_arena = arena;
    ladder->has_kernel = true;
    return TACT_OK;
}

static TactStatus make_reserve(TactContactSolver *solver, TactLadder *ladder)
{
    TactLadderReserve reserve = {0};
    layout_reserve(solver, &reserve, &reserve.arena);
    solver->work = ladder;
    TACT_TRY(tact_arena_create(&reserve.arena));
    layout_reserve(solver, &reserve, &reserve.arena);
    solver->work = ladder;
    ladder->reserve = reserve;
    return create_reserve(solver);
}

TactStatus tact_ladder_grow(TactContactSolver *solver, TactRungMemory memory)
{
    TactLadder *ladder = solver->work;
    if (memory == TACT_RUNG_KERNEL && !ladder->has_kernel) {
        return make_kernel(solver, ladder);
    }
    if (memory == TACT_RUNG_RESERVE && !ladder->reserve.made) {
        return make_reserve(solver, ladder);
    }
    return TACT_OK;
}

void tact_ladder_destroy(TactContactSolver *solver)
{
    TactLadder        *ladder = solver->work;
    TactLadderReserve *reserve = &ladder->reserve;
    tact_arena_destroy(&ladder->kernel_arena);
    destroy_part(&tact_contact_lcp, solver, reserve->search);
    destroy_part(&tact_contact_lcp, solver, reserve->lemke);
    destroy_part(&tact_contact_box, solver, reserve->box);
    destroy_part(&tact_contact_nsgs, solver, reserve->nsgs);
    destroy_part(&tact_contact_baraff, solver, reserve->baraff);
    tact_arena_destroy(&reserve->arena);
}
