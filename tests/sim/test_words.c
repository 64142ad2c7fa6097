// Words of MJCF with closed forms: margins, adhesion, moving surfaces, springs by time constant,
// fluid on ellipsoids, sensors of limits and contacts, steps of Runge-Kutta that are too long.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static double q_of(const TactTestScene *scene, const char *joint, int k)
{
    int index = tact_model_find(scene->model, TACT_OBJECT_JOINT, joint);
    assert_true(index >= 0);
    return tact_sim_view_state(scene->sim)->q[scene->model->joints[index].q + k];
}

static double v_of(const TactTestScene *scene, const char *joint, int k)
{
    int index = tact_model_find(scene->model, TACT_OBJECT_JOINT, joint);
    assert_true(index >= 0);
    return tact_sim_view_state(scene->sim)->v[scene->model->joints[index].dof + k];
}

static double sense(const TactTestScene *scene, const char *name, int k)
{
    TactSimSensors all = {0};
    int            index = tact_model_find(scene->model, TACT_OBJECT_SENSOR, name);
    assert_true(index >= 0);
    assert_int_equal(tact_sim_compute_sensors(scene->sim, &all), TACT_OK);
    return all.values[scene->model->sensors[index].address + k];
}

static void step(TactTestScene *scene, int count)
{
    tact_test_scene_step(scene, count);
}

static void near(double found, double wanted, double tol)
{
    if (!(fabs(found - wanted) <= tol)) {
        fail_msg("%.12g is not %.12g within %g", found, wanted, tol);
    }
}

// ---------------------------------------------------------------------------------------------

static void geoms_rest_the_sum_of_their_margins_apart(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' margin='.01' gap='.5'/>"
        "<body pos='0 0 .2'><freejoint name='a'/><geom size='.1' margin='.02'/></body>"
        "<body pos='1 0 .2'><freejoint name='b'/><geom type='box' size='.1 .1 .1' margin='.03' "
        "gap='.01'/></body>"
        "<body pos='2 0 .2'><freejoint name='c'/><geom name='c' size='.1' margin='.02'/></body>"
        "<body pos='3 0 .2'><freejoint name='d'/><geom name='d' size='.1' margin='.02'/></body>"
        "</worldbody><contact><pair geom1='floor' geom2='c' margin='.05'/>"
        "<pair geom1='d' geom2='floor'/></contact></mujoco>");
    step(&scene, 500);
    near(q_of(&scene, "a", 2), 0.1 + 0.03, 1e-9);
    near(q_of(&scene, "b", 2), 0.1 + 0.04, 1e-9);
    near(q_of(&scene, "c", 2), 0.1 + 0.05, 1e-9);
    near(q_of(&scene, "d", 2), 0.1, 1e-9);
    tact_test_scene_close(&scene);
}

static void limits_hold_the_margin_before_the_end_of_the_range(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><compiler angle='radian'/><worldbody>"
        "<body><joint name='a' type='slide' range='-.3 .3' margin='.1'/><geom size='.1' "
        "mass='2'/></body>"
        "<body pos='1 0 0'><joint name='b' type='slide'/><geom size='.1' mass='3'/></body>"
        "<body pos='2 0 0'><joint name='c' type='slide' range='-.1 .1' margin='5'/><geom "
        "size='.1'/></body></worldbody>"
        "<tendon><fixed name='t' range='-.4 1' margin='.1'><joint joint='b' coef='2'/></fixed>"
        "</tendon><sensor><jointlimitfrc name='fa' joint='a'/><jointlimitpos name='pa' joint='a'/>"
        "<tendonlimitfrc name='ft' tendon='t'/><jointlimitvel name='va' joint='a'/></sensor>"
        "</mujoco>");
    step(&scene, 1);
    near(sense(&scene, "fa", 0), 0, 0); // on its way
    step(&scene, 500);
    near(q_of(&scene, "a", 0), -0.2, 1e-9);
    near(q_of(&scene, "b", 0), -0.15, 1e-9);
    near(q_of(&scene, "c", 0), 0, 1e-9); // margins that meet
    near(sense(&scene, "fa", 0), 2 * g, 1e-6);
    near(sense(&scene, "ft", 0), 3 * g / 2, 1e-6);
    near(sense(&scene, "pa", 0), 0, 1e-9);
    near(sense(&scene, "va", 0), 0, 1e-9);
    tact_test_scene_close(&scene);
}

