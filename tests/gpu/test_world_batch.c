// Worlds in batches through the public calls, on threads and on a device of lanes; and what is said
// where there is no GPU.
#include <math.h>
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

#include "tests/gpu/step_lanes.h"

enum { WORLDS = 5, STEPS = 40 };

static const char cart[] =
    "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 0.3'><freejoint/><geom name='skin' type='capsule' size='0.1 0.2'/>"
    "<body pos='0.2 0 0'><joint name='arm' axis='0 1 0' limited='true' range='-60 60'/>"
    "<geom type='capsule' fromto='0.1 0 0 0.4 0 0' size='0.05'/></body></body></worldbody>"
    "<actuator><motor joint='arm'/></actuator></mujoco>";

static TactModel *read_model(void)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus status = tact_model_load_memory("cart", cart, strlen(cart), &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

static TactWorldBatch *make_batch(const TactModel *model, int threads)
{
    TactWorldBatch      *batch = NULL;
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(TACT_DEVICE_CPU);
    config.worlds = WORLDS;
    config.threads = threads;
    assert_int_equal(tact_world_batch_create(model, &sim, &config, &batch), TACT_OK);
    return batch;
}

/// Each world steps as a simulation by itself: the same bits, for any number of threads.
static void test_worlds_are_simulations(void **state)
{
    TactModel *model = read_model();
    double     q[WORLDS * 8], v[WORLDS * 7], ctrl[WORLDS];
    (void)state;
    assert_int_equal(model->nq, 8);
    for (int threads = 1; threads <= 3; threads += 2) {
        TactWorldBatch      *batch = make_batch(model, threads);
        TactWorldBatchReport report;
        for (int i = 0; i < WORLDS; i++) {
            ctrl[i] = 0.5 * i - 1;
        }
        assert_int_equal(tact_world_batch_send(batch, &(TactWorldStates){.ctrl = ctrl}), TACT_OK);
        assert_int_equal(tact_world_batch_step(batch, STEPS, &report), TACT_OK);
        assert_int_equal(report.steps, WORLDS * STEPS);
        assert_int_equal(report.uncertified, 0);
        assert_true(report.solves > 0 && report.first == report.solves);
        assert_true(report.error <= 1e-8);
        assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q, .v = v}),
                         TACT_OK);
        for (int i = 0; i < WORLDS; i++) {
            TactSim      *sim = NULL;
            TactSimConfig config = tact_sim_config_default(model);
            assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
            tact_sim_view_state(sim)->ctrl[0] = ctrl[i];
            for (int k = 0; k < STEPS; k++) {
                assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
            }
            assert_memory_equal(tact_sim_view_state(sim)->q, q + 8 * i, 8 * sizeof(double));
            assert_memory_equal(tact_sim_view_state(sim)->v, v + 7 * i, 7 * sizeof(double));
            tact_sim_destroy(sim);
        }
        tact_world_batch_destroy(batch);
    }
    tact_model_destroy(model);
}

/// Chosen worlds begin anew, the others stay; what is written to the device's arrays is where a
/// world goes on.
static void test_chosen_worlds_are_reset(void **state)
{
    TactModel      *model = read_model();
    TactWorldBatch *batch = make_batch(model, 1);
    TactWorldStates own;
    unsigned char   which[WORLDS] = {0, 1, 0, 0, 1};
    double          before[WORLDS * 8];
    (void)state;
    assert_int_equal(tact_world_batch_step(batch, 10, NULL), TACT_OK);
    assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = before}), TACT_OK);
    assert_int_equal(tact_world_batch_reset(batch, which), TACT_OK);
    tact_world_batch_view(batch, &own);
    for (int i = 0; i < WORLDS; i++) {
        const double *expected = which[i] ? model->q_reference : before + 8 * i;
        assert_memory_equal(own.q + 8 * i, expected, 8 * sizeof(double));
        assert_true(!which[i] || own.v[7 * i + 2] == 0);
    }
    own.q[2] = 5; // the first world, high above
    assert_int_equal(tact_world_batch_step(batch, 1, NULL), TACT_OK);
    assert_true(fabs(own.q[2] - 5) < 0.01);
    tact_world_batch_destroy(batch);
    tact_model_destroy(model);
}

