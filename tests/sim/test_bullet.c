// Nothing passes through anything: bullets of 1 cm at 100 m/s, steps of 5 ms, walls of 1 cm.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

enum { BULLETS = 5, SHOTS = 40, STEPS = 12 };
static const char *const names[BULLETS] = {"ball at box", "cube at box", "ball at mesh",
                                           "cube at mesh", "past the wall"};

typedef struct Fixture {
    TactModel *model;
    TactSim   *sim;
} Fixture;

/// From x = -offset; the wall is met at another moment of a step each time.
static void shoot(const Fixture *f, double offset)
{
    TactSimState *state = tact_sim_view_state(f->sim);
    assert_int_equal(tact_sim_reset(f->sim, 0), TACT_OK);
    for (int i = 0; i < BULLETS; i++) {
        state->q[7 * i] = -offset;
    }
    for (int k = 0; k < STEPS; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(f->sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        for (int i = 0; i < BULLETS - 1; i++) {
            if (!(state->q[7 * i] <= 0.99 + 1e-9)) {
                fail_msg("%s from %g: at %.9f after step %d", names[i], -offset, state->q[7 * i],
                         k);
            }
        }
    }
}

static void bullets_stop_at_walls_of_boxes_and_meshes(void **state)
{
    Fixture *f = *state;
    double   furthest = 0, slowest = INFINITY, fastest = 0;
    for (int shot = 0; shot < SHOTS; shot++) {
        shoot(f, 0.0173 * shot);
        const TactSimState *end = tact_sim_view_state(f->sim);
        for (int i = 0; i < BULLETS - 1; i++) {
            if (!(fabs(end->q[7 * i] - 0.99) < 1e-6) || !(fabs(end->v[6 * i]) < 1e-6)) {
                fail_msg("%s, shot %d: at %.9f with %g m/s", names[i], shot, end->q[7 * i],
                         end->v[6 * i]);
            }
            furthest = fmax(furthest, end->q[7 * i]);
        }
        slowest = fmin(slowest, end->v[6 * (BULLETS - 1)]);
        fastest = fmax(fastest, end->v[6 * (BULLETS - 1)]);
    }
    print_message("stopped at %.12f at most (wall at 0.99); past the wall: %.3g to %.3g m/s\n",
                  furthest, slowest, fastest);
    assert_true(slowest > 100 - 1e-9 && fastest < 100 + 1e-9);
}

static int set_up(void **state)
{
    static Fixture      f;
    TactModelLoadConfig load = tact_model_load_config_default();
    TactStatus          status =
        tact_model_load(TACT_SOURCE_DIR "/scenes/bullet.xml", &load, &f.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        print_message("skipped: %s\n", tact_status_message());
        exit(0);
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(f.model);
    assert_int_equal(tact_sim_create(f.model, &config, &f.sim), TACT_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    tact_sim_destroy(f->sim);
    tact_model_destroy(f->model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bullets_stop_at_walls_of_boxes_and_meshes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
