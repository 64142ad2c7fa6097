// MJCF: actuators, tendons, equalities, contacts, sensors, keyframes, free words.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mjcf_text.h"

static TactModel *everything;

static int load(void **state)
{
    (void)state;
    everything = tact_mjcf_file("everything.xml");
    return everything ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    tact_model_destroy(everything);
    return 0;
}

static const TactActuator *actuator(const char *name)
{
    return &everything->actuators[tact_model_find(everything, TACT_OBJECT_ACTUATOR, name)];
}

static void expect_law(const char *name, const double gain[3], const double bias[3])
{
    const TactActuator *a = actuator(name);
    for (int i = 0; i < 3; i++) {
        tact_mjcf_near(a->gain[i], gain[i]);
        tact_mjcf_near(a->bias[i], bias[i]);
    }
}

static void every_shortcut_is_a_law_of_gain_and_bias(void **state)
{
    (void)state;
    expect_law("g", (double[]){20, 0, 0}, (double[]){0, -20, -1});
    expect_law("m", (double[]){0, 0, 0}, (double[]){0, 0, 0}); // its group is switched off
    expect_law("w", (double[]){1, 0, 0}, (double[]){0, 0, 0});
    expect_law("pv", (double[]){30, 0, 0}, (double[]){0, -30, -2});
    expect_law("v", (double[]){4, 0, 0}, (double[]){0, 0, -4});
    expect_law("d", (double[]){0, 0, -5}, (double[]){0, 0, 0});
    tact_mjcf_near(actuator("p")->bias[1], -30);
    assert_true(actuator("p")->bias[2] < 0); // of the damping ratio
    tact_mjcf_near(actuator("g")->gear[0], 2);
    tact_mjcf_near(actuator("w")->gear[2], 0.5);
    assert_int_equal(actuator("w")->transmission, TACT_TRANSMISSION_JOINT_IN_PARENT);
    assert_int_equal(actuator("s")->transmission, TACT_TRANSMISSION_SITE);
    assert_int_equal(actuator("v")->transmission, TACT_TRANSMISSION_TENDON);
    assert_true(actuator("g")->ctrl_limited && actuator("g")->force_limited);
    assert_false(actuator("w")->ctrl_limited || actuator("w")->force_limited);
    assert_true(actuator("d")->ctrl_limited);
}

/// A damper has kv of its class, adhesion the gain.
static void dampers_and_adhesion_have_numbers_of_their_classes(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<default><default class='d'><damper kv='3' ctrlrange='0 1'/></default>"
        "<default class='a'><adhesion gain='5' ctrlrange='0 1'/></default></default>"
        "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
        "<damper class='d' joint='j'/><damper class='d' joint='j' kv='2'/>"
        "<damper joint='j' ctrlrange='0 1'/><adhesion class='a' body='b'/>"
        "<adhesion body='b' ctrlrange='0 1'/></actuator>");
    tact_mjcf_near(model->actuators[0].gain[2], -3);
    tact_mjcf_near(model->actuators[1].gain[2], -2);
    tact_mjcf_near(model->actuators[2].gain[2], 0);
    tact_mjcf_near(model->actuators[3].gain[0], 5);
    tact_mjcf_near(model->actuators[4].gain[0], 1);
    tact_model_destroy(model);
}

static void a_range_is_inherited_about_its_middle(void **state)
{
    (void)state;
    tact_mjcf_near(actuator("p")->ctrl_range[1], 0.9 * 3.14159265358979323846 / 2);
    TactModel *model = tact_mjcf_model(
        "<worldbody><body><geom size='1'/><joint name='j' type='slide' range='1 3'/></body>"
        "</worldbody><actuator><position joint='j' inheritrange='0.5'/></actuator>");
    tact_mjcf_near(model->actuators[0].ctrl_range[0], 1.5);
    tact_mjcf_near(model->actuators[0].ctrl_range[1], 2.5);
    assert_true(model->actuators[0].ctrl_limited);
    tact_model_destroy(model);
}

