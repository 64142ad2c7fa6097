// What should hold, holds: scenes at rest, and sliding as the law says. Figures are printed.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tact/load.h>
#include <tact/sim.h>

#include "base/clones.h"

static const double g = 9.81;

typedef struct Scene {
    TactModel    *model;
    TactSim      *sim;
    TactSimState *state;
    double        penetration;
    double        error;
    int           solves, certified;
} Scene;

static Scene open_scene(const char *name, double h)
{
    char          path[256];
    Scene         scene = {0};
    TactModelLoad load = tact_model_load_default();
    snprintf(path, sizeof path, "%s/scenes/%s", TACT_SOURCE_DIR, name);
    TactStatus status = tact_model_load(path, &load, &scene.model, NULL);
    if (status == TACT_UNSUPPORTED) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    assert_int_equal(status, TACT_OK);
    TactSimConfig config = tact_sim_config_default(scene.model);
    config.timestep = h > 0 ? h : config.timestep;
    assert_int_equal(tact_sim_create(scene.model, &config, &scene.sim), TACT_OK);
    if (scene.model->keyframe_count > 0) {
        assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    }
    scene.state = tact_sim_view_state(scene.sim);
    return scene;
}

static void close_scene(Scene *scene)
{
    tact_sim_destroy(scene->sim);
    tact_model_destroy(scene->model);
}

static void simulate(Scene *scene, double until)
{
    while (scene->state->time < until - 1e-9) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene->sim, &report), TACT_OK);
        scene->solves += report.islands;
        scene->certified += report.certified;
        scene->penetration = fmax(scene->penetration, report.penetration);
        scene->error = fmax(scene->error, report.error);
    }
}

/// Origin of a free body.
static TactVec3 place(const Scene *scene, const char *body)
{
    int           index = tact_model_find(scene->model, TACT_OBJECT_BODY, body);
    const double *q = NULL;
    assert_true(index > 0);
    q = scene->state->q + scene->model->joints[scene->model->bodies[index].first_joint].q;
    return (TactVec3){q[0], q[1], q[2]};
}

static double apart(TactVec3 a, TactVec3 b)
{
    return tact_vec3_norm(tact_vec3_subtract(a, b));
}

static void a_block_on_a_slope_does_not_creep(void **state)
{
    (void)state;
    Scene    scene = open_scene("slope.xml", 0);
    TactVec3 start = place(&scene, "block");
    simulate(&scene, 10);
    double creep = apart(place(&scene, "block"), start);
    printf("block on a slope of 20 degrees, friction 0.5, 10 s: creeps %.1e m\n", creep);
    assert_true(creep < 1e-9);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
}

/// Sliding with friction mu: s = (sin - mu cos) g t^2 / 2; the integrator is ahead by h t / 2 of
/// it.
static double sliding_error(double h)
{
    const double angle = 20 * acos(-1.0) / 180, mu = 0.3;
    Scene        scene = open_scene("slope.xml", h);
    TactVec3     start = place(&scene, "block");
    double       exact = 0.5 * g * (sin(angle) - mu * cos(angle));
    // The friction of the scene is 0.5; a model is constant, so the difference is pushed down the
    // slope instead: 0.2 of the normal force.
    scene.state->external[1].force =
        (TactVec3){0.2 * g * cos(angle) * cos(angle), 0, -0.2 * g * cos(angle) * sin(angle)};
    simulate(&scene, 1);
    double error = fabs(apart(place(&scene, "block"), start) / exact - 1);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
    return error;
}

static void a_block_slides_as_far_as_coulomb_says(void **state)
{
    (void)state;
    double coarse = sliding_error(2e-3), fine = sliding_error(1e-3);
    printf("sliding for 1 s: off by %.3f %% at 2 ms, %.3f %% at 1 ms\n", 100 * coarse, 100 * fine);
    assert_true(fine < 1.5e-3);
    assert_true(fine < 0.6 * coarse);
}

static void a_pinched_capsule_does_not_creep(void **state)
{
    (void)state;
    Scene    scene = open_scene("pinch.xml", 0);
    TactVec3 start = place(&scene, "capsule");
    simulate(&scene, 10);
    double creep = apart(place(&scene, "capsule"), start);
    printf("capsule between two fingers, 20 times the friction it needs, 10 s: creeps %.1e m\n",
           creep);
    assert_true(creep < 1e-8);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
}

/// Pressed with 0.95 of what it takes, it slides down with what is missing: a = 0.05 g.
static void a_capsule_that_is_pinched_too_little_slides(void **state)
{
    (void)state;
    Scene  scene = open_scene("pinch.xml", 1e-3);
    double press = 0.95 * 0.045 * g / 2;
    scene.state->ctrl[0] = scene.state->ctrl[1] = press;
    double height = place(&scene, "capsule").z;
    simulate(&scene, 0.3);
    double fallen = height - place(&scene, "capsule").z, exact = 0.5 * 0.05 * g * 0.3 * 0.3;
    printf("pressed with 0.95 of that: falls %.5f m in 0.3 s, exactly %.5f m\n", fallen, exact);
    assert_true(fabs(fallen / exact - 1) < 0.01);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
}

static void a_light_cube_carries_a_heavy_one(void **state)
{
    (void)state;
    Scene    scene = open_scene("ratio.xml", 0);
    TactVec3 light = place(&scene, "light"), heavy = place(&scene, "heavy");
    simulate(&scene, 10);
    double drift = fmax(apart(place(&scene, "light"), light), apart(place(&scene, "heavy"), heavy));
    printf("1000 kg on 1 kg, 10 s: drift %.1e m, penetration %.1e m\n", drift, scene.penetration);
    assert_true(drift < 1e-6);
    assert_true(scene.penetration < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
}

static void a_stack_of_ten_stands(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 0.5;
#else
    const double time = 4;
#endif
    Scene  scene = open_scene("stack.xml", 0);
    double drift = 0;
    simulate(&scene, time);
    for (int i = 0; i < 10; i++) {
        const double *q = scene.state->q + 7 * i;
        TactVec3      now = {q[0], q[1], q[2]}, start = {0, 0, 0.05 + 0.1 * i};
        drift = fmax(drift, apart(now, start));
    }
    printf("stack of ten, %g s: drift %.1e m, penetration %.1e m, worst certificate %.1e\n", time,
           drift, scene.penetration, scene.error);
    assert_true(drift < 1e-6);
    assert_true(scene.penetration < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    close_scene(&scene);
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    Scene scene = open_scene("pinch.xml", 0);
    scene.state->ctrl[1] = NAN;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "right"));
    scene.state->ctrl[1] = 0;
    scene.state->external[3].torque.y = INFINITY;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "capsule"));
    assert_true(scene.state->time == 0); // a step that is refused leaves the state alone
    scene.state->external[3].torque.y = 0;
    scene.state->q[1] = INFINITY;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "right"));
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_slope_does_not_creep),
        cmocka_unit_test(a_block_slides_as_far_as_coulomb_says),
        cmocka_unit_test(a_pinched_capsule_does_not_creep),
        cmocka_unit_test(a_capsule_that_is_pinched_too_little_slides),
        cmocka_unit_test(a_light_cube_carries_a_heavy_one),
        cmocka_unit_test(a_stack_of_ten_stands),
        cmocka_unit_test(numbers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
