// Maximal coordinates: the same mechanism as in reduced ones, and drift as its law says.
#include <math.h>
#include <string.h>

#include "sim/scene.h"
#include "sim/text_scene.h"

// A slide, two hinges on one body, a ball and a hinge one after the other; dry friction and a limit
// come in where they are wanted, for they act at times that differ with the step.
#define MECHANISM(FRICTION, RANGE)                                                              \
    "<mujoco><option timestep='0.001'/><worldbody>"                                             \
    "<geom type='plane' size='1 1 1'/>"                                                         \
    "<body name='cart' pos='0 0 2'><joint name='rail' type='slide' axis='1 0 0' armature='0.3'" \
    " damping='0.4'/><geom type='box' size='.1 .05 .05' mass='1'/>"                             \
    "<body name='arm' pos='0 0 -.1'><joint name='swing' axis='0 1 0' damping='.02' "            \
    "stiffness='3'/>"                                                                           \
    "<joint name='sway' axis='1 0 0' pos='0 0 -.02'" FRICTION "/>"                              \
    "<geom type='capsule' size='.03' fromto='0 0 0 .05 0 -.4' mass='.6'/>"                      \
    "<body name='hand' pos='.05 0 -.4'><joint name='wrist' type='ball' damping='.03'/>"         \
    "<geom type='box' size='.04 .03 .1' pos='.02 0 -.1' mass='.4'/>"                            \
    "<body name='tip' pos='0 0 -.2'><joint name='tip' axis='0 1 0'" RANGE " armature='.001'/>"  \
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.1' mass='.1'/></body></body></body>"   \
    "</body></worldbody>"                                                                       \
    "<actuator><motor name='push' joint='rail'/><position name='hold' joint='swing' kp='8'/>"   \
    "</actuator>"                                                                               \
    "<keyframe><key qpos='.1 .4 .3 1 0 0 0 .1' qvel='.2 1 .5 .1 -.3 .2 -1' ctrl='.5 .2'/>"      \
    "</keyframe></mujoco>"

static const char mechanism[] = MECHANISM("", "");
static const char rough[] = MECHANISM(" frictionloss='.05'", " range='-20 20'");

static TactModel *load(const char *xml)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactStatus          status =
        tact_model_load_memory("mechanism.xml", xml, strlen(xml), &load, &model, NULL);
    if (status == TACT_UNSUPPORTED) {
        skip();
    }
    assert_int_equal(status, TACT_OK);
    return model;
}

static TactModel *free_bodies(const TactModel *model)
{
    TactModel *maximal = NULL;
    if (tact_model_create_maximal(model, &maximal) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    // geoms keep their order, and what touched nothing touches nothing
    assert_int_equal(maximal->geom_count, model->geom_count);
    for (int i = 0; i < model->geom_count; i++) {
        for (int k = 0; k < model->geom_count; k++) {
            assert_int_equal(tact_model_may_touch(maximal, i, k, NULL),
                             tact_model_may_touch(model, i, k, NULL));
        }
    }
    return maximal;
}

typedef struct Run {
    TactTransform pose[5]; // of the bodies of the mechanism, at the end
    double        drift;   // of the hinge at the tip from poses alone, at the most, m
    double        told;    // loop_error, at the most
    int           rows;    // of the first step
} Run;

/// How far the tip's anchor is from where it belongs in the hand.
static double find_drift(const TactModel *model, const TactTransform *poses)
{
    int      hand = tact_model_find(model, TACT_OBJECT_BODY, "hand");
    int      tip = tact_model_find(model, TACT_OBJECT_BODY, "tip");
    TactVec3 wanted = tact_transform_point(poses[hand], (TactVec3){0, 0, -.2});
    return tact_vec3_norm(tact_vec3_subtract(poses[tip].position, wanted));
}

static Run run(const TactModel *model, double h, double zeta, double time)
{
    static const char *const names[] = {"cart", "arm", "hand", "tip"};
    TactSimConfig            config = tact_sim_config_default(model);
    TactSim                 *sim = NULL;
    TactTransform            poses[16];
    Run                      result = {0};
    config.timestep = h;
    config.zeta = zeta;
    assert_true(model->body_count <= 16);
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    assert_int_equal(tact_sim_reset(sim, 0), TACT_OK);
    long steps = lround(time / h);
    for (long k = 0; k < steps; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        assert_int_equal(report.certified, report.islands);
        assert_int_equal(tact_sim_compute_poses(sim, poses), TACT_OK);
        result.drift = fmax(result.drift, find_drift(model, poses));
        result.told = fmax(result.told, report.loop_error);
        result.rows = k == 0 ? report.rows : result.rows;
    }
    for (int b = 0; b < 4; b++) {
        result.pose[b] = poses[tact_model_find(model, TACT_OBJECT_BODY, names[b])];
    }
    tact_sim_destroy(sim);
    return result;
}

static double distance(const Run *a, const Run *b)
{
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        TactQuat turn =
            tact_quat_multiply(a->pose[i].rotation, tact_quat_conjugate(b->pose[i].rotation));
        worst = fmax(worst,
                     tact_vec3_norm(tact_vec3_subtract(a->pose[i].position, b->pose[i].position)));
        worst = fmax(worst, tact_vec3_norm(tact_quat_log(turn)));
    }
    return worst;
}

