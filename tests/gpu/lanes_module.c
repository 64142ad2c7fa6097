// A device whose memory is the host's and whose kernels of whole steps run by lanes: batches on a
// GPU are tested through it where there is none.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/mechanism_lanes.h"
#include "tests/gpu/step_lanes.h"

static int count_devices(char *message)
{
    (void)message;
    return 1;
}

/// Memory of a device is not cleared.
static int take(size_t size, void **memory, char *message)
{
    (void)message;
    *memory = malloc(size > 0 ? size : 1);
    if (!*memory) {
        abort();
    }
    memset(*memory, 0x7f, size);
    return 0;
}

static int copy(TactGpuRows to, TactGpuRows from, size_t size, size_t rows, char *message)
{
    (void)message;
    for (size_t k = 0; k < rows; k++) {
        memcpy((char *)to.memory + k * to.stride, (const char *)from.memory + k * from.stride,
               size);
    }
    return 0;
}

/// Entries of the worlds of a list, of so many bytes each; as the device does it.
static void move(const TactGpuPicked *picked, char *host, size_t size, int pick)
{
    for (int k = 0; k < picked->entries * picked->count; k++) {
        size_t entry = (size_t)(k / picked->count), number = (size_t)(k % picked->count);
        size_t there = entry * picked->stride + (size_t)picked->list[number] * picked->step;
        size_t here = picked->step == 1 ? (size_t)k : number * (size_t)picked->entries + entry;
        char  *device = (char *)picked->device + there * size;
        if (pick) {
            memcpy(host + here * size, device, size);
        } else {
            memcpy(device, host + here * size, size);
        }
    }
}

static int pick_doubles(const TactGpuPicked *picked, void *host, char *message)
{
    (void)message;
    move(picked, host, sizeof(double), 1);
    return 0;
}

static int pick_integers(const TactGpuPicked *picked, void *host, char *message)
{
    (void)message;
    move(picked, host, sizeof(int), 1);
    return 0;
}

static int put_doubles(const TactGpuPicked *picked, const void *host, char *message)
{
    (void)message;
    move(picked, (char *)host, sizeof(double), 0);
    return 0;
}

static int put_integers(const TactGpuPicked *picked, const void *host, char *message)
{
    (void)message;
    move(picked, (char *)host, sizeof(int), 0);
    return 0;
}

/// Mechanisms with the circle: the tries of the device, each on what the one before has left.
static int solve(const TactBodyBatch *batch, TactBodyCounts *counts, char *message)
{
    const TactMechanismProblems *all = &batch->mechanisms;
    TactMechanismMore            more = {.circle = 1};
    int                          left[2] = {0, 0}; // after the first path, after all
    (void)message;
    memset(counts, 0, sizeof *counts);
    if (batch->dof == 0 || !batch->circle || batch->warm) {
        abort(); // these are not here
    }
    counts->list = TACT_BODY_WORK;
    for (int i = 0; i < all->count; i++) {
        TactMechanismProblems problems;
        TactBodyAnswers       answers;
        mechanism_lanes_pick(all, &batch->answers, i, &problems, &answers);
        for (int attempt = 0; attempt <= batch->retries; attempt++) {
            MechanismLanesSolveMore *kernel = batch->dof > 32 ? mechanism_lanes_solve_more_64
                                              : all->contacts <= 8
                                                  ? mechanism_lanes_solve_circle_8
                                                  : mechanism_lanes_solve_circle_48;
            kernel(&problems, &more, batch->directions, attempt, 0, &answers);
            *answers.error =
                mechanism_lanes_certify_more(&problems, &more, batch->directions, &answers, 0);
            *answers.error = *answers.pivots < 0 ? (double)INFINITY : *answers.error;
            left[0] += attempt == 0 && !(*answers.error <= batch->tol);
            if (*answers.error <= batch->tol) {
                break;
            }
        }
        if (!(*answers.error <= batch->tol)) {
            batch->work[counts->list + left[1]++] = i;
        }
    }
    counts->first = all->count - left[0];
    counts->retried = left[0] - left[1];
    counts->left = left[1];
    return 0;
}

static int step(const TactStepBatch *batch, TactStepCounts *counts, char *message)
{
    (void)message;
    step_lanes_run(batch, counts);
    return 0;
}

static int open_queue(void **queue, char *message)
{
    return take(1, queue, message);
}

static int clear(void *memory, size_t size, char *message)
{
    (void)message;
    memset(memory, 0, size);
    return 0;
}

static int sense(const TactStepBatch *batch, int after, char *message)
{
    (void)message;
    step_lanes_sense(batch, after);
    return 0;
}

const TactGpuModule step_lanes_module = {
    .version = TACT_GPU_MODULE_VERSION,
    .count_devices = count_devices,
    .take = take,
    .give = free,
    .to_device = copy,
    .to_host = copy,
    .solve = solve,
    .pick_doubles = pick_doubles,
    .pick_integers = pick_integers,
    .put_doubles = put_doubles,
    .put_integers = put_integers,
    .step = step,
    .open_queue = open_queue,
    .close_queue = free,
    .clear = clear,
    .sense = sense,
};
