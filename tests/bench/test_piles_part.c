// A heap that was interrupted goes on from its last state, to the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tact/load.h>

#include "bench/piles/piles.h"
#include "io/scratch.h"

enum { BEFORE = 12, ALL = 20 };

static const TactPileScene scene = {
    .shape = TACT_PILE_BOXES, .number = 27, .seed = 4, .wedged = true, .step = 0.005, .mu = 0.5};

static TactModel *load_scene(void)
{
    const char         *path = tact_scratch_path("part.xml");
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    FILE               *file = fopen(path, "w");
    assert_non_null(file);
    tact_pile_write(&scene, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(tact_model_load(path, &config, &model, NULL), TACT_OK);
    return model;
}

static TactSim *start(const TactModel *model, int threads)
{
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    config.threads = threads;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    return sim;
}

/// Steps up to number `until`, as a run counts them. Returns the last hash.
static uint64_t step_until(TactSim *sim, int until, TactPileRun *run, double *times)
{
    TactSimReport report = {0};
    while (run->steps < until) {
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        run->solves += report.islands;
        run->certified += report.certified;
        times[run->steps] = 1e-3 * (run->steps + 1);
        run->steps++;
    }
    return report.hash;
}

static void a_run_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    char       *path = strdup(tact_scratch_path("heap.part"));
    double      times[ALL] = {0}, read[ALL] = {0};
    TactPileRun run = {.threads = 1}, other = {0};
    TactModel  *model = load_scene();
    TactSim    *sim = start(model, 1), *again = start(model, 2);
    step_until(sim, BEFORE, &run, times);
    assert_true(run.solves > BEFORE / 2);
    assert_true(tact_pile_part_write(path, &scene, sim, &run, times));
    assert_true(tact_pile_part_read(path, &scene, again, &other, read, ALL));
    assert_memory_equal(&run, &other, sizeof run);
    assert_memory_equal(times, read, sizeof times);
    assert_true(step_until(sim, ALL, &run, times) == step_until(again, ALL, &other, read));
    assert_int_equal(run.certified, other.certified);
    remove(path);
    free(path);
    tact_sim_destroy(sim);
    tact_sim_destroy(again);
    tact_model_destroy(model);
}

/// The file of another scene, of a longer run, and one that is cut off.
static void what_is_not_of_this_run_is_not_read(void **state)
{
    (void)state;
    char         *path = strdup(tact_scratch_path("heap.part"));
    double        times[ALL] = {0};
    TactPileRun   run = {.threads = 1}, other = {0};
    TactPileScene wider = scene;
    TactModel    *model = load_scene();
    TactSim      *sim = start(model, 1);
    step_until(sim, BEFORE, &run, times);
    assert_true(tact_pile_part_write(path, &scene, sim, &run, times));
    wider.seed = 5;
    assert_false(tact_pile_part_read(path, &wider, sim, &other, times, ALL));
    wider = scene;
    wider.bin = 3;
    assert_false(tact_pile_part_read(path, &wider, sim, &other, times, ALL));
    assert_false(tact_pile_part_read(path, &scene, sim, &other, times, BEFORE - 1));
    assert_false(tact_pile_part_read("/no/such/file", &scene, sim, &other, times, ALL));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_int_equal(fclose(file), 0);
    char *bytes = malloc((size_t)size);
    file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    fclose(file);
    file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, (size_t)size - 1, file), size - 1);
    assert_int_equal(fclose(file), 0);
    assert_false(tact_pile_part_read(path, &scene, sim, &other, times, ALL));
    free(bytes);
    remove(path);
    free(path);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// What `--resume` does: the steps that are there are not made again, and all figures but times are
/// those of a run in one piece.
static void a_scene_that_is_resumed_has_the_figures_of_one_piece(void **state)
{
    (void)state;
    char        *path = strdup(tact_scratch_path("heap.part"));
    double       times[ALL] = {0};
    TactPileRun  part = {.threads = 1}, whole, resumed;
    TactPileSave none = {0}, save = {.part = path};
    TactModel   *model = load_scene();
    TactSim     *sim = start(model, 1);
    assert_int_equal(tact_pile_run_scene(&scene, BEFORE * scene.step, &none, &part), TACT_OK);
    step_until(sim, BEFORE, &(TactPileRun){0}, times);
    part.mean_contacts *= BEFORE; // a sum until the run is over
    part.collide = part.wall = 0;
    assert_true(tact_pile_part_write(path, &scene, sim, &part, times));
    assert_int_equal(tact_pile_run_scene(&scene, ALL * scene.step, &none, &whole), TACT_OK);
    assert_int_equal(tact_pile_run_scene(&scene, ALL * scene.step, &save, &resumed), TACT_OK);
    assert_int_equal(resumed.steps, ALL);
    assert_int_equal(resumed.solves, whole.solves);
    assert_int_equal(resumed.certified, whole.certified);
    assert_int_equal(resumed.contacts, whole.contacts);
    assert_true(resumed.error == whole.error && resumed.penetration == whole.penetration);
    assert_true(resumed.longest >= 1e-3 * BEFORE); // times of the part are kept
    assert_null(fopen(path, "rb"));                // it is done
    free(path);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_to_the_same_bits),
        cmocka_unit_test(what_is_not_of_this_run_is_not_read),
        cmocka_unit_test(a_scene_that_is_resumed_has_the_figures_of_one_piece),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
