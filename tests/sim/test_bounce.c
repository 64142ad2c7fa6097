// Restitution and compliance: bounces against closed forms, and never more energy than before.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const double g = 9.81;

static const char *const ball =
    "<mujoco><option timestep='0.0005'/><custom><numeric name='tact_restitution:ball' data='.8'/>"
    "</custom><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
    "<body name='ball' pos='0 0 1.1'><freejoint/><geom name='ball' size='.1' mass='1'/></body>"
    "</worldbody></mujoco>";

static void law_poisson(TactSimConfig *config)
{
    config->restitution_law = TACT_RESTITUTION_LAW_POISSON;
}

/// Highest points of the ball's bottom after each of its first bounces.
static void find_peaks(TactTestScene *scene, double *peaks, int count)
{
    double before = 0;
    for (int n = 0; n < count;) {
        tact_test_scene_step(scene, 1);
        double v = scene->state->v[2];
        if (before > 0 && v <= 0) {
            peaks[n++] = scene->state->q[2] - 0.1;
        }
        before = v;
    }
}

/// Dropped from 1 m, it comes back to e^2 of the height before, each time; the place of a bounce is
/// known to h v, the height with it.
static void a_ball_bounces_to_e_squared_of_its_height(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        TactTestScene scene = tact_test_scene_with(ball, law ? law_poisson : NULL);
        double        peaks[4], height = 1, speed = sqrt(2 * g);
        find_peaks(&scene, peaks, 4);
        for (int k = 0; k < 4; k++) {
            height *= 0.8 * 0.8;
            printf("bounce %d by %s: %.5f m, exactly %.5f m\n", k + 1, law ? "Poisson" : "Newton",
                   peaks[k], height);
            assert_true(fabs(peaks[k] - height) < 0.0005 * speed);
        }
        tact_test_scene_close(&scene);
    }
}

static void restitution_one(TactSimConfig *config)
{
    config->restitution = 1;
}

static void a_perfect_ball_bounces_for_ever(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene_with(
        "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 .1'/>"
        "<body pos='0 0 .6'><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>",
        restitution_one);
    double peaks[40];
    find_peaks(&scene, peaks, 40);
    printf("40 bounces with e = 1: %.6f m at first, %.6f m at last\n", peaks[0], peaks[39]);
    for (int k = 0; k < 40; k++) { // the first step down may be g h^2 below the top
        assert_true(fabs(peaks[k] - 0.5) < 1.1 * g * 1e-6);
    }
    tact_test_scene_close(&scene);
}

/// At 1 m/s without weight, 0.01 m in a step: it bounces in the step in which the gap would close.
static void a_ball_bounces_in_the_step_in_which_it_arrives(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>"
                 "<geom type='plane' size='5 5 .1'/><body pos='0 0 %.17g'><freejoint/>"
                 "<geom size='.1' mass='1'/></body></worldbody></mujoco>",
                 0.1 + 0.005 + 0.01 * k);
        TactTestScene scene = tact_test_scene_with(text, restitution_one);
        scene.state->v[2] = -1;
        for (int step = 0; step < 10; step++) {
            tact_test_scene_step(&scene, 1);
            assert_true(fabs(scene.state->v[2] - (step < k ? -1 : 1)) < 1e-12);
        }
        tact_test_scene_close(&scene);
    }
}

static void a_ball_comes_to_rest(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(ball);
    tact_test_scene_step(&scene, 12000); // sums of bounces: (1 + e) / (1 - e) sqrt(2 h / g) = 4.1 s
    assert_true(fabs(scene.state->q[2] - 0.1) < 1e-5);
    assert_true(fabs(scene.state->v[2]) < 1e-12);
    tact_test_scene_close(&scene);
}

/// Five balls with small gaps: one comes in, one goes out.
static void newtons_cradle_hands_the_motion_on(void **state)
{
    (void)state;
    char text[4096];
    int  used = snprintf(text, sizeof text,
                         "<mujoco><option timestep='0.0005' gravity='0 0 0'/>"
                          "<custom><numeric name='tact_restitution' data='1'/></custom><worldbody>");
    for (int k = 0; k < 5; k++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<body pos='%.17g 0 0'><joint type='slide' axis='1 0 0'/>"
                         "<geom size='.1' mass='1'/></body>",
                         k == 0 ? -0.5 : 0.2001 * k);
    }
    snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
    TactTestScene scene = tact_test_scene(text);
    scene.state->v[0] = 1;
    tact_test_scene_step(&scene, 2000);
    for (int k = 0; k < 5; k++) {
        assert_true(fabs(scene.state->v[k] - (k == 4 ? 1 : 0)) < 1e-12);
    }
    tact_test_scene_close(&scene);
}

