// Certificates of mechanisms: steps of the semi-implicit scheme made by hand, and what must be
// noticed; what is outside; bad input.
#include <math.h>
#include <string.h>
#include <tact/dynamics.h>

#include "verify/step.h"

#define MOMENTUM (1u << TACT_STEP_LAW_MOMENTUM)
#define POSITION (1u << TACT_STEP_LAW_POSITION)
#define CONTACT (1u << TACT_STEP_LAW_CONTACT)
#define ENERGY (1u << TACT_STEP_LAW_ENERGY)

static const double H = 0.002;

static const char ARM[] =
    "<mujoco><worldbody><body name='upper' pos='0 0 1'>"
    "<joint name='shoulder' type='hinge' axis='0 1 0' stiffness='3' damping='.1'/>"
    "<geom name='upper' type='capsule' size='.03' fromto='0 0 0 .3 0 0' mass='1'/>"
    "<body name='lower' pos='.3 0 0'><joint name='elbow' type='ball'/>"
    "<geom name='lower' type='capsule' size='.02' fromto='0 0 0 .2 0 .1' mass='.5'/>"
    "</body></body></worldbody></mujoco>";

/// (M + h D)(v' - v) = h (tau - bias(q, v) - ...): here with explicit forces, at the velocity
/// before the step. The torque is driving.
static void swing(TactTestStep *t, double torque)
{
    TactDynamics *d = NULL;
    int           nv = t->model->nv;
    const double  start[] = {1.5, 2, -1, .5};
    double        bias[8], passive[8];
    assert_int_equal(nv, 4);
    memcpy(t->v, start, sizeof start);
    memcpy(t->products, start, sizeof start);
    t->q[0] = .4;
    assert_int_equal(tact_dynamics_create(t->model, &d), TACT_OK);
    assert_int_equal(tact_dynamics_set_position(d, t->q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(d, t->v), TACT_OK);
    tact_dynamics_compute_inverse(d, NULL, NULL, bias);
    tact_dynamics_compute_passive(d, passive);
    tact_dynamics_compute_mass(d, NULL);
    double change[8];
    for (int i = 0; i < nv; i++) {
        t->driving[i] = i == 0 ? torque : 0;
        t->forces[i] = t->driving[i] + passive[i];
        change[i] = t->step.h * (t->forces[i] - bias[i]);
    }
    tact_dynamics_solve_mass(d, change);
    for (int i = 0; i < nv; i++) {
        t->v_after[i] = t->v[i] + change[i];
    }
    tact_test_step_move(t);
    tact_dynamics_destroy(d);
}

static void an_arm_is_certified(void **state)
{
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3, 1e-2};
    for (int k = 0; k < 4; k++) {
        TactTestStep t;
        tact_test_step_open(&t, ARM, steps[k]);
        swing(&t, 4);
        tact_test_step_holds(&t);
        tact_test_step_close(&t);
    }
}

static void what_is_off_in_an_arm_is_noticed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, ARM, H);
    swing(&t, 4);
    t.q_after[0] += 1e-6;
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_COORDINATE,
                         MOMENTUM | CONTACT);
    t.q_after[0] -= 1e-6;
    t.forces[0] -= 1e-6;
    tact_test_step_fails(&t, TACT_STEP_LAW_MOMENTUM, TACT_STEP_CHECK_JOINT_FORCE,
                         POSITION | CONTACT);
    t.forces[0] += 1e-6;
    tact_test_step_holds(&t);
    tact_test_step_close(&t);
}

static void energy_that_nobody_drives_is_noticed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, ARM, H);
    swing(&t, 4); // 4 N m at 1.5 rad/s for 2 ms: 12 mJ
    t.driving[0] = 0;
    tact_test_step_fails(&t, TACT_STEP_LAW_ENERGY, TACT_STEP_CHECK_RISE,
                         MOMENTUM | POSITION | CONTACT);
    tact_test_step_close(&t);
}

static void a_step_too_long_for_the_motion_is_not_certified(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, ARM, .4); // the elbow turns by a radian
    swing(&t, 4);
    TactStepCertificate c = tact_test_step_judge(&t);
    assert_true(c.laws[TACT_STEP_LAW_MOMENTUM].holds);
    assert_true(c.laws[TACT_STEP_LAW_POSITION].holds);
    assert_false(c.laws[TACT_STEP_LAW_ENERGY].holds);
    tact_test_step_close(&t);
}

static void joints_that_follow_a_motion_are_outside_of_the_position_law(void **state)
{
    (void)state;
    TactTestStep t;
    bool         prescribed[4] = {true, false, false, false};
    tact_test_step_open(&t, ARM, H);
    swing(&t, 4);
    t.q_after[0] += 1e-6;
    t.step.prescribed = prescribed;
    TactStepCertificate c = tact_test_step_judge(&t);
    assert_true(c.laws[TACT_STEP_LAW_POSITION].holds);
    tact_test_step_close(&t);
}

