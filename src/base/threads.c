#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

// Looks that a thread takes at what it waits for before it sleeps, some 40 us; and where more work
// follows soon, some 0.3 ms: what one thread does alone between two shared parts of a solve is
// shorter than that, and to be woken takes 50 us. Where that was in vain, the other one has no
// processor, as it seems: so many times it is not tried again.
enum { LOOKS = 1000, MORE_LOOKS = 8000, DISCOURAGED = 16 };

typedef struct Worker {
    TactThreads *threads;
    pthread_t    thread;
    int          number;      // 1 ..; 0 is the caller
    int          discouraged; // times that it will not look for long
} Worker;

struct TactThreads {
    pthread_mutex_t  mutex;
    pthread_cond_t   start, done;
    int              started;  // with the caller
    bool             crowded;  // threads have to share processors: they sleep at once
    atomic_int       looks;    // before sleep
    atomic_long      round;    // rises with every work
    atomic_int       running;  // workers
    atomic_bool      stop;     //
    atomic_int       sleeping; // workers that have to be woken, and
    atomic_bool      waiting;  //   the caller: written under the mutex
    TactThreadsWork *work;
    void            *context;
    Worker          *workers; //                                                        (count)
};

// Who sleeps says so first and then looks once more; who has news tells it first and then looks
// whether somebody sleeps. So one of the two sees the other, and the mutex is left alone while
// nobody sleeps.

/// Is there a round after the one that was seen last, or never one again?
static bool has_news(TactThreads *threads, long seen)
{
    return atomic_load(&threads->round) != seen || atomic_load(&threads->stop);
}

/// Looks that a thread may take now.
static int begin_looks(const Worker *worker)
{
    int looks = atomic_load(&worker->threads->looks);
    return worker->discouraged > 0 && looks > LOOKS ? LOOKS : looks;
}

/// After so many of them it has found nothing, or something.
static void end_looks(Worker *worker, int looks, bool in_vain)
{
    if (in_vain && looks > LOOKS) {
        worker->discouraged = DISCOURAGED;
    } else if (worker->discouraged > 0) {
        worker->discouraged--;
    }
}

/// Waits for that. False: there will be none.
static bool wait_for_round(Worker *worker, long *seen)
{
    TactThreads *threads = worker->threads;
    int          looks = begin_looks(worker);
    for (int k = 0; k < looks && !has_news(threads, *seen); k++) {
        tact_threads_rest();
    }
    bool in_vain = !has_news(threads, *seen);
    end_looks(worker, looks, in_vain);
    if (in_vain) {
        pthread_mutex_lock(&threads->mutex);
        atomic_fetch_add(&threads->sleeping, 1);
        while (!has_news(threads, *seen)) {
            pthread_cond_wait(&threads->start, &threads->mutex);
        }
        atomic_fetch_sub(&threads->sleeping, 1);
        pthread_mutex_unlock(&threads->mutex);
    }
    *seen = atomic_load(&threads->round);
    return !atomic_load(&threads->stop);
}

static void *work_for_ever(void *argument)
{
    Worker      *worker = argument;
    TactThreads *threads = worker->threads;
    long         seen = 0;
    while (wait_for_round(worker, &seen)) {
        threads->work(threads->context, worker->number);
        if (atomic_fetch_sub(&threads->running, 1) == 1 && atomic_load(&threads->waiting)) {
            pthread_mutex_lock(&threads->mutex);
            pthread_cond_signal(&threads->done);
            pthread_mutex_unlock(&threads->mutex);
        }
    }
    return NULL;
}

static void wait_for_workers(TactThreads *threads)
{
    Worker *caller = &threads->workers[0];
    int     looks = begin_looks(caller);
    for (int k = 0; k < looks && atomic_load(&threads->running) > 0; k++) {
        tact_threads_rest();
    }
    bool in_vain = atomic_load(&threads->running) > 0;
    end_looks(caller, looks, in_vain);
    if (!in_vain) {
        return;
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_store(&threads->waiting, true);
    while (atomic_load(&threads->running) > 0) {
        pthread_cond_wait(&threads->done, &threads->mutex);
    }
    atomic_store(&threads->waiting, false);
    pthread_mutex_unlock(&threads->mutex);
}

TactStatus tact_threads_create(int count, const char *who, TactThreads **threads)
{
    TactThreads *created = NULL;
    *threads = NULL;
    TACT_TRY(tact_allocate(1, sizeof *created, (void **)&created));
    TactStatus status =
        tact_allocate((size_t)count, sizeof *created->workers, (void **)&created->workers);
    if (status != TACT_OK) {
        tact_release(created);
        return status;
    }
    created->workers[0].threads = created;
    created->crowded = count > sysconf(_SC_NPROCESSORS_ONLN);
    atomic_init(&created->looks, created->crowded ? 0 : LOOKS);
    pthread_mutex_init(&created->mutex, NULL);
    pthread_cond_init(&created->start, NULL);
    pthread_cond_init(&created->done, NULL);
    for (created->started = 1; created->started < count; created->started++) {
        Worker *worker = &created->workers[created->started];
        *worker = (Worker){.threads = created, .number = created->started};
        if (pthread_create(&worker->thread, NULL, work_for_ever, worker) != 0) {
            status = tact_fail(TACT_NO_MEMORY, "%s: thread %d of %d cannot be started", who,
                               created->started + 1, count);
            tact_threads_destroy(created);
            return status;
        }
    }
    *threads = created;
    return TACT_OK;
}

void tact_threads_destroy(TactThreads *threads)
{
    if (!threads) {
        return;
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_store(&threads->stop, true);
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->mutex);
    for (int i = 1; i < threads->started; i++) {
        pthread_join(threads->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->start);
    pthread_mutex_destroy(&threads->mutex);
    tact_release(threads->workers);
    tact_release(threads);
}

int tact_threads_get_count(const TactThreads *threads)
{
    return threads->started;
}

int tact_threads_get_patience(const TactThreads *threads)
{
    return threads->crowded ? 0 : LOOKS;
}

static void run(TactThreads *threads, TactThreadsWork *work, void *context, int looks)
{
    threads->work = work;
    threads->context = context;
    atomic_store(&threads->looks, threads->crowded ? 0 : looks);
    atomic_store(&threads->running, threads->started - 1);
    atomic_fetch_add(&threads->round, 1);
    if (atomic_load(&threads->sleeping) > 0) {
        pthread_mutex_lock(&threads->mutex);
        pthread_cond_broadcast(&threads->start);
        pthread_mutex_unlock(&threads->mutex);
    }
    work(context, 0);
    wait_for_workers(threads);
}

void tact_threads_run(TactThreads *threads, TactThreadsWork *work, void *context)
{
    run(threads, work, context, LOOKS);
}

void tact_threads_run_one_of_many(TactThreads *threads, TactThreadsWork *work, void *context)
{
    run(threads, work, context, MORE_LOOKS);
}