/// A world as a simulation goes on as the world does; its contacts are those of the next step.
static void test_a_world_as_a_simulation(void **state)
{
    TactModel      *model = read_model();
    TactWorldBatch *batch = make_batch(model, 1);
    TactSimConfig   config = tact_sim_config_default(model);
    TactSim        *sim = NULL;
    TactSimReport   report;
    double          ctrl[WORLDS] = {0}, q[WORLDS * 8], v[WORLDS * 7], mu[WORLDS];
    int             count = 0;
    (void)state;
    ctrl[3] = 2;
    for (int i = 0; i < WORLDS; i++) {
        mu[i] = 0.2 + 0.1 * i;
    }
    assert_int_equal(tact_world_batch_set(batch, "geom/skin/friction", mu, 1), TACT_OK);
    assert_int_equal(tact_world_batch_send(batch, &(TactWorldStates){.ctrl = ctrl}), TACT_OK);
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    assert_int_equal(tact_world_batch_copy(batch, WORLDS, sim), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_world_batch_copy(batch, 3, sim), TACT_OK);
    assert_int_equal(tact_world_batch_step(batch, 80, NULL), TACT_OK);
    for (int step = 0; step < 80; step++) {
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
    }
    assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q, .v = v}), TACT_OK);
    assert_memory_equal(tact_sim_view_state(sim)->q, q + 3 * 8, 8 * sizeof(double));
    assert_memory_equal(tact_sim_view_state(sim)->v, v + 3 * 7, 7 * sizeof(double));
    assert_int_equal(tact_world_batch_copy(batch, 2, sim), TACT_OK);
    assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    assert_true(count >= 1);
    for (int k = 0; k < count; k++) { // the larger one of plane and skin decides
        assert_true(contacts[k].mu == 1 || contacts[k].mu == mu[2]);
    }
    tact_sim_destroy(sim);
    tact_world_batch_destroy(batch);
    tact_model_destroy(model);
}

static void test_bad_arguments_are_refused(void **state)
{
    TactModel           *model = read_model();
    TactWorldBatch      *batch = NULL;
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(TACT_DEVICE_CPU);
    (void)state;
    config.worlds = 0;
    assert_int_equal(tact_world_batch_create(model, &sim, &config, &batch), TACT_BAD_ARGUMENT);
    config.worlds = 1;
    config.cookie = 0;
    assert_int_equal(tact_world_batch_create(model, &sim, &config, &batch), TACT_BAD_ARGUMENT);
    assert_null(batch);
    batch = make_batch(model, 1);
    assert_int_equal(tact_world_batch_step(batch, -1, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_world_batch_step(batch, 0, NULL), TACT_OK);
    tact_world_batch_destroy(batch);
    tact_world_batch_destroy(NULL);
    if (tact_device_count(TACT_DEVICE_CUDA) == 0) {
        config = tact_world_batch_config_default(TACT_DEVICE_CUDA);
        assert_int_equal(tact_world_batch_create(model, &sim, &config, &batch), TACT_UNSUPPORTED);
        assert_non_null(strstr(tact_status_message(), "no GPU"));
    }
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// The batch of a GPU, its kernels by lanes on the processor

/// A batch of the model on that device. Two of its worlds begin deep in the floor, which the GPU
/// leaves.
static TactWorldBatch *make_lanes(const TactModel *model, int worlds)
{
    TactWorldBatch      *batch = NULL;
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(TACT_DEVICE_CUDA);
    sim.cone = TACT_CONE_PYRAMID;
    config.worlds = worlds;
    config.threads = 2;
    config.sliding_only = true;
    tact_gpu_use_module(&step_lanes_module);
    assert_int_equal(tact_world_batch_create(model, &sim, &config, &batch), TACT_OK);
    return batch;
}

static void start_world(const TactModel *model, int i, double *q, double *ctrl)
{
    memcpy(q, model->q_reference, 8 * sizeof *q);
    q[2] = i % 4 == 1 ? 0.28 : 0.31 + 0.01 * i;
    q[4] = 0.1 * i;
    *ctrl = 0.2 * (i - 2);
}

static void start_lanes(const TactModel *model, int worlds, TactWorldBatch *batch)
{
    double *q = calloc((size_t)worlds * 8, sizeof *q), *ctrl = calloc((size_t)worlds, sizeof *ctrl);
    assert_true(q && ctrl);
    for (int i = 0; i < worlds; i++) {
        start_world(model, i, q + 8 * i, ctrl + i);
    }
    assert_int_equal(tact_world_batch_send(batch, &(TactWorldStates){.q = q, .ctrl = ctrl}),
                     TACT_OK);
    free(q);
    free(ctrl);
}

enum { LANES = 7, LANE_STEPS = 12 };

/// The same bits for a batch of any size, and in any number of parts; a world that the GPU leaves
/// is stepped by the processor, wherever it is.
static void test_bits_do_not_depend_on_the_batch(void **state)
{
    TactModel           *model = read_model();
    double               q[2][LANES * 8], v[2][LANES * 7];
    TactWorldBatchReport reports[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        int worlds = k == 0 ? LANES : 4;
        tact_world_parts_set_least(k == 0 ? 2 : 100); // three parts, one
        TactWorldBatch *batch = make_lanes(model, worlds);
        start_lanes(model, worlds, batch);
        assert_int_equal(tact_world_batch_step(batch, LANE_STEPS, &reports[k]), TACT_OK);
        assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q[k], .v = v[k]}),
                         TACT_OK);
        assert_int_equal(reports[k].steps, worlds * LANE_STEPS);
        assert_int_equal(reports[k].uncertified, 0);
        tact_world_batch_destroy(batch);
    }
    assert_memory_equal(q[0], q[1], 4 * 8 * sizeof(double));
    assert_memory_equal(v[0], v[1], 4 * 7 * sizeof(double));
    print_message("  %lld of %lld steps were handed over\n", reports[0].handed_over,
                  reports[0].steps);
    assert_true(reports[0].handed_over > 0 && reports[0].handed_over < reports[0].steps / 2);
    tact_world_parts_set_least(16384);
    tact_gpu_use_module(NULL);
    tact_model_destroy(model);
}

