// What is said where a device or memory fails: a device that is none, or too old, or full, or lost
// in the middle of something; and an allocator that has nothing more to give.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>
#include <tact/world_batch.h>

// After the standard headers
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/gpu/bodies.h"
#include "gpu/module.h"

enum { COUNT = 40, CONTACTS = 4 };

// ---------------------------------------------------------------------------------------------
// A device that fails

/// The processor's own memory and solver; calls fail from number `left` on.
static struct {
    int         devices;
    const char *trouble; // of counting
    int         left;    // calls that go well
    int         held;    // blocks of memory
} device;

static int goes_well(char message[TACT_GPU_MESSAGE])
{
    if (device.left-- > 0) {
        return 1;
    }
    snprintf(message, TACT_GPU_MESSAGE, "the GPU has fallen off the bus");
    return 0;
}

static int count_devices(char message[TACT_GPU_MESSAGE])
{
    snprintf(message, TACT_GPU_MESSAGE, "%s", device.trouble ? device.trouble : "");
    return device.devices;
}

static int take(size_t size, void **memory, char message[TACT_GPU_MESSAGE])
{
    if (!goes_well(message)) {
        snprintf(message, TACT_GPU_MESSAGE, "%zu bytes of the GPU's memory: out of memory", size);
        return 1;
    }
    *memory = malloc(size);
    device.held += *memory != NULL;
    return *memory == NULL;
}

static void give(void *memory)
{
    device.held--;
    free(memory);
}

static int copy(TactGpuRows to, TactGpuRows from, size_t size, size_t rows,
                char message[TACT_GPU_MESSAGE])
{
    return goes_well(message) ? tact_gpu_host_module.to_device(to, from, size, rows, message) : 1;
}

/// Solves nothing: all is left to the processor.
static int solve(const TactBodyBatch *batch, TactBodyCounts *counts, char message[TACT_GPU_MESSAGE])
{
    if (!goes_well(message)) {
        return 1;
    }
    *counts = (TactBodyCounts){.left = batch->problems.count, .list = TACT_BODY_WORK};
    for (int i = 0; i < batch->problems.count; i++) {
        batch->work[TACT_BODY_WORK + i] = i;
    }
    return 0;
}

static int move(const TactGpuPicked *picked, char *host, size_t size, int pick,
                char message[TACT_GPU_MESSAGE])
{
    for (int k = 0; k < picked->entries * picked->count; k++) {
        size_t entry = (size_t)(k / picked->count), number = (size_t)(k % picked->count);
        char  *there = (char *)picked->device +
                      (entry * picked->stride + (size_t)picked->list[number] * picked->step) * size;
        memcpy(pick ? host + (size_t)k * size : there, pick ? there : host + (size_t)k * size,
               size);
    }
    return !goes_well(message);
}

static int pick_doubles(const TactGpuPicked *picked, void *host, char message[TACT_GPU_MESSAGE])
{
    return move(picked, host, sizeof(double), 1, message);
}

static int pick_integers(const TactGpuPicked *picked, void *host, char message[TACT_GPU_MESSAGE])
{
    return move(picked, host, sizeof(int), 1, message);
}

static int put_doubles(const TactGpuPicked *picked, const void *host,
                       char message[TACT_GPU_MESSAGE])
{
    return move(picked, (char *)host, sizeof(double), 0, message);
}

static int put_integers(const TactGpuPicked *picked, const void *host,
                        char message[TACT_GPU_MESSAGE])
{
    return move(picked, (char *)host, sizeof(int), 0, message);
}

static const TactGpuModule failing = {
    .version = TACT_GPU_MODULE_VERSION,
    .count_devices = count_devices,
    .take = take,
    .give = give,
    .to_device = copy,
    .to_host = copy,
    .solve = solve,
    .pick_doubles = pick_doubles,
    .pick_integers = pick_integers,
    .put_doubles = put_doubles,
    .put_integers = put_integers,
};

static int use_failing(void **state)
{
    (void)state;
    device.devices = 1;
    device.trouble = NULL;
    device.left = 1 << 30;
    tact_gpu_use_module(&failing);
    return 0;
}

static int use_none(void **state)
{
    (void)state;
    tact_gpu_use_module(NULL);
    tact_allocator_set(NULL);
    return 0;
}

static void said(const char *words)
{
    if (!strstr(tact_status_message(), words)) {
        fail_msg("'%s' was said, without '%s'", tact_status_message(), words);
    }
}

// ---------------------------------------------------------------------------------------------
// Contact problems

static TactStatus create(TactContactBatch **batch)
{
    TactContactBatchConfig config = tact_contact_batch_config_default(TACT_DEVICE_CUDA);
    config.problems = COUNT;
    config.contacts = CONTACTS;
    config.threads = 1;
    return tact_contact_batch_create(&config, batch);
}

static void test_devices_that_are_none(void **state)
{
    TactContactBatch *batch = NULL;
    (void)state;
    device.devices = 0;
    assert_int_equal(create(&batch), TACT_UNSUPPORTED);
    said("no GPU: none is there");
    device.devices = -1;
    device.trouble = "CUDA driver version is insufficient for CUDA runtime version";
    assert_int_equal(create(&batch), TACT_UNSUPPORTED);
    said("driver version is insufficient");
    assert_null(batch);
}

