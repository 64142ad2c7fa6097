#include "base/threads.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct Worker {
    TactThreads *threads;
    pthread_t    thread;
    int          number; // 1 ..; 0 is the caller
} Worker;

struct TactThreads {
    pthread_mutex_t  mutex;
    pthread_cond_t   start, done;
    int              started; // with the caller
    long             round;   // rises with every work
    int              running;
    bool             stop;
    TactThreadsWork *work;
    void            *context;
    Worker          *workers; //                                                        (count)
};

static void *work_for_ever(void *argument)
{
    const Worker *worker = argument;
    TactThreads  *threads = worker->threads;
    long          seen = 0;
    pthread_mutex_lock(&threads->mutex);
    for (;;) {
        while (threads->round == seen && !threads->stop) {
            pthread_cond_wait(&threads->start, &threads->mutex);
        }
        if (threads->stop) {
            break;
        }
        seen = threads->round;
        pthread_mutex_unlock(&threads->mutex);
        threads->work(threads->context, worker->number);
        pthread_mutex_lock(&threads->mutex);
        if (--threads->running == 0) {
            pthread_cond_signal(&threads->done);
        }
    }
    pthread_mutex_unlock(&threads->mutex);
    return NULL;
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
    threads->stop = true;
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
    pthread_mutex_lock(&threads->mutex);
    threads->work = work;
    threads->context = context;
    threads->running = threads->started - 1;
    threads->round++;
    pthread_cond_broadcast(&threads->start);
    pthread_mutex_unlock(&threads->mutex);

    work(context, 0);

    pthread_mutex_lock(&threads->mutex);
    while (threads->running > 0) {
        pthread_cond_wait(&threads->done, &threads->mutex);
    }
    pthread_mutex_unlock(&threads->mutex);
}
