// Batches of one-body problems: the arrays of a device, and what its kernels leave to the
// processor.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "gpu/body_raw.h"
#include "gpu/module.h"

struct TactContactBatch {
    TactContactBatchConfig config;
    const TactGpuModule   *module;
    void                  *memory; // of the device
    TactBodyBatch          batch;
    double                *bias; // of the device, also while problems have none
};

static const uint32_t COOKIE = 0x7ac7ba7cu;

TactContactBatchConfig tact_contact_batch_config_default(TactDevice device)
{
    return (TactContactBatchConfig){.device = device,
                                    .problems = 1,
                                    .contacts = 8,
                                    .directions = 8,
                                    .retries = 2,
                                    .tol = 1e-8,
                                    .cookie = COOKIE};
}

static TactStatus check(const TactContactBatchConfig *config)
{
    if (config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: the config was not made by tact_contact_batch_config_default()");
    }
    if (config->problems < 1) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d problems", config->problems);
    }
    if (config->contacts < 1 || config->contacts > TACT_BODY_MAX_CONTACTS) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d contacts are not 1 to %d", config->contacts,
                         TACT_BODY_MAX_CONTACTS);
    }
    if (config->directions < 4 || config->directions > TACT_BODY_MAX_DIRECTIONS ||
        config->directions % 2 != 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d directions are not even and 4 to %d",
                         config->directions, TACT_BODY_MAX_DIRECTIONS);
    }
    if (config->retries < 0 || config->retries > 5) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d retries are not 0 to 5", config->retries);
    }
    if (config->cone != TACT_CONE_PYRAMID && config->cone != TACT_CONE_CIRCLE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: the cone is neither the pyramid nor the circle");
    }
    if (!(config->tol > 0 && config->tol <= 1e-3)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: a tolerance of %g is not above 0 and at most "
                         "1e-3",
                         config->tol);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Arrays

/// Numbers of a problem in front of those of its contacts: mass, inertia, centre, velocity, force.
enum { BODY_NUMBERS = 1 + 6 + 3 + 6 + 6, CONTACT_NUMBERS = 3 + 3 + 1 + 1 };

static size_t problem_numbers(int contacts)
{
    return BODY_NUMBERS + CONTACT_NUMBERS * (size_t)contacts;
}

static size_t answer_numbers(int contacts)
{
    return 3 * (size_t)contacts + 6 + 1;
}

/// The arrays of so many problems in one block of doubles, then one of integers.
static void place_arrays(double *block, size_t count, int contacts, TactBodyProblems *problems,
                         double **bias, TactBodyAnswers *answers, int **work)
{
    size_t n = (size_t)contacts;
    problems->mass = block;
    problems->inertia = problems->mass + count;
    problems->centre = problems->inertia + 6 * count;
    problems->velocity = problems->centre + 3 * count;
    problems->force = problems->velocity + 6 * count;
    problems->point = problems->force + 6 * count;
    problems->normal = problems->point + 3 * n * count;
    problems->mu = problems->normal + 3 * n * count;
    *bias = (double *)problems->mu + n * count;
    answers->impulse = *bias + n * count;
    answers->velocity = answers->impulse + 3 * n * count;
    answers->error = answers->velocity + 6 * count;
    answers->pivots = (int *)(answers->error + count);
    answers->basis = (unsigned *)(answers->pivots + count);
    *work = (int *)(answers->basis + n * count);
}

static size_t bytes(size_t count, int contacts)
{
    size_t doubles = problem_numbers(contacts) + answer_numbers(contacts);
    size_t integers = (1 + (size_t)contacts + 2) * count + TACT_BODY_WORK;
    return doubles * count * sizeof(double) + integers * sizeof(int);
}

static TactStatus create(TactContactBatch *batch)
{
    const TactContactBatchConfig *config = &batch->config;
    size_t                        count = (size_t)config->problems;
    char                          message[TACT_GPU_MESSAGE] = "";
    TACT_TRY(tact_gpu_find_module(config->device, &batch->module));
    if (batch->module->take(bytes(count, config->contacts), &batch->memory, message)) {
        return tact_fail(TACT_NO_MEMORY, "batch: %s", message);
    }
    place_arrays(batch->memory, count, config->contacts, &batch->batch.problems, &batch->bias,
                 &batch->batch.answers, &batch->batch.work);
    batch->batch.problems.stride = config->problems;
    batch->batch.directions = config->directions;
    batch->batch.circle = config->cone == TACT_CONE_CIRCLE;
    batch->batch.retries = config->retries;
    batch->batch.tol = config->tol;
    batch->batch.threads = config->threads;
    return TACT_OK;
}

