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

/// It turns by up to 0.3 in a step.
static void a_rod_that_turns_a_little_in_a_step_does_not_pass_a_wall(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SCENE(WALL ROD));
    for (int k = 0; k < 20; k++) {
        place(&scene, 0, (TactVec3){-0.3 - 0.02 * k, 0.01 * (k % 5), 0}, (TactVec3){50, 0, 0});
        scene.state->v[4] = 20 + 2 * k; // about y
        for (int i = 0; i < 12; i++) {
            tact_test_scene_step(&scene, 1);
            if (!(scene.state->q[0] < 0)) {
                fail_msg("rod %d, step %d: at %g", k, i, scene.state->q[0]);
            }
        }
    }
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_that_passes_a_wall_is_not_held_up),
        cmocka_unit_test(a_bullet_stops_at_a_wall_from_any_direction),
        cmocka_unit_test(two_bullets_meet_head_on_or_just_miss),
        cmocka_unit_test(a_rod_that_turns_a_little_in_a_step_does_not_pass_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