static void adhesion_holds_more_than_the_weight_or_lets_go(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><geom name='wall' type='plane' size='1 1 1' pos='0 0 1' "
        "zaxis='0 0 -1'/>"
        "<body name='a' pos='0 0 .95'><freejoint name='a'/><geom type='box' size='.1 .1 .05' "
        "mass='1'/></body>"
        "<body name='b' pos='1 0 .94'><freejoint name='b'/><geom type='box' size='.1 .1 .05' "
        "mass='1' gap='.02'/></body>"
        "<body name='c' pos='2 0 .94'><freejoint name='c'/><geom type='box' size='.1 .1 .05' "
        "mass='1'/></body></worldbody>"
        "<actuator><adhesion body='a' gain='30' ctrlrange='0 1'/><adhesion body='b' gain='30' "
        "ctrlrange='0 1'/><adhesion body='c' gain='30' ctrlrange='0 1'/></actuator>"
        "<sensor><contact name='a' body1='a' data='found force' reduce='netforce'/></sensor>"
        "<keyframe><key ctrl='1 1 1'/></keyframe></mujoco>");
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    step(&scene, 200);
    near(q_of(&scene, "a", 2), 0.95, 1e-9);
    near(q_of(&scene, "b", 2), 0.95, 1e-9);                  // drawn across its gap
    near(q_of(&scene, "c", 2), 0.94 - 0.5 * g * 0.16, 0.01); // too far away
    near(sense(&scene, "a", 0), 4, 0);
    near(sense(&scene, "a", 3), 30 - g, 1e-6); // by which it presses on the ceiling
    tact_test_scene_close(&scene);
}

static void a_belt_carries_and_a_turntable_turns(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='.001'/><worldbody>"
        "<geom type='box' size='3 1 .1' pos='0 0 -.1' euler='0 0 90' surfacevel='0 -.5 0' "
        "friction='.4'/>"
        "<geom type='cylinder' size='1 .1' pos='0 5 -.1' surfacevel='0 0 0 0 0 2'/>"
        "<body pos='0 0 .1'><freejoint name='a'/><geom type='box' size='.1 .1 .1' "
        "friction='.4'/></body>"
        "<body pos='0 5 .1'><freejoint name='b'/><geom type='box' size='.1 .1 .1'/></body>"
        "</worldbody></mujoco>");
    step(&scene, 50); // friction accelerates by mu g until it moves along
    near(v_of(&scene, "a", 0), 0.4 * g * 0.05, 0.4 * g * 0.002);
    step(&scene, 450);
    near(v_of(&scene, "a", 0), 0.5, 1e-6);
    near(v_of(&scene, "a", 1), 0, 1e-6);
    near(v_of(&scene, "b", 5), 2, 1e-6);
    tact_test_scene_close(&scene);
}

/// A mass m on a joint: k = m / (T z)^2, d = 2 m / T. Of two slides in a row the first one sees
/// what 1 / (M^-1)_11 is with the second one free: its own mass.
static void springs_by_time_constant_see_the_free_inertia(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><body><joint name='a' type='slide' springdamper='.1 2'/><geom "
        "size='.1' mass='3'/>"
        "<body><joint name='b' type='slide' springdamper='.2 .5'/><geom size='.1' mass='5'/>"
        "</body></body></worldbody></mujoco>");
    const TactJoint *joints = scene.model->joints;
    double           m1 = 3, m2 = 3.0 * 5 / 8;
    near(joints[0].stiffness, m1 / (0.1 * 2 * 0.1 * 2), 1e-9);
    near(joints[0].damping, 2 * m1 / 0.1, 1e-9);
    near(joints[1].stiffness, m2 / (0.2 * 0.5 * 0.2 * 0.5), 1e-9);
    near(scene.model->dofs[1].damping, 2 * m2 / 0.2, 1e-9);
    tact_test_scene_close(&scene);
}

/// A sphere: A = pi r^2 in every direction, so that the drag is rho c_b pi r^2 v^2 + 6 pi mu r v;
/// no lift without spin; of the added mass, without acceleration, nothing is left.
static void fluid_drags_a_sphere_by_its_shadow(void **state)
{
    (void)state;
    const double rho = 1.2, mu = 0.01, r = 0.2, v = 3, m = 0.5;
    char         text[600];
    snprintf(text, sizeof text,
             "<mujoco><option gravity='0 0 0' timestep='1e-5' density='%g' viscosity='%g'/>"
             "<worldbody><body><freejoint name='a'/><geom size='%g' mass='%g' "
             "fluidshape='ellipsoid' fluidcoef='.6 .3 1 1 .8'/></body></worldbody>"
             "<keyframe><key qvel='%g 0 0 0 0 0'/><key qvel='%g 0 0 0 0 7'/></keyframe></mujoco>",
             rho, mu, r, m, v, v);
    TactTestScene scene = tact_test_scene(text);
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    step(&scene, 1);
    double drag = rho * 0.6 * pi * r * r * v * v + 6 * pi * mu * r * v;
    near((v_of(&scene, "a", 0) - v) / 1e-5, -drag / m, 1e-3 * drag / m);
    assert_int_equal(tact_sim_reset(scene.sim, 1), TACT_OK);
    step(&scene, 1);
    // With spin: Magnus' c rho V w x v, and the added mass rho V/2 that goes along, v x w of it.
    double lift = (0.8 - 0.5) * rho * 4 * pi / 3 * r * r * r * 7 * v;
    near(v_of(&scene, "a", 1) / 1e-5, lift / m, 1e-3 * lift / m);
    tact_test_scene_close(&scene);
}

