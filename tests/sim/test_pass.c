// Bodies that fly past each other in one step of 5 ms, and those that do not: 100 m/s, half a
// metre.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const double pi = 3.14159265358979323846, h = 0.005, speed = 100;

#define SCENE(world)                                                                   \
    "<mujoco><option timestep='0.005' gravity='0 0 0'/><default><geom density='7800' " \
    "friction='0 0 0'/></default><worldbody>" world "</worldbody></mujoco>"
#define WALL "<geom type='box' size='0.005 0.1 0.1'/>"
#define WIDE_WALL "<geom type='box' size='0.005 5 5'/>"
#define BULLET "<body><freejoint/><geom type='sphere' size='0.005'/></body>"
#define ROD "<body><freejoint/><geom type='capsule' size='0.002 0.05'/></body>"

static void place(TactTestScene *scene, int body, TactVec3 at, TactVec3 velocity)
{
    const double pose[7] = {at.x, at.y, at.z, 1, 0, 0, 0};
    const double twist[6] = {velocity.x, velocity.y, velocity.z, 0, 0, 0};
    memcpy(&scene->state->q[7 * body], pose, sizeof pose);
    memcpy(&scene->state->v[6 * body], twist, sizeof twist);
}

static double speed_of(const TactTestScene *scene)
{
    const double *v = scene->state->v;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Past an edge, past a corner, and grazing: with a gap of 1 mm and more it keeps its speed.
static void a_bullet_that_passes_a_wall_is_not_held_up(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SCENE(WALL BULLET));
    for (int k = 0; k < 60; k++) {
        double gap = 0.001 * (1 + k % 20);
        double beside = 0.1 + 0.005 + gap, start = -0.9 - 0.013 * k;
        // an edge; a corner, where the gap is along the diagonal
        TactVec3 at = k % 2 ? (TactVec3){start, beside, 0.03}
                            : (TactVec3){start, 0.1 + (0.005 + gap) * sqrt(0.5),
                                         0.1 + (0.005 + gap) * sqrt(0.5)};
        place(&scene, 0, at, (TactVec3){speed, 0, 0});
        tact_test_scene_step(&scene, 5);
        const double *q = scene.state->q;
        if (!(fabs(speed_of(&scene) - speed) < 1e-9) ||
            !(fabs(q[0] - start - 5 * h * speed) < 1e-9)) {
            fail_msg("%s, gap %g: %g m/s", k % 2 ? "edge" : "corner", gap, speed_of(&scene));
        }
    }
    tact_test_scene_close(&scene);
}

/// From all around it is stopped, and slides on at most.
static void a_bullet_stops_at_a_wall_from_any_direction(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SCENE(WIDE_WALL BULLET));
    for (int k = 0; k < 120; k++) {
        double   angle = 1.2 * sin(1.7 * k), around = 2 * pi * k / 120;
        TactVec3 d = {cos(angle), sin(angle) * cos(around), sin(angle) * sin(around)};
        double   way = 0.3 + 0.011 * k;
        place(&scene, 0, tact_vec3_scale(-way, d), tact_vec3_scale(speed, d));
        tact_test_scene_step(&scene, 4 + (int)(way / (h * speed)));
        const double *q = scene.state->q, *v = scene.state->v;
        if (!(fabs(q[0] + 0.01) < 1e-6) || !(fabs(v[0]) < 1e-6) ||
            !(fabs(v[1] - speed * d.y) < 1e-6)) { // no friction
            fail_msg("direction %d: at %g with %g %g m/s", k, q[0], v[0], v[1]);
        }
    }
    tact_test_scene_close(&scene);
}

static void two_bullets_meet_head_on_or_just_miss(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SCENE(BULLET BULLET));
    for (int k = 0; k < 40; k++) {
        double beside = k % 2 ? 0.0115 + 0.0005 * k : 1e-5 * k; // of 1 cm: both radii
        place(&scene, 0, (TactVec3){-0.2 - 0.01 * k, 0, 0}, (TactVec3){speed, 0, 0});
        place(&scene, 1, (TactVec3){0.2, beside, 0}, (TactVec3){-speed, 0, 0});
        tact_test_scene_step(&scene, 4);
        const double *v = scene.state->v;
        if (k % 2) {
            assert_true(fabs(v[0] - speed) < 1e-9 && fabs(v[6] + speed) < 1e-9);
        } else {
            if (!(v[0] < 0.9 * speed) || !(fabs(v[0] + v[6]) < 1e-6 * speed)) {
                fail_msg("%g beside: %g and %g m/s", beside, v[0], v[6]);
            }
        }
    }
    tact_test_scene_close(&scene);
}

