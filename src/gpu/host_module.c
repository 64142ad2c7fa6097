// The processor as a device: memory is the host's, problems are solved by threads, `reduced` first
// and the ladder for what that does not certify.
#include <stdio.h>
#include <string.h>
#include <tact/batch.h>

#include "base/memory.h"
#include "gpu/batch_raw.h"
#include "gpu/module.h"

enum { PIECE = 256 };

static int count_devices(char message[TACT_GPU_MESSAGE])
{
    (void)message;
    return 1;
}

static int take_memory(size_t size, void **memory, char message[TACT_GPU_MESSAGE])
{
    if (tact_allocate(size, 1, memory)) {
        snprintf(message, TACT_GPU_MESSAGE, "%s", tact_status_message());
        return 1;
    }
    return 0;
}

static int copy(TactGpuRows to, TactGpuRows from, size_t size, size_t rows,
                char message[TACT_GPU_MESSAGE])
{
    (void)message;
    for (size_t k = 0; k < rows; k++) {
        memcpy((char *)to.memory + k * to.stride, (const char *)from.memory + k * from.stride,
               size);
    }
    return 0;
}

/// What the threads work on.
typedef struct Work {
    const TactBodyBatch *batch;
    TactContactSolver  **first, **second; // one each a thread
    TactBodyCounts      *pieces;
} Work;

static TactStatus solve_piece(void *context, int worker, int task)
{
    const Work          *work = context;
    const TactBodyBatch *batch = work->batch;
    int                  count = batch->problems.count;
    int                  end = (task + 1) * PIECE < count ? (task + 1) * PIECE : count;
    for (int i = task * PIECE; i < end; i++) {
        TactBodyRaw      body;
        TactMechanismRaw mechanism;
        bool             certified;
        if (batch->dof == 0) {
            tact_body_raw_read(&batch->problems, i, batch->directions, &body);
        } else {
            tact_mechanism_raw_read(&batch->mechanisms, i, batch->directions, &mechanism);
        }
        const TactContactProblem *raw = batch->dof == 0 ? &body.problem : &mechanism.problem;
        TACT_TRY(tact_batch_raw_solve(work->first[worker], raw, batch, i, &certified));
        work->pieces[task].first += certified;
        if (!certified) {
            TACT_TRY(tact_batch_raw_solve(work->second[worker], raw, batch, i, &certified));
            work->pieces[task].retried += certified;
        }
    }
    return TACT_OK;
}

static TactStatus run(Work *work, TactWorkers *workers, TactBodyCounts *counts)
{
    const TactBodyBatch *batch = work->batch;
    int                  threads = tact_workers_get_threads(workers);
    int                  pieces = (batch->problems.count + PIECE - 1) / PIECE;
    TACT_TRY(tact_allocate((size_t)threads, sizeof(void *), (void **)&work->first));
    TACT_TRY(tact_allocate((size_t)threads, sizeof(void *), (void **)&work->second));
    TACT_TRY(tact_allocate((size_t)pieces, sizeof *work->pieces, (void **)&work->pieces));
    for (int k = 0; k < threads; k++) {
        TACT_TRY(tact_batch_raw_create(TACT_METHOD_REDUCED, batch, &work->first[k]));
        TACT_TRY(tact_batch_raw_create(TACT_METHOD_LADDER, batch, &work->second[k]));
    }
    double begin = tact_time_now();
    TACT_TRY(tact_workers_run(workers, pieces, solve_piece, work));
    counts->seconds = tact_time_now() - begin;
    for (int k = 0; k < pieces; k++) {
        counts->first += work->pieces[k].first;
        counts->retried += work->pieces[k].retried;
    }
    return TACT_OK;
}

/// The numbers of what is left, after the counters.
static void list_left(const TactBodyBatch *batch, TactBodyCounts *counts)
{
    counts->list = TACT_BODY_WORK;
    for (int i = 0; i < batch->problems.count; i++) {
        if (!(batch->answers.error[i] <= batch->tol)) {
            batch->work[TACT_BODY_WORK + counts->left++] = i;
        }
    }
}

static int solve_batch(const TactBodyBatch *batch, TactBodyCounts *counts,
                       char message[TACT_GPU_MESSAGE])
{
    Work         work = {.batch = batch};
    TactWorkers *workers = NULL;
    *counts = (TactBodyCounts){0};
    TactStatus status = tact_workers_create(batch->threads, &workers);
    if (status == TACT_OK) {
        status = run(&work, workers, counts);
    }
    for (int k = 0; workers && k < tact_workers_get_threads(workers); k++) {
        tact_contact_solver_destroy(work.first ? work.first[k] : NULL);
        tact_contact_solver_destroy(work.second ? work.second[k] : NULL);
    }
    tact_release((void *)work.first);
    tact_release((void *)work.second);
    tact_release(work.pieces);
    tact_workers_destroy(workers);
    if (status != TACT_OK) {
        snprintf(message, TACT_GPU_MESSAGE, "%s", tact_status_message());
        return 1;
    }
    list_left(batch, counts);
    return 0;
}

const TactGpuModule tact_gpu_host_module = {
    .version = TACT_GPU_MODULE_VERSION,
    .count_devices = count_devices,
    .take = take_memory,
    .give = tact_release,
    .to_device = copy,
    .to_host = copy,
    .solve = solve_batch,
};
