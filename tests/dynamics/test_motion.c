// Motion without contacts: what must be kept is kept.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees.h"

static double energy_at(TactDynamics *dynamics, const double *q, const double *v)
{
    assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(dynamics, v), TACT_OK);
    return tact_dynamics_compute_kinetic_energy(dynamics) +
           tact_dynamics_compute_potential_energy(dynamics);
}

/// Largest drift of the energy, over the largest kinetic energy, of a chain that swings freely.
static double chain_drift(double h, double time)
{
    TactModel    *model = chain_model(25, TACT_JOINT_BALL, 0.1, 0.02);
    TactDynamics *dynamics = NULL;
    TactRandom    random = tact_random_seed(25);
    double       *q = calloc((size_t)model->nq, sizeof *q);
    double       *v = calloc((size_t)model->nv, sizeof *v);
    double        drift = 0, largest = 0;
    assert_non_null(q);
    assert_non_null(v);
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    for (int i = 0; i < model->nv; i++) { // off the vertical, and hardly twisted
        v[i] = i % 3 == 2 ? 0 : tact_random_uniform(&random, 0.02, 0.08);
    }
    tact_dynamics_integrate(model, model->q_reference, v, 1, q);
    for (int i = 0; i < model->nv; i++) {
        v[i] = 0;
    }
    double start = energy_at(dynamics, q, v);
    for (int k = 0; k < (int)(time / h + 0.5); k++) {
        assert_int_equal(tact_dynamics_step_rk4(dynamics, h, NULL, q, v), TACT_OK);
        drift = fmax(drift, fabs(energy_at(dynamics, q, v) - start));
        largest = fmax(largest, tact_dynamics_compute_kinetic_energy(dynamics));
    }
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
    free(q);
    free(v);
    return drift / largest;
}

static void a_chain_of_25_balls_keeps_its_energy(void **state)
{
    (void)state;
    double drift = chain_drift(1e-3, 10);
    printf("chain of 25 balls of 10 cm, RK4 at 1 ms, 10 s: energy drifts by %.2e of the kinetic "
           "energy\n",
           drift);
    assert_true(drift <= 1e-6);
}

/// The error of energy of a method of order 4 is at least of order 4 in the step.
static void half_the_step_gives_a_sixteenth_of_the_error(void **state)
{
    (void)state;
    double coarse = chain_drift(4e-3, 1), fine = chain_drift(2e-3, 1);
    printf("chain at 4 ms: %.1e, at 2 ms: %.1e\n", coarse, fine);
    assert_true(coarse >= 15 * fine);
}

/// One free body with three different moments of inertia.
static TactModel *asymmetric_body(void)
{
    TactModelBuilder *builder = NULL;
    TactModel        *model = NULL;
    TactBodyDesc      body = tact_body_default();
    TactJoint         joint = tact_joint_default(TACT_JOINT_FREE);
    TactModelConfig   config = tact_model_config_default();
    config.options.gravity = (TactVec3){0, 0, 0};
    body.has_inertia = true;
    body.inertia = (TactInertia){
        .mass = 1,
        .com = {0.1, -0.2, 0.05},
        .rotary = tact_mat3_diagonal((TactVec3){1, 2, 2.5}),
    };
    joint.body = 1;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    assert_int_equal(tact_model_builder_set_config(builder, &config), TACT_OK);
    assert_int_equal(tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL), TACT_OK);
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL), TACT_OK);
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    tact_model_builder_destroy(builder);
    return model;
}

/// Dzhanibekov's motion: spin about the middle axis turns over again and again.
static void a_tumbling_body_keeps_energy_and_momentum(void **state)
{
    (void)state;
    TactModel    *model = asymmetric_body();
    TactDynamics *dynamics = NULL;
    double        q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0.3, 0.1, -0.2, 1e-3, 5, 1e-3};
    double        energy = 0, momentum = 0, least = 5;
    TactVec3      origin = {0, 0, 0};
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    double     start = energy_at(dynamics, q, v);
    TactWrench at_start = tact_dynamics_compute_momentum(dynamics, origin);
    for (int k = 0; k < 10000; k++) {
        assert_int_equal(tact_dynamics_step_rk4(dynamics, 1e-3, NULL, q, v), TACT_OK);
        energy = fmax(energy, fabs(energy_at(dynamics, q, v) - start) / start);
        TactWrench now = tact_dynamics_compute_momentum(dynamics, origin);
        momentum = fmax(momentum, tact_vec3_norm(tact_vec3_subtract(now.torque, at_start.torque)) /
                                      tact_vec3_norm(at_start.torque));
        least = fmin(least, v[4]);
    }
    printf("tumbling body, RK4 at 1 ms, 10 s: energy %.1e, angular momentum %.1e\n", energy,
           momentum);
    assert_true(least < -4.9); // it did turn over
    assert_true(energy <= 1e-9);
    assert_true(momentum <= 1e-9);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

