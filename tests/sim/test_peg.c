// Peg in hole, through the simulator: a cylinder in the round hole of a triangle mesh.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

static void a_peg_slides_through_the_hole_of_a_mesh_and_stands(void **state)
{
    (void)state;
    TactModel          *model = NULL;
    TactSim            *sim = NULL;
    TactModelLoadConfig load = tact_model_load_config_default();
    TactStatus status = tact_model_load(TACT_SOURCE_DIR "/scenes/peg.xml", &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        print_message("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(model);
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    TactSimState *now = tact_sim_view_state(sim);
    int           most = 0;
    now->q[0] = 2e-5; // beside the axis, by less than the clearance
    for (int k = 0; k < 300; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        most = report.contacts > most ? report.contacts : most;
        // in the hole, to what the slop of the simulator leaves: 0.1 mm and 10 um
        assert_true(hypot(now->q[0], now->q[1]) < 1.1e-4);
    }
    print_message("%d contacts at most, stands at %.9f\n", most, now->q[2]);
    assert_true(most > 16);                    // rims and floor, not a point or two
    assert_true(fabs(now->q[2] - 0.1) < 2e-5); // half its length above the floor
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peg_slides_through_the_hole_of_a_mesh_and_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
