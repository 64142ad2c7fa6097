#include "linalg/front/front_tasks.h"

#include <sched.h>

#include "linalg/front/front_internal.h"

// Looks at what there is to do before a thread lets others have its processor.
enum { LOOKS = 2000 };

/// A run in hand.
typedef struct Run {
    const TactFronts  *fronts;
    bool               up;
    int                threads;
    TactFrontTaskWork *work;
    void              *context;
    atomic_int         left; // tasks that are not done
    atomic_bool        failed;
} Run;

static void rest_a_moment(int *looks)
{
    if (++*looks >= LOOKS) {
        *looks = 0;
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// ---------------------------------------------------------------------------------------------
// Parts of a front

static void take_parts(TactFrontShare *share)
{
    for (;;) {
        int first = atomic_fetch_add_explicit(&share->next, share->part, memory_order_relaxed);
        if (first >= share->count) {
            return;
        }
        int end = share->count - first > share->part ? first + share->part : share->count;
        share->work(share->context, first, end);
    }
}

void tact_front_share(TactFrontShare *share, int count, int part, TactFrontWork *work,
                      void *context)
{
    if (!share) {
        for (int first = 0; first < count; first += part) {
            work(context, first, count - first > part ? first + part : count);
        }
        return;
    }
    int looks = 0;
    share->count = count;
    share->part = part;
    share->work = work;
    share->context = context;
    atomic_store(&share->next, 0);
    atomic_store(&share->open, true);
    take_parts(share);
    atomic_store(&share->open, false);
    while (atomic_load(&share->users) > 0) { // whoever saw it open ends its part
        rest_a_moment(&looks);
    }
}

/// Takes a share of a front of another thread. False if there was none.
static bool help_others(const Run *run, int thread)
{
    for (int k = 0; k < run->threads; k++) {
        TactFrontShare *share = &run->fronts->kept.shares[k];
        if (k == thread || !atomic_load_explicit(&share->open, memory_order_relaxed)) {
            continue;
        }
        atomic_fetch_add(&share->users, 1);
        bool open = atomic_load(&share->open);
        if (open) {
            take_parts(share);
        }
        atomic_fetch_sub(&share->users, 1);
        if (open) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Tasks

/// A task that is ready, the most urgent one; of these one that this thread has had before, whose
/// numbers are near. -1: none is.
static int take_task(const Run *run, int thread)
{
    const TactFronts *fronts = run->fronts;
    int               found = -1;
    for (int k = 0; k < fronts->task_count; k++) {
        int t = fronts->urgent[k];
        if (atomic_load_explicit(&fronts->waits[t], memory_order_relaxed) != 0) {
            continue;
        }
        if (fronts->task[t].home == thread) {
            found = t;
            break;
        }
        found = found < 0 ? t : found;
    }
    int ready = 0;
    return found >= 0 && atomic_compare_exchange_strong(&fronts->waits[found], &ready, -1) ? found
                                                                                           : -1;
}

static void end_task(Run *run, int task)
{
    const TactFronts    *fronts = run->fronts;
    const TactFrontTask *own = &fronts->task[task];
    if (run->up && own->parent >= 0) {
        atomic_fetch_sub(&fronts->waits[own->parent], 1);
    }
    for (int t = own->child; t >= 0 && !run->up; t = fronts->task[t].sibling) {
        atomic_fetch_sub(&fronts->waits[t], 1);
    }
    atomic_fetch_sub(&run->left, 1);
}

static void take_tasks(void *context, int thread)
{
    Run            *run = context;
    TactFrontShare *share = &run->fronts->kept.shares[thread];
    int             looks = 0;
    while (atomic_load(&run->left) > 0 && !atomic_load(&run->failed)) {
        int task = take_task(run, thread);
        if (task >= 0) {
            if (!run->work(run->context, task, thread, share)) {
                atomic_store(&run->failed, true);
            }
            end_task(run, task);
        } else if (!help_others(run, thread)) {
            rest_a_moment(&looks);
        }
    }
}

bool tact_front_tasks_run(const TactFronts *fronts, bool up, TactThreads *threads,
                          TactFrontTaskWork *work, void *context)
{
    int count = fronts->task_count;
    if (!threads || count < 2) {
        for (int k = 0; k < count; k++) {
            if (!work(context, up ? k : count - 1 - k, 0, NULL)) {
                return false;
            }
        }
        return true;
    }
    Run run = {fronts, up, tact_threads_get_count(threads), work, context, count, false};
    for (int t = 0; t < count; t++) {
        int waits = up ? fronts->task[t].children : fronts->task[t].parent >= 0;
        atomic_store_explicit(&fronts->waits[t], waits, memory_order_relaxed);
    }
    tact_threads_run_one_of_many(threads, take_tasks, &run);
    return !atomic_load(&run.failed);
}
