// Batches of contact problems: the arrays of a device, and what its kernels leave to the
// processor.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "gpu/batch_layout.h"

struct TactContactBatch {
    TactContactBatchConfig config;
    const TactGpuModule   *module;
    void                  *memory; // of the device
    TactBodyBatch          batch;
    TactBatchOptional      optional; // of the device, also while problems have none of them
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
    if (config->dof < 0 || config->dof > TACT_MECHANISM_MAX_DOF) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d degrees of freedom are not 0 to %d",
                         config->dof, TACT_MECHANISM_MAX_DOF);
    }
    int most = config->dof > 0 ? TACT_MECHANISM_MAX_CONTACTS : TACT_BODY_MAX_CONTACTS;
    if (config->contacts < 1 || config->contacts > most) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d contacts are not 1 to %d", config->contacts,
                         most);
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

static TactBatchShape shape_of(const TactContactBatchConfig *config)
{
    return (TactBatchShape){config->dof, config->contacts};
}

static TactStatus create(TactContactBatch *batch)
{
    const TactContactBatchConfig *config = &batch->config;
    size_t                        count = (size_t)config->problems;
    char                          message[TACT_GPU_MESSAGE] = "";
    TACT_TRY(tact_gpu_find_module(config->device, &batch->module));
    if (batch->module->take(tact_batch_bytes(shape_of(config), count), &batch->memory, message)) {
        return tact_fail(TACT_NO_MEMORY, "batch: %s", message);
    }
    tact_batch_place(shape_of(config), count, batch->memory, &batch->batch, &batch->optional);
    batch->batch.problems.stride = config->problems;
    batch->batch.problems.contacts = config->contacts;
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

void tact_contact_batch_view_mechanisms(TactContactBatch *batch, TactMechanismProblems *problems,
                                        TactBodyAnswers *answers)
{
    if (batch && problems) {
        *problems = batch->batch.mechanisms;
    }
    tact_contact_batch_view(batch, NULL, answers);
}

// ---------------------------------------------------------------------------------------------
// Copies

/// Which entries of arrays, and how far their rows are apart on either side.
typedef struct Range {
    int count;
    int device_stride, host_stride;
} Range;

/// Rows of bodies are strides apart; mechanisms lie in one piece.
static TactStatus copy_arrays(const TactContactBatch *batch, const TactBatchArrays *arrays,
                              int count, const Range *range, bool to_device)
{
    char message[TACT_GPU_MESSAGE] = "";
    bool whole = batch->config.dof > 0;
    for (int k = 0; k < count; k++) {
        size_t      size = arrays[k].size, wide = size * (size_t)range->count;
        size_t      rows = whole ? 1 : arrays[k].rows;
        TactGpuRows device = {(void *)arrays[k].of[0], size * (size_t)range->device_stride};
        TactGpuRows host = {(void *)arrays[k].of[1], size * (size_t)range->host_stride};
        wide *= whole ? arrays[k].rows : 1;
        int failed = to_device ? batch->module->to_device(device, host, wide, rows, message)
                               : batch->module->to_host(host, device, wide, rows, message);
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
    if (config->dof > 0) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: it was made for mechanisms of %d degrees of "
                         "freedom, and is sent bodies",
                         config->dof);
    }
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
    TactBatchArrays   arrays[TACT_BATCH_MOST_ARRAYS];
    own->count = problems->count;
    own->contacts = problems->contacts;
    own->step = problems->step;
    own->bias = problems->bias ? batch->optional.bias : NULL;
    Range range = {problems->count, own->stride, problems->stride};
    return copy_arrays(batch, arrays, tact_batch_list_bodies(own, problems, arrays), &range, true);
}

TactStatus tact_contact_batch_send_mechanisms(TactContactBatch            *batch,
                                              const TactMechanismProblems *problems)
{
    TACT_NEED(batch && problems, "tact_contact_batch_send_mechanisms");
    const TactContactBatchConfig *config = &batch->config;
    if (config->dof == 0 || problems->dof != config->dof || problems->count < 1 ||
        problems->count > config->problems || problems->contacts != config->contacts ||
        !(problems->step > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: %d mechanisms of %d degrees of freedom and %d contacts, with a "
                         "step of %g, do not fit one of %d, %d and %d",
                         problems->count, problems->dof, problems->contacts, problems->step,
                         config->problems, config->dof, config->contacts);
    }
    TACT_NEED(problems->M && problems->velocity && problems->force && problems->J && problems->mu,
              "tact_contact_batch_send_mechanisms");
    if (problems->rough || problems->rows > 0) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: contacts that are sent have three rows of J each");
    }
    TactMechanismProblems *own = &batch->batch.mechanisms;
    TactBatchArrays        arrays[TACT_BATCH_MOST_ARRAYS];
    own->count = batch->batch.problems.count = problems->count;
    own->step = batch->batch.problems.step = problems->step;
    own->bias = problems->bias ? batch->optional.bias : NULL;
    own->active = problems->active ? batch->optional.active : NULL;
    Range range = {problems->count, 0, 0};
    return copy_arrays(batch, arrays, tact_batch_list_mechanisms(own, problems, arrays), &range,
                       true);
}

