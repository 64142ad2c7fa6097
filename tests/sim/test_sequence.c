// Restitution by sequential impacts: a blow is handed on through bodies that touch.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

enum { MOST = 6 };

static const double g = 9.81;

/// Balls of radius 0.1 on a line; the first `coming` touch each other and come from the left at 1
/// m/s, `away` from the others, which touch each other and rest.
static TactTestScene cradle(int balls, int coming, double away, double e, const double *mass)
{
    char text[4096];
    int  used = snprintf(text, sizeof text,
                         "<mujoco><option timestep='0.001' gravity='0 0 0'/><custom>"
                          "<numeric name='tact_restitution' data='%.17g'/>"
                          "<text name='tact_restitution_law' data='sequential'/></custom><worldbody>",
                         e);
    for (int k = 0; k < balls; k++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<body pos='%.17g 0 0'><joint type='slide' axis='1 0 0'/>"
                         "<geom size='.125' mass='%.17g' friction='0'/></body>",
                         0.25 * k - (k < coming ? away : 0), mass ? mass[k] : 1);
    }
    snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
    TactTestScene scene = tact_test_scene(text);
    for (int k = 0; k < coming; k++) {
        scene.state->v[k] = 1;
    }
    return scene;
}

static void as_many_balls_go_out_as_come_in(void **state)
{
    (void)state;
    double worst = 0;
    for (int balls = 3; balls <= MOST; balls++) {
        for (int coming = 1; coming < balls; coming++) {
            for (int k = 0; k < 4; k++) { // a gap that ends within a step, at one, none
                static const double gaps[] = {0.0103, 0.01, 0.0157, 0};
                TactTestScene       scene = cradle(balls, coming, gaps[k], 1, NULL);
                for (int step = 0; step < 40; step++) {
                    tact_test_scene_step(&scene, 1);
                    if (scene.state->v[balls - 1] != 0) { // what rests now has 0 J, and rounding
                        tact_test_scene_leave_certificates(&scene);
                    }
                }
                double momentum = 0, energy = 0;
                for (int i = 0; i < balls; i++) {
                    double wanted = i >= balls - coming ? 1 : 0;
                    worst = fmax(worst, fabs(scene.state->v[i] - wanted));
                    momentum += scene.state->v[i];
                    energy += scene.state->v[i] * scene.state->v[i];
                }
                assert_true(fabs(momentum - coming) < 1e-12);
                assert_true(fabs(energy - coming) < 1e-12);
                tact_test_scene_close(&scene);
            }
        }
    }
    printf("cradles of 3 to 6 balls: velocities off by %.1e at the most\n", worst);
    assert_true(worst < 1e-11);
}

/// The fastest pair first, on paper: masses on a line.
static void hit_on_paper(int balls, double e, const double *mass, double *v)
{
    for (int count = 0; count < 100000; count++) {
        int    first = -1;
        double fastest = 1e-12;
        for (int k = 0; k + 1 < balls; k++) {
            if (v[k] - v[k + 1] > fastest * (1 + 1e-9)) {
                fastest = v[k] - v[k + 1];
                first = k;
            }
        }
        if (first < 0) {
            return;
        }
        double reduced = mass[first] * mass[first + 1] / (mass[first] + mass[first + 1]);
        double p = (1 + e) * reduced * (v[first] - v[first + 1]);
        v[first] -= p / mass[first];
        v[first + 1] += p / mass[first + 1];
    }
}

static void other_masses_and_restitutions_do_as_on_paper(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    double     worst = 0, gained = 0;
    for (int run = 0; run < 60; run++) {
        int    balls = 3 + run % 4;
        double mass[MOST], v[MOST] = {1},
                           e = run % 5 == 0 ? 1 : tact_random_uniform(&random, 0.1, 1);
        double before = 0, after = 0, momentum = 0;
        for (int k = 0; k < balls; k++) {
            mass[k] = tact_random_uniform(&random, 0.3, 3);
        }
        hit_on_paper(balls, e, mass, v);
        TactTestScene scene = cradle(balls, 1, 0.0003, e, mass);
        tact_test_scene_step(&scene, 1); // the one in which it meets
        for (int k = 0; k < balls; k++) {
            worst = fmax(worst, fabs(scene.state->v[k] - v[k]));
            before += k == 0 ? mass[k] : 0;
            after += mass[k] * scene.state->v[k] * scene.state->v[k];
            momentum += mass[k] * scene.state->v[k];
        }
        assert_true(fabs(momentum - mass[0]) < 1e-13 * (1 + mass[0]));
        gained = fmax(gained, after / before - 1);
        tact_test_scene_close(&scene);
    }
    printf("60 cradles of unequal balls: off paper by %.1e, energy grows by %.1e at the most\n",
           worst, gained);
    assert_true(worst < 1e-10 && gained < 1e-12);
}