static void a_contact_sensor_tells_what_it_is_asked(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        "<body name='a' pos='0 0 .1'><freejoint name='a'/><geom name='a' type='box' size='.1 .1 "
        ".1' mass='2'/><site name='corner' type='box' size='.05 .05 .05' pos='.1 .1 -.1'/></body>"
        "<body name='b' pos='.03 0 .25'><freejoint name='b'/><geom name='b' size='.05' mass='1'/>"
        "</body></worldbody><sensor>"
        "<contact name='all' geom1='a' geom2='floor' data='found force dist pos normal tangent' "
        "num='5'/>"
        "<contact name='most' body1='a' data='found force' reduce='maxforce' num='2'/>"
        "<contact name='net' subtree1='a' body2='world' data='found force' reduce='netforce'/>"
        "<contact name='corner' site='corner' data='found pos'/>"
        "<contact name='none' geom1='b' geom2='floor' data='found force'/></sensor></mujoco>");
    step(&scene, 200);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        near(sense(&scene, "all", 14 * k), 4, 0);
        sum += sense(&scene, "all", 14 * k + 1);
        near(sense(&scene, "all", 14 * k + 4), 0, 1e-6);   // distance
        near(sense(&scene, "all", 14 * k + 7), 0, 1e-6);   // height
        near(sense(&scene, "all", 14 * k + 10), -1, 1e-9); // from the box to the floor
        near(sense(&scene, "all", 14 * k + 12), -1, 1e-9); // MuJoCo's tangent, turned round
    }
    near(sum, 3 * g, 1e-6);
    near(sense(&scene, "all", 56), 0, 0); // there are no more
    near(sense(&scene, "most", 0), 5, 0);
    assert_true(sense(&scene, "most", 1) >= sense(&scene, "most", 5));
    near(sense(&scene, "most", 1), g, 0.02 * g); // the ball's, near a third of all
    near(sense(&scene, "net", 0), 4, 0);
    near(sense(&scene, "net", 3), -3 * g, 1e-6); // on the floor
    near(sense(&scene, "corner", 0), 1, 0);
    near(sense(&scene, "corner", 1), 0.1, 1e-6);
    near(sense(&scene, "none", 0), 0, 0);
    tact_test_scene_close(&scene);
}

static int warnings;

static void listen(void *context, TactLogLevel level, const char *text)
{
    (void)context;
    (void)level;
    warnings += strstr(text, "joint stiff would run away") != NULL;
}

/// h sqrt(k / m) = 8 > 2.78: parts of a quarter of the step, in which it swings and does not run
/// away.
static void runge_kutta_divides_steps_that_are_too_long_for_a_spring(void **state)
{
    (void)state;
    tact_log_set(listen, NULL, TACT_LOG_LEVEL_WARNING);
    TactTestScene scene = tact_test_scene(
        "<mujoco><option integrator='RK4' timestep='.002' gravity='0 0 0'/><worldbody><body><joint "
        "name='stiff' type='slide' stiffness='16e6'/><geom size='.1' mass='1'/></body></worldbody>"
        "<keyframe><key qpos='.01'/></keyframe></mujoco>");
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_WARNING);
    assert_int_equal(warnings, 1);
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    for (int i = 0; i < 200; i++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        assert_int_equal(report.parts, 4);
        assert_true(fabs(q_of(&scene, "stiff", 0)) <= 0.01);
    }
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geoms_rest_the_sum_of_their_margins_apart),
        cmocka_unit_test(limits_hold_the_margin_before_the_end_of_the_range),
        cmocka_unit_test(adhesion_holds_more_than_the_weight_or_lets_go),
        cmocka_unit_test(a_belt_carries_and_a_turntable_turns),
        cmocka_unit_test(springs_by_time_constant_see_the_free_inertia),
        cmocka_unit_test(fluid_drags_a_sphere_by_its_shadow),
        cmocka_unit_test(a_contact_sensor_tells_what_it_is_asked),
        cmocka_unit_test(runge_kutta_divides_steps_that_are_too_long_for_a_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
