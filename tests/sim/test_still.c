// A scene at rest is a fixed point: the same bits in every step, and no pivot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

static void stays_as_it_is(const char *name, int settle, int steps)
{
    char                path[256];
    TactModel          *model = NULL;
    TactSim            *sim = NULL;
    TactSimReport       first, report;
    TactModelLoadConfig load = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/scenes/%s", TACT_SOURCE_DIR, name);
    TactStatus status = tact_model_load(path, &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(model);
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    for (int k = 0; k < settle; k++) {
        assert_int_equal(tact_sim_step(sim, &first), TACT_OK);
    }
    for (int k = 0; k < steps; k++) {
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_true(report.hash == first.hash);
        assert_int_equal(report.pivots, 0);
        assert_int_equal(report.certified, report.islands);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void a_stack_of_ten_cubes_does_not_move_by_a_bit(void **state)
{
    (void)state;
    stays_as_it_is("stack.xml", 20, 300);
}

static void a_block_on_a_slope_does_not_move_by_a_bit(void **state)
{
    (void)state;
    stays_as_it_is("slope.xml", 20, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_cubes_does_not_move_by_a_bit),
        cmocka_unit_test(a_block_on_a_slope_does_not_move_by_a_bit),
    };
    return cmocka_run_group_tests_name("sim/still", tests, NULL, NULL);
}