/// Mass, friction and gravity of each world: the GPU's worlds are simulations with these.
static void test_parameters_differ_from_world_to_world(void **state)
{
    TactModel *model = read_model();
    double     mass[LANES], friction[LANES], gravity[3 * LANES], q[LANES * 8], v[LANES * 7];
    (void)state;
    for (int i = 0; i < LANES; i++) {
        mass[i] = 1 + i;
        friction[i] = 0.1 + 0.1 * i;
        gravity[3 * i] = gravity[3 * i + 1] = 0;
        gravity[3 * i + 2] = -5 - i;
    }
    for (int device = 0; device < 2; device++) { // lanes, threads
        TactWorldBatch *batch = NULL;
        TactSimConfig   config = tact_sim_config_default(model);
        config.cone = TACT_CONE_PYRAMID;
        if (device == 0) {
            tact_world_parts_set_least(2);
            batch = make_lanes(model, LANES);
        } else {
            TactWorldBatchConfig own = tact_world_batch_config_default(TACT_DEVICE_CPU);
            own.worlds = LANES;
            own.sliding_only = true;
            assert_int_equal(tact_world_batch_create(model, &config, &own, &batch), TACT_OK);
        }
        assert_int_equal(tact_world_batch_set(batch, "body/1/mass", mass, 1), TACT_OK);
        assert_int_equal(tact_world_batch_set(batch, "geom/1/friction", friction, 1), TACT_OK);
        assert_int_equal(tact_world_batch_set(batch, "gravity", gravity, 3), TACT_OK);
        assert_int_equal(tact_world_batch_set(batch, "gravity", gravity, 1), TACT_BAD_ARGUMENT);
        assert_int_equal(tact_world_batch_set(batch, "body/9/mass", mass, 1), TACT_BAD_ARGUMENT);
        start_lanes(model, LANES, batch);
        assert_int_equal(tact_world_batch_step(batch, 5, NULL), TACT_OK);
        double first[LANES * 8];
        memcpy(first, q, sizeof first);
        assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q, .v = v}),
                         TACT_OK);
        for (int k = 0; k < LANES * 8 && device == 1; k++) {
            assert_true(fabs(q[k] - first[k]) < 1e-8);
        }
        for (int i = 0; i < LANES && device == 1; i++) {
            TactSim *sim = NULL;
            assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
            assert_int_equal(tact_sim_set(sim, "body/1/mass", mass + i, 1), TACT_OK);
            assert_int_equal(tact_sim_set(sim, "geom/1/friction", friction + i, 1), TACT_OK);
            assert_int_equal(tact_sim_set(sim, "gravity", gravity + 3 * i, 3), TACT_OK);
            start_world(model, i, tact_sim_view_state(sim)->q, tact_sim_view_state(sim)->ctrl);
            for (int k = 0; k < 5; k++) {
                assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
            }
            assert_memory_equal(tact_sim_view_state(sim)->q, q + 8 * i, 8 * sizeof(double));
            tact_sim_destroy(sim);
        }
        tact_world_batch_destroy(batch);
    }
    tact_world_parts_set_least(16384);
    tact_gpu_use_module(NULL);
    tact_model_destroy(model);
}

