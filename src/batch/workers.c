// Tasks on threads that wait for work: the next one goes to whoever is free.
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "batch/batch.h"

enum { MOST_THREADS = 256, MESSAGE = 512 };

struct TactWorkers {
    int          count;
    TactThreads *threads;
};

/// The work at hand.
typedef struct Work {
    TactWorkersTask *task;
    void            *context;
    int              count;
    atomic_int       next;    // task to be begun
    atomic_bool      stopped; // one has failed: no more are begun
    atomic_flag      lock;    // of what follows
    int              failed;  // least number of a task that failed; count: none
    TactStatus       status;
    char             message[MESSAGE];
} Work;

static int count_processors(void)
{
    cpu_set_t set;
    int       count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > MOST_THREADS ? MOST_THREADS : count;
}

TactStatus tact_workers_create(int threads, TactWorkers **workers)
{
    TACT_NEED(workers, "tact_workers_create");
    *workers = NULL;
    if (threads < 0 || threads > MOST_THREADS) {
        return tact_fail(TACT_BAD_ARGUMENT, "workers: %d threads are not 0 to %d", threads,
                         MOST_THREADS);
    }
    TactWorkers *created = NULL;
    TACT_TRY(tact_allocate(1, sizeof *created, (void **)&created));
    created->count = threads > 0 ? threads : count_processors();
    TactStatus status = tact_threads_create(created->count, "workers", &created->threads);
    if (status != TACT_OK) {
        tact_release(created);
        return status;
    }
    *workers = created;
    return TACT_OK;
}

void tact_workers_destroy(TactWorkers *workers)
{
    if (workers) {
        tact_threads_destroy(workers->threads);
        tact_release(workers);
    }
}

int tact_workers_get_threads(const TactWorkers *workers)
{
    return workers ? workers->count : 1;
}

static void note_failure(Work *work, int task, TactStatus status)
{
    atomic_store(&work->stopped, true);
    while (atomic_flag_test_and_set(&work->lock)) {
        sched_yield();
    }
    if (task < work->failed) {
        work->failed = task;
        work->status = status;
        snprintf(work->message, sizeof work->message, "%s", tact_status_message());
    }
    atomic_flag_clear(&work->lock);
}

static void do_share(void *context, int number)
{
    Work *work = context;
    while (!atomic_load(&work->stopped)) {
        int task = atomic_fetch_add(&work->next, 1);
        if (task >= work->count) {
            break;
        }
        TactStatus status = work->task(work->context, number, task);
        if (status != TACT_OK) {
            note_failure(work, task, status);
        }
    }
}

TactStatus tact_workers_run(TactWorkers *workers, int count, TactWorkersTask *task, void *context)
{
    TACT_NEED(task, "tact_workers_run");
    Work work = {.task = task, .context = context, .count = count, .failed = count};
    work.lock = (atomic_flag)ATOMIC_FLAG_INIT;
    if (workers) {
        tact_threads_run(workers->threads, do_share, &work);
    } else {
        do_share(&work, 0);
    }
    return work.failed < count ? tact_fail(work.status, "%s", work.message) : TACT_OK;
}
