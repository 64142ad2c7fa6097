// What the energy law of a step accounts for: scenes in which something gives or stores energy, or
// is put right, are certified in every step.
#include <stdio.h>
#include <string.h>

#include "sim/scene.h"

/// Every step of the scene to this time is certified.
static void certify(TactScene *scene, const char *name, double end)
{
    TactSimCertifier *certifier = NULL;
    assert_int_equal(tact_sim_certifier_create(scene->sim, NULL, &certifier), TACT_OK);
    tact_sim_set_observer(scene->sim, tact_sim_certifier_observe, certifier);
    while (scene->state->time < end) {
        char text[512];
        assert_int_equal(tact_sim_step(scene->sim, NULL), TACT_OK);
        TactSimStepCertificate step = tact_sim_certifier_take(certifier);
        for (int law = 0; law < TACT_STEP_LAW_COUNT; law++) {
            if (!step.certificate.laws[law].holds) {
                fail_msg("%s: at %g s: %s", name, step.time,
                         tact_step_certificate_explain(scene->model, &step.certificate,
                                                       (TactStepLaw)law, text, sizeof text));
            }
        }
    }
    tact_sim_set_observer(scene->sim, NULL, NULL);
    tact_sim_certifier_destroy(certifier);
    tact_scene_close(scene);
}

static void certify_file(const char *name, double end)
{
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    char                path[512];
    snprintf(path, sizeof path, TACT_SOURCE_DIR "/tests/models/%s", name);
    TactStatus status = tact_model_load(path, &config, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactScene scene = tact_scene_start(model, 0);
    certify(&scene, name, end);
}

static void certify_text(const char *name, const char *xml, double end)
{
    TactScene scene = tact_scene_of_text(xml);
    certify(&scene, name, end);
}

static void wind_gives_energy(void **state)
{
    (void)state;
    certify_file("strange/drag.xml", 0.3);
    certify_file("strange/gravity.xml", 0.7);
    certify_file("features/fluid.xml", 1.8);
    certify_file("features/ellipsoid.xml", 0.3);
}

static void weight_that_no_actuator_carries_is_not_compensated(void **state)
{
    (void)state;
    certify_file("strange/carried.xml", 0.3);
}

/// The spring of a tendon between a body that is held and one that swings stands in the account of
/// the first; the path of its energy is that of both.
static void a_spring_between_two_trees_has_the_energy_of_both_in_play(void **state)
{
    (void)state;
    certify_file("strange/mocap.xml", 0.4);
}

static void limits_that_are_exceeded_at_first_are_put_right(void **state)
{
    (void)state;
    certify_text("an upright arm beyond the range of its joints",
                 "<mujoco><option timestep='0.002'/>"
                 "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
                 "<body><joint axis='0 1 0' range='20 60'/><geom type='capsule' "
                 "fromto='0 0 0 0 0 .4' size='.05'/><body pos='0 0 .4'><joint axis='0 1 0' "
                 "range='20 60'/><geom type='capsule' fromto='0 0 0 0 0 .4' size='.05'/></body>"
                 "</body></worldbody></mujoco>",
                 0.4);
    certify_text("a tendon longer than its limit, over a stiff joint",
                 "<mujoco><option timestep='0.002'/>"
                 "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
                 "<site name='r' pos='0 0 1'/><body pos='0 0 .2'><joint axis='0 1 0'/><geom "
                 "type='capsule' fromto='0 0 0 .4 0 0' size='.03'/><site name='s' pos='.4 0 0'/>"
                 "<body pos='.4 0 0'><joint axis='0 1 0' stiffness='2000'/><geom type='capsule' "
                 "fromto='0 0 0 .3 0 0' size='.03'/><site name='e' pos='.3 0 0'/></body></body>"
                 "</worldbody><tendon><spatial limited='true' range='0 .5' stiffness='2000'>"
                 "<site site='r'/><site site='s'/><site site='e'/></spatial></tendon></mujoco>",
                 0.4);
}

/// Bodies that all but lie still: 1e-13 m/s, and a rise of 1e-14 J.
static void what_all_but_rests_is_certified(void **state)
{
    (void)state;
    TactScene tray = tact_scene_open("tray.xml", 0);
    certify(&tray, "tray.xml", 0.36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_gives_energy),
        cmocka_unit_test(weight_that_no_actuator_carries_is_not_compensated),
        cmocka_unit_test(a_spring_between_two_trees_has_the_energy_of_both_in_play),
        cmocka_unit_test(limits_that_are_exceeded_at_first_are_put_right),
        cmocka_unit_test(what_all_but_rests_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
