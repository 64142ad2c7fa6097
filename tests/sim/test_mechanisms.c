// Baraff's mechanisms: a blockfeeder and a double-action jack.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clones.h"
#include "sim/scene.h"

static const double PI = 3.14159265358979323846;
static const double G = 9.81; // m/s^2

static const TactJoint *find(const TactScene *scene, const char *name)
{
    int index = tact_model_find(scene->model, TACT_OBJECT_JOINT, name);
    assert_true(index >= 0);
    return &scene->model->joints[index];
}

/// Where a joint is, as it changes with the steps.
static double *joint(const TactScene *scene, const char *name)
{
    return scene->state->q + find(scene, name)->q;
}

// ---------------------------------------------------------------------------------------------
// Blockfeeder

enum { BLOCKS = 10 };
static const double MARK = 0.08;   // x that the centres of blocks have to pass, m
static const double START = 0.031; // x of their centres at the start, m

/// Angle of the crank at which the pusher's front, half a block behind the mark, is on its way out:
/// the rocker leans by psi where its end, rod and pusher meet, and the pin lies on it at
///
///     d sin psi = r sin (kappa - psi)
static double crank_at_mark(void)
{
    const double d = 0.14, r = 0.0333, arm = 0.2, rod = 0.2475;
    double       travel = MARK - 0.03 - 0.0275; // from where the rocker is upright
    double       psi = travel / arm;
    for (int k = 0; k < 20; k++) { // the rod is tilted by the height that the rocker's end loses
        double rise = arm * (cos(psi) - 1);
        psi = asin((travel + rod - sqrt(rod * rod - rise * rise)) / arm);
    }
    return psi + asin(d * sin(psi) / r);
}

/// Runs until so many blocks have passed the mark: when each did, and the crank's angle then.
static void feed(TactScene *scene, int count, double *time, double *angle)
{
    int passed = 0;
    while (passed < count && scene->state->time < 1.4 * (count + 1)) {
        tact_scene_step(scene);
        for (int k = 0; k < BLOCKS; k++) {
            char name[16];
            snprintf(name, sizeof name, "x%d", k + 1);
            bool is_past = START + *joint(scene, name) > MARK;
            assert_int_equal(is_past, k < passed || (k == passed && is_past)); // in their order
            if (is_past && k == passed) {
                time[passed] = scene->state->time;
                angle[passed++] = *joint(scene, "crank");
            }
        }
    }
    assert_int_equal(passed, count);
}

