// The floor of the energy law: rounding of the terms that cancel, and nothing above it; what
// corrections of positions hide no more.
#include <math.h>
#include <string.h>
#include <tact/dynamics.h>

#include "verify/step.h"

#define MOMENTUM (1u << TACT_STEP_LAW_MOMENTUM)
#define POSITION (1u << TACT_STEP_LAW_POSITION)
#define CONTACT (1u << TACT_STEP_LAW_CONTACT)

static const double H = 0.002, G = 9.81, MASS = 2;
static const double ROUNDING = 1e-14; // of the theory page

static const char BRICK[] =
    "<mujoco><worldbody><body name='brick'><freejoint/>"
    "<inertial pos='0 0 0' mass='2' diaginertia='.01 .01 .01'/></body></worldbody></mujoco>";

/// The brick rests at this x and at the height 0, and a force that nothing drives lifts it by so
/// much: the energy rises by m g lift, and hardly by more.
static void lift_brick(TactTestStep *t, double x, double lift)
{
    double v = lift / H;
    t->q[0] = t->q_after[0] = x;
    t->q_after[2] = lift;
    t->v_after[2] = v;
    t->forces[2] = MASS * (G + v / H);
}

/// (17): V is known to 1e-14 m g L, before the step and after it.
static void a_rise_is_refused_from_just_above_the_rounding_of_heights(void **state)
{
    (void)state;
    static const double places[] = {1, 40, 1e4};
    for (int k = 0; k < 3; k++) {
        TactTestStep t;
        double       radius = sqrt(0.5 * 0.03 / MASS), floor = 2 * ROUNDING * (places[k] + radius);
        tact_test_step_open(&t, BRICK, H);
        lift_brick(&t, places[k], 0.9 * floor);
        tact_test_step_holds(&t);
        lift_brick(&t, places[k], 1.1 * floor);
        tact_test_step_fails(&t, TACT_STEP_LAW_ENERGY, TACT_STEP_CHECK_RISE,
                             MOMENTUM | POSITION | CONTACT);
        tact_test_step_close(&t);
    }
}

/// Speeds whose squares have no digits: a viscous fluid in which all has come to rest.
static void motion_below_the_smallest_numbers_is_certified(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t,
                        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='ball'/>"
                        "<inertial pos='.1 0 0' mass='.7' diaginertia='.003 .004 .005'/></body>"
                        "</worldbody></mujoco>",
                        H);
    for (int k = 0; k < 2000; k++) {
        double v = 3e-160 * pow(10, -k / 400.0);
        t.v[1] = t.products[1] = v;
        t.v_after[1] = 0.9 * v;
        t.forces[1] = -(0.004 + 0.7 * 0.01) * 0.1 * v / H;
        tact_test_step_move(&t);
        tact_test_step_holds(&t);
    }
    tact_test_step_close(&t);
}

static const char ARM[] = "<mujoco><worldbody><body name='arm' pos='0 0 1'>"
                          "<joint name='arm' axis='0 1 0' stiffness='3'/>"
                          "<inertial pos='.3 0 0' mass='1' diaginertia='.01 .02 .02'/></body>"
                          "</worldbody></mujoco>";

/// A torque drives the arm from 1.5 rad/s.
static void swing(TactTestStep *t, double torque)
{
    double q = 0.4, inertia = 0.02 + 0.09, weight = 0.3 * G * cos(q);
    t->q[0] = q;
    t->v[0] = t->products[0] = 1.5;
    t->driving[0] = torque;
    t->forces[0] = torque - 3 * q;
    t->v_after[0] = 1.5 + H * (t->forces[0] + weight) / inertia; // a turn about y lowers it
    tact_test_step_move(t);
}

/// A correction moves an arm against its weight and its spring: its energy changes at once, and no
/// force did that. What forces do is judged as exactly as without it.
static void a_correction_is_no_work_and_hides_none(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, ARM, H);
    swing(&t, 4);
    tact_test_step_holds(&t);
    t.q_after[0] -= 0.1; // 0.3 J
    t.step.correction = 0.1;
    tact_test_step_holds(&t);
    t.driving[0] = 0; // 12 mJ
    tact_test_step_fails(&t, TACT_STEP_LAW_ENERGY, TACT_STEP_CHECK_RISE,
                         MOMENTUM | POSITION | CONTACT);
    t.driving[0] = 4;
    t.step.correction = 0.05;
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_COORDINATE,
                         MOMENTUM | CONTACT);
    tact_test_step_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rise_is_refused_from_just_above_the_rounding_of_heights),
        cmocka_unit_test(motion_below_the_smallest_numbers_is_certified),
        cmocka_unit_test(a_correction_is_no_work_and_hides_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
