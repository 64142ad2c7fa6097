// In a heap, gaps of less than a hundredth of the slop count as closed; wider ones are closed, and
// in small islands all of them.
#include "io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tact/load.h>
#include <tact/sim.h>

enum { MOST = 12, STEPS = 40 };

/// Heights of the boxes of a stack, of 0.2 m each, that starts with a gap below every one; less
/// what they are without gaps.
static void stack_boxes(int count, double gap, double slop, double over[MOST])
{
    char                text[8000] = "<mujoco><option timestep='0.002'/><worldbody>"
                                     "<geom type='plane' size='5 5 1'/>";
    TactModel          *model = NULL;
    TactSim            *sim = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    for (int k = 0; k < count; k++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<body pos='0 0 %.17g'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
                 0.1 + 0.2 * k + (k + 1) * gap);
    }
    strcat(text, "</worldbody></mujoco>");
    TactStatus status = tact_model_load(tact_scratch_write("stack.xml", text), &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(model);
    config.slop = slop;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    for (int k = 0; k < STEPS; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
    }
    for (int k = 0; k < count; k++) {
        over[k] = tact_sim_view_state(sim)->q[7 * k + 2] - (0.1 + 0.2 * k);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void small_gaps_of_a_heap_stay(void **state)
{
    (void)state;
    double over[MOST];
    stack_boxes(MOST, 5e-8, 1e-5, over);
    for (int k = 0; k < MOST; k++) {
        assert_true(fabs(over[k] - (k + 1) * 5e-8) < 1e-12);
    }
}

static void wider_gaps_are_closed(void **state)
{
    (void)state;
    double over[MOST];
    stack_boxes(MOST, 3e-7, 1e-5, over);
    for (int k = 0; k < MOST; k++) {
        assert_true(fabs(over[k]) <= (k + 1) * 1e-7); // what is left counts as closed
    }
}

static void without_slop_all_gaps_are_closed(void **state)
{
    (void)state;
    double over[MOST];
    stack_boxes(MOST, 5e-8, 0, over);
    for (int k = 0; k < MOST; k++) {
        assert_true(fabs(over[k]) < 1e-9);
    }
}

static void few_contacts_close_all_gaps(void **state)
{
    (void)state;
    double over[MOST];
    stack_boxes(3, 5e-8, 1e-5, over);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(over[k]) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_gaps_of_a_heap_stay),
        cmocka_unit_test(wider_gaps_are_closed),
        cmocka_unit_test(without_slop_all_gaps_are_closed),
        cmocka_unit_test(few_contacts_close_all_gaps),
    };
    return cmocka_run_group_tests_name("sim/gaps", tests, tact_scratch_setup,
                                       tact_scratch_teardown);
}