/// Dry friction of a joint from world to world, and the circle: as the simulation.
static void test_worlds_with_dry_friction_and_the_circle(void **state)
{
    static const char text[] =
        "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='2 2 0.1'/>"
        "<body pos='0 0 0.1' euler='0 0 20'><freejoint/><geom type='box' size='0.1 0.08 0.05'/>"
        "<body pos='0.1 0 0.2'><joint name='j' axis='0 1 0' frictionloss='0.2'/><geom "
        "type='capsule' fromto='0 0 0 0.1 0 0' size='0.02'/></body></body></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>";
    TactModel          *model = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    double              friction[LANES], q[LANES * 8], v[LANES * 7];
    TactWorldBatch     *batch = NULL;
    (void)state;
    if (tact_model_load_memory("text", text, sizeof text - 1, &load, &model, NULL)) {
        skip();
    }
    TactSimConfig        config = tact_sim_config_default(model);
    TactWorldBatchConfig own = tact_world_batch_config_default(TACT_DEVICE_CUDA);
    config.cone = TACT_CONE_CIRCLE;
    own.worlds = LANES;
    own.sliding_only = true;
    tact_gpu_use_module(&step_lanes_module);
    assert_int_equal(tact_world_batch_create(model, &config, &own, &batch), TACT_OK);
    assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q, .v = v}), TACT_OK);
    for (int i = 0; i < LANES; i++) {
        friction[i] = 0.02 + 0.05 * i;
        v[7 * i] = 0.3 + 0.1 * i;
        v[7 * i + 1] = 0.2;
    }
    assert_int_equal(tact_world_batch_set(batch, "joint/j/friction", friction, 1), TACT_OK);
    assert_int_equal(tact_world_batch_send(batch, &(TactWorldStates){.v = v}), TACT_OK);
    TactWorldBatchReport report;
    assert_int_equal(tact_world_batch_step(batch, 5, &report), TACT_OK);
    assert_int_equal(report.handed_over, 0);
    assert_true(report.solves >= 5 * LANES);
    assert_int_equal(tact_world_batch_fetch(batch, &(TactWorldStates){.q = q}), TACT_OK);
    for (int i = 0; i < LANES; i++) {
        TactSim *sim = NULL;
        assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
        assert_int_equal(tact_sim_set(sim, "joint/j/friction", friction + i, 1), TACT_OK);
        memcpy(tact_sim_view_state(sim)->v, v + 7 * i, 7 * sizeof(double));
        for (int k = 0; k < 5; k++) {
            assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        }
        for (int k = 0; k < 8; k++) {
            assert_true(fabs(tact_sim_view_state(sim)->q[k] - q[8 * i + k]) < 1e-8);
        }
        tact_sim_destroy(sim);
    }
    tact_world_batch_destroy(batch);
    tact_gpu_use_module(NULL);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worlds_are_simulations),
        cmocka_unit_test(test_chosen_worlds_are_reset),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_a_world_as_a_simulation),
        cmocka_unit_test(test_bits_do_not_depend_on_the_batch),
        cmocka_unit_test(test_parameters_differ_from_world_to_world),
        cmocka_unit_test(test_worlds_with_dry_friction_and_the_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
