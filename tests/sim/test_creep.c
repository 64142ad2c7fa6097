// A humanoid that has fallen creeps: its feet slip at some 1e-6 m/s under their load, and friction
// is turned against that slip. Such steps took 1,800 pivots each, and two tries; they are the same
// problems as all others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <tact/load.h>
#include <tact/sim.h>

enum { STEPS = 200, MOST_PIVOTS = 600 };

static void feet_that_creep_take_no_step_of_many_pivots(void **state)
{
    (void)state;
    const char *shared = getenv("TACT_SHARED");
    char        path[700];
    if (!shared) {
        print_message("skipped: TACT_SHARED is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/models/mujoco_humanoid/humanoid.xml", shared);
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model;
    TactSim            *sim;
    if (tact_model_load(path, &load, &model, NULL) != TACT_OK) {
        print_message("skipped: %s\n", tact_status_message());
        skip();
    }
    TactSimConfig config = tact_sim_config_default(model);
    config.timestep = 0.005;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    if (model->keyframe_count > 0) {
        assert_int_equal(tact_sim_reset(sim, 0), TACT_OK);
    }
    int most = 0, all = 0;
    for (int k = 0; k < STEPS; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        most = report.pivots > most ? report.pivots : most;
        all += report.pivots;
    }
    print_message("%d pivots in %d steps, %d at most in one\n", all, STEPS, most);
    assert_true(most <= MOST_PIVOTS);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_that_creep_take_no_step_of_many_pivots),
    };
    return cmocka_run_group_tests_name("sim/creep", tests, NULL, NULL);
}
