// Certificates of free bodies: flight in closed form, collisions, and what must be noticed.
#include <math.h>
#include <string.h>
#include <tact/dynamics.h>

#include "verify/step.h"

#define MOMENTUM (1u << TACT_STEP_LAW_MOMENTUM)
#define POSITION (1u << TACT_STEP_LAW_POSITION)
#define CONTACT (1u << TACT_STEP_LAW_CONTACT)
#define ENERGY (1u << TACT_STEP_LAW_ENERGY)

static const double H = 0.002, G = 9.81;

// Its centre of mass lies beside its origin, and its three moments differ.
static const char BOX[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='brick' pos='0 0 2'><freejoint/><inertial pos='.03 -.02 .05' mass='2' "
    "diaginertia='.004 .009 .011'/><geom name='brick' type='box' size='.1 .05 .02'/></body>"
    "</worldbody></mujoco>";

static const TactVec3 COM = {.03, -.02, .05};
static const TactVec3 MOMENTS = {.004, .009, .011};

static void put(TactVec3 x, double *to)
{
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

static TactVec3 times(TactVec3 a, TactVec3 b)
{
    return (TactVec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static TactVec3 over(TactVec3 a, TactVec3 b)
{
    return (TactVec3){a.x / b.x, a.y / b.y, a.z / b.z};
}

/// w' with I w' = Q' I w, Q = exp(h (w + w') / 2), by repetition: keeps momentum and energy.
static TactVec3 turn(double h, TactQuat *R, TactVec3 w)
{
    TactVec3 m = times(MOMENTS, w), next = w;
    TactQuat Q = tact_quat_identity();
    for (int i = 0; i < 200; i++) {
        Q = tact_quat_exp(tact_vec3_scale(0.5 * h, tact_vec3_add(w, next)));
        next = over(tact_quat_rotate_back(Q, m), MOMENTS);
    }
    *R = tact_quat_normalise(tact_quat_multiply(*R, Q));
    return next;
}

/// State of a brick from the motion of its centre of mass.
static void place(TactQuat R, TactVec3 com, TactVec3 v_com, TactVec3 w, double *q, double *v)
{
    memcpy(q + 3, (double[]){R.w, R.x, R.y, R.z}, 4 * sizeof(double));
    put(tact_vec3_subtract(com, tact_quat_rotate(R, COM)), q);
    put(tact_vec3_subtract(v_com, tact_quat_rotate(R, tact_vec3_cross(w, COM))), v);
    put(w, v + 3);
}

/// The brick flies: impulses of gravity at the beginning, then free flight in so many turns.
static void fly(TactTestStep *t, TactVec3 v_com, TactVec3 w, int turns)
{
    double   h = t->step.h;
    TactQuat R = tact_quat_exp((TactVec3){.3, -.7, .2});
    TactVec3 com = {.1, .2, 2};
    place(R, com, v_com, w, t->q, t->v);
    v_com.z -= h * G;
    for (int k = 0; k < turns; k++) {
        w = turn(h / turns, &R, w);
    }
    com = tact_vec3_add_scaled(com, h, v_com);
    place(R, com, v_com, w, t->q_after, t->v_after);
}

static void a_falling_body_is_certified_and_what_is_off_is_not(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BOX, H);
    fly(&t, (TactVec3){.4, 0, -1}, (TactVec3){0, 0, 0}, 1);
    tact_test_step_holds(&t);
    t.q_after[0] += 1e-6; // sideways: no energy in it
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_PATH,
                         MOMENTUM | CONTACT | ENERGY);
    t.q_after[0] -= 1e-6;
    t.v_after[2] = t.v[2]; // as without gravity
    tact_test_step_fails(&t, TACT_STEP_LAW_MOMENTUM, TACT_STEP_CHECK_LINEAR_MOMENTUM, CONTACT);
    tact_test_step_close(&t);
}

static void a_spinning_body_is_certified_in_one_turn_or_many(void **state)
{
    (void)state;
    static const double angles[] = {0.001, 0.05, 0.09, 0.3, 2, 9};
    for (int k = 0; k < 6; k++) {
        TactTestStep t;
        tact_test_step_open(&t, BOX, H);
        double   speed = angles[k] / H;
        TactVec3 w = {.6 * speed, .64 * speed, -.48 * speed};
        fly(&t, (TactVec3){.4, 0, -1}, w, 1 + (int)(angles[k] / 0.2));
        tact_test_step_holds(&t);
        tact_test_step_close(&t);
    }
}

static void a_turn_too_long_for_one_is_not_certified(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BOX, H);
    fly(&t, (TactVec3){0, 0, 0}, (TactVec3){300, 320, -240}, 1); // 1 rad
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_ROTATION,
                         MOMENTUM | CONTACT | ENERGY);
    tact_test_step_close(&t);
}

