// All trials of a sweep, on the threads of this process, and with other ranks.
#include <stdio.h>

#include "base/status.h"
#include "sweep/pool.h"

static const uint32_t COOKIE = 0x53776570;

TactSweepRun tact_sweep_run_default(void)
{
    TactSweepRun run = {.cookie = COOKIE};
    return run;
}

/// One task a thread: the caller's leads or follows where there are other ranks.
static TactStatus do_work(void *context, int worker, int task)
{
    TactSweepPool *pool = context;
    bool           ranks = pool->run->link != NULL;
    (void)task;
    if (!ranks || worker > 0) {
        return tact_sweep_pool_work(pool, worker, ranks);
    }
    TactStatus status = pool->table ? tact_ranks_lead(pool) : tact_ranks_follow(pool);
    tact_sweep_pool_end(pool);
    return status;
}

TactStatus tact_sweep_run(const TactSweep *sweep, TactWorkers *workers, TactSweepRun *run)
{
    TACT_NEED(sweep && run, "tact_sweep_run");
    bool leads = !run->link || run->link->rank == 0;
    if (run->cookie != COOKIE || (leads && !run->path)) {
        return tact_fail(TACT_BAD_ARGUMENT, run->cookie != COOKIE
                                                ? "sweep: the run is not from its default"
                                                : "sweep: the run has no path for its table");
    }
    TactSweepPool pool;
    int           threads = tact_workers_get_threads(workers);
    if (run->link && threads < 2) {
        return tact_fail(TACT_BAD_ARGUMENT, "sweep: a rank needs two threads, one for messages");
    }
    TactStatus status = tact_sweep_pool_create(&pool, sweep, run, threads);
    if (status == TACT_OK) {
        status = tact_workers_run(workers, threads, do_work, &pool);
        run->added = pool.progress.done - pool.progress.before;
    }
    if (run->link && leads) {
        char message[480]; // of what failed
        snprintf(message, sizeof message, "%s", tact_status_message());
        tact_ranks_dismiss(run->link, run->lost);
        status = status == TACT_OK ? TACT_OK : tact_fail(status, "%s", message);
    }
    TactStatus closed = tact_sweep_table_close(pool.table);
    tact_sweep_pool_destroy(&pool);
    return status != TACT_OK ? status : closed;
}