/// The scene with gravity: one swing later the last ball is where the first was, half a degree at
/// the most of it among the others.
static void the_cradle_lifts_the_last_ball_as_high_as_the_first(void **state)
{
    (void)state;
    TactModelLoadConfig load = tact_model_load_config_default();
    TactTestScene       scene = {0};
    TactStatus          status =
        tact_model_load(TACT_SOURCE_DIR "/scenes/cradle.xml", &load, &scene.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(scene.model);
    assert_int_equal(tact_sim_create(scene.model, &config, &scene.sim), TACT_OK);
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    scene.state = tact_sim_view_state(scene.sim);
    double last = 0, others = 0;
    for (int k = 0; k < 1700; k++) {
        tact_test_scene_step(&scene, 1);
        last = fmin(last, scene.state->q[4]);
        for (int i = 1; i < 4; i++) {
            others = fmax(others, fabs(scene.state->q[i]));
        }
    }
    printf("cradle: lifted by 0.5 rad, the last ball rises to %.5f, the others to %.5f\n", -last,
           others);
    assert_true(fabs(last + 0.5) < 1e-3);
    assert_true(others < 0.01);
    tact_test_scene_close(&scene);
}

/// Balls that touch are hit all at once: by both laws the first one comes back with a third of its
/// speed and the others go on together (momentum and energy leave them no other common motion).
static void balls_that_touch_are_hit_at_once(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        TactTestScene scene = tact_test_scene_with(
            "<mujoco><option timestep='0.001' gravity='0 0 0'/>"
            "<custom><numeric name='tact_restitution' data='1'/></custom><worldbody>"
            "<body pos='-.3 0 0'><joint type='slide' axis='1 0 0'/><geom size='.1' "
            "mass='1'/></body>"
            "<body><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
            "<body pos='.199999 0 0'><joint type='slide' axis='1 0 0'/><geom size='.1' "
            "mass='1'/></body>"
            "</worldbody></mujoco>",
            law ? law_poisson : NULL);
        scene.state->v[0] = 3;
        tact_test_scene_step(&scene, 60);
        assert_true(fabs(scene.state->v[0] + 1) < 1e-12);
        assert_true(fabs(scene.state->v[1] - 2) < 1e-12);
        assert_true(fabs(scene.state->v[2] - 2) < 1e-12);
        tact_test_scene_close(&scene);
    }
}

/// Rods that fall on their ends with friction: Kane's example of Newton's law making energy is of
/// this kind.
static void energy_never_grows(void **state)
{
    (void)state;
    static const char *const laws[] = {"newton", "poisson", "sequential"};
    double                   gained = 0;
    for (int run = 0; run < 36; run++) {
        char   text[1024];
        double tilt = 0.1 + 0.06 * (run % 24), mu = 0.1 + 0.2 * (run % 5);
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian'/><option timestep='0.001'/>"
                 "<custom><numeric name='tact_restitution' data='%g'/>"
                 "<text name='tact_restitution_law' data='%s'/></custom>"
                 "<worldbody><geom type='plane' size='5 5 .1' friction='%g'/>"
                 "<body pos='0 0 .8' euler='0 %g .3'><freejoint/>"
                 "<geom type='box' size='.4 .03 .05' mass='1' friction='%g'/></body></worldbody>"
                 "</mujoco>",
                 run % 3 == 0 ? 1 : 0.7, laws[run / 2 % 3], mu, tilt, mu);
        TactTestScene scene = tact_test_scene(text);
        TactSimEnergy energy;
        scene.state->v[0] = 2;
        scene.state->v[4] = run % 4 - 1.5;
        assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
        double first = energy.kinetic + energy.potential;
        for (int k = 0; k < 1500; k++) {
            tact_test_scene_step(&scene, 1);
            assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
            // what semi-implicit Euler keeps of a fall: m v^2 / 2 + m g z - h m g v / 2
            double kept = energy.kinetic + energy.potential - 0.5 * 0.001 * g * scene.state->v[2];
            gained = fmax(gained, kept / first - 1);
        }
        tact_test_scene_close(&scene);
    }
    printf("36 rods that bounce with friction, 1.5 s each: energy grows by %.1e at the most\n",
           gained);
    assert_true(gained < 1e-12);
}

