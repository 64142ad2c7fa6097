// Snapshots: going on from one gives the same bits, in the same simulation and in a new one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "sim/scene.h"

typedef struct Snapshot {
    void  *bytes;
    size_t size;
} Snapshot;

static Snapshot save(const TactSim *sim)
{
    Snapshot snapshot = {.size = tact_sim_snapshot_get_size(sim)};
    snapshot.bytes = malloc(snapshot.size);
    assert_non_null(snapshot.bytes);
    assert_int_equal(tact_sim_snapshot_save(sim, snapshot.bytes, snapshot.size), TACT_OK);
    return snapshot;
}

/// Steps on; the hashes of all steps, one after another.
static void run(TactSim *sim, int steps, uint64_t *hashes)
{
    for (int i = 0; i < steps; i++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        hashes[i] = report.hash;
    }
}

/// Snapshots at random steps of one run; from each a new simulation, and at the end the first one
/// itself, go on as the run did.
static void check_scene(TactModel *model, int steps, uint64_t seed)
{
    enum { TIMES = 4, MOST = 1000 };
    uint64_t      hashes[MOST], again[MOST];
    int           when[TIMES], next = 0;
    Snapshot      snapshots[TIMES];
    TactRandom    random = tact_random_seed(seed);
    TactSimConfig config = tact_sim_config_default(model);
    TactScene     scene = tact_scene_start_with(model, &config);
    assert_true(steps <= MOST);
    for (int k = 0; k < TIMES; k++) { // one in every quarter
        when[k] = k * steps / TIMES + (int)(tact_random_next(&random) % (uint64_t)(steps / TIMES));
    }
    for (int i = 0; i < steps; i++) {
        if (next < TIMES && i == when[next]) {
            snapshots[next++] = save(scene.sim);
        }
        run(scene.sim, 1, &hashes[i]);
    }
    for (int k = 0; k < TIMES; k++) {
        TactSim *other = NULL;
        assert_int_equal(tact_sim_create(model, &config, &other), TACT_OK);
        if (k % 2 == 1) { // one that has a past of its own
            run(other, 5, again);
        }
        int left = steps - when[k];
        assert_int_equal(tact_sim_snapshot_restore(other, snapshots[k].bytes, snapshots[k].size),
                         TACT_OK);
        run(other, left, again);
        assert_memory_equal(again, hashes + when[k], (size_t)left * sizeof *again);
        tact_sim_destroy(other);
    }
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, snapshots[1].bytes, snapshots[1].size),
                     TACT_OK);
    run(scene.sim, steps - when[1], again);
    assert_memory_equal(again, hashes + when[1], (size_t)(steps - when[1]) * sizeof *again);
    for (int k = 0; k < TIMES; k++) {
        free(snapshots[k].bytes);
    }
    tact_scene_close(&scene);
}

static void fifty_bodies_go_on_as_if_nothing_had_been(void **state)
{
    (void)state;
    check_scene(tact_scene_model("fifty.xml", (TactSceneEdit){0}), 300, 1);
}

static void a_stack_that_rests_goes_on_resting(void **state)
{
    (void)state;
    check_scene(tact_scene_model("stack.xml", (TactSceneEdit){0}), 60, 2);
}

static void a_humanoid_goes_on_falling(void **state)
{
    (void)state;
    char                path[512];
    const char         *shared = getenv("TACT_SHARED");
    TactModel          *model = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/models/mujoco_humanoid/humanoid.xml",
             shared ? shared : TACT_SOURCE_DIR "/../shared");
    if (tact_model_load(path, &load, &model, NULL) != TACT_OK) {
        print_message("skipped: %s\n", tact_status_message());
        return;
    }
    check_scene(model, 300, 3);
}

/// A snapshot is right only if it has what the solvers remember: without it the bits are others.
static void the_memory_of_the_solvers_matters(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("fifty.xml", 0);
    uint64_t  hashes[200], again[100];
    run(scene.sim, 100, hashes);
    TactSim      *other = NULL;
    TactSimConfig config = tact_sim_config_default(scene.model);
    assert_int_equal(tact_sim_create(scene.model, &config, &other), TACT_OK);
    TactSimState *copy = tact_sim_view_state(other);
    memcpy(copy->q, scene.state->q, (size_t)scene.model->nq * sizeof(double));
    memcpy(copy->v, scene.state->v, (size_t)scene.model->nv * sizeof(double));
    copy->time = scene.state->time;
    run(scene.sim, 100, hashes + 100);
    run(other, 100, again);
    assert_memory_not_equal(again, hashes + 100, sizeof again);
    tact_sim_destroy(other);
    tact_scene_close(&scene);
}