/// Two methods of first order for one motion: apart by the step, and by half of it with half a
/// step.
static void a_mechanism_moves_as_in_reduced_coordinates(void **state)
{
    (void)state;
    TactModel *model = load(mechanism), *maximal = free_bodies(model);
    assert_int_equal(maximal->nv, model->nv + 6 * 4);
    for (int closed = 0; closed < 2; closed++) {
        // the floor is a rotor's millionth of mass, the ceiling where products are found anew
        double apart[3], first = closed ? 1e-3 : 1e-4;
        for (int k = 0; k < 3; k++) {
            double h = first / (1 << k);
            Run    reduced = run(model, h, -1, 0.3), other = run(maximal, h, closed ? -1 : 0.2, .3);
            apart[k] = distance(&reduced, &other);
            assert_int_equal(other.rows - reduced.rows, 6 * 4);
        }
        print_message("apart by %.2g, %.2g, %.2g m or rad at %g ms, a half, a quarter (%s)\n",
                      apart[0], apart[1], apart[2], 1e3 * first, closed ? "closed" : "zeta 0.2");
        assert_true(apart[0] < 5e-4 && apart[1] < 0.7 * apart[0] && apart[2] < 0.7 * apart[1]);
    }
    tact_model_destroy(maximal);
    tact_model_destroy(model);
}

/// Drift from poses alone: none where loops are closed, less with more correction.
static void joints_drift_less_with_more_correction(void **state)
{
    (void)state;
    static const double zeta[] = {0, 0.05, 0.2, 0.8, -1};
    TactModel          *model = load(rough), *maximal = free_bodies(model);
    double              before = INFINITY;
    for (int k = 0; k < 5; k++) {
        Run r = run(maximal, 1e-3, zeta[k], 0.3);
        print_message("zeta %g: the tip's anchor drifts by %.2g m, told %.2g\n", zeta[k], r.drift,
                      r.told);
        assert_true(r.drift <= 1.7321 * r.told); // the worst component of all rows is told
        assert_true(r.drift < 0.7 * before);
        before = r.drift;
    }
    assert_true(before < 1e-9);
    tact_model_destroy(maximal);
    tact_model_destroy(model);
}

