// Islands on threads.
//
// Islands have no dof, contact or row in common. Each is solved by one thread, with arrays of its
// own, from what the step knew before: its bits do not depend on who solves it or when. A worker
// sees the simulation through a copy of its struct in which only the arrays are other ones; all
// else is shared, and of that it writes what belongs to its island.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

enum { MESSAGE = 256 };

// Contacts and rows of a step below which waking others costs more than it saves.
enum { WORTH_WHILE = 24 };

typedef struct Worker {
    TactSimThreads   *threads;
    pthread_t         thread;
    TactProblemArrays arrays;
    double           *way_J;
    int              *way_dofs;
    char              message[MESSAGE]; // of the first island that failed here
    int               failed;           // that one; -1: none
} Worker;

struct TactSimThreads {
    TactArena       arena;
    pthread_mutex_t mutex;
    pthread_cond_t  start, done;
    int             count;   // with the caller
    int             started; // of them
    long            round;   // rises with every set of islands
    int             running;
    bool            stop;
    TactSim        *sim;
    TactSolveKind   kind;
    double         *v;
    atomic_int      next;    // island
    Worker         *workers; // the first is the caller                                (count)
    TactStatus     *status;  // of islands                                             (trees)
};

static void layout(TactSimThreads *t, const TactSim *sim, TactArena *arena)
{
    size_t nv = (size_t)sim->model->nv;
    t->workers = tact_arena_take(arena, (size_t)t->count, sizeof *t->workers);
    t->status = tact_arena_take(arena, (size_t)sim->islands.tree_count, sizeof *t->status);
    for (int i = 0; i < t->count; i++) {
        double *way_J = tact_arena_take(arena, 6 * nv, sizeof *way_J);
        int    *way_dofs = tact_arena_take(arena, nv, sizeof *way_dofs);
        if (arena->block) {
            t->workers[i].way_J = way_J;
            t->workers[i].way_dofs = way_dofs;
        }
    }
}

/// Islands, one after the other, as long as there are any.
static void run_share(TactSimThreads *t, Worker *worker)
{
    TactSim view = *t->sim;
    view.arrays = worker->arrays;
    view.way_J = worker->way_J;
    view.way_dofs = worker->way_dofs;
    worker->failed = -1;
    for (;;) {
        int i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
        if (i >= view.islands.count) {
            break;
        }
        t->status[i] = tact_sim_solve_island(&view, i, t->kind, t->v);
        if (t->status[i] != TACT_OK && worker->failed < 0) {
            worker->failed = i;
            snprintf(worker->message, MESSAGE, "%s", tact_status_message());
        }
    }
    worker->arrays = view.arrays;
}

static void *work_for_ever(void *argument)
{
    Worker         *worker = argument;
    TactSimThreads *t = worker->threads;
    long            seen = 0;
    pthread_mutex_lock(&t->mutex);
    for (;;) {
        while (t->round == seen && !t->stop) {
            pthread_cond_wait(&t->start, &t->mutex);
        }
        if (t->stop) {
            break;
        }
        seen = t->round;
        pthread_mutex_unlock(&t->mutex);
        run_share(t, worker);
        pthread_mutex_lock(&t->mutex);
        if (--t->running == 0) {
            pthread_cond_signal(&t->done);
        }
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

TactStatus tact_sim_threads_create(TactSim *sim)
{
    if (sim->config.threads == 1) {
        return TACT_OK;
    }
    TactSimThreads *t = NULL;
    TACT_TRY(tact_allocate(1, sizeof *t, (void **)&t));
    t->count = sim->config.threads;
    layout(t, sim, &t->arena);
    TactStatus status = tact_arena_create(&t->arena);
    if (status != TACT_OK) {
        tact_release(t);
        return status;
    }
    layout(t, sim, &t->arena);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    sim->threads = t;
    for (t->started = 1; t->started < t->count; t->started++) {
        Worker *worker = &t->workers[t->started];
        worker->threads = t;
        if (pthread_create(&worker->thread, NULL, work_for_ever, worker) != 0) {
            return tact_fail(TACT_NO_MEMORY, "simulation: thread %d of %d cannot be started",
                             t->started + 1, t->count);
        }
    }
    return TACT_OK;
}

void tact_sim_threads_destroy(TactSimThreads *threads)
{
    if (!threads) {
        return;
    }
    pthread_mutex_lock(&threads->mutex);
    threads->stop = true;
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->mutex);
    for (int i = 1; i < threads->started; i++) {
        pthread_join(threads->workers[i].thread, NULL);
    }
    for (int i = 0; i < threads->count; i++) {
        tact_arena_destroy(&threads->workers[i].arrays.arena);
    }
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->start);
    pthread_mutex_destroy(&threads->mutex);
    tact_arena_destroy(&threads->arena);
    tact_release(threads);
}

/// Wakes the others, does a share, and waits for theirs.
static void run(TactSimThreads *t)
{
    atomic_store(&t->next, 0);
    pthread_mutex_lock(&t->mutex);
    t->running = t->count - 1;
    t->round++;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->mutex);

    run_share(t, &t->workers[0]);

    pthread_mutex_lock(&t->mutex);
    while (t->running > 0) {
        pthread_cond_wait(&t->done, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
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
    TactSimThreads *t = sim->threads;
    int             count = sim->islands.count;
    if (!t || count < 2 || sim->contact_count + sim->rows.count < WORTH_WHILE) {
        for (int i = 0; i < count; i++) {
            TACT_TRY(tact_sim_solve_island(sim, i, kind, v));
        }
        return TACT_OK;
    }
    t->sim = sim;
    t->kind = kind;
    t->v = v;
    run(t);
    for (int i = 0; i < count; i++) {
        if (t->status[i] != TACT_OK) {
            return tact_fail(t->status[i], "%s", find_message(t, i));
        }
    }
    return TACT_OK;
}
