// Robots of ../shared/models: a humanoid falls and comes to rest, hands and a gripper hold their
// keyframes. Skipped where the models are not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sim/scene.h"

/// A model of ../shared/models; with `text`, that text as if it stood there.
static TactModel *load(const char *path, const char *text)
{
    char                file[512];
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    const char         *shared = getenv("TACT_SHARED");
    snprintf(file, sizeof file, "%s/models/%s", shared ? shared : TACT_SOURCE_DIR "/../shared",
             path);
    TactStatus status =
        text ? tact_model_load_memory(file, text, strlen(text), &config, &model, NULL)
             : tact_model_load(file, &config, &model, NULL);
    if (status == TACT_UNSUPPORTED || status == TACT_IO_ERROR) {
        printf("skipped: %s\n", tact_status_message());
        skip();
    }
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

/// From one leg, without any control.
static void a_humanoid_falls_and_comes_to_rest(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(load("mujoco_humanoid/humanoid.xml", NULL), 5e-3);
    int       key = tact_model_find(scene.model, TACT_OBJECT_KEYFRAME, "stand_on_left_leg");
    assert_int_equal(tact_sim_reset(scene.sim, key), TACT_OK);
    double height = scene.state->q[2], rest = -1;
    while (scene.state->time < 20 - 1e-9) {
        tact_scene_step(&scene);
        bool still = tact_scene_kinetic(&scene) < 1e-9;
        rest = !still ? -1 : rest < 0 ? scene.state->time : rest;
    }
    printf("humanoid, 20 s at 5 ms: at rest after %.2f s, %.1e J at the end, penetration %.1e m, "
           "%d of %d solves certified\n",
           rest, tact_scene_kinetic(&scene), scene.penetration, scene.certified, scene.solves);
    assert_true(scene.state->q[2] < 0.3 * height); // it has fallen
    assert_true(rest > 0);                         // and from then on it does not move
    assert_true(scene.penetration < 1e-3);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

/// Contacts at the limit of their polygon that do not slip stay as they are: without that the 400
/// steps took 822 pivots, with it 548.
static void a_humanoid_that_sinks_to_the_ground_pivots_seldom(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(load("mujoco_humanoid/humanoid.xml", NULL), 5e-3);
    int       key = tact_model_find(scene.model, TACT_OBJECT_KEYFRAME, "squat");
    assert_int_equal(tact_sim_reset(scene.sim, key), TACT_OK);
    int pivots = 0, certified = 0, islands = 0;
    for (int k = 0; k < 400; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        pivots += report.pivots;
        certified += report.certified;
        islands += report.islands;
    }
    printf("humanoid from its squat, 2 s: %d pivots\n", pivots);
    assert_true(pivots < 700);
    assert_int_equal(certified, islands);
    tact_scene_close(&scene);
}

/// All joints of this robot have dry friction, and many would flip at once, to and fro: 10,593
/// pivots, and 6,440 where the worst flips alone.
static void a_robot_with_dry_friction_does_not_run_in_circles(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(load("toddlerbot_2xc/scene_mjx.xml", NULL), 0);
    int       pivots = 0;
    assert_int_equal(tact_sim_reset(scene.sim, 0), TACT_OK);
    for (int k = 0; k < 1000; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        pivots += report.pivots;
    }
    printf("toddlerbot, 2 s: %d pivots\n", pivots);
    assert_true(pivots < 8500);
    tact_scene_close(&scene);
}

/// Dry friction of 0.01 N m beside the weight of the arm, and an overlap that nothing can part:
/// pivots end near an answer. Newton's steps find it, and its states keep it from step to step.
static void a_gripper_with_little_dry_friction_takes_no_pivots(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(load("umi_gripper/scene.xml", NULL), 0);
    int       without = 0;
    assert_int_equal(tact_sim_reset(scene.sim, scene.model->keyframe_count > 0 ? 0 : -1), TACT_OK);
    for (int step = 0; step < 100; step++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        without += report.pivots == 0;
    }
    printf("gripper: %d of 100 steps without a pivot\n", without);
    assert_true(without >= 90);
    tact_scene_close(&scene);
}

typedef struct Again {
    TactContactSolver *solver; // of all steps
    int                solves, turns[100];
    bool               solved;
} Again;

/// Solves the problem of a step once more, by a solver that has solved those before.
static TactStatus solve_again(void *context, const TactContactProblem *problem, double error)
{
    (void)error;
    Again            *again = context;
    double            impulse[3 * 64], row_impulse[128], velocity[64], u[3 * 64];
    TactContactAnswer answer = {
        .impulse = impulse, .row_impulse = row_impulse, .velocity = velocity, .u = u};
    TactContactReport report;
    assert_true(problem->contact_count <= 64 && problem->row_count <= 128 && problem->nv <= 64);
    if (!again->solver) {
        TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
        TactContactCapacity most = tact_contact_get_capacity(problem);
        config.cone = TACT_CONE_CIRCLE;
        most.contacts = 64;
        most.rows = 128;
        TACT_TRY(tact_contact_solver_create(&most, &config, &again->solver));
    }
    TACT_TRY(tact_contact_solve(again->solver, problem, &answer, &report));
    again->solved = again->solved && report.outcome == TACT_OUTCOME_SOLVED;
    again->turns[again->solves++] = report.turns;
    return TACT_OK;
}

/// A robot on eight corners of its feet: impulses have no basis, and their states lead nowhere, in
/// step after step. They are not tried in each: four in a row, then every eighth.
static void a_robot_on_flat_feet_does_not_try_in_vain(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(load("toddlerbot_2xc/scene_pos.xml", NULL), 0);
    Again     again = {.solved = true};
    int       few = 0;
    tact_scene_leave_certificates(&scene);
    for (int step = 0; step < 700; step++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        if (step >= 600) {
            assert_int_equal(tact_sim_visit_problems(scene.sim, solve_again, &again), TACT_OK);
        }
    }
    assert_true(again.solved);
    assert_int_equal(again.solves, 100);
    for (int k = 0; k < again.solves; k++) {
        few += again.turns[k] <= 6;
    }
    printf("robot on flat feet: %d of 100 solves in 6 linear systems or fewer\n", few);
    assert_true(few >= 75);
    tact_contact_solver_destroy(again.solver);
    tact_scene_close(&scene);
}

/// Largest deviation of hinges and slides from these positions.
static double strayed(const TactScene *scene, const double *q)
{
    double most = 0;
    for (int j = 0; j < scene->model->joint_count; j++) {
        const TactJoint *joint = &scene->model->joints[j];
        if (joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE) {
            most = fmax(most, fabs(scene->state->q[joint->q] - q[joint->q]));
        }
    }
    return most;
}

/// Controls that ask position servos to stay where they are: gain ctrl + bias(length) = 0.
static void set_servos(TactScene *scene)
{
    const TactModel *model = scene->model;
    const double    *q = scene->state->q;
    for (int k = 0; k < model->actuator_count; k++) {
        const TactActuator *a = &model->actuators[k];
        double              length = 0;
        if (a->transmission == TACT_TRANSMISSION_JOINT) {
            length = a->gear[0] * q[model->joints[a->target].q];
        } else if (a->transmission == TACT_TRANSMISSION_TENDON) {
            const TactTendon *tendon = &model->tendons[a->target];
            for (int i = 0; i < tendon->count; i++) {
                length +=
                    a->gear[0] * tendon->coefficients[i] * q[model->joints[tendon->joints[i]].q];
            }
        }
        if (a->bias[1] != 0) {
            scene->state->ctrl[k] = -(a->bias[0] + a->bias[1] * length) / a->gain[0];
        }
    }
}

enum { MOST = 100 };

/// 5 s from every fourth keyframe (from all with TACT_LONG=1) under its own servos: certified, and
/// its joints stay where they are once the servos carry the weight. What lies in a hand may roll.
static void hold(const char *path, const char *text, double allowed)
{
    const double time = 5;
    TactScene    scene = tact_scene_start(load(path, text), 0);
    double       settled[MOST];
    assert_true(scene.model->nq <= MOST);
    int keys = scene.model->keyframe_count, stride = getenv("TACT_LONG") ? 1 : 4;
    for (int key = keys > 0 ? 0 : -1; key < keys; key += stride) {
        assert_int_equal(tact_sim_reset(scene.sim, key), TACT_OK);
        set_servos(&scene);
        const double *start = key < 0 ? scene.model->q_reference : scene.model->keyframes[key].q;
        double        sag = 0, strays = 0;
        while (scene.state->time < time - 1e-9) {
            tact_scene_step(&scene);
            if (scene.state->time < 0.5 * time) {
                memcpy(settled, scene.state->q, (size_t)scene.model->nq * sizeof *settled);
                sag = fmax(sag, strayed(&scene, start));
            } else {
                strays = fmax(strays, strayed(&scene, settled));
            }
        }
        printf("%s, keyframe %d, %g s: joints give way by %.1e, then move by %.1e rad; loops %.1e, "
               "penetration %.1e m, %d of %d solves certified\n",
               path, key, time, sag, strays, scene.loop_error, scene.penetration, scene.certified,
               scene.solves);
        assert_true(strays < allowed);
    }
    assert_true(scene.loop_error < 1e-8);
    assert_true(scene.solves > 0);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void the_gripper_holds(void **state)
{
    (void)state;
    hold("robotiq_2f85/2f85.xml", NULL, 1e-3);
}

static void the_allegro_hands_hold(void **state)
{
    (void)state;
    hold("wonik_allegro/scene_right.xml", NULL, 1e-3);
    hold("wonik_allegro/scene_left.xml", NULL, 1e-3);
}

static void the_shadow_hand_holds(void **state)
{
    (void)state;
    hold("shadow_hand/right_with_keys.xml",
         "<mujoco><include file='right_hand.xml'/><include file='keyframes.xml'/></mujoco>", 1e-3);
    hold("shadow_hand/scene_right.xml", NULL, 0.05); // a ball rolls to and fro on its palm
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_humanoid_falls_and_comes_to_rest),
        cmocka_unit_test(a_humanoid_that_sinks_to_the_ground_pivots_seldom),
        cmocka_unit_test(a_robot_with_dry_friction_does_not_run_in_circles),
        cmocka_unit_test(a_gripper_with_little_dry_friction_takes_no_pivots),
        cmocka_unit_test(a_robot_on_flat_feet_does_not_try_in_vain),
        cmocka_unit_test(the_gripper_holds),
        cmocka_unit_test(the_allegro_hands_hold),
        cmocka_unit_test(the_shadow_hand_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
