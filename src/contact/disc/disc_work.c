#include "contact/disc/disc_work.h"

#include "base/status.h"
#include "contact/disc/disc.h"

// Unknowns of the LCP that the ladder tries.
enum { MOST_LCP = 600 };

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

void tact_disc_layout(TactMethod *method, TactArena *arena)
{
    TactDiscWork                 *work = tact_arena_take(arena, 1, sizeof *work);
    TactDiscWork                  lent = {0};
    TactContactCapacity           room = pivot_room(method);
    const TactContactMethodEntry *entry = pivot_entry(&method->config);
    if (entry) {
        lent.pivot = tact_method(entry, &method->config, &room);
        tact_method_layout(&lent.pivot, arena);
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
    if (work->pivot.entry) {
        TACT_TRY(tact_method_create(&work->pivot));
    }
    if (waits(method)) {
        return TACT_OK;
    }
    work->cells_made = true;
    return create_lcp(method, work);
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
    tact_method_destroy(&work->pivot);
    tact_lcp_solver_destroy(work->lcp.solver);
    tact_arena_destroy(&work->cells_arena);
    tact_arena_destroy(&work->lcp_arena);
}
