// Friction does not know where north is: stopping and sliding in all directions.
#include <math.h>
#include <stdio.h>

#include "sim/scene.h"

static const double g = 9.81, mu = 0.5;

enum { HEADINGS = 7 }; // 0, 15 .. 90 degrees

typedef struct Spread {
    double least, most;
    double lift; // highest that the cube rose, m
} Spread;

static void add(Spread *spread, double x)
{
    spread->least = fmin(spread->least, x);
    spread->most = fmax(spread->most, x);
}

static double heading(int i)
{
    return acos(-1.0) / 2 * i / (HEADINGS - 1);
}

static TactScene open_with(TactModel *model, TactContactCone cone)
{
    TactSimConfig config = tact_sim_config_default(model);
    config.cone = cone;
    return tact_scene_start_with(model, &config);
}

/// How far the cube of slide.xml gets, sent at 6 m/s in all headings.
static Spread stop_distances(TactContactCone cone)
{
    Spread spread = {.least = INFINITY};
    for (int i = 0; i < HEADINGS; i++) {
        TactScene scene = open_with(tact_scene_model("slide.xml", (TactSceneEdit){0}), cone);
        scene.state->v[0] = 6 * cos(heading(i));
        scene.state->v[1] = 6 * sin(heading(i));
        for (int k = 0; k < 1500; k++) {
            tact_scene_step(&scene);
            spread.lift = fmax(spread.lift, scene.state->q[2] - 0.05);
        }
        const double *v = scene.state->v;
        assert_true(tact_vec3_norm((TactVec3){v[0], v[1], v[2]}) < 1e-9); // it has stopped
        add(&spread, hypot(scene.state->q[0], scene.state->q[1]));
        assert_int_equal(scene.certified, scene.solves);
        tact_scene_close(&scene);
    }
    return spread;
}

static void a_cube_stops_after_the_same_distance_in_every_heading(void **state)
{
    (void)state;
    Spread spread = stop_distances(TACT_CONE_CIRCLE);
    double exact = 6 * 6 / (2 * mu * g), differ = spread.most / spread.least - 1;
    printf(
        "cube sent at 6 m/s in 7 headings: stops after %.5f to %.5f m (exactly %.5f), they differ "
        "by %.1e %%, lifts %.1e m\n",
        spread.least, spread.most, exact, 100 * differ, spread.lift);
    assert_true(differ < 1e-3);
    assert_true(spread.lift < 1e-9);
    // Euler ends h v / 2 short
    assert_true(fabs(spread.least / (exact - 0.5e-3 * 6) - 1) < 1e-4);
}

/// The pyramid of 8 directions holds at least cos(pi / 8) of the circle's friction.
static void with_the_pyramid_they_differ_by_no_more_than_its_bound(void **state)
{
    (void)state;
    Spread spread = stop_distances(TACT_CONE_PYRAMID);
    double differ = spread.most / spread.least - 1, bound = 1 / cos(acos(-1.0) / 8) - 1;
    printf(
        "the same with the pyramid: %.5f to %.5f m, they differ by %.2f %%, %.2f %% are allowed\n",
        spread.least, spread.most, 100 * differ, 100 * bound);
    assert_true(differ <= bound);
}

/// The block of slope.xml with friction 0.3 on a slope that falls in this direction; the block
/// itself is not turned with it.
static double slide_down(double direction)
{
    const double angle = 20 * acos(-1.0) / 180;
    char         slope[200];
    TactVec3     up = {0, 0, 1}, y = {0, 1, 0};
    TactQuat     turn = tact_quat_from_axis_angle(up, direction);
    TactQuat     tilt = tact_quat_from_axis_angle(tact_quat_rotate(turn, y), angle);
    snprintf(slope, sizeof slope, "quat=\"%.17g %.17g %.17g %.17g\"", tilt.w, tilt.x, tilt.y,
             tilt.z);
    TactScene scene = tact_scene_start(
        tact_scene_model("slope.xml", (TactSceneEdit){"euler=\"0 20 0\"", slope}), 1e-3);
    TactVec3 start = tact_vec3_scale(0.05, tact_quat_rotate(tilt, up));
    double  *q = scene.state->q;
    q[0] = start.x;
    q[1] = start.y;
    q[2] = start.z;
    // Friction 0.5 and a push of 0.2 of the normal force down the slope: as with friction 0.3.
    TactVec3 down = tact_quat_rotate(tilt, tact_quat_rotate(turn, (TactVec3){1, 0, 0}));
    scene.state->external[1].force = tact_vec3_scale(0.2 * g * cos(angle), down);
    tact_scene_run(&scene, 1);
    double way = tact_vec3_norm(tact_vec3_subtract(tact_scene_place(&scene, "block"), start));
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
    return way;
}

static void a_block_slides_as_far_down_slopes_of_every_direction(void **state)
{
    (void)state;
    const double angle = 20 * acos(-1.0) / 180;
    Spread       spread = {.least = INFINITY};
    for (int i = 0; i < HEADINGS; i++) {
        add(&spread, slide_down(heading(i)));
    }
    double exact = 0.5 * g * (sin(angle) - 0.3 * cos(angle)),
           differ = spread.most / spread.least - 1;
    printf("block on slopes of 7 directions, 1 s: %.6f to %.6f m (exactly %.6f), they differ by "
           "%.1e %%\n",
           spread.least, spread.most, exact, 100 * differ);
    assert_true(differ < 1e-3);
    assert_true(fabs(spread.least / exact - 1) < 1.5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_stops_after_the_same_distance_in_every_heading),
        cmocka_unit_test(with_the_pyramid_they_differ_by_no_more_than_its_bound),
        cmocka_unit_test(a_block_slides_as_far_down_slopes_of_every_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
