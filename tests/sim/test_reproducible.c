// The same bits: for any number of threads, after a snapshot was restored, and in every build. The
// hashes go to bits_sim.txt in the build directory, where tools/run-tests compares those of all
// builds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/scene.h"

enum { STEPS = 1000, EVERY = 100 };

/// Hashes after every EVERY steps; from step `restored` on in a new simulation (-1: never).
static void run_fifty(int threads, int restored, uint64_t hashes[STEPS / EVERY])
{
    TactModel    *model = tact_scene_model("fifty.xml", (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    config.threads = threads;
    TactScene scene = tact_scene_start_with(model, &config);
    for (int i = 0; i < STEPS; i++) {
        if (i == restored) {
            size_t   size = tact_sim_snapshot_get_size(scene.sim);
            void    *bytes = malloc(size);
            TactSim *other = NULL;
            assert_non_null(bytes);
            assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, size), TACT_OK);
            assert_int_equal(tact_sim_create(model, &config, &other), TACT_OK);
            assert_int_equal(tact_sim_snapshot_restore(other, bytes, size), TACT_OK);
            tact_sim_destroy(scene.sim);
            scene.sim = other;
            scene.state = tact_sim_view_state(other);
            free(bytes);
        }
        TactSimReport report = tact_scene_step(&scene);
        hashes[i / EVERY] = report.hash;
    }
    print_message("%d threads, restored at %d: hash %016" PRIx64 ", %d of %d solves certified\n",
                  threads, restored, hashes[STEPS / EVERY - 1], scene.certified, scene.solves);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void write_down(const uint64_t hashes[STEPS / EVERY])
{
    char        path[4096];
    const char *build = getenv("TACT_BUILD");
    snprintf(path, sizeof path, "%s/bits_sim.txt", build ? build : ".");
    FILE *record = fopen(path, "w");
    assert_non_null(record);
    for (int i = 0; i < STEPS / EVERY; i++) {
        fprintf(record, "fifty %d %016" PRIx64 "\n", (i + 1) * EVERY, hashes[i]);
    }
    assert_int_equal(fclose(record), 0);
}

static void fifty_bodies_have_the_same_hashes_after_1000_steps(void **state)
{
    (void)state;
    uint64_t once[STEPS / EVERY], again[STEPS / EVERY];
    run_fifty(1, -1, once);
    write_down(once);
    run_fifty(2, 417, again);
    assert_memory_equal(once, again, sizeof once);
    run_fifty(4, -1, again);
    assert_memory_equal(once, again, sizeof once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_bodies_have_the_same_hashes_after_1000_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