TactStatus tact_contact_batch_create(const TactContactBatchConfig *config, TactContactBatch **batch)
{
    TACT_NEED(config && batch, "tact_contact_batch_create");
    *batch = NULL;
    TACT_TRY(check(config));
    TactContactBatch *created = NULL;
    TACT_TRY(tact_allocate(1, sizeof *created, (void **)&created));
    created->config = *config;
    TactStatus status = create(created);
    if (status != TACT_OK) {
        tact_contact_batch_destroy(created);
        return status;
    }
    *batch = created;
    return TACT_OK;
}

void tact_contact_batch_destroy(TactContactBatch *batch)
{
    if (batch) {
        if (batch->memory) {
            batch->module->give(batch->memory);
        }
        tact_release(batch);
    }
}

void tact_contact_batch_view(TactContactBatch *batch, TactBodyProblems *problems,
                             TactBodyAnswers *answers)
{
    if (batch && problems) {
        *problems = batch->batch.problems;
    }
    if (batch && answers) {
        *answers = batch->batch.answers;
    }
}

// ---------------------------------------------------------------------------------------------
// Copies

/// Arrays of problems or answers beside each other, with the rows of each.
typedef struct Arrays {
    const void *of[2]; // of the device; of the host
    size_t      rows;
    size_t      size; // of an entry
} Arrays;

static int list_problems(const TactBodyProblems *device, const TactBodyProblems *host, Arrays *out)
{
    size_t n = (size_t)host->contacts, size = sizeof(double);
    int    count = 0;
    out[count++] = (Arrays){{device->mass, host->mass}, 1, size};
    out[count++] = (Arrays){{device->inertia, host->inertia}, 6, size};
    out[count++] = (Arrays){{device->centre, host->centre}, 3, size};
    out[count++] = (Arrays){{device->velocity, host->velocity}, 6, size};
    out[count++] = (Arrays){{device->force, host->force}, 6, size};
    out[count++] = (Arrays){{device->point, host->point}, 3 * n, size};
    out[count++] = (Arrays){{device->normal, host->normal}, 3 * n, size};
    out[count++] = (Arrays){{device->mu, host->mu}, n, size};
    if (host->bias) {
        out[count++] = (Arrays){{device->bias, host->bias}, n, size};
    }
    return count;
}

static int list_answers(const TactBodyAnswers *device, const TactBodyAnswers *host, int contacts,
                        Arrays *out)
{
    size_t       n = (size_t)contacts;
    const Arrays all[] = {
        {{device->impulse, host->impulse}, 3 * n, sizeof(double)},
        {{device->velocity, host->velocity}, 6, sizeof(double)},
        {{device->error, host->error}, 1, sizeof(double)},
        {{device->pivots, host->pivots}, 1, sizeof(int)},
        {{device->basis, host->basis}, n, sizeof(unsigned)},
    };
    int count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].of[1]) {
            out[count++] = all[k];
        }
    }
    return count;
}

/// Which entries of arrays, and how far their rows are apart on either side.
typedef struct Range {
    int first, count;
    int device_stride, host_stride;
} Range;

enum { MOST_ARRAYS = 9 };

static TactStatus copy_arrays(const TactContactBatch *batch, const Arrays *arrays, int count,
                              const Range *range, bool to_device)
{
    char message[TACT_GPU_MESSAGE] = "";
    for (int k = 0; k < count; k++) {
        size_t      size = arrays[k].size, wide = size * (size_t)range->count;
        size_t      skip = size * (size_t)range->first;
        TactGpuRows device = {(char *)arrays[k].of[0] + skip, size * (size_t)range->device_stride};
        TactGpuRows host = {(void *)arrays[k].of[1], size * (size_t)range->host_stride};
        int         failed = to_device
                                 ? batch->module->to_device(device, host, wide, arrays[k].rows, message)
                                 : batch->module->to_host(host, device, wide, arrays[k].rows, message);
        if (failed) {
            return tact_fail(TACT_IO_ERROR, "batch: %s", message);
        }
    }
    return TACT_OK;
}

