// Arechavaleta's hands: what is grasped with enough friction is lifted and does not creep, and with
// too little it slips. TACT_LONG=1 watches for 10 s, as the paper's experiment asks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/scene.h"

static double lift_of(const TactScene *scene)
{
    int joint = tact_model_find(scene->model, TACT_OBJECT_JOINT, "lift");
    assert_true(joint >= 0);
    return scene->state->q[scene->model->joints[joint].q];
}

/// A point of the object in the frame of the hand, which only rises.
static TactVec3 place(const TactScene *scene, const char *object, TactVec3 point)
{
    const double *q = scene->state->q + tact_scene_q(scene, object);
    TactTransform pose = {.position = {q[0], q[1], q[2] - lift_of(scene)},
                          .rotation = {q[3], q[4], q[5], q[6]}};
    return tact_transform_point(pose, point);
}

/// Lets it be lifted, then watches where origin and rim go in the hand's frame.
static double find_creep(TactScene *scene, const char *object, TactVec3 rim)
{
    bool     is_long = getenv("TACT_LONG") != NULL;
    double   settle = is_long ? 4 : 0.8, end = is_long ? 14 : 1.2, worst = 0;
    TactVec3 points[2] = {{0}, rim}, start[2];
    tact_scene_run(scene, settle);
    for (int i = 0; i < 2; i++) {
        start[i] = place(scene, object, points[i]);
    }
    while (scene->state->time < end) {
        tact_scene_step(scene);
        for (int i = 0; i < 2; i++) {
            TactVec3 way = tact_vec3_subtract(place(scene, object, points[i]), start[i]);
            worst = fmax(worst, tact_vec3_norm(way));
        }
    }
    printf("%s: the hand is lifted by %.1f mm, creep in its frame in %g s: %.1e m\n", object,
           1e3 * lift_of(scene), end - settle, worst);
    return worst;
}

static void rubber_fingers_lift_the_glass_and_hold_it(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("grasp.xml", 0);
    double    creep = find_creep(&scene, "glass", (TactVec3){0.0377, 0, 0.1838});
    assert_true(lift_of(&scene) > 0.05);
    assert_true(tact_scene_place(&scene, "glass").z > 0.9 * lift_of(&scene));
    assert_true(creep < 1e-6);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void plastic_fingers_slip_off_the_glass(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("grasp-plastic.xml", 0);
    double    highest = 0;
    while (scene.state->time < 1.2) {
        tact_scene_step(&scene);
        highest = fmax(highest, tact_scene_place(&scene, "glass").z);
    }
    printf("plastic: the hand is lifted by %.1f mm, the glass by %.1f mm at the most\n",
           1e3 * lift_of(&scene), 1e3 * highest);
    assert_true(lift_of(&scene) > 0.08);
    assert_true(highest < 0.01);
    assert_true(fabs(tact_scene_place(&scene, "glass").z) < 1e-6); // stands on the table
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void five_fingers_lift_the_ball_and_hold_it(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("ball-hand.xml", 0);
    double    creep = find_creep(&scene, "ball", (TactVec3){0, 0, 0.035});
    assert_true(tact_scene_place(&scene, "ball").z > 0.07); // its radius is 0.035
    assert_true(creep < 1e-6);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void couplings_limits_and_dry_friction_are_rows_of_the_grasp(void **state)
{
    (void)state;
    TactScene   scene = tact_scene_open("grasp.xml", 0);
    TactSimRows all;
    int         couplings = 0, limits = 0, dry = 0;
    tact_scene_run(&scene, 0.3);
    assert_int_equal(tact_sim_compute_rows(scene.sim, &all), TACT_OK);
    const TactSimRow *rows = all.rows;
    for (int i = 0; i < all.count; i++) {
        couplings += rows[i].type == TACT_OBJECT_EQUALITY;
        limits += rows[i].type == TACT_OBJECT_JOINT && rows[i].part == 0;
        dry += rows[i].type == TACT_OBJECT_JOINT && rows[i].part == 2;
    }
    assert_int_equal(couplings, 4); // three distal joints, the spread
    assert_int_equal(limits, 2);    // both spread joints stand at theirs
    assert_int_equal(dry, 5);       // three worm gears, two of the spread
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rubber_fingers_lift_the_glass_and_hold_it),
        cmocka_unit_test(plastic_fingers_slip_off_the_glass),
        cmocka_unit_test(five_fingers_lift_the_ball_and_hold_it),
        cmocka_unit_test(couplings_limits_and_dry_friction_are_rows_of_the_grasp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
