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

/// Where the wrist is with all joints at 0, in closed form of the Denavit-Hartenberg lengths, and
/// the weight at the shoulder there: Armstrong, Khatib and Burdick give g1 + g4 = -37.2 + 0.249 N
/// m, to 0.5.
static void the_arm_is_the_puma_of_its_parameters(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("puma.xml", (TactSceneEdit){0});
    TactTransform poses[32];
    assert_true(model->body_count <= 32);
    tact_model_compute_poses(model, model->q_reference, poses); // all joints at 0
    int      base = tact_model_find(model, TACT_OBJECT_BODY, "base");
    int      wrist = tact_model_find(model, TACT_OBJECT_BODY, "link6");
    int      shoulder = tact_model_find(model, TACT_OBJECT_BODY, "link2");
    TactVec3 at = tact_vec3_subtract(poses[wrist].position, poses[base].position);
    assert_true(fabs(at.x - (0.4318 - 0.0203)) < 1e-12);
    assert_true(fabs(at.y - (0.2435 - 0.0934)) < 1e-12);
    assert_true(fabs(at.z - 0.4331) < 1e-12);
    double moment = 0; // about y, of links 2 to 6
    for (int b = shoulder; b <= wrist; b++) {
        TactVec3 com = tact_transform_point(poses[b], model->bodies[b].inertia.com);
        moment += 9.81 * model->bodies[b].inertia.mass * (com.x - poses[shoulder].position.x);
    }
    printf("puma: weight at the shoulder %.2f N m\n", moment);
    assert_true(fabs(moment - (37.2 - 0.249)) < 0.5);
    tact_model_destroy(model);
}

/// How far hand and glass are lifted after 1.5 s, m, from their poses.
static void lift_by_arm(const char *name, double *hand, double *glass)
{
    TactScene     scene = tact_scene_open(name, 0);
    TactTransform poses[32];
    int           palm = tact_model_find(scene.model, TACT_OBJECT_BODY, "palm");
    int           object = tact_model_find(scene.model, TACT_OBJECT_BODY, "glass");
    assert_int_equal(tact_sim_compute_poses(scene.sim, poses), TACT_OK);
    TactTransform start = poses[palm];
    // the hand begins where that of grasp.xml does
    assert_true(tact_vec3_norm(tact_vec3_subtract(start.position, (TactVec3){-0.1, 0, 0.141})) <
                1e-9);
    tact_scene_run(&scene, 1.5);
    assert_int_equal(tact_sim_compute_poses(scene.sim, poses), TACT_OK);
    TactQuat turn = tact_quat_multiply(poses[palm].rotation, tact_quat_conjugate(start.rotation));
    *hand = poses[palm].position.z - start.position.z;
    *glass = poses[object].position.z;
    printf("%s: hand %.1f mm, turned by %.1e rad, glass %.1f mm\n", name, 1e3 * *hand,
           tact_vec3_norm(tact_quat_log(turn)), 1e3 * *glass);
    assert_true(*hand > 0.1 && tact_vec3_norm(tact_quat_log(turn)) < 0.01);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void the_arm_lifts_the_glass_with_rubber_fingers_alone(void **state)
{
    (void)state;
    double hand, glass;
    lift_by_arm("puma.xml", &hand, &glass);
    assert_true(glass > 0.8 * hand);
    lift_by_arm("puma-plastic.xml", &hand, &glass);
    assert_true(fabs(glass) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rubber_fingers_lift_the_glass_and_hold_it),
        cmocka_unit_test(plastic_fingers_slip_off_the_glass),
        cmocka_unit_test(five_fingers_lift_the_ball_and_hold_it),
        cmocka_unit_test(the_arm_is_the_puma_of_its_parameters),
        cmocka_unit_test(the_arm_lifts_the_glass_with_rubber_fingers_alone),
        cmocka_unit_test(couplings_limits_and_dry_friction_are_rows_of_the_grasp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