static void spin_that_is_not_carried_on_is_noticed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BOX, H);
    TactVec3 w = {15, 16, -12}, v = {.4, 0, 0}, com = {.1, .2, 2};
    TactQuat R = tact_quat_exp((TactVec3){.3, -.7, .2});
    place(R, com, v, w, t.q, t.v);
    v.z -= H * G;
    R = tact_quat_multiply(R, tact_quat_exp(tact_vec3_scale(H, w))); // w' = w: first order
    place(R, tact_vec3_add_scaled(com, H, v), v, w, t.q_after, t.v_after);
    tact_test_step_fails(&t, TACT_STEP_LAW_MOMENTUM, TACT_STEP_CHECK_ANGULAR_MOMENTUM, CONTACT);
    tact_test_step_close(&t);
}

static void a_correction_that_is_reported_is_allowed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BOX, H);
    fly(&t, (TactVec3){.4, 0, -1}, (TactVec3){15, 16, -12}, 1);
    t.q_after[2] += 2e-5;
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_PATH, MOMENTUM | CONTACT);
    t.step.correction = 2e-5;
    tact_test_step_holds(&t);
    t.q_after[2] += 2e-4;
    tact_test_step_fails(&t, TACT_STEP_LAW_POSITION, TACT_STEP_CHECK_PATH, MOMENTUM | CONTACT);
    tact_test_step_close(&t);
}

static const char BLOCK[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='block' pos='0 0 .05'><freejoint/><geom name='block' type='box' "
    "size='.1 .1 .05' mass='2'/></body></worldbody></mujoco>";

/// A block falls at 1 m/s on the floor, whose contacts let it close its gap and no more; lifted by
/// so much.
static void land(TactTestStep *t, double lift)
{
    double m = 2, gap = 5e-4, h = t->step.h;
    t->v[2] = -1;
    t->v_after[2] = -gap / h;
    t->q[2] = .05 + gap + lift;
    tact_test_step_move(t);
    double force = m * ((t->v_after[2] - t->v[2]) / h + G);
    for (int k = 0; k < 4; k++) {
        TactVec3 corner = {k % 2 ? .1 : -.1, k / 2 ? .1 : -.1, 0};
        tact_test_step_push(t, "floor", "block", corner, (TactVec3){0, 0, 1},
                            (TactVec3){0, 0, force / 4});
    }
}

static void a_block_that_lands_is_certified(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BLOCK, H);
    land(&t, 0);
    tact_test_step_holds(&t);
    t.contacts[2].force.z = 0; // one of the four forces is missing
    tact_test_step_fails(&t, TACT_STEP_LAW_MOMENTUM, TACT_STEP_CHECK_ANGULAR_MOMENTUM,
                         POSITION | CONTACT);
    tact_test_step_close(&t);
}

static void a_force_without_touch_is_noticed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BLOCK, H);
    land(&t, 5e-3);
    tact_test_step_fails(&t, TACT_STEP_LAW_CONTACT, TACT_STEP_CHECK_TOUCH,
                         MOMENTUM | POSITION | ENERGY);
    tact_test_step_close(&t);
}

static void an_overlap_that_grows_is_noticed(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BLOCK, H);
    t.q[2] = .05;
    t.v[2] = -.5 + H * G;
    t.v_after[2] = -.5; // 1 mm in the step
    tact_test_step_move(&t);
    tact_test_step_fails(&t, TACT_STEP_LAW_CONTACT, TACT_STEP_CHECK_OVERLAP,
                         MOMENTUM | POSITION | ENERGY);
    // an overlap that was there before, and does not grow, is not held against the step
    t.q[2] = .04;
    t.v[2] = H * G;
    t.v_after[2] = 0;
    tact_test_step_move(&t);
    tact_test_step_holds(&t);
    tact_test_step_close(&t);
}

static void forces_press_and_stay_in_the_cone(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BLOCK, H);
    double weight = 2 * G;
    t.v[0] = 1;
    t.v_after[0] = 1 - .5 * G * H;
    tact_test_step_move(&t);
    // at the height of the centre of mass there is no torque
    tact_test_step_push(&t, "floor", "block", (TactVec3){0, 0, .05}, (TactVec3){0, 0, 1},
                        (TactVec3){-.5 * weight, 0, weight});
    tact_test_step_holds(&t);
    t.contacts[0].mu = .499;
    tact_test_step_fails(&t, TACT_STEP_LAW_CONTACT, TACT_STEP_CHECK_CONE,
                         MOMENTUM | POSITION | ENERGY);
    t.contacts[0].mu = -1; // not checked
    tact_test_step_holds(&t);
    t.contacts[0].normal.z = -1;
    tact_test_step_fails(&t, TACT_STEP_LAW_CONTACT, TACT_STEP_CHECK_PULL,
                         MOMENTUM | POSITION | ENERGY);
    tact_test_step_close(&t);
}

