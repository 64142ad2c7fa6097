// Loops with more rows than they need: on bodies that turn, and with lengths of few digits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene.h"

static double joint(const TactScene *scene, const char *name)
{
    int index = tact_model_find(scene->model, TACT_OBJECT_JOINT, name);
    assert_true(index >= 0);
    return scene->state->q[scene->model->joints[index].q];
}

// A four-bar linkage, its hinges along the diagonal of its frame, on a frame that turns.
static const char *const turning =
    "<mujoco><option timestep='0.0005'/><worldbody>"
    "<body pos='0 0 1' quat='0.3 0.5 -0.7 0.4'><joint name='wrist' axis='0 1 0'/>"
    "  <geom type='box' size='0.1 0.02 0.02' mass='1' contype='0' conaffinity='0'/>"
    "  <body name='left' pos='-0.1 0 0'><joint name='crank' axis='0 1 0'/>"
    "    <geom type='capsule' fromto='0 0 0 0 0 0.15' size='0.005' mass='0.1' contype='0' "
    "conaffinity='0'/>"
    "    <body name='coupler' pos='0 0 0.15'><joint axis='0 1 0'/>"
    "      <geom type='capsule' fromto='0 0 0 0.2 0 0.05' size='0.005' mass='0.1' contype='0' "
    "conaffinity='0'/>"
    "  </body></body>"
    "  <body name='right' pos='0.1 0 0'><joint axis='0 1 0'/>"
    "    <geom type='capsule' fromto='0 0 0 0 0 0.2' size='0.005' mass='0.1' contype='0' "
    "conaffinity='0'/></body>"
    "</body></worldbody>"
    "<equality><connect body1='coupler' body2='right' anchor='0.2 0 0.05'/></equality>"
    "<keyframe><key qpos='0 0 0 0' qvel='9 4 -4 4'/></keyframe></mujoco>";

/// The row out of the plane moves nothing, whichever way the plane has turned: it is told, costs no
/// solve, and asks for nothing.
static void a_loop_in_a_plane_that_turns_is_certified(void **state)
{
    (void)state;
    TactScene scene = tact_scene_of_text(turning);
    double    energy = 0, most = 0, fastest = 0;
    int       solves = 0, steps = 0;
    while (scene.state->time < 2 - 1e-9) {
        TactSimReport report = tact_scene_step(&scene);
        energy = steps == 5 ? tact_scene_energy(&scene) : energy;
        most = steps > 5 ? fmax(most, fabs(tact_scene_energy(&scene) - energy)) : 0;
        fastest = fmax(fastest, tact_scene_kinetic(&scene));
        solves += report.solves;
        steps++;
        assert_true(report.redundant_rows >= 1);
        assert_int_equal(report.implied_rows, 0);
    }
    printf("four bars on a wrist, 2 s: error %.1e, loop %.1e m, energy off by %.1e of %.1e J, %.1f "
           "solves a step\n",
           scene.error, scene.loop_error, most, tact_scene_kinetic(&scene), (double)solves / steps);
    assert_int_equal(scene.certified, scene.solves);
    assert_true(scene.error < 1e-10);
    assert_true(scene.loop_error < 1e-9);
    assert_true(solves < 4 * steps);
    assert_true(most < 5e-2 * fastest); // velocities stand half a step before positions
    tact_scene_close(&scene);
}

// A plate that hangs on three rods; the third is longer by `off`, and takes the plate at two points
// of its hinge.
static TactScene start_plate(double off)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle='radian'/><option timestep='0.002'/><worldbody>"
             "<body pos='0 0 1' quat='0.9 0.1 0.3 -0.2'>"
             "<body name='a'><joint name='a' axis='0 1 0'/>"
             "  <geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.01' mass='0.1' contype='0' "
             "conaffinity='0'/>"
             "  <body name='plate' pos='0 0 -0.3'><joint name='plate' axis='0 1 0'/>"
             "    <geom type='box' pos='0.1 0 0' size='0.1 0.05 0.01' mass='1' contype='0' "
             "conaffinity='0'/>"
             "    <site name='pb' pos='0.1 0 0'/><site name='pc' pos='0.2 0 0'/>"
             "    <site name='pd' pos='0.2 0.1 0'/></body></body>"
             "<body name='b' pos='0.1 0 0'><joint name='b' axis='0 1 0'/>"
             "  <geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.01' mass='0.1' contype='0' "
             "conaffinity='0'/>"
             "  <site name='b' pos='0 0 -0.3'/></body>"
             "<body name='c' pos='0.2 0 0'><joint name='c' axis='0 1 0'/>"
             "  <geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.01' mass='0.1' contype='0' "
             "conaffinity='0'/>"
             "  <site name='c' pos='0 0 %.9f'/><site name='d' pos='0 0.1 %.9f'/></body>"
             "</body></worldbody><equality><connect site1='pb' site2='b'/>"
             "<connect site1='pc' site2='c'/><connect site1='pd' site2='d'/></equality></mujoco>",
             -0.3 - off, -0.3 - off);
    return tact_scene_of_text(text);
}

