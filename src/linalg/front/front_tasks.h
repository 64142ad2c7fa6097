// The tasks of a tree of fronts on threads: subtrees, and fronts beyond them one by one. A task
// begins when those that it needs are done; who does it, and when, does not change its numbers.
#ifndef TACT_LINALG_FRONT_FRONT_TASKS_H
#define TACT_LINALG_FRONT_FRONT_TASKS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/threads.h"

struct TactFronts;

/// A part of one front that threads without a task may take a share of: parts of 0 .. count - 1.
typedef void TactFrontWork(void *context, int first, int end);

typedef struct TactFrontShare {
    atomic_bool    open;
    atomic_int     users; // threads that are looking at it, or working
    atomic_int     next;  // of 0 .. count - 1
    int            count, part;
    TactFrontWork *work;
    void          *context;
} TactFrontShare;

/// Work of one task; false if it has failed, and with it all. share: of this thread, for the parts
/// of a large front; NULL: there is nobody to share with.
typedef bool TactFrontTaskWork(void *context, int task, int thread, TactFrontShare *share);

/// All tasks, up: children before parents, or down: parents before children. threads NULL: the
/// caller alone. False if one has failed.
bool tact_front_tasks_run(const struct TactFronts *fronts, bool up, TactThreads *threads,
                          TactFrontTaskWork *work, void *context);

/// Calls work for parts of 0 .. count - 1, each once, on the caller and on threads that have
/// nothing else to do; returns when all are done.
void tact_front_share(TactFrontShare *share, int count, int part, TactFrontWork *work,
                      void *context);

#endif
