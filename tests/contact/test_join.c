// Rows that a gear makes parallel: one item of the system, shared as their bounds are, with the
// motion in closed form.
//
// Two wheels with the moments of inertia I_1 and I_2 and a gear v_1 = g v_2; dry friction and a
// torque on both. In v_2 there is one inertia g^2 I_1 + I_2, one torque g tau_1 + tau_2, and one
// dry friction g f_1 + f_2.
#include "scenes.h"
// clang-format off
#include "contact/system/system.h"
// clang-format on

enum { GEAR, FRICTION_1, FRICTION_2, LIMIT_1, LIMIT_2, ROWS };

typedef struct Wheels {
    double             M[4], v[2], tau[2], J[ROWS][2];
    int                parent[2];
    TactContactRow     rows[ROWS];
    TactContactProblem problem;
    double             row_impulse[ROWS], velocity[2], impulse[3];
} Wheels;

static const double H = 0.01, I1 = 2, I2 = 3, G = -0.5, F1 = 4, F2 = 1;

static void assert_near(double x, double expected, double tol)
{
    if (!(fabs(x - expected) <= tol)) {
        fail_msg("%.17g is not %.17g", x, expected);
    }
}

static void make_wheels(Wheels *wheels, double tau_1, double tau_2, int row_count)
{
    *wheels = (Wheels){.M = {I1, 0, 0, I2}, .tau = {tau_1, tau_2}, .parent = {-1, -1}};
    double J[ROWS][2] = {{1, -G}, {1, 0}, {0, 1}, {-1, 0}, {0, 1}};
    memcpy(wheels->J, J, sizeof J);
    wheels->rows[GEAR].kind = TACT_ROW_BILATERAL;
    wheels->rows[FRICTION_1] = (TactContactRow){.kind = TACT_ROW_MOTOR, .force_max = F1};
    wheels->rows[FRICTION_2] = (TactContactRow){.kind = TACT_ROW_MOTOR, .force_max = F2};
    wheels->rows[LIMIT_1].kind = wheels->rows[LIMIT_2].kind = TACT_ROW_UNILATERAL;
    for (int r = 0; r < ROWS; r++) {
        wheels->rows[r].J = wheels->J[r];
    }
    wheels->problem = (TactContactProblem){
        .step = H,
        .nv = 2,
        .M = wheels->M,
        .v = wheels->v,
        .tau = wheels->tau,
        .parent = wheels->parent,
        .row_count = row_count,
        .rows = wheels->rows,
    };
}

static TactContactReport solve_wheels(Wheels *wheels, TactContactMethod method)
{
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactCapacity capacity = tact_contact_get_capacity(&wheels->problem);
    TactContactAnswer   answer = {.impulse = wheels->impulse,
                                  .row_impulse = wheels->row_impulse,
                                  .velocity = wheels->velocity};
    TactContactSolver  *solver;
    TactContactReport   report;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &wheels->problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
    return report;
}

static const TactContactMethod METHODS[] = {TACT_METHOD_LADDER, TACT_METHOD_REDUCED,
                                            TACT_METHOD_STRUCTURAL, TACT_METHOD_NSGS};

static int count_items(Wheels *wheels)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&wheels->problem);
    TactSystem          system;
    TactArena           arena = {0};
    tact_system_layout(&system, &capacity, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_system_layout(&system, &capacity, &arena);
    assert_int_equal(tact_system_build(&system, &wheels->problem, false), TACT_OK);
    tact_system_join(&system, &wheels->problem);
    int count = system.item_count;
    tact_arena_destroy(&arena);
    return count;
}

static void dry_friction_of_both_wheels_holds_as_their_sum(void **state)
{
    (void)state;
    Wheels wheels;
    for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
        double load = 0.9 * (fabs(G) * F1 + F2); // N m at wheel 2
        make_wheels(&wheels, 0, load, FRICTION_2 + 1);
        solve_wheels(&wheels, METHODS[m]);
        assert_near(wheels.velocity[1], 0, 1e-14);
        // Each takes the same part of what it can.
        assert_near(wheels.row_impulse[FRICTION_1], 0.9 * H * F1, 1e-14);
        assert_near(wheels.row_impulse[FRICTION_2], -0.9 * H * F2, 1e-14);
    }
    assert_int_equal(count_items(&wheels), 1);
}

