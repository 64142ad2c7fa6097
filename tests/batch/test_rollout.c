// Worlds on threads: the bits are those of one simulation after the other, for any number of them.
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tact/batch.h>

#include "base/status.h"
#include "sim/scene.h"

enum { WORLDS = 13, STEPS = 60 };

/// States at random near the reference.
static double *states(const TactModel *model)
{
    double    *q = malloc((size_t)WORLDS * (size_t)model->nq * sizeof *q);
    TactRandom random = tact_random_seed(7);
    assert_non_null(q);
    for (int w = 0; w < WORLDS; w++) {
        for (int i = 0; i < model->nq; i++) {
            q[w * model->nq + i] = model->q_reference[i] + tact_random_uniform(&random, 0, 1e-2);
        }
    }
    return q;
}

static void roll(TactWorkers *workers, const TactModel *model, const double *q, double *q_out,
                 TactRolloutWorld *told)
{
    const char   *path = "gravity";
    double        gravity[3 * WORLDS];
    TactSimConfig config = tact_sim_config_default(model);
    for (int w = 0; w < WORLDS; w++) {
        gravity[3 * w] = 0.1 * w;
        gravity[3 * w + 1] = 0;
        gravity[3 * w + 2] = -9.81;
    }
    TactRollout rollout = {.worlds = WORLDS,
                           .steps = STEPS,
                           .every = 20,
                           .q = q,
                           .parameter_count = 1,
                           .paths = &path,
                           .values = gravity,
                           .q_out = q_out,
                           .worlds_out = told};
    assert_int_equal(tact_rollout_run(workers, model, &config, &rollout), TACT_OK);
}

static void bits_are_those_of_single_simulations(void **state)
{
    (void)state;
    TactModel       *model = tact_scene_model("hand.xml", (TactSceneEdit){0});
    double          *q = states(model);
    size_t           size = (size_t)(WORLDS * STEPS / 20 * model->nq) * sizeof(double);
    double          *first = malloc(size), *out = malloc(size);
    TactRolloutWorld told[WORLDS], again[WORLDS];
    assert_true(first && out);
    roll(NULL, model, q, first, told);
    for (int threads = 1; threads <= 4; threads++) {
        TactWorkers *workers = NULL;
        assert_int_equal(tact_workers_create(threads, &workers), TACT_OK);
        assert_int_equal(tact_workers_get_threads(workers), threads);
        roll(workers, model, q, out, again);
        assert_memory_equal(out, first, size);
        for (int w = 0; w < WORLDS; w++) {
            assert_true(again[w].hash == told[w].hash && again[w].certified == told[w].certified);
        }
        tact_workers_destroy(workers);
    }
    for (int w = 0; w < WORLDS; w++) { // each world by a simulation of its own
        TactSimConfig config = tact_sim_config_default(model);
        TactSim      *sim = NULL;
        TactSimReport report = {0};
        double        gravity[3] = {0.1 * w, 0, -9.81};
        assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
        assert_int_equal(tact_sim_set(sim, "gravity", gravity, 3), TACT_OK);
        assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
        memcpy(tact_sim_view_state(sim)->q, q + w * model->nq, (size_t)model->nq * sizeof *q);
        for (int i = 0; i < STEPS; i++) {
            assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        }
        assert_true(report.hash == told[w].hash);
        tact_sim_destroy(sim);
    }
    free(q);
    free(first);
    free(out);
    tact_model_destroy(model);
}

static void the_first_world_that_fails_is_named(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("slide.xml", (TactSceneEdit){0});
    double       *q = states(model);
    TactSimConfig config = tact_sim_config_default(model);
    TactRollout   rollout = {.worlds = WORLDS, .steps = STEPS, .q = q};
    q[5 * model->nq] = NAN;
    q[9 * model->nq] = NAN;
    for (int threads = 1; threads <= 4; threads++) {
        TactWorkers *workers = NULL;
        assert_int_equal(tact_workers_create(threads, &workers), TACT_OK);
        assert_int_equal(tact_rollout_run(workers, model, &config, &rollout), TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), "world 5, step 0"));
        tact_workers_destroy(workers);
    }
    TactWorkers *none = NULL;
    assert_int_equal(tact_workers_create(-1, &none), TACT_BAD_ARGUMENT);
    rollout.steps = -1;
    assert_int_equal(tact_rollout_run(NULL, model, &config, &rollout), TACT_BAD_ARGUMENT);
    free(q);
    tact_model_destroy(model);
}

static const char cart[] =
    "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body>"
    "<joint name='way' type='slide' axis='1 0 0'/><geom type='sphere' size='.1' mass='2'/></body>"
    "</worldbody><actuator><motor joint='way'/></actuator></mujoco>";

