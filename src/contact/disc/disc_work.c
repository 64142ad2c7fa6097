#include "contact/disc/disc_work.h"

#include "base/status.h"
#include "contact/disc/disc.h"

// Unknowns of the LCP that the ladder tries.
enum { MOST_LCP = 600 };

// Contacts and rows, and degrees of freedom, from which on the ladder tries springs, and with which
// it starts with them.
enum { FEW_CONTACTS = 8, FEW_DOF = 18, MANY_CONTACTS = 31, MANY_DOF = 61 };

bool tact_disc_only_pivots(const TactContactConfig *config)
{
    return config->method == TACT_METHOD_REDUCED || config->method == TACT_METHOD_STRUCTURAL;
}

/// The method on the linked system, NULL: none.
static const TactContactMethodEntry *pivot_entry(const TactContactConfig *config)
{
    switch (config->method) {
    case TACT_METHOD_STRUCTURAL: return tact_contact_method_entry(TACT_METHOD_STRUCTURAL);
    case TACT_METHOD_REDUCED:
    case TACT_METHOD_LADDER: return tact_contact_method_entry(TACT_METHOD_REDUCED);
    default: return NULL;
    }
}

static bool is_ladder(const TactMethod *method)
{
    return method->config.method == TACT_METHOD_LADDER;
}

TactDiscSize tact_disc_size(const TactSystem *linked)
{
    int count = 0;
    for (int i = 0; i < linked->item_count && count < MANY_CONTACTS; i++) {
        count += linked->items[i].kind != TACT_ITEM_MOMENT;
    }
    return count >= MANY_CONTACTS && linked->dof >= MANY_DOF ? TACT_DISC_LARGE
           : count >= FEW_CONTACTS && linked->dof >= FEW_DOF ? TACT_DISC_SMALL
                                                             : TACT_DISC_TINY;
}

/// Rungs of the ladder on springs, where a problem that fits may be large enough.
static TactMethod make_springs(const TactMethod *method)
{
    TactContactCapacity room = tact_disc_link_capacity(&method->capacity);
    TactMethod          springs = {0};
    if (is_ladder(method) && room.contacts + room.rows >= FEW_CONTACTS && room.dof >= FEW_DOF) {
        springs =
            tact_method(tact_contact_method_entry(TACT_METHOD_LADDER), &method->config, &room);
        springs.lazy = method->lazy;
        springs.springs = true;
    }
    return springs;
}

static int lcp_room(const TactMethod *method)
{
    size_t most = tact_cells_lcp_most(&method->capacity);
    if (method->config.method != TACT_METHOD_LCP && !is_ladder(method)) {
        return 0;
    }
    return is_ladder(method) && most > MOST_LCP ? MOST_LCP : (int)most;
}

/// The ladder leaves large problems to its other rungs.
static TactContactCapacity pivot_room(const TactMethod *method)
{
    TactContactCapacity room = tact_disc_link_capacity(&method->capacity);
    if (is_ladder(method)) {
        int most = TACT_DISC_MOST_PIVOTING;
        room.contacts = room.contacts < most ? room.contacts : most;
        room.rows = room.rows < most ? room.rows : most;
    }
    return room;
}

static void layout_lcp(const TactMethod *method, TactDiscWork *work, TactArena *arena)
{
    tact_cells_lcp_layout(&work->lcp, &method->capacity, lcp_room(method), arena);
}

static bool waits(const TactMethod *method)
{
    return method->lazy && is_ladder(method);
}

/// A lazy ladder that is made for large problems, whose first rungs are others, pivots on few.
static bool pivots_wait(const TactMethod *method)
{
    return waits(method) && method->capacity.contacts >= MANY_CONTACTS &&
           method->capacity.dof >= MANY_DOF;
}