/// Past each other by a micrometre they fly on; a micrometre into each other they touch with a
/// normal n across their ways but for c = sqrt(1 - 0.9999^2), which takes 200 c m/s along n at most
/// from both: c of it along their ways.
static void two_bullets_that_graze_each_other_are_turned_aside_and_not_stopped(void **state)
{
    (void)state;
    static const double misses[3] = {1e-6, 0, -1e-6};
    const double        c = sqrt(1 - 0.9999 * 0.9999);
    TactTestScene       scene = tact_test_scene(SCENE(BULLET BULLET));
    for (int k = 0; k < 60; k++) {
        double miss = misses[k % 3], beside = 0.01 + miss;
        place(&scene, 0, (TactVec3){-0.2 - 0.03 * k, 0, 0}, (TactVec3){speed, 0, 0});
        place(&scene, 1, (TactVec3){0.2, beside, 0}, (TactVec3){-speed, 0, 0});
        tact_test_scene_step(&scene, 6);
        const double *v = scene.state->v, *q = scene.state->q;
        double        most = miss > 0 ? 1e-9 : miss == 0 ? 1e-2 : speed * c; // along n, of each
        if (!(fabs(v[0] - speed) <= most * c + 1e-9) || !(fabs(v[1]) <= most) || !(v[1] <= 1e-12) ||
            !(fabs(v[0] + v[6]) < 1e-9 && fabs(v[1] + v[7]) < 1e-9)) {
            fail_msg("%g past each other, start %d: %.12g %g and %.12g %g m/s", miss, k, v[0], v[1],
                     v[6], v[7]);
        }
        assert_true(q[0] > q[7]);
    }
    tact_test_scene_close(&scene);
}

static double depth_in_wall(const TactTestScene *scene, TactShape wall)
{
    const double *q = scene->state->q;
    TactShape     rod = {.type = TACT_SHAPE_CAPSULE, .size = {0.002, 0.05}};
    TactTransform here = tact_transform_identity();
    TactTransform at = {{q[3], q[4], q[5], q[6]}, {q[0], q[1], q[2]}};
    TactDistance  d;
    assert_int_equal(tact_shape_compute_distance(&wall, &here, &rod, &at, &d), TACT_OK);
    return -d.distance;
}

/// A rod that hits a wall with one end at 10 m/s turns by a radian and more in the next step, and
/// some turn by up to 3 from the beginning. Of its overlap 1e-5 m and 40 mm/s times the step are
/// left alone (src/sim/touch/complete.c).
static void a_rod_that_turns_fast_neither_passes_a_wall_nor_goes_in(void **state)
{
    (void)state;
    static const double speeds[] = {0, 10, 50}, turns[] = {0.1, 0.3, 1, 2, 3};
    const double        most = 1.001 * (1e-5 + 0.04 * h);
    const TactShape     wall = {.type = TACT_SHAPE_BOX, .size = {0.005, 5, 5}};
    TactTestScene       scene = tact_test_scene(SCENE(WIDE_WALL ROD));
    int                 divided = 0;
    for (int k = 0; k < 3 * 5 * 16; k++) {
        double fast = speeds[k % 3], turn = turns[k / 3 % 5];
        int    pose = k / 15;
        double start = fast > 0 ? -0.1 - 0.02 * pose : -0.03 - 0.001 * pose;
        place(&scene, 0, (TactVec3){start, 0.01 * (pose % 5), 0}, (TactVec3){fast, 0, 0});
        scene.state->q[3] = cos(0.2 * pose); // about y
        scene.state->q[5] = sin(0.2 * pose);
        scene.state->v[4] = turn / h;
        scene.state->v[5] = 0.2 * pose;
        if (depth_in_wall(&scene, wall) > 0) {
            continue;
        }
        for (int i = 0; i < 25; i++) {
            divided += tact_test_scene_step(&scene, 1).parts > 1;
            double depth = depth_in_wall(&scene, wall);
            if (!(depth <= most) || !(scene.state->q[0] < 0)) {
                fail_msg("%g m/s, %g rad, pose %d, step %d: %g in, at %g", fast, turn, pose, i,
                         depth, scene.state->q[0]);
            }
        }
    }
    print_message("%d steps divided\n", divided);
    tact_test_scene_close(&scene);
}

/// Nothing is in its way: it turns by 2 in every step, which adds up.
static void a_rod_that_spins_on_a_floor_spins_on(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.005'/><default><geom density='7800' friction='0 0 0'/>"
        "</default><worldbody><geom type='plane' size='1 1 1'/>" ROD "</worldbody></mujoco>");
    place(&scene, 0, (TactVec3){0, 0, 0.002}, (TactVec3){0, 0, 0});
    scene.state->q[3] = scene.state->q[5] = sqrt(0.5); // lying along x
    scene.state->v[3] = -2 / h;                        // about the vertical
    for (int i = 0; i < 50; i++) {
        assert_int_equal(tact_test_scene_step(&scene, 1).parts, 1);
    }
    // The axis is that of the start turned by 100 about the vertical.
    const double *q = scene.state->q;
    TactVec3      axis = tact_quat_rotate((TactQuat){q[3], q[4], q[5], q[6]}, (TactVec3){0, 0, 1});
    assert_true(fabs(axis.x - cos(100)) < 1e-6 && fabs(fabs(axis.y) - fabs(sin(100))) < 1e-6);
    assert_true(fabs(axis.z) < 1e-6);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_that_passes_a_wall_is_not_held_up),
        cmocka_unit_test(a_bullet_stops_at_a_wall_from_any_direction),
        cmocka_unit_test(two_bullets_meet_head_on_or_just_miss),
        cmocka_unit_test(two_bullets_that_graze_each_other_are_turned_aside_and_not_stopped),
        cmocka_unit_test(a_rod_that_turns_fast_neither_passes_a_wall_nor_goes_in),
        cmocka_unit_test(a_rod_that_spins_on_a_floor_spins_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