/// Moments over their coefficients are held against the normal force; without one there is none.
static void moments_stay_within_their_coefficients(void **state)
{
    (void)state;
    // A block at rest, 2 kg: 0.01 m times its weight about the normal, and about a tangent. Its
    // momentum is not looked at here.
    double weight = 2 * G;
    for (int k = 0; k < 12; k++) {
        TactTestStep t;
        bool         rolls = k % 2 == 1;
        double       moment = 0.01 * weight, share = 0.9 + 0.2 * (k / 2 % 2), mu = 0.01 * share;
        tact_test_step_open(&t, BLOCK, H);
        tact_test_step_move(&t);
        tact_test_step_push(&t, "floor", "block", (TactVec3){0, 0, .05}, (TactVec3){0, 0, 1},
                            (TactVec3){0, 0, weight});
        t.contacts[0].moment =
            rolls ? (TactVec3){0.6 * moment, -0.8 * moment, 0} : (TactVec3){0, 0, -moment};
        t.contacts[0].mu_spin = k < 4 && !rolls ? mu : k < 8 ? 1 : 0;
        t.contacts[0].mu_roll = k < 4 && rolls ? mu : k < 8 ? 1 : 0;
        TactStepCertificate c = tact_test_step_judge(&t);
        bool                over = k < 4 ? share < 1 : k >= 8;
        assert_int_equal(c.laws[TACT_STEP_LAW_CONTACT].holds, !over);
        tact_test_step_close(&t);
    }
}

static const char BALLS[] =
    "<mujoco><option gravity='0 0 0'/><worldbody>"
    "<body name='left' pos='-.1005 0 0'><freejoint/><geom name='left' size='.1' mass='1'/></body>"
    "<body name='right' pos='.1005 0 0'><freejoint/><geom name='right' size='.1' mass='3'/></body>"
    "</worldbody></mujoco>";

/// The balls meet at 2 m/s within the step and part with e times that.
static void collide(TactTestStep *t, double e)
{
    double left = 1, right = -1, mean = (1 * left + 3 * right) / 4;
    t->v[0] = left;
    t->v[6] = right;
    t->v_after[0] = mean - .75 * e * 2;
    t->v_after[6] = mean + .25 * e * 2;
    tact_test_step_move(t);
    t->step.contact_count = 0;
    double force = 3 * (t->v_after[6] - t->v[6]) / t->step.h;
    tact_test_step_push(t, "left", "right", (TactVec3){0, 0, 0}, (TactVec3){1, 0, 0},
                        (TactVec3){force, 0, 0});
    t->contacts[0].bounce = 2 * e;
}

static void a_collision_of_two_bodies_is_certified(void **state)
{
    (void)state;
    TactTestStep t;
    tact_test_step_open(&t, BALLS, H);
    collide(&t, .3);
    tact_test_step_holds(&t);
    collide(&t, 1); // nothing is lost
    tact_test_step_holds(&t);
    collide(&t, 1 + 1e-6); // energy 3e-6 J up, by forces that are equal and opposite
    tact_test_step_fails(&t, TACT_STEP_LAW_ENERGY, TACT_STEP_CHECK_RISE,
                         MOMENTUM | POSITION | CONTACT);
    collide(&t, 1);
    t.q[0] = -.2; // 10 cm apart: they cannot have met
    tact_test_step_move(&t);
    tact_test_step_fails(&t, TACT_STEP_LAW_CONTACT, TACT_STEP_CHECK_TOUCH,
                         MOMENTUM | POSITION | ENERGY);
    tact_test_step_close(&t);
}

static void each_sentence_names_the_body_and_the_amount(void **state)
{
    (void)state;
    TactTestStep t;
    char         text[256];
    tact_test_step_open(&t, BALLS, H);
    t.v[0] = t.v_after[0] = 1;
    tact_test_step_move(&t);
    t.q_after[7 + 1] += 1e-3;
    TactStepCertificate c = tact_test_step_judge(&t);
    tact_step_certificate_explain(t.model, &c, TACT_STEP_LAW_POSITION, text, sizeof text);
    assert_string_equal(text, "position: the centre of mass of 'right' is 0.001 m off its velocity "
                              "(bound 1e-09)");
    tact_test_step_close(&t);
    assert_string_equal(tact_step_law_name(TACT_STEP_LAW_ENERGY), "energy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_body_is_certified_and_what_is_off_is_not),
        cmocka_unit_test(a_spinning_body_is_certified_in_one_turn_or_many),
        cmocka_unit_test(a_turn_too_long_for_one_is_not_certified),
        cmocka_unit_test(spin_that_is_not_carried_on_is_noticed),
        cmocka_unit_test(a_correction_that_is_reported_is_allowed),
        cmocka_unit_test(a_block_that_lands_is_certified),
        cmocka_unit_test(a_force_without_touch_is_noticed),
        cmocka_unit_test(an_overlap_that_grows_is_noticed),
        cmocka_unit_test(forces_press_and_stay_in_the_cone),
        cmocka_unit_test(moments_stay_within_their_coefficients),
        cmocka_unit_test(a_collision_of_two_bodies_is_certified),
        cmocka_unit_test(each_sentence_names_the_body_and_the_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
