// Memory of `ladder`: what every problem needs, the kernel of the pivots, and the methods of the
// reserve.
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
enum { FEW_CONTACTS = 30, FEW_BODIES_DOF = 48 };

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

// ---------------------------------------------------------------------------------------------
// The reserve: methods with configs of their own

static TactMethod make_part(const TactMethod *ladder, const TactContactMethodEntry *entry,
                            TactLcpMethod lcp_method, TactContactCone cone)
{
    TactMethod part = tact_method(entry, &ladder->config, &ladder->capacity);
    part.config.lcp_method = lcp_method;
    part.config.cone = cone;
    if (cone == TACT_CONE_BOX && part.config.max_sweeps > BOX_ITERATIONS) {
        part.config.max_sweeps = BOX_ITERATIONS;
    }
    return part;
}

static void make_parts(const TactMethod *ladder, TactLadderReserve *reserve)
{
    reserve->search =
        make_part(ladder, &tact_contact_lcp, TACT_LCP_METHOD_SEARCH, TACT_CONE_PYRAMID);
    reserve->lemke =
        make_part(ladder, &tact_contact_lcp, TACT_LCP_METHOD_LEMKE_LEX, TACT_CONE_PYRAMID);
    reserve->box = make_part(ladder, &tact_contact_box, TACT_LCP_METHOD_PGS_SM, TACT_CONE_BOX);
    reserve->nsgs =
        make_part(ladder, &tact_contact_nsgs, TACT_LCP_METHOD_PGS_SM, ladder->config.cone);
    reserve->baraff =
        make_part(ladder, &tact_contact_baraff, TACT_LCP_METHOD_DANTZIG, TACT_CONE_CIRCLE);
}

static void layout_reserve(const TactMethod *ladder, TactLadderReserve *reserve, TactArena *arena)
{
    int made_for = ladder->capacity.contacts + ladder->capacity.rows;
    make_parts(ladder, reserve);
    if (made_for <= TACT_LADDER_MOST_LCP) {
        tact_method_layout(&reserve->search, arena);
        tact_method_layout(&reserve->lemke, arena);
    }
    if (made_for <= TACT_LADDER_MOST_BOX) {
        tact_method_layout(&reserve->box, arena);
    }
    if (made_for <= TACT_LADDER_MOST_BOX && ladder->config.cone == TACT_CONE_CIRCLE) {
        tact_method_layout(&reserve->baraff, arena);
    }
    tact_method_layout(&reserve->nsgs, arena);
    tact_ladder_layout_quad(&reserve->quad, &ladder->capacity, arena);
}

enum { RESERVE_PARTS = 5 };

/// Creates those that have been laid out.
static TactStatus create_reserve(TactLadderReserve *reserve)
{
    TactMethod *parts[RESERVE_PARTS] = {&reserve->search, &reserve->lemke, &reserve->box,
                                        &reserve->baraff, &reserve->nsgs};
    for (int k = 0; k < RESERVE_PARTS; k++) {
        if (parts[k]->work) {
            TACT_TRY(tact_method_create(parts[k]));
        }
    }
    reserve->made = true;
    return TACT_OK;
}

static void destroy_reserve(TactLadderReserve *reserve)
{
    TactMethod *parts[RESERVE_PARTS] = {&reserve->search, &reserve->lemke, &reserve->box,
                                        &reserve->baraff, &reserve->nsgs};
    for (int k = 0; k < RESERVE_PARTS; k++) {
        if (parts[k]->entry) {
            tact_method_destroy(parts[k]);
        }
    }
    tact_arena_destroy(&reserve->arena);
    *reserve = (TactLadderReserve){0};
}

// ---------------------------------------------------------------------------------------------
// Memory that is made at once

/// The proximal path, and what belongs to it.
static void layout_path(TactLadder *ladder, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    tact_proximal_layout(&ladder->proximal, capacity, arena);
    ladder->motion = tact_arena_take(arena, items, sizeof(double));
    tact_coupling_layout(&ladder->coupling, capacity, arena);
    ladder->before = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
    ladder->last = tact_arena_take(arena, 3 * items, sizeof(double));
}

void tact_ladder_layout(TactMethod *method, TactArena *arena)
{
    const TactContactCapacity *capacity = &method->capacity;
    TactContactCapacity        kernel = kernel_capacity(capacity);
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactLadder                *ladder = tact_arena_take(arena, 1, sizeof *ladder);
    TactLadder                 sized = {0};
    bool                       all = !method->lazy && !method->springs;
    bool large = method->springs || tact_ladder_is_large(capacity, (int)items, capacity->dof);
    // Pivots come last in those made for large problems: most of them never need any.
    sized.has_kernel = !method->springs && (all || !large);
    if (sized.has_kernel) {
        sized.kernel_room = kernel;
        tact_kernel_layout(&sized.kernel, &kernel, arena);
    }
    if (!method->springs) {
        tact_turning_layout(&sized.turning, capacity, arena);
        tact_steady_layout(&sized.steady, capacity, arena);
    }
    sized.best = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.has_path = large || !method->lazy;
    if (sized.has_path) {
        layout_path(&sized, capacity, arena);
    }
    if (large && !method->springs) {
        tact_islands_layout(&sized.islands, capacity, arena);
    }
    if (large) {
        sized.has_pile = !method->lazy;
        if (sized.has_pile) {
            tact_pile_layout(&sized.pile, capacity, arena);
        }
    }
    sized.has_newton = all;
    if (all) {
        tact_newton_layout(&sized.newton, capacity, arena);
        layout_reserve(method, &sized.reserve, arena);
    }
    if (arena->block) {
        *ladder = sized;
        method->work = ladder;
    }
}