/// A ball between two that touch it: they go apart alike.
static void what_is_symmetric_stays_so(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.001' gravity='0 0 0'/><custom>"
        "<numeric name='tact_restitution' data='1'/>"
        "<text name='tact_restitution_law' data='sequential'/></custom><worldbody>"
        "<body pos='-.3 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<geom size='.1' mass='1' friction='0'/></body>"
        "<body pos='0 .1000001 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 "
        "0'/><geom size='.1' mass='1' friction='0'/></body>"
        "<body pos='0 -.1000001 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 "
        "0'/><geom size='.1' mass='1' friction='0'/></body></worldbody></mujoco>");
    scene.state->v[0] = 1;
    tact_test_scene_step(&scene, 400);
    const double *v = scene.state->v;
    assert_true(fabs(v[1]) < 1e-9);
    assert_true(fabs(v[2] - v[4]) < 1e-9 && fabs(v[3] + v[5]) < 1e-9 && v[3] > 0.1);
    assert_true(fabs(v[0] + v[2] + v[4] - 1) < 1e-12);
    double energy =
        v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    assert_true(fabs(energy - 1) < 1e-9);
    tact_test_scene_close(&scene);
}

/// Boxes that fall on each other with friction: patches of contacts, and a floor that does not
/// bounce under some of them.
static void energy_never_grows(void **state)
{
    (void)state;
    double gained = 0;
    for (int run = 0; run < 12; run++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian'/><option timestep='0.001'/><custom>"
                 "<numeric name='tact_restitution' data='%g'/>"
                 "<text name='tact_restitution_law' data='sequential'/></custom><worldbody>"
                 "<geom type='plane' size='5 5 .1' friction='.4'/>"
                 "<body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .2 .1' mass='2' "
                 "friction='.4'/></body>"
                 "<body pos='0 0 .3'><freejoint/><geom type='box' size='.2 .2 .1' mass='1' "
                 "friction='.4'/></body>"
                 "<body pos='%g 0 .9' euler='%g 0 0'><freejoint/><geom type='box' size='.1 .1 .1' "
                 "mass='1' friction='.4'/></body></worldbody></mujoco>",
                 run % 3 == 0 ? 1 : 0.6, 0.03 * (run % 4), run < 4 ? 0.0 : 0.1 * run);
        TactTestScene scene = tact_test_scene(text);
        TactSimEnergy energy;
        assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
        double first = energy.kinetic + energy.potential;
        for (int k = 0; k < 800; k++) {
            tact_test_scene_step(&scene, 1);
            assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
            double kept = energy.kinetic + energy.potential;
            for (int b = 0; b < 3; b++) { // what semi-implicit Euler keeps of a fall
                kept -= 0.5 * 0.001 * g * (b == 0 ? 2 : 1) * scene.state->v[6 * b + 2];
            }
            gained = fmax(gained, kept / first - 1);
        }
        tact_test_scene_close(&scene);
    }
    printf("12 falls on two boxes: energy grows by %.1e at the most\n", gained);
    assert_true(gained < 1e-9);
}

static void law_newton(TactSimConfig *config)
{
    config->restitution_law = TACT_RESTITUTION_LAW_NEWTON;
}

static void a_single_contact_does_as_by_newtons_law(void **state)
{
    (void)state;
    static const char *const ball =
        "<mujoco><option timestep='0.001'/><custom><numeric name='tact_restitution' data='.8'/>"
        "<text name='tact_restitution_law' data='sequential'/></custom><worldbody>"
        "<geom type='plane' size='5 5 .1'/><body pos='0 0 .6'><freejoint/>"
        "<geom size='.1' mass='1'/></body></worldbody></mujoco>";
    TactTestScene sequential = tact_test_scene(ball);
    TactTestScene newton = tact_test_scene_with(ball, law_newton);
    double        off = 0;
    for (int k = 0; k < 2000; k++) {
        tact_test_scene_step(&sequential, 1);
        tact_test_scene_step(&newton, 1);
        off = fmax(off, fabs(sequential.state->q[2] - newton.state->q[2]));
    }
    assert_true(off < 1e-12);
    tact_test_scene_close(&sequential);
    tact_test_scene_close(&newton);
}

/// A loop passes a blow on at once: its island is hit as by Newton's law.
static void a_loop_is_hit_at_once(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.001' gravity='0 0 0'/><custom>"
        "<numeric name='tact_restitution' data='1'/>"
        "<text name='tact_restitution_law' data='sequential'/></custom><worldbody>"
        "<body pos='-.3 0 0'><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
        "<body name='a' pos='0 0 0'><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' "
        "mass='1'/>"
        "</body><body name='b' pos='1 0 0'><joint name='b' type='slide' axis='1 0 0'/>"
        "<geom size='.1' mass='1'/></body></worldbody>"
        "<equality><joint joint1='a' joint2='b'/></equality></mujoco>");
    scene.state->v[0] = 3;
    tact_test_scene_step(&scene, 60);
    // 1 kg at 3 m/s against 2 kg: it comes back with 1 m/s, they go on with 2 m/s
    assert_true(fabs(scene.state->v[0] + 1) < 1e-9);
    assert_true(fabs(scene.state->v[1] - 2) < 1e-9 && fabs(scene.state->v[2] - 2) < 1e-9);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_balls_go_out_as_come_in),
        cmocka_unit_test(other_masses_and_restitutions_do_as_on_paper),
        cmocka_unit_test(what_is_symmetric_stays_so),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(a_single_contact_does_as_by_newtons_law),
        cmocka_unit_test(a_loop_is_hit_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
