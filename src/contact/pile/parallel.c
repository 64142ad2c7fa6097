#include "contact/pile/parallel.h"

#include <stdatomic.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/status.h"

void tact_pile_parallel_layout(TactPileParallel *parallel, const TactContactCapacity *capacity,
                               TactArena *arena)
{
    size_t           nodes = ((size_t)capacity->dof + TACT_PILE_NODE - 1) / TACT_PILE_NODE;
    TactPileParallel lent = {
        .capacity = *capacity,
        .level = tact_arena_take(arena, nodes, sizeof(int)),
        .order = tact_arena_take(arena, nodes, sizeof(int)),
        .first = tact_arena_take(arena, nodes + 1, sizeof(int)),
        .until = tact_arena_take(arena, nodes, sizeof(int)),
        .done = tact_arena_take(arena, nodes, sizeof(bool)),
        .spent = tact_arena_take(arena, nodes, sizeof(double)),
    };
    if (arena->block) {
        *parallel = lent;
    }
}

void tact_pile_parallel_destroy(TactPileParallel *parallel)
{
    tact_arena_destroy(&parallel->arena);
    tact_release(parallel->helpers);
    parallel->helpers = NULL;
    parallel->helper_count = 0;
}

static void layout_helpers(TactPileParallel *parallel, int count, TactArena *arena)
{
    for (int k = 0; k < count; k++) {
        tact_pile_local_layout(&parallel->helpers[k], &parallel->capacity, arena);
    }
}

static TactStatus make_helpers(TactPileParallel *parallel, int count)
{
    TactArena arena = {0};
    tact_pile_parallel_destroy(parallel);
    TACT_TRY(tact_allocate((size_t)count, sizeof *parallel->helpers, (void **)&parallel->helpers));
    layout_helpers(parallel, count, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_helpers(parallel, count, &arena);
    parallel->arena = arena;
    parallel->helper_count = count;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Levels

/// Level of a spot: beyond those of the earlier ones on its bodies, and of the bodies beside them.
static int find_level(const TactPileParallel *parallel, const TactSystem *system,
                      const TactPileSpots *spots, int spot)
{
    int level = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = spots->start[spot]; k < spots->start[spot + 1]; k++) {
            const TactItemGroup *group = &system->groups[spots->group[k]];
            for (int s = 0; s < group->size; s++) {
                int *until = &parallel->until[system->support[group->support + s] / TACT_PILE_NODE];
                if (pass == 0) {
                    level = *until > level ? *until : level;
                } else {
                    *until = level + 1;
                }
            }
        }
    }
    return level;
}

/// Puts spots in order, level after level. Returns the number of levels.
static int order_spots(TactPileParallel *parallel, const TactSystem *system,
                       const TactPileSpots *spots)
{
    int levels = 0, *first = parallel->first;
    memset(parallel->until, 0, (size_t)spots->nodes * sizeof(int));
    memset(first, 0, ((size_t)spots->count + 1) * sizeof(int));
    for (int spot = 0; spot < spots->count; spot++) {
        int level = parallel->level[spot] = find_level(parallel, system, spots, spot);
        levels = level + 1 > levels ? level + 1 : levels;
        first[level + 1]++;
    }
    for (int k = 0; k < levels; k++) {
        first[k + 1] += first[k];
    }
    for (int spot = 0; spot < spots->count; spot++) {
        parallel->order[first[parallel->level[spot]]++] = spot;
    }
    for (int k = levels; k > 0; k--) { // each has moved to the next one
        first[k] = first[k - 1];
    }
    first[0] = 0;
    return levels;
}

// ---------------------------------------------------------------------------------------------
// Solving

/// A level in hand.
typedef struct Level {
    TactPileParallel    *parallel;
    const TactPileRound *round;
    TactBudgetLeft       left; // of the budget, before the level
    int                  end;
    atomic_int           next; // in parallel->order
} Level;

static void solve_spot(const Level *level, TactPileLocal *local, int spot)
{
    const TactPileRound *round = level->round;
    TactBudget           budget;
    tact_budget_begin_apart(&budget, level->left);
    level->parallel->done[spot] = tact_pile_local_solve(local, round->pile, round->spots, spot,
                                                        round->tol, round->p, round->y);
    level->parallel->spent[spot] = budget.work;
    tact_budget_end(&budget);
}

static void take_spots(void *context, int thread)
{
    Level            *level = context;
    TactPileParallel *parallel = level->parallel;
    TactPileLocal    *local = thread == 0 ? level->round->local : &parallel->helpers[thread - 1];
    for (;;) {
        int k = atomic_fetch_add_explicit(&level->next, 1, memory_order_relaxed);
        if (k >= level->end) {
            return;
        }
        solve_spot(level, local, parallel->order[k]);
    }
}

/// Are there threads to share so many spots with, and helpers for them?
static bool has_helpers(TactPileParallel *parallel, const TactPileRound *round)
{
    int count = round->threads ? tact_threads_get_count(round->threads) - 1 : 0;
    return count > 0 &&
           (parallel->helper_count >= count || make_helpers(parallel, count) == TACT_OK);
}

int tact_pile_parallel_solve(TactPileParallel *parallel, const TactPileRound *round)
{
    const TactPileSpots *spots = round->spots;
    int                  levels = order_spots(parallel, round->pile->system, spots), solved = 0;
    bool                 shares = spots->count > 1 && has_helpers(parallel, round);
    for (int k = 0; k < levels && !tact_budget_is_over(); k++) {
        int   first = parallel->first[k], end = parallel->first[k + 1];
        Level level = {parallel, round, tact_budget_left(), end, first};
        if (shares && end - first > 1) {
            tact_threads_run_one_of_many(round->threads, take_spots, &level);
        } else {
            take_spots(&level, 0);
        }
        for (int s = first; s < end; s++) { // in one order, whoever solved them
            tact_budget_spend(parallel->spent[parallel->order[s]]);
            solved += parallel->done[parallel->order[s]];
        }
    }
    return solved;
}