static void ten_blocks_are_fed_in_order_one_a_turn(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const int count = getenv("TACT_LONG") ? BLOCKS : 2;
#else
    const int    count = BLOCKS;
#endif
    double    time[BLOCKS], angle[BLOCKS], first = crank_at_mark(), worst = 0, slowest = 0;
    TactScene scene = tact_scene_open("blockfeeder.xml", 0);
    feed(&scene, count, time, angle);
    for (int k = 0; k < count; k++) {
        worst = fmax(worst, fabs(angle[k] - first - 2 * PI * k));
        slowest = k > 0 ? fmax(slowest, time[k] - time[k - 1]) : 0;
    }
    printf("%d blocks pass from %.3f s to %.3f s, the crank within %.4f rad of %.4f; "
           "loops %.1e m, penetration %.1e m, error %.1e\n",
           count, time[0], time[count - 1], worst, first, scene.loop_error, scene.penetration,
           scene.error);
    // A step is 0.005 rad of the crank, the play of its pin in the slot 0.2 mm at 30 mm across the
    // rocker, 0.0068 rad, and 10 um of overlap that are left alone at the pin and at the pusher,
    // which goes 35 mm a radian, 0.0003 rad each.
    assert_true(worst < 0.0124);
    assert_true(slowest > 0.99 * 2 * PI / 5 && slowest < 1.02 * 2 * PI / 5);
    assert_int_equal(scene.certified, scene.solves);
    assert_true(scene.loop_error < 1e-6);
    tact_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Jack

static const double ARM = 0.1; // of the lever, from its pin to that of a pawl, m

/// How far the load has sunk below where it had been, at the most, over some seconds.
static double sink(TactScene *scene, double seconds)
{
    const double *load = joint(scene, "load z");
    double        until = scene->state->time + seconds, top = *load, most = 0;
    while (scene->state->time < until - 1e-9) {
        tact_scene_step(scene);
        top = fmax(top, *load);
        most = fmax(most, top - *load);
    }
    return most;
}

/// Goes on to the end of a stroke: the pin of the crank has left the lever, which is still for 0.1
/// s. Returns how far the load has sunk on the way.
static double stroke(TactScene *scene)
{
    const TactSimState *state = scene->state;
    int                 lever = find(scene, "lever")->dof, still = 0;
    double              most = 0;
    while (fabs(state->v[lever]) < 0.1 && state->time < 20) {
        most = fmax(most, sink(scene, 0.001));
    }
    while (still < 100 && state->time < 20) {
        most = fmax(most, sink(scene, 0.001));
        still = fabs(state->v[lever]) < 1e-9 ? still + 1 : 0;
    }
    return most;
}

/// Between strokes, with the crank's pin amid the fork, the lever stands at its turning points: the
/// pawls are a mirror image of each other, and a stroke lifts by 2 arm sin lever.
static void the_jack_lifts_its_load_with_every_stroke_and_never_lets_it_sink(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("jack.xml", 0);
    double    sunk = stroke(&scene), worst = 0; // the first one is shorter
    for (int k = 0; k < 8; k++) {
        double before = *joint(&scene, "load z");
        sunk = fmax(sunk, stroke(&scene));
        double rise = *joint(&scene, "load z") - before;
        double wanted = 2 * ARM * sin(fabs(*joint(&scene, "lever")));
        worst = fmax(worst, fabs(rise / wanted - 1));
    }
    printf("jack: strokes of %.3f mm within %.2f %%, sinks by %.1e m, error %.1e\n",
           1e3 * 2 * ARM * sin(fabs(*joint(&scene, "lever"))), 100 * worst, sunk, scene.error);
    // At every reversal a pawl hangs behind for a moment, as long as it falls: below 0.1 mm.
    assert_true(worst < 0.003);
    assert_true(sunk < 1e-9);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void the_hand_lets_go_in_the_middle_of_a_stroke_and_the_load_stays(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 1;
#else
    const double time = 10;
#endif
    TactScene scene = tact_scene_open("jack.xml", 0);
    tact_scene_run(&scene, 2.1);
    assert_true(fabs(scene.state->v[find(&scene, "lever")->dof]) > 0.3); // it is under way
    scene.state->ctrl[0] = 0;
    *joint(&scene, "drive") = 0.25;
    double still = sink(&scene, 0.2); // what moved goes on for a moment, upwards
    double before = *joint(&scene, "load z");
    double sunk = sink(&scene, time), moved = fabs(*joint(&scene, "load z") - before);
    printf("jack: let go at %.1f mm, in %g s it moves by %.1e m\n", 1e3 * before, time, moved);
    assert_true(before > 0.05);
    assert_true(fmax(still, sunk) < 1e-9 && moved < 1e-9);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

/// The friction that the pawls need with the lever level. F carried by a pawl, N it presses with: c
/// across and e up from its pin to the contact, M what its spring and its weight press it on with,
///
///     N e = F c + M,    F_left + F_right = W,    (F_left - F_right) arm = moment of the lever,
///
/// so that the left one, which carries more, needs F / N.
static double friction_needed(void)
{
    const double c = 0.08, e = 0.028;
    double       M = 0.5 * 30 * PI / 180 + G * (0.1 * 0.034 + 0.1 * 0.068);
    double       lever = G * (0.6 * 0.06 + 0.1 * 0.235 + 0.4 * 0.345);
    double       F = (G * 21.5 + lever / ARM) / 2;
    return F / ((F * c + M) / e);
}

/// How far the load comes down in half a second from 100 mm up.
static double comes_down(double mu)
{
    char friction[64];
    snprintf(friction, sizeof friction, "friction=\"%.17g\"", mu);
    TactModel *model = tact_scene_model("jack.xml", (TactSceneEdit){"friction=\"0.6\"", friction});
    TactScene  scene = tact_scene_start(model, 0);
    assert_int_equal(tact_sim_reset(scene.sim, 1), TACT_OK); // hand
    *joint(&scene, "bar") = *joint(&scene, "load z") = 0.1;
    tact_scene_run(&scene, 0.5);
    double down = 0.1 - *joint(&scene, "load z");
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
    return down;
}

static void pawls_hold_above_the_friction_that_they_need_and_slip_below(void **state)
{
    (void)state;
    double mu = friction_needed();
    double above = comes_down(1.005 * mu), below = comes_down(0.995 * mu);
    printf("pawls need friction %.5f: in 0.5 s the load comes down by %.1e m with 1.005 of it, by "
           "%.1e m with 0.995\n",
           mu, above, below);
    assert_true(fabs(above) < 1e-6);
    assert_true(below > 1e-3);
}

/// As the viewer pulls.
static void a_hand_on_the_lever_lifts_the_load(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("jack.xml", 0);
    assert_int_equal(tact_sim_reset(scene.sim, 1), TACT_OK);
    int         lever = tact_model_find(scene.model, TACT_OBJECT_BODY, "lever");
    double      mass = scene.model->bodies[lever].subtree_mass, omega = 31.4;
    TactSimDrag drag = {.body = lever,
                        .point = {0.46, -0.03, 0.041},
                        .stiffness = mass * omega * omega,
                        .damping = 2 * mass * omega};
    double      lifted[4];
    for (int stroke = 0; stroke < 4; stroke++) {
        drag.target = (TactVec3){0.45, -0.03, 0.461 + (stroke % 2 ? -0.12 : 0.12)};
        assert_int_equal(tact_sim_set_drag(scene.sim, &drag), TACT_OK);
        double sunk = sink(&scene, 0.5);
        assert_true(sunk < 1e-9);
        lifted[stroke] = *joint(&scene, "load z");
        assert_true(lifted[stroke] > (stroke > 0 ? lifted[stroke - 1] : 0) + 0.005);
    }
    printf("jack by hand: %.1f, %.1f, %.1f, %.1f mm\n", 1e3 * lifted[0], 1e3 * lifted[1],
           1e3 * lifted[2], 1e3 * lifted[3]);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_blocks_are_fed_in_order_one_a_turn),
        cmocka_unit_test(the_jack_lifts_its_load_with_every_stroke_and_never_lets_it_sink),
        cmocka_unit_test(the_hand_lets_go_in_the_middle_of_a_stroke_and_the_load_stays),
        cmocka_unit_test(pawls_hold_above_the_friction_that_they_need_and_slip_below),
        cmocka_unit_test(a_hand_on_the_lever_lifts_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