void tact_disc_layout(TactMethod *method, TactArena *arena)
{
    TactDiscWork                 *work = tact_arena_take(arena, 1, sizeof *work);
    TactDiscWork                  lent = {0};
    TactContactCapacity           room = pivot_room(method);
    const TactContactMethodEntry *entry = pivot_entry(&method->config);
    if (entry) {
        lent.pivot = tact_method(entry, &method->config, &room);
        lent.has_pivot = !pivots_wait(method);
    }
    if (lent.has_pivot) {
        tact_method_layout(&lent.pivot, arena);
    }
    if (is_ladder(method)) {
        size_t items = (size_t)method->capacity.contacts + (size_t)method->capacity.rows;
        lent.best = tact_arena_take(arena, 3 * items, sizeof(double));
    }
    lent.springs = make_springs(method);
    lent.has_springs = lent.springs.entry && !waits(method);
    if (lent.has_springs) {
        tact_method_layout(&lent.springs, arena);
    }
    if (!tact_disc_only_pivots(&method->config) && !waits(method)) {
        tact_cells_layout(&lent.cells, &method->capacity, arena);
        layout_lcp(method, &lent, arena);
    }
    if (arena->block) {
        *work = lent;
        method->work = work;
    }
}

/// What the LCP needs beside its arrays.
static TactStatus create_lcp(const TactMethod *method, TactDiscWork *work)
{
    if (work->lcp.most > 0) {
        TactLcpMethod lcp =
            is_ladder(method) ? TACT_LCP_METHOD_LEMKE_LEX : method->config.lcp_method;
        TactLcpConfig config = tact_lcp_config_default(lcp);
        config.max_pivots = method->config.max_pivots;
        config.lex_tol = method->config.lex_tol;
        TACT_TRY(tact_lcp_solver_create(work->lcp.most, &config, &work->lcp.solver));
    }
    work->lcp_made = true;
    return TACT_OK;
}

TactStatus tact_disc_create(TactMethod *method)
{
    TactDiscWork *work = method->work;
    if (work->has_pivot) {
        TACT_TRY(tact_method_create(&work->pivot));
    }
    if (waits(method)) {
        return TACT_OK;
    }
    work->cells_made = true;
    return create_lcp(method, work);
}

/// Memory of a method of its own.
static TactStatus grow_method(TactMethod *method, TactArena *made, bool *has)
{
    TactArena arena = {0};
    tact_method_layout(method, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_method_layout(method, &arena);
    *made = arena;
    *has = true;
    return tact_method_create(method);
}

TactStatus tact_disc_grow_springs(const TactMethod *method)
{
    TactDiscWork *work = method->work;
    return work->has_springs
               ? TACT_OK
               : grow_method(&work->springs, &work->springs_arena, &work->has_springs);
}

TactStatus tact_disc_grow_pivot(const TactMethod *method)
{
    TactDiscWork *work = method->work;
    return work->has_pivot || !work->pivot.entry
               ? TACT_OK
               : grow_method(&work->pivot, &work->pivot_arena, &work->has_pivot);
}

TactStatus tact_disc_grow_cells(const TactMethod *method)
{
    TactDiscWork *work = method->work;
    TactArena     arena = {0};
    if (work->cells_made) {
        return TACT_OK;
    }
    tact_cells_layout(&work->cells, &method->capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_cells_layout(&work->cells, &method->capacity, &arena);
    work->cells_arena = arena;
    work->cells_made = true;
    return TACT_OK;
}

TactStatus tact_disc_grow_lcp(const TactMethod *method)
{
    TactDiscWork *work = method->work;
    TactArena     arena = {0};
    if (work->lcp_made) {
        return TACT_OK;
    }
    layout_lcp(method, work, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_lcp(method, work, &arena);
    TactStatus status = create_lcp(method, work);
    if (status != TACT_OK) { // the next problem that needs it tries again
        tact_arena_destroy(&arena);
        work->lcp = (TactCellsLcp){0};
        return status;
    }
    work->lcp_arena = arena;
    return TACT_OK;
}

void tact_disc_destroy(TactMethod *method)
{
    TactDiscWork *work = method->work;
    if (work->has_pivot) {
        tact_method_destroy(&work->pivot);
    }
    tact_arena_destroy(&work->pivot_arena);
    if (work->has_springs) {
        tact_method_destroy(&work->springs);
    }
    tact_arena_destroy(&work->springs_arena);
    tact_lcp_solver_destroy(work->lcp.solver);
    tact_arena_destroy(&work->cells_arena);
    tact_arena_destroy(&work->lcp_arena);
}
