// Yamane and Nakamura's long and closed chains: hoist, ring, net.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clones.h"
#include "sim/scene.h"

static const double G = 9.81;          // m/s^2
static const double MOST_ERROR = 1e-4; // m, of loops and joints

/// Short where a step takes ten times as long.
static double choose_time(double short_time, double time, double long_time)
{
#ifdef TACT_SANITIZED
    (void)time;
    return getenv("TACT_LONG") ? long_time : short_time;
#else
    (void)short_time;
    return getenv("TACT_LONG") ? long_time : time;
#endif
}

static const TactTransform *poses(TactScene *scene)
{
    assert_int_equal(tact_dynamics_set_position(scene->dynamics, scene->state->q), TACT_OK);
    return tact_dynamics_view_poses(scene->dynamics);
}

static int find(const TactScene *scene, TactObject type, const char *name)
{
    int index = tact_model_find(scene->model, type, name);
    assert_true(index >= 0);
    return index;
}

static void tell(const char *what, const TactScene *scene)
{
    printf("%s, %.2f s: %d of %d solves certified, worst error %.1e, penetration %.1e m\n", what,
           scene->state->time, scene->certified, scene->solves, scene->error, scene->penetration);
    assert_int_equal(scene->certified, scene->solves);
    assert_true(scene->solves > 0);
}

// ---------------------------------------------------------------------------------------------
// Hoist

/// Of a rope that slides quasi-statically over a rough cylinder, w its weight a radian:
/// dT/da = mu (T + w sin a) + w cos a from the load's side on, solved. The friction of a thick rope
/// acts on its inside: of its moment about the cylinder mu r / (r + t) is left.
static double capstan(double T0, double mu, double w, double a)
{
    double B = w * (1 - mu * mu) / (1 + mu * mu), C = -2 * mu * w / (1 + mu * mu);
    return (T0 - C) * exp(mu * a) + B * sin(a) + C * cos(a);
}

/// How far the tension of the first joint beyond the rod is from that of the rope. (On the rod it
/// grows in steps, where links touch.)
static double tension_error(TactScene *scene)
{
    const double         rod = 0.15, radius = 0.156, length = 0.05, mass = 0.04, load_mass = 0.5;
    const double         mu = 0.2 * rod / radius, pi = 3.14159265358979323846;
    const double         w = mass / length * G; // N/m
    const TactTransform *pose = poses(scene);
    int                  load = find(scene, TACT_OBJECT_XBODY, "load"), body = load;
    TactVec3             centre = {0, 0, 0.9};
    TactSimForces        forces;
    assert_int_equal(tact_sim_compute_forces(scene->sim, &forces), TACT_OK);
    double T0 = load_mass * G + w * (centre.z - pose[load].position.z);
    while (pose[body].position.x > 0 || pose[body].position.z > centre.z) {
        body--;
    }
    double below = centre.z - pose[body].position.z;
    double wanted = capstan(T0, mu, w * radius, pi) - w * below;
    return fabs(tact_vec3_norm(forces.joint[body].force) / wanted - 1);
}

static double load_height(TactScene *scene)
{
    return poses(scene)[find(scene, TACT_OBJECT_XBODY, "load")].position.z;
}

/// The load goes up as far as the hand goes down.
static void check_lift(TactScene *scene, double from, double until)
{
    const double *hand = scene->state->q;
    tact_scene_run(scene, from);
    double start = load_height(scene), hand_start = *hand;
    tact_scene_run(scene, until);
    double way = load_height(scene) - start, pulled = *hand - hand_start;
    printf("the hand pulls by %.2f mm, the load rises by %.2f mm\n", 1e3 * pulled, 1e3 * way);
    assert_true(fabs(pulled / (until - from) - 0.08) < 0.001);
    // A link that lies on the rod by its middle is longer than the arc below it by l^3 / (12 r^2),
    // and two of them are on their way to or from it: 0.9 mm.
    assert_true(fabs(way - pulled) < 1e-3);
}

static void the_hoist_lifts_its_load_with_the_tension_of_a_rope(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("hoist.xml", 0);
    check_lift(&scene, 0.2, choose_time(0.4, 1, 4.5));
    double error = tension_error(&scene);
    printf("tension within %.2f %% of a rope's\n", 100 * error);
    assert_true(error < 0.02);
    if (getenv("TACT_LONG")) {
        tact_scene_run(&scene, 6);
        double height = load_height(&scene);
        tact_scene_run(&scene, 10);
        printf("held: moves by %.1e m in 4 s\n", fabs(load_height(&scene) - height));
        assert_true(fabs(load_height(&scene) - height) < 1e-3);
    }
    tell("hoist", &scene);
    tact_scene_close(&scene);
}