TactStatus tact_ladder_create(TactMethod *method)
{
    TactLadder *ladder = method->work;
    return method->lazy || method->springs ? TACT_OK : create_reserve(&ladder->reserve);
}

// ---------------------------------------------------------------------------------------------
// Memory of a lazy ladder, made when a rung needs it

/// Half as much again as is needed, as long as it is no more than most.
static int roomy(int need, int most)
{
    return need + need / 2 < most ? need + need / 2 : most;
}

/// A kernel for problems as large as this one: it grows with the square of their size, and a ladder
/// made for the largest island of a heap solves small ones too.
static TactStatus grow_kernel(const TactMethod *method, TactLadder *ladder,
                              const TactContactCapacity *need)
{
    TactContactCapacity capacity = kernel_capacity(&method->capacity);
    TactArena           arena = {0};
    TactKernel          kernel;
    capacity.contacts = roomy(need->contacts, capacity.contacts);
    capacity.rows = roomy(need->rows, capacity.rows);
    capacity.dof = roomy(need->dof, capacity.dof);
    tact_kernel_layout(&kernel, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_kernel_layout(&kernel, &capacity, &arena);
    tact_arena_destroy(&ladder->kernel_arena);
    ladder->kernel = kernel;
    ladder->kernel_arena = arena;
    ladder->kernel_room = capacity;
    ladder->has_kernel = true;
    return TACT_OK;
}

/// Has the kernel room for what pivots are asked to solve of a problem?
static bool fits_kernel(const TactMethod *method, const TactLadder *ladder,
                        const TactContactCapacity *need)
{
    TactContactCapacity        most = kernel_capacity(&method->capacity);
    const TactContactCapacity *room = &ladder->kernel_room;
    return ladder->has_kernel &&
           (need->contacts <= room->contacts || room->contacts == most.contacts) &&
           (need->rows <= room->rows || room->rows == most.rows) &&
           (need->dof <= room->dof || room->dof == most.dof);
}

static TactStatus grow_newton(const TactMethod *method, TactLadder *ladder)
{
    TactArena arena = {0};
    tact_newton_layout(&ladder->newton, &method->capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_newton_layout(&ladder->newton, &method->capacity, &arena);
    ladder->newton_arena = arena;
    ladder->has_newton = true;
    return TACT_OK;
}

static TactStatus grow_pile(const TactMethod *method, TactLadder *ladder)
{
    TactArena arena = {0};
    tact_pile_layout(&ladder->pile, &method->capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_pile_layout(&ladder->pile, &method->capacity, &arena);
    ladder->pile_arena = arena;
    ladder->has_pile = true;
    return TACT_OK;
}

static TactStatus grow_path(const TactMethod *method, TactLadder *ladder)
{
    TactArena arena = {0};
    layout_path(ladder, &method->capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_path(ladder, &method->capacity, &arena);
    ladder->path_arena = arena;
    ladder->has_path = true;
    return TACT_OK;
}

/// What fails half way is taken back: the next problem that needs it tries again.
static TactStatus grow_reserve(const TactMethod *method, TactLadder *ladder)
{
    TactLadderReserve *reserve = &ladder->reserve;
    *reserve = (TactLadderReserve){0};
    layout_reserve(method, reserve, &reserve->arena);
    TACT_TRY(tact_arena_create(&reserve->arena));
    layout_reserve(method, reserve, &reserve->arena);
    TactStatus status = create_reserve(reserve);
    if (status != TACT_OK) {
        destroy_reserve(reserve);
    }
    return status;
}

TactStatus tact_ladder_grow(TactMethod *method, TactRungMemory memory,
                            const TactContactCapacity *need)
{
    TactLadder *ladder = method->work;
    // Of the reserve the methods for few contacts use it too.
    bool pivots = memory == TACT_RUNG_KERNEL ||
                  (memory == TACT_RUNG_RESERVE &&
                   method->capacity.contacts + method->capacity.rows <= TACT_LADDER_MOST_BOX);
    if (pivots && !fits_kernel(method, ladder, need)) {
        TACT_TRY(grow_kernel(method, ladder, need));
    }
    if (memory == TACT_RUNG_NEWTON && !ladder->has_newton) {
        return grow_newton(method, ladder);
    }
    if (memory == TACT_RUNG_PILE && !ladder->has_pile) {
        return grow_pile(method, ladder);
    }
    if (memory == TACT_RUNG_PATH && !ladder->has_path) {
        return grow_path(method, ladder);
    }
    if (memory == TACT_RUNG_RESERVE && !ladder->reserve.made) {
        return grow_reserve(method, ladder);
    }
    return TACT_OK;
}

void tact_ladder_destroy(TactMethod *method)
{
    TactLadder *ladder = method->work;
    tact_many_destroy(&ladder->many);
    tact_arena_destroy(&ladder->kernel_arena);
    tact_arena_destroy(&ladder->newton_arena);
    tact_arena_destroy(&ladder->pile_arena);
    tact_arena_destroy(&ladder->path_arena);
    destroy_reserve(&ladder->reserve);
}
