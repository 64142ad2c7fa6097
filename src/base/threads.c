#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

// Looks that a thread takes at what it waits for before it sleeps, some 40 us: work of a factor
// comes every few microseconds, and to be woken takes longer than that.
enum { LOOKS = 1000 };

typedef struct Worker {
    TactThreads *threads;
    pthread_t    thread;
    int          number; // 1 ..; 0 is the caller
} Worker;

struct TactThreads {
    pthread_mutex_t  mutex;
    pthread_cond_t   start, done;
    int              started;  // with the caller
    int              looks;    // before sleep; 0 where threads have to share processors
    atomic_long      round;    // rises with every work
    atomic_int       running;  // workers
    atomic_bool      stop;     //
    int              sleeping; // workers that have to be woken, and
    bool             waiting;  //   the caller: under the mutex
    TactThreadsWork *work;
    void            *context;
    Worker          *workers; //                                                        (count)
};

static void rest_a_moment(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Waits for a round after the one that was seen last. False: there will be none.
static bool wait_for_round(TactThreads *threads, long *seen)
{
    for (int k = 0; k < threads->looks; k++) {
        if (atomic_load(&threads->round) != *seen || atomic_load(&threads->stop)) {
            break;
        }
        rest_a_moment();
    }
    if (atomic_load(&threads->round) == *seen) {
        pthread_mutex_lock(&threads->mutex);
        threads->sleeping++;
        while (atomic_load(&threads->round) == *seen && !atomic_load(&threads->stop)) {
            pthread_cond_wait(&threads->start, &threads->mutex);
        }
        threads->sleeping--;
        pthread_mutex_unlock(&threads->mutex);
    }
    *seen = atomic_load(&threads->round);
    return !atomic_load(&threads->stop);
}

static void *work_for_ever(void *argument)
{
    const Worker *worker = argument;
    TactThreads  *threads = worker->threads;
    long          seen = 0;
    while (wait_for_round(threads, &seen)) {
        threads->work(threads->context, worker->number);
        if (atomic_fetch_sub(&threads->running, 1) == 1) {
            pthread_mutex_lock(&threads->mutex);
            if (threads->waiting) {
                pthread_cond_signal(&threads->done);
            }
            pthread_mutex_unlock(&threads->mutex);
        }
    }
    return NULL;
}

static void wait_for_workers(TactThreads *threads)
{
    for (int k = 0; k < threads->looks && atomic_load(&threads->running) > 0; k++) {
        rest_a_moment();
    }
    if (atomic_load(&threads->running) == 0) {
        return;
    }
    pthread_mutex_lock(&threads->mutex);
    threads->waiting = true;
    while (atomic_load(&threads->running) > 0) {
        pthread_cond_wait(&threads->done, &threads->mutex);
    }
    threads->waiting = false;
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
    created->looks = count <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : 0;
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

void tact_threads_run(TactThreads *threads, TactThreadsWork *work, void *context)
{
    threads->work = work;
    threads->context = context;
    atomic_store(&threads->running, threads->started - 1);
    pthread_mutex_lock(&threads->mutex);
    atomic_fetch_add(&threads->round, 1);
    if (threads->sleeping > 0) {
        pthread_cond_broadcast(&threads->start);
    }
    pthread_mutex_unlock(&threads->mutex);
    work(context, 0);
    wait_for_workers(threads);
}
