#include "sweep/pool.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/status.h"

// ---------------------------------------------------------------------------------------------
// Bytes and queues

TactStatus tact_bytes_add(TactBytes *bytes, const void *more, size_t size)
{
    if (size > bytes->room - bytes->size) {
        size_t room = 2 * (bytes->size + size) + 1024;
        char  *grown = NULL;
        TACT_TRY(tact_allocate(room, 1, (void **)&grown));
        if (bytes->size > 0) {
            memcpy(grown, bytes->bytes, bytes->size);
        }
        tact_release(bytes->bytes);
        bytes->bytes = grown;
        bytes->room = room;
    }
    memcpy(bytes->bytes + bytes->size, more, size);
    bytes->size += size;
    return TACT_OK;
}

TactStatus tact_queue_add(TactQueue *queue, int trial)
{
    if (queue->count == queue->room) {
        int  room = 2 * queue->room + 16;
        int *grown = NULL;
        TACT_TRY(tact_allocate((size_t)room, sizeof *grown, (void **)&grown));
        if (queue->count > 0) {
            memcpy(grown, queue->trials, (size_t)queue->count * sizeof *grown);
        }
        tact_release(queue->trials);
        queue->trials = grown;
        queue->room = room;
    }
    queue->trials[queue->count++] = trial;
    return TACT_OK;
}

int tact_queue_take(TactQueue *queue)
{
    int trial = queue->trials[0];
    queue->count--;
    memmove(queue->trials, queue->trials + 1, (size_t)queue->count * sizeof *queue->trials);
    return trial;
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_sweep_pool_create(TactSweepPool *pool, const TactSweep *sweep, TactSweepRun *run,
                                  int threads)
{
    *pool = (TactSweepPool){.sweep = sweep, .run = run, .started = tact_time_now()};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->progress.trials = sweep->plan.trials;
    TACT_TRY(tact_allocate((size_t)threads, sizeof(TactSweepWorld *), (void **)&pool->worlds));
    pool->threads = threads;
    if (!run->link || run->link->rank == 0) {
        TACT_TRY(tact_sweep_table_open(sweep, run->path, &pool->table));
        pool->progress.done = pool->progress.before = tact_sweep_table_count(pool->table);
    }
    return TACT_OK;
}

void tact_sweep_pool_destroy(TactSweepPool *pool)
{
    for (int i = 0; pool->worlds && i < pool->threads; i++) {
        tact_sweep_world_destroy(pool->worlds[i]);
    }
    tact_release(pool->worlds);
    tact_release(pool->queue.trials);
    tact_release(pool->finished.bytes);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
}

int tact_sweep_pool_next(TactSweepPool *pool)
{
    while (pool->queue.count > 0) {
        int trial = tact_queue_take(&pool->queue);
        if (!pool->table || !tact_sweep_table_has(pool->table, trial)) {
            return trial;
        }
    }
    while (pool->table && pool->cursor < pool->sweep->plan.trials) {
        int trial = pool->cursor++;
        if (!tact_sweep_table_has(pool->table, trial)) {
            return trial;
        }
    }
    return -1;
}

/// The outcome in a line counts for the watch: rows of other ranks come as text only.
static void count_outcome(TactSweepPool *pool, const char *text, size_t size)
{
    enum { PLACES = sizeof pool->progress.outcomes / sizeof *pool->progress.outcomes };
    double values[TACT_SWEEP_MOST_COLUMNS];
    if (tact_sweep_read_row(pool->sweep, text, size - 1, values)) {
        int outcome = (int)values[pool->sweep->plan.outcome_column];
        pool->progress.outcomes[outcome < PLACES ? outcome : PLACES - 1]++;
    }
}

TactStatus tact_sweep_pool_keep(TactSweepPool *pool, int trial, const char *text, size_t size)
{
    if (trial < 0 || trial >= pool->sweep->plan.trials ||
        tact_sweep_table_has(pool->table, trial)) {
        return TACT_OK;
    }
    TACT_TRY(tact_sweep_table_add(pool->table, trial, text, size));
    pool->progress.done++;
    if (pool->run->watch) {
        count_outcome(pool, text, size);
    }
    return TACT_OK;
}

void tact_sweep_pool_end(TactSweepPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ended = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

TactStatus tact_sweep_pool_tell(TactSweepPool *pool)
{
    static const double EVERY = 0.1; // s
    if (!pool->run->watch) {
        return TACT_OK;
    }
    pthread_mutex_lock(&pool->lock);
    double            elapsed = tact_time_now() - pool->started;
    bool              due = elapsed - pool->progress.elapsed >= EVERY;
    TactSweepProgress now = pool->progress;
    now.elapsed = elapsed;
    pool->progress.elapsed = due ? elapsed : pool->progress.elapsed;
    pthread_mutex_unlock(&pool->lock);
    return due ? pool->run->watch(pool->run->context, &now) : TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// A thread that makes trials

/// The next trial; -1: none. Waits for one, if it may, until it is ended.
static int take_trial(TactSweepPool *pool, bool wait)
{
    int trial = -1;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ended && (trial = tact_sweep_pool_next(pool)) < 0 && wait) {
        pthread_cond_wait(&pool->changed, &pool->lock);
    }
    pool->busy += trial >= 0;
    pthread_mutex_unlock(&pool->lock);
    return trial;
}

/// A row on its way to rank 0: number, size, text.
static TactStatus let_send(TactSweepPool *pool, int trial, const char *text, size_t size)
{
    const int32_t head[2] = {trial, (int32_t)size};
    TACT_TRY(tact_bytes_add(&pool->finished, head, sizeof head));
    return tact_bytes_add(&pool->finished, text, size);
}

static TactStatus give_row(TactSweepPool *pool, const TactSweepRow *row, double time)
{
    size_t size = strlen(row->text);
    pthread_mutex_lock(&pool->lock);
    TactStatus status = pool->table ? tact_sweep_pool_keep(pool, row->trial, row->text, size)
                                    : let_send(pool, row->trial, row->text, size);
    pool->busy--;
    pool->run->made++;
    pool->run->step_time += row->step_time;
    pool->run->trial_time += time;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

static void pause_for(double seconds)
{
    if (seconds > 0) {
        struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
        while (nanosleep(&left, &left) != 0) {
        }
    }
}

static TactStatus make_trials(TactSweepPool *pool, int thread, bool wait)
{
    TactSweepTrial how = {.failures = pool->run->failures};
    int            trial;
    if (!pool->worlds[thread]) {
        TACT_TRY(tact_sweep_world_create(pool->sweep, &pool->worlds[thread]));
    }
    while ((trial = take_trial(pool, wait)) >= 0) {
        TactSweepRow row;
        double       begun = tact_time_now();
        TACT_TRY(tact_sweep_world_run(pool->worlds[thread], trial, &how, &row));
        pause_for(pool->run->pause);
        TACT_TRY(give_row(pool, &row, tact_time_now() - begun));
        if (thread == 0 && !wait) {
            TACT_TRY(tact_sweep_pool_tell(pool));
        }
    }
    return TACT_OK;
}

TactStatus tact_sweep_pool_work(TactSweepPool *pool, int thread, bool wait)
{
    TactStatus status = make_trials(pool, thread, wait);
    if (status != TACT_OK) {
        pthread_mutex_lock(&pool->lock);
        snprintf(pool->why, sizeof pool->why, "%s", tact_status_message());
        pthread_mutex_unlock(&pool->lock);
        tact_sweep_pool_end(pool);
    }
    return status;
}