static void soft_contacts(TactSimConfig *config)
{
    config->stiffness = 2000;
    config->damping = 60;
}

/// A soft contact carries m g with m g / k, and slides and sticks as a rigid one does.
static void a_soft_contact_gives_way_by_weight_over_stiffness(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene_with(
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
        "<body pos='0 0 .1'><freejoint/><geom size='.1' mass='1.5'/></body></worldbody></mujoco>",
        soft_contacts);
    tact_test_scene_step(&scene, 2000);
    double depth = 0.1 - scene.state->q[2], exact = 1.5 * g / 2000;
    printf("soft contact: %.6f mm deep, m g / k = %.6f mm\n", 1e3 * depth, 1e3 * exact);
    assert_true(fabs(depth - exact) < 1e-9);
    TactSimPatches found;
    assert_int_equal(tact_sim_compute_patches(scene.sim, &found), TACT_OK);
    assert_true(fabs(found.patches[0].normal_force - 1.5 * g) < 1e-6);
    tact_test_scene_close(&scene);
}

static void soft_contacts_are_never_the_default(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(ball);
    TactSimConfig config = tact_sim_config_default(scene.model);
    assert_true(config.stiffness == 0 && config.damping == 0);
    tact_test_scene_close(&scene);
}

static void customs_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *custom, *words;
    } cases[] = {
        {"<numeric name='tact_restitution' data='1.5'/>", "1.5 is not in 0 .. 1"},
        {"<numeric name='tact_restitution:gone' data='.5'/>", "no geom 'gone'"},
        {"<numeric name='tact_bounce' data='.5'/>", "'tact_bounce': tact knows no such name"},
        {"<numeric name='tact_directions' data='5'/>", "5 is not even"},
        {"<text name='tact_method' data='magic'/>", "magic"},
        {"<text name='tact_cone' data='oval'/>",
         "there is no cone 'oval'; there are: pyramid circle box"},
        {"<numeric name='tact_stiffness' data='1 2 3'/>", "takes 1 or more numbers"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><custom>%s</custom><worldbody><body><freejoint/><geom size='.1'/></body>"
                 "</worldbody></mujoco>",
                 cases[k].custom);
        TactModel          *model = NULL;
        TactSim            *sim = NULL;
        TactModelLoadConfig load = tact_model_load_config_default();
        TactStatus          status =
            tact_model_load_memory("scene.xml", text, strlen(text), &load, &model, NULL);
        if (status == TACT_UNSUPPORTED) {
            skip();
        }
        assert_int_equal(status, TACT_OK);
        TactSimConfig config = tact_sim_config_default(model);
        assert_true(tact_sim_create(model, &config, &sim) != TACT_OK);
        assert_null(sim);
        assert_non_null(strstr(tact_status_message(), cases[k].words));
        tact_model_destroy(model);
    }
}

static void customs_are_what_the_config_starts_with(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><custom><text name='tact_method' data='reduced'/><text name='tact_cone' "
        "data='pyramid'/><numeric name='tact_directions' data='6'/><numeric name='tact_stiffness' "
        "data='1000 20'/><numeric name='mine' data='3'/></custom><worldbody><body><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>");
    TactSimConfig config = tact_sim_config_default(scene.model);
    assert_int_equal(config.method, TACT_METHOD_REDUCED);
    assert_int_equal(config.cone, TACT_CONE_PYRAMID);
    assert_int_equal(config.directions, 6);
    assert_true(config.stiffness == 1000 && config.damping == 20);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(a_perfect_ball_bounces_for_ever),
        cmocka_unit_test(a_ball_bounces_in_the_step_in_which_it_arrives),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(newtons_cradle_hands_the_motion_on),
        cmocka_unit_test(the_cradle_lifts_the_last_ball_as_high_as_the_first),
        cmocka_unit_test(balls_that_touch_are_hit_at_once),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(a_soft_contact_gives_way_by_weight_over_stiffness),
        cmocka_unit_test(soft_contacts_are_never_the_default),
        cmocka_unit_test(customs_that_cannot_be_are_refused),
        cmocka_unit_test(customs_are_what_the_config_starts_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