static void control_and_forces_are_part_of_it(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("slope.xml", 0);
    scene.state->applied[0] = 0.25;
    scene.state->external[1].torque.z = -0.5;
    scene.state->time = 3;
    Snapshot snapshot = save(scene.sim);
    assert_int_equal(tact_sim_reset(scene.sim, -1), TACT_OK);
    assert_true(scene.state->applied[0] == 0);
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, snapshot.bytes, snapshot.size), TACT_OK);
    assert_true(scene.state->applied[0] == 0.25);
    assert_true(scene.state->external[1].torque.z == -0.5);
    assert_true(scene.state->time == 3);
    free(snapshot.bytes);
    tact_scene_close(&scene);
}

static void files_hold_the_same(void **state)
{
    (void)state;
    const char *path = tact_scratch_path("rest.snapshot");
    TactScene   scene = tact_scene_open("pinch.xml", 0), other = tact_scene_open("pinch.xml", 0);
    uint64_t    hashes[20], again[20];
    run(scene.sim, 20, hashes);
    assert_int_equal(tact_sim_snapshot_write(scene.sim, path), TACT_OK);
    assert_int_equal(tact_sim_snapshot_read(other.sim, path), TACT_OK);
    run(scene.sim, 20, hashes);
    run(other.sim, 20, again);
    assert_memory_equal(hashes, again, sizeof hashes);
    assert_int_equal(tact_sim_snapshot_write(scene.sim, "/not/there/x"), TACT_IO_ERROR);
    tact_scratch_said("/not/there/x");
    assert_int_equal(tact_sim_snapshot_read(scene.sim, "/not/there/x"), TACT_IO_ERROR);
    tact_scene_close(&scene);
    tact_scene_close(&other);
}

/// Every byte in turn is changed: it is refused, and nothing has happened to the simulation.
static void what_is_damaged_or_of_another_simulation_is_refused(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("slope.xml", 0);
    uint64_t  hashes[10], again[10];
    run(scene.sim, 5, hashes);
    Snapshot       snapshot = save(scene.sim);
    unsigned char *bytes = snapshot.bytes;
    assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, snapshot.size - 1),
                     TACT_BAD_ARGUMENT);
    free(bytes);
    snapshot = save(scene.sim);
    bytes = snapshot.bytes;
    for (size_t i = 0; i < snapshot.size; i++) {
        bytes[i] ^= 0x10;
        assert_int_not_equal(tact_sim_snapshot_restore(scene.sim, bytes, snapshot.size), TACT_OK);
        bytes[i] ^= 0x10;
        assert_int_not_equal(tact_sim_snapshot_restore(scene.sim, bytes, i), TACT_OK);
    }
    TactScene stack = tact_scene_open("stack.xml", 0), finer = tact_scene_open("slope.xml", 0.001);
    assert_int_equal(tact_sim_snapshot_restore(stack.sim, bytes, snapshot.size), TACT_BAD_INPUT);
    tact_scratch_said("another model");
    assert_int_equal(tact_sim_snapshot_restore(finer.sim, bytes, snapshot.size), TACT_BAD_INPUT);
    tact_scratch_said("another config");
    run(scene.sim, 10, hashes);
    assert_int_equal(tact_sim_snapshot_restore(scene.sim, bytes, snapshot.size), TACT_OK);
    run(scene.sim, 10, again);
    assert_memory_equal(hashes, again, sizeof hashes);
    free(bytes);
    tact_scene_close(&scene);
    tact_scene_close(&stack);
    tact_scene_close(&finer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_bodies_go_on_as_if_nothing_had_been),
        cmocka_unit_test(a_stack_that_rests_goes_on_resting),
        cmocka_unit_test(a_humanoid_goes_on_falling),
        cmocka_unit_test(the_memory_of_the_solvers_matters),
        cmocka_unit_test(control_and_forces_are_part_of_it),
        cmocka_unit_test(files_hold_the_same),
        cmocka_unit_test(what_is_damaged_or_of_another_simulation_is_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