/// A pendulum of three rods and a plate, whether they fit exactly or to five digits: taken at its
/// word, the third rod would lock it.
static void rods_that_fit_to_a_few_digits_do_not_lock(void **state)
{
    (void)state;
    TactScene exact = start_plate(0), close = start_plate(4e-5);
    double    apart = 0, swing = 0, implied = 0;
    while (exact.state->time < 3 - 1e-9) {
        TactSimReport one = tact_scene_step(&exact), other = tact_scene_step(&close);
        assert_int_equal(one.implied_rows, 0);
        assert_true(other.implied_rows >= 1);
        implied = fmax(implied, other.implied_error);
        apart = fmax(apart, fabs(joint(&exact, "a") - joint(&close, "a")));
        swing = fmax(swing, fabs(joint(&exact, "a")));
    }
    printf("a plate on three rods, 3 s: swings by %.2f rad; with a rod longer by 4e-5 m %.1e rad "
           "apart, the row left out off by %.1e m; %d of %d certified\n",
           swing, apart, implied, close.certified, close.solves);
    assert_true(swing > 0.5);
    assert_true(apart < 1e-2 * swing);
    assert_true(implied < 10 * 4e-5); // what the rod lacks, over levers of the plate
    assert_true(close.loop_error < 1e-8);
    assert_int_equal(exact.certified, exact.solves);
    assert_int_equal(close.certified, close.solves);
    tact_scene_close(&exact);
    tact_scene_close(&close);
}

/// Stretched out, the rows of a four-bar linkage depend on each other; anywhere else they do not.
static void a_dead_centre_is_no_redundancy(void **state)
{
    (void)state;
    TactScene scene = tact_scene_of_text(
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>"
        "<body name='a'><joint name='a' axis='0 1 0'/>"
        "  <geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.01' mass='0.1' contype='0' "
        "conaffinity='0'/>"
        "  <body name='b' pos='0.3 0 0'><joint axis='0 1 0'/>"
        "    <geom type='capsule' fromto='0 0 0 0.2 0 0' size='0.01' mass='0.1' contype='0' "
        "conaffinity='0'/>"
        "</body></body>"
        "<body name='c' pos='0.7 0 0'><joint name='c' axis='0 1 0'/>"
        "  <geom type='capsule' fromto='0 0 0 -0.2 0 0' size='0.01' mass='0.1' contype='0' "
        "conaffinity='0'/></body>"
        "</worldbody><equality><connect body1='b' body2='c' anchor='0.2 0 0'/></equality>"
        "</mujoco>");
    TactSimReport report = tact_scene_step(&scene);
    assert_int_equal(report.implied_rows, 0);
    assert_int_equal(report.certified, report.islands);
    tact_scene_close(&scene);
}

/// 1 s of a robot of ../shared/models: certified, in a few solves a step.
static void run_robot(const char *path, int implied)
{
    char                file[512];
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    const char         *shared = getenv("TACT_SHARED");
    snprintf(file, sizeof file, "%s/models/%s", shared ? shared : TACT_SOURCE_DIR "/../shared",
             path);
    TactStatus status = tact_model_load(file, &config, &model, NULL);
    if (status == TACT_UNSUPPORTED || status == TACT_IO_ERROR) {
        print_message("skipped: %s\n", tact_status_message());
        return;
    }
    assert_int_equal(status, TACT_OK);
    TactScene scene = tact_scene_start(model, 0);
    int       solves = 0, steps = 0;
    double    off = 0;
    while (scene.state->time < 1 - 1e-9) {
        TactSimReport report = tact_scene_step(&scene);
        solves += report.solves;
        steps++;
        off = fmax(off, report.implied_error);
        assert_int_equal(report.implied_rows, implied);
    }
    printf("%s, 1 s: error %.1e, loop %.1e, rows left out off by %.1e, %.1f solves a step\n", path,
           scene.error, scene.loop_error, off, (double)solves / steps);
    assert_int_equal(scene.certified, scene.solves);
    assert_true(scene.loop_error < 1e-8);
    assert_true(solves < 8 * steps);
    tact_scene_close(&scene);
}

static void grippers_on_wrists_are_certified(void **state)
{
    (void)state;
    run_robot("small/loop-on-hinge.xml", 0);
    run_robot("stanford_tidybot/scene.xml", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_in_a_plane_that_turns_is_certified),
        cmocka_unit_test(rods_that_fit_to_a_few_digits_do_not_lock),
        cmocka_unit_test(a_dead_centre_is_no_redundancy),
        cmocka_unit_test(grippers_on_wrists_are_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
