// Islands on threads.
//
// Islands have no dof, contact or row in common. Each is solved by one thread, with arrays of its
// own, from what the step knew before: its bits do not depend on who solves it or when. All
// else is shared, and of that a worker writes what belongs to its island.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"
#include "contact/many/many.h"
#include "sim/sim.h"

enum { MESSAGE = 256 };

// Contacts and rows of a step below which waking others costs more than it saves.
enum { WORTH_WHILE = 24 };

// Contacts and dofs of an island whose factors all threads share (contact/many), before the other
// islands are shared out.
enum { LARGE = 400, LARGE_DOF = 6 * TACT_MANY_NODES };

// Contacts of islands that are shared out first: the last one to end should be a small one.
enum { LONG = 60 };

typedef struct Worker {
    TactProblemArrays arrays;
    char              message[MESSAGE]; // of the first island that failed here
    int               failed;           // that one; -1: none
} Worker;

struct TactSimThreads {
    TactArena     arena;
    TactThreads  *pool;
    int           count; // with the caller
    TactSim      *sim;
    TactSolveKind kind;
    double       *v;
    atomic_int    next;    // island, the long ones first: twice as many numbers
    Worker       *workers; // the first is the caller                                  (count)
    TactStatus   *status;  // of islands                                               (trees)
};

static void layout_threads(TactSimThreads *t, const TactSim *sim, TactArena *arena)
{
    t->workers = tact_arena_take(arena, (size_t)t->count, sizeof *t->workers);
    t->status = tact_arena_take(arena, (size_t)sim->islands.tree_count, sizeof *t->status);
}

/// Do all threads solve this island together?
static bool is_for_all(const TactSim *sim, int island)
{
    const TactSimIsland *own = &sim->islands.islands[island];
    return own->contact_count >= LARGE && own->dof_count >= LARGE_DOF;
}

/// Islands, one after the other, as long as there are any.
static void run_share(void *context, int number)
{
    TactSimThreads *t = context;
    Worker         *worker = &t->workers[number];
    worker->failed = -1;
    for (;;) {
        int turn = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
        int count = t->sim->islands.count, i = turn % count;
        if (turn >= 2 * count) {
            break;
        }
        if ((t->sim->islands.islands[i].contact_count >= LONG) != (turn < count)) {
            continue;
        }
        t->status[i] = TACT_OK;
        if (!t->sim->islands.islands[i].keep && !is_for_all(t->sim, i)) {
            t->status[i] = tact_sim_solve_island(t->sim, &worker->arrays, i, t->kind, t->v);
        }
        if (t->status[i] != TACT_OK && worker->failed < 0) {
            worker->failed = i;
            snprintf(worker->message, MESSAGE, "%s", tact_status_message());
        }
    }
}

TactStatus tact_sim_threads_create(TactSim *sim)
{
    if (sim->config.threads == 1) {
        return TACT_OK;
    }
    TactSimThreads *t = NULL;
    TACT_TRY(tact_allocate(1, sizeof *t, (void **)&t));
    t->count = sim->config.threads;
    layout_threads(t, sim, &t->arena);
    TactStatus status = tact_arena_create(&t->arena);
    if (status != TACT_OK) {
        tact_release(t);
        return status;
    }
    layout_threads(t, sim, &t->arena);
    sim->solve.threads = t;
    return tact_threads_create(t->count, "simulation", &t->pool);
}

void tact_sim_threads_destroy(TactSimThreads *threads)
{
    if (!threads) {
        return;
    }
    tact_threads_destroy(threads->pool);
    for (int i = 0; i < threads->count; i++) {
        tact_arena_destroy(&threads->workers[i].arrays.arena);
    }
    tact_arena_destroy(&threads->arena);
    tact_release(threads);
}

/// The message of an island that failed.
static const char *find_message(const TactSimThreads *t, int island)
{
    for (int i = 0; i < t->count; i++) {
        if (t->workers[i].failed == island) {
            return t->workers[i].message;
        }
    }
    return "an island could not be solved";
}

TactStatus tact_sim_solve_islands(TactSim *sim, TactSolveKind kind, double *v)
{
    TactSimThreads *t = sim->solve.threads;
    int             count = sim->islands.count;
    sim->share.done = sim->share.done && kind != TACT_SOLVE_MOTION;
    for (int i = 0; t && i < count; i++) {
        if (!sim->islands.islands[i].keep && is_for_all(sim, i)) {
            sim->solve.lent = t->pool;
            TactStatus status = tact_sim_solve_island(sim, &sim->solve.arrays, i, kind, v);
            sim->solve.lent = NULL;
            TACT_TRY(status);
        }
    }
    if (!t || count < 2 || sim->contact_count + sim->rows.count < WORTH_WHILE) {
        for (int i = 0; i < count; i++) {
            if (!sim->islands.islands[i].keep && !(t && is_for_all(sim, i))) {
                TACT_TRY(tact_sim_solve_island(sim, &sim->solve.arrays, i, kind, v));
            }
        }
        return TACT_OK;
    }
    t->sim = sim;
    t->kind = kind;
    t->v = v;
    atomic_store(&t->next, 0);
    tact_threads_run(t->pool, run_share, t);
    for (int i = 0; i < count; i++) {
        if (t->status[i] != TACT_OK) {
            return tact_fail(t->status[i], "%s", find_message(t, i));
        }
    }
    return TACT_OK;
}
