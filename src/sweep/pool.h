// The trials of a process: who takes the next one, and where its row goes.
//
// Rank 0, which may be the only one, takes trials that its table lacks, and rows go into the table.
// Other ranks take what rank 0 has sent, and rows wait to be sent.
#ifndef TACT_SWEEP_POOL_H
#define TACT_SWEEP_POOL_H

#include <pthread.h>

#include "sweep/sweep.h"

/// Bytes that grow.
typedef struct TactBytes {
    char  *bytes;
    size_t size, room;
} TactBytes;

TactStatus tact_bytes_add(TactBytes *bytes, const void *more, size_t size);

/// Trials that wait, the first one first.
typedef struct TactQueue {
    int *trials;
    int  count, room;
} TactQueue;

TactStatus tact_queue_add(TactQueue *queue, int trial);
int        tact_queue_take(TactQueue *queue); // count > 0

typedef struct TactSweepPool {
    const TactSweep  *sweep;
    TactSweepRun     *run;
    TactSweepTable   *table;   // of rank 0; NULL: another rank
    TactSweepWorld  **worlds;  // a thread's, NULL: not made yet                        (threads)
    double            started; // s
    pthread_mutex_t   lock;    // of what follows
    pthread_cond_t    changed;
    bool              ended;    // no more trials are begun
    int               threads;  // that make trials
    int               busy;     // of these
    int               cursor;   // rank 0: trials before it are done, made, or in the queue
    TactQueue         queue;    // to be made before others
    TactBytes         finished; // another rank's: rows to be sent
    char              why[480]; // a thread has failed
    TactSweepProgress progress;
} TactSweepPool;

TactStatus tact_sweep_pool_create(TactSweepPool *pool, const TactSweep *sweep, TactSweepRun *run,
                                  int threads);
void       tact_sweep_pool_destroy(TactSweepPool *pool);

/// Makes trials until there are none left, or until it is ended; wait: until it is ended.
TactStatus tact_sweep_pool_work(TactSweepPool *pool, int thread, bool wait);
/// Rank 0: the next trial that nobody makes; -1: there is none. With the lock held.
int tact_sweep_pool_next(TactSweepPool *pool);
/// Rank 0: a row into the table, and how far that is. With the lock held.
TactStatus tact_sweep_pool_keep(TactSweepPool *pool, int trial, const char *text, size_t size);
/// No more trials are begun.
void tact_sweep_pool_end(TactSweepPool *pool);
/// Tells the watch, if it is time.
TactStatus tact_sweep_pool_tell(TactSweepPool *pool);

/// ranks.c: the caller's thread of a rank: messages, until all is done.
TactStatus tact_ranks_lead(TactSweepPool *pool);
/// Rank 0 lets the others go, whatever came out.
void       tact_ranks_dismiss(const TactSweepLink *link, int lost);
TactStatus tact_ranks_follow(TactSweepPool *pool);

#endif