static void dry_friction_of_both_wheels_brakes(void **state)
{
    (void)state;
    Wheels wheels;
    for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
        make_wheels(&wheels, -6, 5, FRICTION_2 + 1);
        solve_wheels(&wheels, METHODS[m]);
        double torque = G * -6 + 5 - (fabs(G) * F1 + F2), v = H * torque / (G * G * I1 + I2);
        assert_near(wheels.velocity[1], v, 1e-14);
        assert_near(wheels.velocity[0], G * v, 1e-14);
        assert_near(wheels.row_impulse[FRICTION_1], H * F1, 1e-14);
        assert_near(wheels.row_impulse[FRICTION_2], -H * F2, 1e-14);
    }
}

static void friction_that_holds_at_another_speed_stays_apart(void **state)
{
    (void)state;
    Wheels wheels;
    make_wheels(&wheels, 0, 0.5, FRICTION_2 + 1);
    wheels.rows[FRICTION_1].target = 0.25; // a belt: it holds at v_1 = 0.25, not at 0
    assert_int_equal(count_items(&wheels), 2);
    solve_wheels(&wheels, TACT_METHOD_LADDER);
    // The stronger one, 4 at wheel 1 or 2 at wheel 2, would win if it had the time:
    // both slip, friction 1 towards v_2 = -0.5, friction 2 towards 0.
    double torque = 0.5 - fabs(G) * F1 + F2, v = H * torque / (G * G * I1 + I2);
    assert_near(wheels.velocity[1], v, 1e-14);
    assert_near(wheels.row_impulse[FRICTION_1], H * F1, 1e-14);
    assert_near(wheels.row_impulse[FRICTION_2], H * F2, 1e-14);
}

/// Limits of both wheels against v_2 < 0: of wheel 1 to v_1 <= -target, of wheel 2 to v_2 >=
/// target.
static void the_limit_that_asks_for_more_is_kept(void **state)
{
    (void)state;
    double target[][2] = {{0, 0}, {-0.002, -0.001}, {-0.001, -0.003}, {0.004, 0.001}};
    Wheels wheels;
    for (size_t k = 0; k < sizeof target / sizeof *target; k++) {
        for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
            make_wheels(&wheels, 0, -20, ROWS);
            wheels.rows[LIMIT_1].target = target[k][0];
            wheels.rows[LIMIT_2].target = target[k][1];
            assert_int_equal(count_items(&wheels), 2);
            solve_wheels(&wheels, METHODS[m]);
            double first = target[k][0] / fabs(G), second = target[k][1];
            assert_near(wheels.velocity[1], first > second ? first : second, 1e-14);
            assert_true((wheels.row_impulse[LIMIT_1] > 0) != (wheels.row_impulse[LIMIT_2] > 0));
        }
    }
}

static void limits_against_each_other_stay(void **state)
{
    (void)state;
    Wheels wheels;
    make_wheels(&wheels, 0, -20, ROWS);
    wheels.J[LIMIT_1][0] = 1; // v_1 >= -0.01: v_2 <= 0.02
    wheels.rows[LIMIT_1].target = -0.01;
    assert_int_equal(count_items(&wheels), 3);
    solve_wheels(&wheels, TACT_METHOD_LADDER);
    assert_near(wheels.velocity[1], 0, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dry_friction_of_both_wheels_holds_as_their_sum),
        cmocka_unit_test(dry_friction_of_both_wheels_brakes),
        cmocka_unit_test(friction_that_holds_at_another_speed_stays_apart),
        cmocka_unit_test(the_limit_that_asks_for_more_is_kept),
        cmocka_unit_test(limits_against_each_other_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