/// A cart of 2 kg that is pushed: h f / m more speed in every step.
static void a_control_is_held_for_as_many_steps_as_are_asked(void **state)
{
    (void)state;
    enum { PUSHED = 10, HOLD = 4, CONTROLS = 3, CARTS = 3 };
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model = NULL;
    if (tact_model_load_memory("cart", cart, sizeof cart - 1, &load, &model, NULL) != TACT_OK) {
        skip(); // without libxml2
    }
    TactSimConfig config = tact_sim_config_default(model);
    double        ctrl[CARTS * CONTROLS], v[CARTS * PUSHED];
    for (int i = 0; i < CARTS * CONTROLS; i++) {
        ctrl[i] = 1 + i * i;
    }
    TactRollout rollout = {
        .worlds = CARTS, .steps = PUSHED, .hold = HOLD, .ctrl = ctrl, .v_out = v};
    assert_int_equal(tact_rollout_run(NULL, model, &config, &rollout), TACT_OK);
    for (int w = 0; w < CARTS; w++) {
        double speed = 0;
        for (int i = 0; i < PUSHED; i++) {
            speed += 0.01 * ctrl[CONTROLS * w + i / HOLD] / 2;
            assert_true(fabs(v[PUSHED * w + i] - speed) < 1e-13 * speed);
        }
    }
    tact_model_destroy(model);
}

typedef struct Failing {
    atomic_bool begun, failed; // the third task has begun, the first has failed
} Failing;

/// Task 1 fails while task 3 runs, and then that fails too.
static TactStatus fail_in_turn(void *context, int worker, int task)
{
    Failing *failing = context;
    (void)worker;
    if (task == 1) {
        while (!atomic_load(&failing->begun)) {
            sched_yield();
        }
        atomic_store(&failing->failed, true);
        return tact_fail(TACT_BAD_INPUT, "task 1");
    }
    if (task == 3) {
        atomic_store(&failing->begun, true);
        while (!atomic_load(&failing->failed)) {
            sched_yield();
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); // task 1 has told of it by then
        return tact_fail(TACT_NO_MEMORY, "task 3");
    }
    return TACT_OK;
}

static void the_first_task_that_fails_is_told_whenever_others_do(void **state)
{
    (void)state;
    Failing      failing = {false, false};
    TactWorkers *workers = NULL;
    assert_int_equal(tact_workers_create(4, &workers), TACT_OK);
    assert_int_equal(tact_workers_run(workers, 4, fail_in_turn, &failing), TACT_BAD_INPUT);
    assert_string_equal(tact_status_message(), "task 1");
    tact_workers_destroy(workers);
}

static TactStatus stop_at_ten(void *context)
{
    int *asked = context;
    return ++*asked > 10 ? TACT_IO_ERROR : TACT_OK;
}

static void a_watch_ends_it(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("slide.xml", (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    int           asked = 0;
    TactWorkers  *workers = NULL;
    TactRollout   rollout = {
          .worlds = 4, .steps = 1000000000, .watch = stop_at_ten, .context = &asked};
    assert_int_equal(tact_workers_create(2, &workers), TACT_OK);
    assert_int_equal(tact_rollout_run(workers, model, &config, &rollout), TACT_IO_ERROR);
    assert_int_equal(asked, 11);
    tact_workers_destroy(workers);
    tact_model_destroy(model);
}

static void worlds_that_stay_step_together(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("hand.xml", (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    TactBatch    *batch = NULL;
    TactWorkers  *workers = NULL;
    TactSim      *sim = NULL;
    TactSimReport reports[3], report = {0};
    unsigned char skip_last[3] = {0, 0, 1};
    assert_int_equal(tact_workers_create(2, &workers), TACT_OK);
    assert_int_equal(tact_batch_create(model, &config, 3, &batch), TACT_OK);
    TactBatchStep step = {.steps = 25, .skip = skip_last, .reports = reports};
    assert_int_equal(tact_batch_step(batch, workers, &step), TACT_OK);
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    for (int i = 0; i < 25; i++) {
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
    }
    assert_true(reports[0].hash == report.hash && reports[1].hash == report.hash);
    assert_true(tact_sim_view_state(tact_batch_view_world(batch, 2))->time == 0);
    assert_null(tact_batch_view_world(batch, 3));
    tact_sim_destroy(sim);
    tact_batch_destroy(batch);
    tact_workers_destroy(workers);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_single_simulations),
        cmocka_unit_test(the_first_world_that_fails_is_named),
        cmocka_unit_test(a_control_is_held_for_as_many_steps_as_are_asked),
        cmocka_unit_test(the_first_task_that_fails_is_told_whenever_others_do),
        cmocka_unit_test(a_watch_ends_it),
        cmocka_unit_test(worlds_that_stay_step_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