/// A pendulum of a point mass on a ball joint that circles as a cone: w^2 = g / (l cos angle).
static void a_conical_pendulum_circles_at_its_rate(void **state)
{
    (void)state;
    const double  angle = 0.7, rate = sqrt(9.81 / (0.02 * cos(angle)));
    TactModel    *model = chain_model(1, TACT_JOINT_BALL, 0.04, 1);
    TactDynamics *dynamics = NULL;
    double        a[3];
    TactQuat      tilt = tact_quat_from_axis_angle((TactVec3){0, 1, 0}, angle);
    TactVec3      spin = tact_quat_rotate_back(tilt, (TactVec3){0, 0, rate});
    double        q[4] = {tilt.w, tilt.x, tilt.y, tilt.z};
    // The rod turns as a whole about the vertical; its own inertia changes the rate to
    // w^2 cos (m l^2 + I_t - I_a) = m g l, l to the centre of mass.
    double ml = 1 * 0.02, transverse = 0.04 * 0.04 / 12, axial = transverse / 30;
    double exact = sqrt(ml * 9.81 / (cos(angle) * (ml * 0.02 + transverse - axial)));
    double v[3] = {spin.x / rate * exact, spin.y / rate * exact, spin.z / rate * exact};
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(dynamics, v), TACT_OK);
    tact_dynamics_compute_forward(dynamics, NULL, NULL, NULL, a);
    for (int i = 0; i < 3; i++) { // steady in the body's own axes
        assert_true(fabs(a[i]) < 1e-11 * exact * exact);
    }
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

/// A ring of 20 links of 10 cm on ball joints, the first one held by the world.
static TactModel *ring_model(void)
{
    const double      length = 0.1, transverse = length * length * length / 12;
    TactModelBuilder *builder = NULL;
    TactModel        *model = NULL;
    TactEquality      tie = tact_equality_default(TACT_EQUALITY_CONNECT);
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    for (int i = 1; i <= 20; i++) {
        TactBodyDesc body = tact_body_default();
        TactJoint    joint = tact_joint_default(TACT_JOINT_BALL);
        TactVec3     y = {0, 1, 0};
        body.parent = i - 1;
        body.pose.position.x = i > 1 ? length : 0;
        body.pose.rotation = tact_quat_from_axis_angle(y, i > 1 ? acos(-1.0) / 10 : 0);
        body.has_inertia = true;
        body.inertia = (TactInertia){
            .mass = length,
            .com = {0.5 * length, 0, 0},
            .rotary = tact_mat3_diagonal((TactVec3){0.1 * transverse, transverse, transverse}),
        };
        joint.body = i;
        assert_int_equal(tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL),
                         TACT_OK);
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL),
                         TACT_OK);
    }
    tie.a = 20;
    tie.b = 1;
    tie.anchor_a = (TactVec3){length, 0, 0};
    assert_int_equal(tact_model_builder_add_equality(builder, &tie, (TactSource){0}, NULL),
                     TACT_OK);
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    tact_model_builder_destroy(builder);
    return model;
}

/// It falls in on itself and thrashes about at 100 rad/s, without any damping. TACT_LONG: 10 s.
static void a_ring_of_twenty_links_stays_closed_and_keeps_its_energy(void **state)
{
    (void)state;
    TactModel    *model = ring_model();
    TactDynamics *dynamics = NULL;
    TactAssembly *assembly = NULL;
    double       *q = calloc((size_t)model->nq, sizeof *q);
    double       *v = calloc((size_t)model->nv, sizeof *v);
    double        gap = 0, drift = 0, largest = 0, h = 2e-4, time = getenv("TACT_LONG") ? 10 : 0.6;
    assert_non_null(q);
    assert_non_null(v);
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    assert_int_equal(tact_assembly_create(dynamics, 1, &assembly), TACT_OK);
    memcpy(q, model->q_reference, (size_t)model->nq * sizeof *q);
    TactSmooth smooth = {.loops = assembly, .loop_rate = 150};
    double     start = energy_at(dynamics, q, v);
    for (int k = 0; k < (int)(time / h + 0.5); k++) {
        assert_int_equal(tact_dynamics_step_rk4(dynamics, h, &smooth, q, v), TACT_OK);
        drift = fmax(drift, fabs(energy_at(dynamics, q, v) - start));
        largest = fmax(largest, tact_dynamics_compute_kinetic_energy(dynamics));
        const TactTransform *pose = tact_dynamics_view_poses(dynamics);
        TactVec3             end = tact_transform_point(pose[20], (TactVec3){0.1, 0, 0});
        gap = fmax(gap, tact_vec3_norm(tact_vec3_subtract(end, pose[1].position)));
    }
    printf("ring of 20, RK4 at 0.2 ms, %g s: open by %.1e m, energy drifts by %.1e of %.1f J\n",
           time, gap, drift / largest, largest);
    assert_true(gap <= 1e-8);
    assert_true(drift <= 1e-5 * largest);
    tact_assembly_destroy(assembly);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
    free(q);
    free(v);
}

static void numbers_that_are_none_are_refused_by_name(void **state)
{
    (void)state;
    TactModel    *model = chain_model(3, TACT_JOINT_BALL, 0.1, 1);
    TactDynamics *dynamics = NULL;
    double        q[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, v[9] = {0};
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    q[6] = NAN;
    assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_BAD_INPUT);
    q[4] = q[6] = 0; // a quaternion of zeros
    assert_int_equal(tact_dynamics_set_position(dynamics, q), TACT_BAD_INPUT);
    v[8] = INFINITY;
    assert_int_equal(tact_dynamics_set_velocity(dynamics, v), TACT_BAD_INPUT);
    tact_dynamics_destroy(dynamics);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_25_balls_keeps_its_energy),
        cmocka_unit_test(half_the_step_gives_a_sixteenth_of_the_error),
        cmocka_unit_test(a_tumbling_body_keeps_energy_and_momentum),
        cmocka_unit_test(a_conical_pendulum_circles_at_its_rate),
        cmocka_unit_test(a_ring_of_twenty_links_stays_closed_and_keeps_its_energy),
        cmocka_unit_test(numbers_that_are_none_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