static void defaults_of_all_actuators_are_one(void **state)
{
    (void)state;
    // As in MuJoCo, where a class has one description for all kinds.
    TactModel *model =
        tact_mjcf_model("<default><motor ctrlrange='-2 2' gear='7'/><position kp='9'/></default>"
                        "<worldbody><body><geom size='1'/><joint name='j'/></body></worldbody>"
                        "<actuator><position joint='j'/><motor joint='j'/></actuator>");
    tact_mjcf_near(model->actuators[0].gain[0], 9);
    tact_mjcf_near(model->actuators[0].bias[1], -9);
    tact_mjcf_near(model->actuators[0].ctrl_range[1], 2);
    tact_mjcf_near(model->actuators[0].gear[0], 7);
    tact_mjcf_near(model->actuators[1].gain[0], 1);
    tact_mjcf_near(model->actuators[1].bias[1], 0);
    tact_model_destroy(model);
}

/// Numbers of MuJoCo 3.14: what a kind does not set is that of the other kinds of the class.
static void kinds_of_actuators_may_be_mixed_in_a_class(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_model(
        "<default><default class='a'><damper kv='6' ctrlrange='0 1'/><position kp='5'/></default>"
        "<default class='b'><muscle range='0.5 1.2'/><velocity kv='2'/><motor/></default>"
        "<default class='c'><general gainprm='0.9' dyntype='filter' dynprm='0.3'/><muscle/>"
        "<default class='d'><adhesion gain='4' ctrlrange='0 1'/></default></default></default>"
        "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
        "<damper class='a' joint='j'/><muscle class='b' joint='j' lengthrange='-1 1'/>"
        "<velocity class='c' joint='j'/><adhesion class='d' body='b'/>"
        "<position joint='j' kp='0' dampratio='1'/></actuator>");
    tact_mjcf_near(model->actuators[0].gain[2], 0); // position made the gain constant
    tact_mjcf_near(model->actuators[1].muscle.range[0], 0.75);
    tact_mjcf_near(model->actuators[1].muscle.range[1], 1.2);
    tact_mjcf_near(model->actuators[1].muscle.scale, 200);
    tact_mjcf_near(model->actuators[2].gain[0], 0.9);
    tact_mjcf_near(model->actuators[2].bias[2], -0.9);
    assert_int_equal(model->actuators[3].activation, TACT_ACTIVATION_MUSCLE);
    tact_mjcf_near(model->actuators[3].activation_parameters[0], 0.3);
    tact_mjcf_near(model->actuators[3].gain[0], 4);
    tact_mjcf_near(model->actuators[4].bias[2], 0); // no stiffness, no damping
    tact_model_destroy(model);
}