/// A hinge through the centre of mass that starts apart: e (1 - zeta)^k after k steps.
static void an_error_decays_by_the_share_zeta(void **state)
{
    (void)state;
    static const char wheel[] =
        "<mujoco><option gravity='0 0 0' timestep='0.002'/><worldbody><body name='wheel'>"
        "<joint axis='0 0 1'/><geom type='cylinder' size='.1 .02' mass='2'/></body></worldbody>"
        "<keyframe><key qpos='0'/></keyframe></mujoco>";
    static const double zeta = 0.3, start = 1e-3;
    TactModel          *model = load(wheel), *maximal = free_bodies(model);
    TactSimConfig       config = tact_sim_config_default(maximal);
    TactSim            *sim = NULL;
    config.zeta = zeta;
    assert_int_equal(tact_sim_create(maximal, &config, &sim), TACT_OK);
    assert_int_equal(tact_sim_reset(sim, 0), TACT_OK);
    double *q = tact_sim_view_state(sim)->q;
    q[0] = start;
    for (int k = 1; k <= 20; k++) {
        TactSimReport report;
        assert_int_equal(tact_sim_step(sim, &report), TACT_OK);
        double left = start * pow(1 - zeta, k);
        assert_true(fabs(q[0] - left) < 1e-12 * start);
        assert_true(fabs(report.loop_error - left) < 1e-12 * start);
    }
    tact_sim_destroy(sim);
    tact_model_destroy(maximal);
    tact_model_destroy(model);
}

/// The glass is lifted and stays in the hand; fingers next to each other do not touch, as before.
static void a_hand_lifts_a_glass(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("grasp.xml", (TactSceneEdit){0});
    TactModel    *maximal = free_bodies(model);
    TactSim      *sim[2] = {NULL, NULL};
    double        height[2];
    TactTransform poses[64];
    assert_true(maximal->body_count <= 64);
    for (int k = 0; k < 2; k++) {
        const TactModel *m = k ? maximal : model;
        TactSimConfig    config = tact_sim_config_default(m);
        TactSimReport    report;
        config.zeta = 0.2;
        assert_int_equal(tact_sim_create(m, &config, &sim[k]), TACT_OK);
        assert_int_equal(tact_sim_reset(sim[k], 0), TACT_OK);
        double worst = 0;
        for (int step = 0; step < 750; step++) {
            assert_int_equal(tact_sim_step(sim[k], &report), TACT_OK);
            assert_int_equal(report.certified, report.islands);
            worst = fmax(worst, report.loop_error);
        }
        assert_int_equal(tact_sim_compute_poses(sim[k], poses), TACT_OK);
        height[k] = poses[tact_model_find(m, TACT_OBJECT_BODY, "glass")].position.z;
        print_message("the glass is lifted by %.2f mm, joints are off by %.1g\n", 1e3 * height[k],
                      worst);
        assert_true(worst < 1e-4);
        tact_sim_destroy(sim[k]);
    }
    assert_true(height[0] > 0.05 && fabs(height[1] - height[0]) < 1e-3);
    tact_model_destroy(maximal);
    tact_model_destroy(model);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char felt[] =
        "<mujoco><worldbody><body><joint/><geom size='.1' mass='1'/><site name='s'/></body>"
        "</worldbody><sensor><force name='pull' site='s'/></sensor></mujoco>";
    TactModel *model = load(felt), *maximal = NULL;
    assert_int_equal(tact_model_create_maximal(model, &maximal), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "pull"));
    assert_null(maximal);
    tact_model_destroy(model);

    model = load(mechanism);
    maximal = free_bodies(model);
    TactModel    *again = NULL;
    TactSim      *sim = NULL;
    TactSimConfig config = tact_sim_config_default(maximal);
    assert_int_equal(tact_model_create_maximal(maximal, &again), TACT_UNSUPPORTED);
    config.integrator = TACT_INTEGRATOR_RK4;
    assert_int_equal(tact_sim_create(maximal, &config, &sim), TACT_UNSUPPORTED);
    config.zeta = 0.5;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_BAD_ARGUMENT);
    config.integrator = TACT_INTEGRATOR_EULER;
    config.zeta = 1.5;
    assert_int_equal(tact_sim_create(maximal, &config, &sim), TACT_BAD_ARGUMENT);
    config.zeta = NAN;
    assert_int_equal(tact_sim_create(maximal, &config, &sim), TACT_BAD_ARGUMENT);
    tact_model_destroy(maximal);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mechanism_moves_as_in_reduced_coordinates),
        cmocka_unit_test(joints_drift_less_with_more_correction),
        cmocka_unit_test(an_error_decays_by_the_share_zeta),
        cmocka_unit_test(a_hand_lifts_a_glass),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
