// Calls that cannot be: refused with a message, never a crash.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

#define BALL                                                                  \
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'>" \
    "<freejoint/><geom size='.1'/></body></worldbody></mujoco>"

static void expect_refused(TactStatus status, const char *word)
{
    assert_int_equal(status, TACT_BAD_ARGUMENT);
    if (!strstr(tact_status_message(), word)) {
        fail_msg("'%s' does not say '%s'", tact_status_message(), word);
    }
}

/// Joints of one body that make the same motion have no mass each: a step says so.
static void joints_without_a_mass_of_their_own_are_refused(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><joint axis='0 1 0'/>"
        "<joint axis='0 1 0'/><geom size='1'/></body></worldbody></mujoco>");
    TactSimReport report;
    assert_int_equal(tact_sim_step(scene.sim, &report), TACT_BAD_INPUT);
    if (!strstr(tact_status_message(), "other joints make the same motion")) {
        fail_msg("%s", tact_status_message());
    }
    tact_test_scene_close(&scene);
}

static TactStatus visit(void *context, const TactContactProblem *problem, double error)
{
    (void)context;
    (void)problem;
    (void)error;
    return TACT_OK;
}

static void calls_without_a_simulation_are_refused(void **state)
{
    (void)state;
    TactSimHit           hit;
    TactRay              ray = {0};
    TactDistance         distance;
    TactContactDiagnosis diagnosis;
    TactSimPairs         pairs;
    TactSimRows          rows;
    TactSimSensors       values;
    TactWrench           wrench;
    TactSimForces        forces;
    TactSimEnergy        energy;
    TactSimPatches       patches;
    TactSimReport        report = {0};
    char                 bytes[8];
    expect_refused(tact_sim_step(NULL, &report), "tact_sim_step");
    expect_refused(tact_sim_reset(NULL, -1), "NULL");
    expect_refused(tact_sim_cast_ray(NULL, &ray, &hit), "NULL");
    expect_refused(tact_sim_compute_distance(NULL, 0, 0, &distance), "NULL");
    expect_refused(tact_sim_compute_diagnosis(NULL, &diagnosis), "NULL");
    expect_refused(tact_sim_compute_pairs(NULL, &pairs), "NULL");
    expect_refused(tact_sim_compute_wrenches(NULL, &wrench), "NULL");
    expect_refused(tact_sim_compute_rows(NULL, &rows), "NULL");
    expect_refused(tact_sim_compute_forces(NULL, &forces), "NULL");
    expect_refused(tact_sim_compute_energy(NULL, &energy), "NULL");
    expect_refused(tact_sim_compute_patches(NULL, &patches), "NULL");
    expect_refused(tact_sim_compute_sensors(NULL, &values), "NULL");
    expect_refused(tact_sim_visit_problems(NULL, visit, NULL), "NULL");
    expect_refused(tact_sim_visit_failures(NULL, visit, NULL), "NULL");
    expect_refused(tact_sim_snapshot_save(NULL, bytes, sizeof bytes), "NULL");
    expect_refused(tact_sim_snapshot_restore(NULL, bytes, sizeof bytes), "NULL");
    expect_refused(tact_sim_recorder_add(NULL, &report), "NULL");
}

static void calls_without_room_for_the_answer_are_refused(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(BALL);
    tact_test_scene_step(&scene, 1);
    expect_refused(tact_sim_compute_forces(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_compute_energy(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_compute_patches(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_compute_diagnosis(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_compute_wrenches(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_compute_pairs(scene.sim, NULL), "NULL");
    expect_refused(tact_sim_visit_problems(scene.sim, NULL, NULL), "NULL");
    tact_test_scene_close(&scene);
}

static void configs_that_cannot_be_are_refused_when_made(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(BALL);
    TactSim      *sim = NULL;
    TactSimConfig good = tact_sim_config_default(scene.model), bad = good;
    bad.method = TACT_METHOD_COUNT;
    expect_refused(tact_sim_create(scene.model, &bad, &sim), "method");
    bad = good;
    bad.cone = (TactContactCone)77;
    expect_refused(tact_sim_create(scene.model, &bad, &sim), "cone");
    static const int odd[] = {-2, 1, 2, 3, 7};
    for (int k = 0; k < 5; k++) {
        bad = good;
        bad.directions = odd[k];
        expect_refused(tact_sim_create(scene.model, &bad, &sim), "directions");
    }
    assert_null(sim);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_without_a_simulation_are_refused),
        cmocka_unit_test(joints_without_a_mass_of_their_own_are_refused),
        cmocka_unit_test(calls_without_room_for_the_answer_are_refused),
        cmocka_unit_test(configs_that_cannot_be_are_refused_when_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