static void the_hoist_does_the_same_in_steps_of_10_ms(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("hoist.xml", 0.01);
    check_lift(&scene, 0.5, choose_time(2, 4, 4));
    double error = tension_error(&scene);
    printf("tension within %.2f %% of a rope's\n", 100 * error);
    assert_true(error < 0.02);
    tact_scene_run(&scene, choose_time(2, 10, 10));
    tell("hoist, 10 ms", &scene);
    tact_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Ring

/// The middle of a ring.
static TactVec3 ring_centre(TactScene *scene, const char *name)
{
    const TactGeom *geom = &scene->model->geoms[find(scene, TACT_OBJECT_GEOM, name)];
    return tact_transform_point(poses(scene)[geom->body], geom->pose.position);
}

/// Two hooked rings of 30 mm are at most twice that apart, less their wires: octagons of 6 mm whose
/// flat sides are inside.
static void check_hooks(TactScene *scene)
{
    const double             most = 2 * (0.030 - 0.006 * cos(3.14159265358979323846 / 8));
    static const char *const hooked[][2] = {
        {"hook1", "lying.start.0"},         {"lying.end.0", "upright.start.0"},
        {"upright.end.0", "lying.start.1"}, {"lying.end.1", "upright.start.1"},
        {"upright.end.1", "hook2"},
    };
    for (size_t i = 0; i < sizeof hooked / sizeof *hooked; i++) {
        TactVec3 a = ring_centre(scene, hooked[i][0]), b = ring_centre(scene, hooked[i][1]);
        assert_true(tact_vec3_norm(tact_vec3_subtract(a, b)) < most + 2 * scene->penetration);
    }
}

static void rings_stay_hooked_into_each_other(void **state)
{
    (void)state;
    const double end = choose_time(0.15, 0.8, 4);
    TactScene    scene = tact_scene_open("ring.xml", 0);
    double       start = ring_centre(&scene, "lying.start.1").z;
    while (scene.state->time < end - 1e-9) {
        tact_scene_run(&scene, scene.state->time + 0.01);
        check_hooks(&scene);
    }
    tell("ring", &scene);
    assert_true(scene.penetration < 1e-3);                              // of a wire of 12 mm
    assert_true(ring_centre(&scene, "lying.start.1").z < start - 0.05); // it fell into them
    tact_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Net

/// Largest distance of a string's end from its post, by the poses of bodies alone.
static double loop_error(TactScene *scene)
{
    const TactTransform *pose = poses(scene);
    double               worst = 0;
    for (int s = 0; s < 4; s++) {
        char name[32];
        snprintf(name, sizeof name, "link15.%d", s);
        TactVec3 end = tact_transform_point(pose[find(scene, TACT_OBJECT_XBODY, name)],
                                            (TactVec3){0.05, 0, 0});
        TactVec3 post = {0.3375, -0.105 + 0.07 * s, 0.5};
        worst = fmax(worst, tact_vec3_norm(tact_vec3_subtract(end, post)));
    }
    return worst;
}

static void a_net_of_closed_strings_catches_cylinders(void **state)
{
    (void)state;
    const double end = choose_time(0.21, 0.5, 2);
    TactScene    scene = tact_scene_open("net.xml", 0);
    double       worst = 0;
    while (scene.state->time < end - 1e-9) {
        tact_scene_step(&scene);
        worst = fmax(worst, loop_error(&scene));
    }
    printf("net: loops closed to %.1e m\n", worst);
    tell("net", &scene);
    assert_true(worst < MOST_ERROR);
    for (int i = 1; i <= 5 && end > 1; i++) { // the strings are 0.12 m below their posts
        char name[32];
        snprintf(name, sizeof name, "cylinder%d", i);
        TactVec3 place = tact_scene_place(&scene, name);
        assert_true(place.z > 0.3 && place.z < 0.5 && fabs(place.x) < 0.2 && fabs(place.y) < 0.1);
    }
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hoist_lifts_its_load_with_the_tension_of_a_rope),
        cmocka_unit_test(the_hoist_does_the_same_in_steps_of_10_ms),
        cmocka_unit_test(rings_stay_hooked_into_each_other),
        cmocka_unit_test(a_net_of_closed_strings_catches_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