TactStatus tact_contact_batch_send(TactContactBatch *batch, const TactBodyProblems *problems)
{
    TACT_NEED(batch && problems, "tact_contact_batch_send");
    const TactContactBatchConfig *config = &batch->config;
    if (problems->count < 1 || problems->count > config->problems ||
        problems->stride < problems->count || problems->contacts != config->contacts ||
        !(problems->step > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: %d problems of %d contacts, stride %d and step %g do not fit one "
                         "of %d and %d",
                         problems->count, problems->contacts, problems->stride, problems->step,
                         config->problems, config->contacts);
    }
    TACT_NEED(problems->mass && problems->inertia && problems->centre && problems->velocity &&
                  problems->force && problems->point && problems->normal && problems->mu,
              "tact_contact_batch_send");
    TactBodyProblems *own = &batch->batch.problems;
    Arrays            arrays[MOST_ARRAYS];
    own->count = problems->count;
    own->contacts = problems->contacts;
    own->step = problems->step;
    own->bias = problems->bias ? batch->bias : NULL;
    Range range = {0, problems->count, own->stride, problems->stride};
    return copy_arrays(batch, arrays, list_problems(own, problems, arrays), &range, true);
}

TactStatus tact_contact_batch_fetch(const TactContactBatch *batch, int stride,
                                    const TactBodyAnswers *answers)
{
    TACT_NEED(batch && answers, "tact_contact_batch_fetch");
    const TactBodyProblems *own = &batch->batch.problems;
    Arrays                  arrays[MOST_ARRAYS];
    if (stride < own->count) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: a stride of %d for %d problems", stride,
                         own->count);
    }
    Range range = {0, own->count, own->stride, stride};
    int   count = list_answers(&batch->batch.answers, answers, own->contacts, arrays);
    return copy_arrays(batch, arrays, count, &range, false);
}

// ---------------------------------------------------------------------------------------------
// Solving

/// What the device has left, by the processor: as a batch of its own with the same layout.
static TactStatus hand_over(TactContactBatch *batch, const TactBodyCounts *counts, double *block,
                            TactContactBatchReport *report)
{
    const TactGpuModule *module = batch->module;
    TactBodyBatch        here = batch->batch;
    TactBodyCounts       solved = {0};
    size_t               stride = (size_t)batch->batch.problems.stride;
    double              *bias;
    char                 message[TACT_GPU_MESSAGE] = "";
    int                  n = here.problems.contacts;
    place_arrays(block, (size_t)counts->left, n, &here.problems, &bias, &here.answers, &here.work);
    here.problems.count = here.problems.stride = counts->left;
    here.problems.bias = batch->batch.problems.bias ? bias : NULL;
    TactGpuPicked picked = {.device = (void *)batch->batch.problems.mass,
                            .entries = (int)problem_numbers(n),
                            .stride = stride,
                            .list = batch->batch.work + counts->list,
                            .count = counts->left};
    if (module->pick_doubles(&picked, block, message) ||
        tact_gpu_host_module.solve_bodies(&here, &solved, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    picked.device = batch->batch.answers.impulse;
    picked.entries = (int)answer_numbers(n);
    TactGpuPicked integers = picked;
    integers.device = batch->batch.answers.pivots;
    integers.entries = 1 + n;
    if (module->put_doubles(&picked, here.answers.impulse, message) ||
        module->put_integers(&integers, here.answers.pivots, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    report->handed_over = solved.first + solved.retried;
    report->unsolved = solved.left;
    return TACT_OK;
}

TactStatus tact_contact_batch_solve(TactContactBatch *batch, bool warm,
                                    TactContactBatchReport *report)
{
    TACT_NEED(batch && report, "tact_contact_batch_solve");
    char           message[TACT_GPU_MESSAGE] = "";
    TactBodyCounts counts = {0};
    *report = (TactContactBatchReport){.count = batch->batch.problems.count};
    if (report->count < 1) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: no problems were sent");
    }
    batch->batch.warm = warm;
    if (batch->module->solve_bodies(&batch->batch, &counts, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    report->kept = counts.kept;
    report->first = counts.first;
    report->retried = counts.retried;
    report->seconds = counts.seconds;
    report->unsolved = counts.left;
    if (counts.left == 0 || batch->config.device == TACT_DEVICE_CPU) { // whose ladder had its turn
        return TACT_OK;
    }
    double *block = NULL;
    size_t  size = bytes((size_t)counts.left, batch->config.contacts);
    TACT_TRY(tact_allocate(size, 1, (void **)&block));
    TactStatus status = hand_over(batch, &counts, block, report);
    tact_release(block);
    return status;
}