static void what_sleeps_must_not_move(void **state)
{
    (void)state;
    TactTestStep t;
    bool         asleep[3] = {false, true, true};
    tact_test_step_open(&t, ARM, H);
    t.step.asleep = asleep;
    tact_test_step_holds(&t); // no force holds its weight: not asked
    t.q_after[0] += 1e-6;
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_ASLEEP,
                         MOMENTUM | CONTACT | ENERGY);
    tact_test_step_close(&t);
}

static void laws_that_do_not_apply_are_not_judged(void **state)
{
    (void)state;
    TactTestStep t;
    char         text[128];
    tact_test_step_open(&t, ARM, H);
    t.step.integrator = TACT_INTEGRATOR_RK4;
    TactStepCertificate c = tact_test_step_judge(&t);
    assert_true(c.certified);
    assert_true(c.laws[TACT_STEP_LAW_CONTACT].judged);
    assert_false(c.laws[TACT_STEP_LAW_MOMENTUM].judged);
    assert_false(c.laws[TACT_STEP_LAW_POSITION].judged);
    assert_false(c.laws[TACT_STEP_LAW_ENERGY].judged);
    tact_step_certificate_explain(t.model, &c, TACT_STEP_LAW_ENERGY, text, sizeof text);
    assert_string_equal(text, "energy: not judged");
    t.step.integrator = TACT_INTEGRATOR_EULER;
    t.step.soft = true;
    c = tact_test_step_judge(&t);
    assert_true(c.laws[TACT_STEP_LAW_MOMENTUM].judged);
    assert_false(c.laws[TACT_STEP_LAW_ENERGY].judged);
    tact_test_step_close(&t);
}

static void the_worst_of_two_certificates_is_kept(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, ARM, H);
    swing(&t, 4);
    TactStepCertificate good = tact_test_step_judge(&t);
    t.q_after[0] += 1e-6;
    TactStepCertificate bad = tact_test_step_judge(&t), both = good;
    tact_step_certificate_merge(&both, &bad);
    assert_false(both.certified);
    assert_false(both.laws[TACT_STEP_LAW_POSITION].holds);
    assert_true(both.laws[TACT_STEP_LAW_POSITION].residual > .9e-6);
    assert_true(both.laws[TACT_STEP_LAW_MOMENTUM].holds);
    both = bad;
    tact_step_certificate_merge(&both, &good);
    assert_false(both.certified);
    assert_true(both.laws[TACT_STEP_LAW_POSITION].residual > .9e-6);
    tact_test_step_close(&t);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    TactTestStep        t;
    TactStepCertificate c;
    TactVerifyConfig    config = {0};
    TactVerifier       *verifier = NULL;
    tact_test_step_open(&t, ARM, H);
    assert_int_equal(tact_verifier_create(t.model, &config, &verifier), TACT_BAD_ARGUMENT);
    assert_null(verifier);
    config = tact_verify_config_default();
    config.tol = NAN;
    assert_int_equal(tact_verifier_create(t.model, &config, &verifier), TACT_BAD_ARGUMENT);
    t.step.h = 0;
    assert_int_equal(tact_verifier_certify(t.verifier, &t.step, &c), TACT_BAD_INPUT);
    t.step.h = H;
    t.q_after[0] = NAN;
    assert_int_equal(tact_verifier_certify(t.verifier, &t.step, &c), TACT_BAD_INPUT);
    assert_false(c.certified);
    t.q_after[0] = 0;
    t.forces[1] = INFINITY;
    assert_int_equal(tact_verifier_certify(t.verifier, &t.step, &c), TACT_BAD_INPUT);
    t.forces[1] = 0;
    t.step.forces = NULL;
    assert_int_equal(tact_verifier_certify(t.verifier, &t.step, &c), TACT_BAD_ARGUMENT);
    t.step.forces = t.forces;
    t.step.contact_count = 1;
    t.contacts[0].geom[1] = 99;
    assert_int_equal(tact_verifier_certify(t.verifier, &t.step, &c), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "99"));
    tact_test_step_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_is_certified),
        cmocka_unit_test(what_is_off_in_an_arm_is_noticed),
        cmocka_unit_test(energy_that_nobody_drives_is_noticed),
        cmocka_unit_test(a_step_too_long_for_the_motion_is_not_certified),
        cmocka_unit_test(joints_that_follow_a_motion_are_outside_of_the_position_law),
        cmocka_unit_test(what_sleeps_must_not_move),
        cmocka_unit_test(laws_that_do_not_apply_are_not_judged),
        cmocka_unit_test(the_worst_of_two_certificates_is_kept),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