TactStatus tact_contact_batch_fetch(const TactContactBatch *batch, int stride,
                                    const TactBodyAnswers *answers)
{
    TACT_NEED(batch && answers, "tact_contact_batch_fetch");
    const TactBodyProblems *own = &batch->batch.problems;
    TactBatchArrays         arrays[TACT_BATCH_MOST_ARRAYS];
    if (batch->config.dof == 0 && stride < own->count) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: a stride of %d for %d problems", stride,
                         own->count);
    }
    Range range = {own->count, own->stride, stride};
    int   count =
        tact_batch_list_answers(shape_of(&batch->config), &batch->batch.answers, answers, arrays);
    return copy_arrays(batch, arrays, count, &range, false);
}

// ---------------------------------------------------------------------------------------------
// Solving

/// Copies arrays of the problems that are left between the device and the host.
static TactStatus move_left(const TactContactBatch *batch, const TactBodyCounts *counts,
                            const TactBatchArrays *arrays, int count, bool pick)
{
    const TactGpuModule *module = batch->module;
    bool                 whole = batch->config.dof > 0;
    char                 message[TACT_GPU_MESSAGE] = "";
    for (int k = 0; k < count; k++) {
        TactGpuPicked picked = {.device = (void *)arrays[k].of[0],
                                .entries = (int)arrays[k].rows,
                                .stride = whole ? 1 : (size_t)batch->batch.problems.stride,
                                .step = whole ? arrays[k].rows : 1,
                                .list = batch->batch.work + counts->list,
                                .count = counts->left};
        void         *host = (void *)arrays[k].of[1];
        bool          doubles = arrays[k].size == sizeof(double);
        int           failed =
            pick ? (doubles ? module->pick_doubles : module->pick_integers)(&picked, host, message)
                           : (doubles ? module->put_doubles : module->put_integers)(&picked, host, message);
        if (failed) {
            return tact_fail(TACT_IO_ERROR, "batch: %s", message);
        }
    }
    return TACT_OK;
}

/// What the device has left, by the processor: as a batch of its own with the same layout.
static TactStatus hand_over(TactContactBatch *batch, const TactBodyCounts *counts, double *block,
                            TactContactBatchReport *report)
{
    TactBodyBatch     here = batch->batch, *there = &batch->batch;
    TactBodyCounts    solved = {0};
    TactBatchShape    shape = shape_of(&batch->config);
    TactBatchOptional optional;
    TactBatchArrays   arrays[TACT_BATCH_MOST_ARRAYS];
    char              message[TACT_GPU_MESSAGE] = "";
    tact_batch_place(shape, (size_t)counts->left, block, &here, &optional);
    here.problems.count = here.problems.stride = here.mechanisms.count = counts->left;
    here.problems.bias = there->problems.bias ? optional.bias : NULL;
    here.mechanisms.bias = there->mechanisms.bias ? optional.bias : NULL;
    here.mechanisms.active = there->mechanisms.active ? optional.active : NULL;
    int count = shape.dof > 0
                    ? tact_batch_list_mechanisms(&there->mechanisms, &here.mechanisms, arrays)
                    : tact_batch_list_bodies(&there->problems, &here.problems, arrays);
    TACT_TRY(move_left(batch, counts, arrays, count, true));
    if (tact_gpu_host_module.solve(&here, &solved, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    count = tact_batch_list_answers(shape, &there->answers, &here.answers, arrays);
    TACT_TRY(move_left(batch, counts, arrays, count, false));
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
    if (batch->module->solve(&batch->batch, &counts, message)) {
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
    size_t  size = tact_batch_bytes(shape_of(&batch->config), (size_t)counts.left);
    TACT_TRY(tact_allocate(size, 1, (void **)&block));
    TactStatus status = hand_over(batch, &counts, block, report);
    tact_release(block);
    return status;
}