static void what_the_model_lacks_is_left_out_of_keyframes_too(void **state)
{
    (void)state;
    TactModel *model = tact_mjcf_file("unfaithful.xml");
    assert_int_equal(model->actuator_count, 10);
    static const double ctrl[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
    for (int i = 0; i < 10; i++) {
        tact_mjcf_near(model->keyframes[0].ctrl[i], ctrl[i]);
    }
    assert_int_equal(model->tendon_count, 2);
    assert_int_equal(model->equality_count, 2);
    assert_int_equal(model->sensor_count, 9); // that of a camera too
    tact_model_destroy(model);
}

static void tendons_are_sums_with_limits_and_springs(void **state)
{
    (void)state;
    const TactTendon *sum = &everything->tendons[0];
    assert_int_equal(sum->count, 2);
    assert_int_equal(sum->joints[1], tact_model_find(everything, TACT_OBJECT_JOINT, "turn"));
    tact_mjcf_near(sum->coefficients[1], -0.5);
    assert_true(sum->limited && sum->force_limited);
    tact_mjcf_near(sum->range[1], 1);
    tact_mjcf_near(sum->stiffness, 3);
    tact_mjcf_near(sum->damping, 0.2);
    tact_mjcf_near(sum->friction, 0.1);
    tact_mjcf_near(sum->spring_range[0], 0.2);
    tact_mjcf_near(sum->spring_range[1], 0.2);
    tact_mjcf_near(sum->force_range[0], -9);
}

static void equalities_tie_bodies_sites_joints_and_tendons(void **state)
{
    (void)state;
    const TactEquality *e = everything->equalities;
    assert_int_equal(everything->equality_count, 8);
    assert_int_equal(e[0].type, TACT_EQUALITY_CONNECT);
    assert_false(e[0].active);
    tact_mjcf_near3(e[0].anchor_a, 0, 0, 0.1);
    assert_int_equal(e[0].a, tact_model_find(everything, TACT_OBJECT_BODY, "hand"));
    assert_int_equal(e[1].type, TACT_EQUALITY_CONNECT); // of two sites: points of both bodies
    assert_int_equal(e[1].b, 0);
    tact_mjcf_near3(e[1].anchor_a, 0.05, 0, 0);
    tact_mjcf_near3(e[1].anchor_b, 0, 0, 0.1);
    assert_int_equal(e[2].type, TACT_EQUALITY_WELD);
    assert_int_equal(e[2].b, 0); // no body2: the world
    tact_mjcf_near3(e[2].relative.position, 1, 0, 0);
    tact_mjcf_near(e[2].torque_scale, 0.5);
    // Sites: "tip" runs from 0 to 0.1 along x, so its z is -x; "origin" is 0.1 above the world.
    assert_int_equal(e[3].a, 0);
    assert_int_equal(e[3].b, tact_model_find(everything, TACT_OBJECT_BODY, "base"));
    TactTransform tip =
        everything->sites[tact_model_find(everything, TACT_OBJECT_SITE, "tip")].pose;
    TactTransform there = tact_transform_multiply(e[3].relative, tip);
    tact_mjcf_near3(there.position, 0, 0, 0.1);
    tact_mjcf_turned(there.rotation, 1, 0, 0, 0);
    assert_int_equal(e[5].type, TACT_EQUALITY_JOINT);
    assert_true(e[5].active);
    tact_mjcf_near(e[5].polynomial[0], 0.1);
    tact_mjcf_near(e[5].polynomial[1], 0.5);
    assert_int_equal(e[6].b, -1);
    tact_mjcf_near(e[6].polynomial[1], 1); // the default of what is not given
    assert_int_equal(e[7].type, TACT_EQUALITY_TENDON);
    tact_mjcf_near(e[7].polynomial[1], 2);
}

static void pairs_and_excludes_filter_contacts(void **state)
{
    (void)state;
    assert_int_equal(everything->pair_count, 2);
    assert_int_equal(everything->exclude_count, 1);
    tact_mjcf_near(everything->pairs[0].mu[0], 0.6);
    assert_int_equal(everything->pairs[0].condim, 1);
    tact_mjcf_near(everything->pairs[1].mu[1], 0.3);
    int pair = -1;
    assert_true(
        tact_model_may_touch(everything, everything->pairs[1].a, everything->pairs[1].b, &pair));
    assert_int_equal(pair, 1);
}

static void sensors_name_their_objects(void **state)
{
    (void)state;
    const TactSensor *s = everything->sensors;
    assert_int_equal(everything->sensor_count, 31);
    assert_int_equal(s[1].type, TACT_SENSOR_ACCELEROMETER);
    tact_mjcf_near(s[1].cutoff, 50);
    assert_int_equal(s[18].type, TACT_SENSOR_FRAME_POSITION);
    assert_int_equal(s[18].object_type, TACT_OBJECT_BODY);
    assert_int_equal(s[18].object, tact_model_find(everything, TACT_OBJECT_BODY, "hand"));
    assert_int_equal(s[18].reference_type, TACT_OBJECT_SITE);
    assert_int_equal(s[19].object_type, TACT_OBJECT_XBODY);
    assert_int_equal(s[30].type, TACT_SENSOR_CLOCK);
}

static void a_camera_that_a_sensor_names_is_a_site(void **state)
{
    (void)state;
    static const char text[] =
        "<default><camera pos='0 0 1'/></default><worldbody><replicate count='2' offset='1 0 0'>"
        "<body><geom size='1'/><camera name='eye' quat='0 1 0 0'/></body></replicate>"
        "<camera name='far' pos='3 0 0'/><camera name='tail' mode='track'/></worldbody>"
        "<sensor><framepos objtype='camera' objname='eye' reftype='camera' refname='far'/>"
        "<framequat objtype='camera' objname='tail'/></sensor>";
    TactModel *model = tact_mjcf_model(text);
    assert_int_equal(model->sensor_count, 2); // of the two that are replicated
    assert_int_equal(model->site_count, 3);
    for (int i = 0; i < 2; i++) {
        const TactSensor *s = &model->sensors[i];
        assert_int_equal(s->object_type, TACT_OBJECT_SITE);
        assert_int_equal(model->sites[s->object].body, i + 1);
        tact_mjcf_near3(model->sites[s->object].pose.position, 0, 0, 1);
        tact_mjcf_turned(model->sites[s->object].pose.rotation, 0, 1, 0, 0);
        assert_string_equal(model->sites[s->reference].name, "camera:far");
        tact_mjcf_near3(model->sites[s->reference].pose.position, 3, 0, 0);
    }
    tact_model_destroy(model);
    assert_int_equal(tact_mjcf_notes(text, "framequat", "objtype", TACT_VERDICT_IGNORED), 1);
    tact_mjcf_refuses("<sensor><framepos objtype='camera' objname='eye'/></sensor>", TACT_BAD_INPUT,
                      "there is no camera 'eye'");
    tact_mjcf_refuses("<worldbody><camera name='c'/><camera name='c'/></worldbody>", TACT_BAD_INPUT,
                      "there is a camera 'c' already");
}

static void axes_of_bodies_are_their_own_with_a_note(void **state)
{
    (void)state;
    static const char text[] =
        "<worldbody><body name='b'><geom size='1'/></body></worldbody>"
        "<sensor><framequat objtype='body' objname='b'/><framepos objtype='body' objname='b'/>"
        "<framepos objtype='xbody' objname='b' reftype='body' refname='b'/></sensor>";
    assert_int_equal(tact_mjcf_notes(text, "framequat", "objtype", TACT_VERDICT_APPROXIMATED), 1);
    assert_int_equal(tact_mjcf_notes(text, "framepos", "objtype", TACT_VERDICT_APPROXIMATED), 0);
    assert_int_equal(tact_mjcf_notes(text, "framepos", "reftype", TACT_VERDICT_APPROXIMATED), 1);
}

static void keyframes_and_free_words_are_kept(void **state)
{
    (void)state;
    assert_int_equal(everything->keyframe_count, 2);
    tact_mjcf_near(everything->keyframes[0].time, 0.5);
    tact_mjcf_near(everything->keyframes[0].q[2], 0.3);
    tact_mjcf_near(everything->keyframes[0].v[11], 12);
    tact_mjcf_near(everything->keyframes[0].ctrl[7], 8);
    tact_mjcf_near(everything->keyframes[1].q[0], 0.05); // "lift" at its reference
    assert_int_equal(everything->custom_count, 3);
    assert_string_equal(everything->customs[0].name, "tact_directions");
    assert_int_equal(everything->customs[0].count, 2);
    tact_mjcf_near(everything->customs[0].data[0], 8);
    tact_mjcf_near(everything->customs[0].data[1], 0);
    assert_string_equal(everything->customs[1].text, "reduced");
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shortcut_is_a_law_of_gain_and_bias),
        cmocka_unit_test(dampers_and_adhesion_have_numbers_of_their_classes),
        cmocka_unit_test(a_range_is_inherited_about_its_middle),
        cmocka_unit_test(defaults_of_all_actuators_are_one),
        cmocka_unit_test(kinds_of_actuators_may_be_mixed_in_a_class),
        cmocka_unit_test(what_the_model_lacks_is_left_out_of_keyframes_too),
        cmocka_unit_test(tendons_are_sums_with_limits_and_springs),
        cmocka_unit_test(equalities_tie_bodies_sites_joints_and_tendons),
        cmocka_unit_test(pairs_and_excludes_filter_contacts),
        cmocka_unit_test(sensors_name_their_objects),
        cmocka_unit_test(a_camera_that_a_sensor_names_is_a_site),
        cmocka_unit_test(axes_of_bodies_are_their_own_with_a_note),
        cmocka_unit_test(keyframes_and_free_words_are_kept),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
