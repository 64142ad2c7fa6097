// Threads of divide and conquer: the nodes of a level are dealt out in turn.
//
// A node is computed by one thread from nodes of lower levels alone, so that its bits do not depend
// on who computes it.
#include <pthread.h>
#include <stdbool.h>

#include "base/status.h"
#include "dynamics/assembly.h"

enum { MOST_THREADS = 64, WORTH_WHILE = 8 }; // nodes a level below which one thread does it all

typedef struct Worker {
    struct TactAssemblyThreads *threads;
    pthread_t                   thread;
    int                         number; // 1 ..; 0 is the caller
} Worker;

typedef struct TactAssemblyThreads {
    TactAssembly     *assembly;
    pthread_mutex_t   mutex;
    pthread_cond_t    start, done;
    int               count; // with the caller
    long              round; // rises with every level
    int               running;
    bool              stop;
    TactAssemblyWork *work;
    int               level;
    Worker            workers[MOST_THREADS];
} TactAssemblyThreads;

static void run_share(TactAssembly *assembly, TactAssemblyWork *work, int level, int number,
                      int count)
{
    for (int i = assembly->level_start[level] + number; i < assembly->level_start[level + 1];
         i += count) {
        work(assembly, &assembly->nodes[assembly->order[i]]);
    }
}

static void *work_for_ever(void *argument)
{
    Worker              *worker = argument;
    TactAssemblyThreads *t = worker->threads;
    long                 seen = 0;
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
        run_share(t->assembly, t->work, t->level, worker->number, t->count);
        pthread_mutex_lock(&t->mutex);
        if (--t->running == 0) {
            pthread_cond_signal(&t->done);
        }
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

TactStatus tact_assembly_threads_create(TactAssembly *assembly, int threads)
{
    TactAssemblyThreads *t = NULL;
    TACT_TRY(tact_allocate(1, sizeof *t, (void **)&t));
    t->assembly = assembly;
    t->count = 1;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    assembly->threads = t;
    for (int i = 1; i < threads; i++) {
        Worker *worker = &t->workers[i];
        *worker = (Worker){.threads = t, .number = i};
        if (pthread_create(&worker->thread, NULL, work_for_ever, worker) != 0) {
            return tact_fail(TACT_NO_MEMORY, "assembly: thread %d of %d cannot be started", i + 1,
                             threads);
        }
        t->count++;
    }
    return TACT_OK;
}

void tact_assembly_threads_destroy(TactAssembly *assembly)
{
    TactAssemblyThreads *t = assembly->threads;
    if (!t) {
        return;
    }
    pthread_mutex_lock(&t->mutex);
    t->stop = true;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->mutex);
    for (int i = 1; i < t->count; i++) {
        pthread_join(t->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->start);
    pthread_mutex_destroy(&t->mutex);
    tact_release(t);
    assembly->threads = NULL;
}

void tact_assembly_run_level(TactAssembly *assembly, TactAssemblyWork *work, int level)
{
    TactAssemblyThreads *t = assembly->threads;
    if (!t || assembly->level_start[level + 1] - assembly->level_start[level] < WORTH_WHILE) {
        run_share(assembly, work, level, 0, 1);
        return;
    }
    pthread_mutex_lock(&t->mutex);
    t->work = work;
    t->level = level;
    t->running = t->count - 1;
    t->round++;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->mutex);

    run_share(assembly, work, level, 0, t->count);

    pthread_mutex_lock(&t->mutex);
    while (t->running > 0) {
        pthread_cond_wait(&t->done, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
}