static void test_a_full_device(void **state)
{
    TactContactBatch *batch = NULL;
    (void)state;
    device.left = 0;
    assert_int_equal(create(&batch), TACT_NO_MEMORY);
    said("bytes of the GPU's memory: out of memory");
    assert_null(batch);
    device.left = 1;
    assert_int_equal(create(&batch), TACT_OK);
    tact_contact_batch_destroy(batch);
    assert_int_equal(device.held, 0);
}

/// Sent, solved (by the processor, since this device leaves all to it) and fetched.
static TactStatus use(TactBenchBodies *bodies)
{
    TactContactBatch      *batch = NULL;
    TactContactBatchReport report;
    TactStatus             status = create(&batch);
    status = status ? status : tact_contact_batch_send(batch, &bodies->problems);
    status = status ? status : tact_contact_batch_solve(batch, false, &report);
    status = status ? status : tact_contact_batch_fetch(batch, COUNT, &bodies->answers);
    if (status == TACT_OK) {
        assert_int_equal(report.handed_over, COUNT);
    }
    tact_contact_batch_destroy(batch);
    return status;
}

static void test_a_device_that_is_lost(void **state)
{
    TactBenchBodies bodies;
    TactStatus      status = TACT_IO_ERROR;
    int             calls = 1;
    (void)state;
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, TACT_CONE_PYRAMID, COUNT, CONTACTS, 8, &bodies),
        TACT_OK);
    tact_mix_draw(TACT_MIX_ROCK, 1, 0, &bodies.drawn);
    for (; status != TACT_OK; calls++) {
        device.left = calls;
        status = use(&bodies);
        assert_int_equal(device.held, 0);
        if (status != TACT_OK) {
            assert_int_equal(status, TACT_IO_ERROR);
            said("batch: the GPU has fallen off the bus");
        }
        assert_true(calls < 200);
    }
    assert_true(calls > 20); // copies there and back, solving, picking and putting
    tact_bench_bodies_destroy(&bodies);
}

// ---------------------------------------------------------------------------------------------
// Memory of the host

typedef struct Purse {
    int left, held;
} Purse;

static void *give_block(void *context, size_t size)
{
    Purse *purse = context;
    void  *block = purse->left-- > 0 ? malloc(size) : NULL;
    purse->held += block != NULL;
    return block;
}

static void take_block(void *context, void *block)
{
    Purse *purse = context;
    purse->held -= block != NULL;
    free(block);
}

/// Every allocation in turn is the one that fails: it is told, and nothing is lost.
static int run_out(TactStatus (*use_it)(void *), void *argument)
{
    TactStatus status = TACT_NO_MEMORY;
    int        calls = 0;
    for (; status == TACT_NO_MEMORY && calls < 3000; calls++) {
        Purse purse = {.left = calls};
        tact_allocator_set(&(TactAllocator){give_block, take_block, &purse});
        status = use_it(argument);
        tact_allocator_set(NULL);
        assert_int_equal(purse.held, 0);
    }
    if (status != TACT_OK) {
        fail_msg("after %d calls: %s", calls, tact_status_message());
    }
    return calls;
}

/// Where a device has no memory for lists the error of the solver is that of the device.
static TactStatus use_bodies(void *bodies)
{
    TactStatus status = use(bodies);
    return status == TACT_IO_ERROR && strstr(tact_status_message(), "memory") ? TACT_NO_MEMORY
                                                                              : status;
}

static void test_contact_batches_without_memory(void **state)
{
    TactBenchBodies bodies;
    (void)state;
    assert_int_equal(
        tact_bench_bodies_create(TACT_DEVICE_CPU, TACT_CONE_PYRAMID, COUNT, CONTACTS, 8, &bodies),
        TACT_OK);
    tact_mix_draw(TACT_MIX_ROCK, 1, 0, &bodies.drawn);
    assert_true(run_out(use_bodies, &bodies) > 3);
    assert_int_equal(device.held, 0);
    tact_bench_bodies_destroy(&bodies);
}

static const char ball[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
    "<geom name='skin' size='0.1'/></body></worldbody></mujoco>";

/// Made, parameters set, stepped, copied to a simulation.
static TactStatus use_worlds(void *argument)
{
    const TactModel     *model = argument;
    TactWorldBatch      *batch = NULL;
    TactSim             *sim = NULL;
    TactSimConfig        own = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(TACT_DEVICE_CPU);
    const double         friction[2] = {0.3, 0.6};
    config.worlds = 2;
    config.threads = 1;
    TactStatus status = tact_world_batch_create(model, &own, &config, &batch);
    status = status ? status : tact_world_batch_set(batch, "geom/skin/friction", friction, 1);
    status = status ? status : tact_world_batch_step(batch, 2, NULL);
    status = status ? status : tact_sim_create(model, &own, &sim);
    status = status ? status : tact_world_batch_copy(batch, 1, sim);
    tact_sim_destroy(sim);
    tact_world_batch_destroy(batch);
    return status;
}

static void test_worlds_without_memory(void **state)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    (void)state;
    TactStatus status = tact_model_load_memory("ball", ball, strlen(ball), &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    assert_true(run_out(use_worlds, model) > 10);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_devices_that_are_none, use_failing, use_none),
        cmocka_unit_test_setup_teardown(test_a_full_device, use_failing, use_none),
        cmocka_unit_test_setup_teardown(test_a_device_that_is_lost, use_failing, use_none),
        cmocka_unit_test_setup_teardown(test_contact_batches_without_memory, use_failing, use_none),
        cmocka_unit_test_setup_teardown(test_worlds_without_memory, use_failing, use_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
