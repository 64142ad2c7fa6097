// The form of contact problems that other libraries take, and the natural map that judges all.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/friction/friction_form.h"
#include "bench/problems/contact_families.h"

/// One contact with W = 1.
static double residual_of(double mu, double *b, double *p)
{
    double           W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    TactFrictionForm form = {.contacts = 1, .W = W, .b = b, .mu = &mu};
    return tact_friction_residual(&form, p);
}

static void a_contact_that_slides_at_its_limit_has_no_residual(void **state)
{
    (void)state;
    // u = (0, -1.5, 0) and |p_t| = mu p_n against it
    double p[] = {1, 0.5, 0};
    assert_true(residual_of(0.5, (double[]){-1, -2, 0}, p) < 1e-15);
    // u = (0, -3, -4) + (0, 0.3, 0.4)
    double q[] = {1, 0.3, 0.4};
    assert_true(residual_of(0.5, (double[]){-1, -3, -4}, q) < 1e-15);
}

static void the_residual_is_the_distance_to_the_projection_over_that_of_b(void **state)
{
    (void)state;
    double none[] = {0, 0, 0}, more[] = {1.001, 0.1, 0}, other[] = {1, -0.5, 0};
    // p - u = (2, 0, 0) lies in the cone: all of it is missing
    assert_true(fabs(residual_of(0.5, (double[]){-2, 0, 0}, none) - 1) < 1e-15);
    // sticks, u = (0.001, 0, 0)
    assert_true(fabs(residual_of(0.5, (double[]){-1, -0.1, 0}, more) - 1e-3 / sqrt(1.01)) < 1e-15);
    // u = (0, -2.5, 0): p - u - mu |u_t| n = (-0.25, 2, 0), its projection (0.6, 0.3, 0)
    double expected = sqrt(0.4 * 0.4 + 0.8 * 0.8) / sqrt(5);
    assert_true(fabs(residual_of(0.5, (double[]){-1, -2, 0}, other) - expected) < 1e-15);
    // opens: a force is all wrong, none is right
    assert_true(residual_of(0.5, (double[]){1, 3, 0}, none) < 1e-15);
    assert_true(isinf(residual_of(0.5, (double[]){1, 3, 0}, (double[]){NAN, 0, 0})));
}

/// One contact that resists rolling, with W = 1.
static double rolling_residual(double *b, double *p)
{
    double           W[25] = {0}, mu = 0.5, mu_roll = 0.2;
    TactFrictionForm form = {.contacts = 1, .W = W, .b = b, .mu = &mu, .mu_roll = &mu_roll};
    for (int k = 0; k < 5; k++) {
        W[6 * k] = 1;
    }
    return tact_friction_residual(&form, p);
}

static void rolling_at_its_limit_has_no_residual_and_beyond_it_has(void **state)
{
    (void)state;
    // sticks in all parts: u = 0
    assert_true(rolling_residual((double[]){-1, 0.1, 0, 0.05, 0},
                                 (double[]){1, -0.1, 0, -0.05, 0}) < 1e-15);
    // rolls against |m| = mu_r p_n: w = (0.8 - 0.12, -0.16 + ...) along its own direction
    assert_true(rolling_residual((double[]){-1, 0, 0, 0.6, 0.8},
                                 (double[]){1, 0, 0, -0.12, -0.16}) < 1e-15);
    // m = -0.3, w = 0.7: p - u - mu_r w n = (0.86, 0, 0, -1, 0), whose projection has the load
    // (0.86 + 0.2) / 1.04 and the moment 0.2 of it
    double load = 1.06 / 1.04, expected = hypot(1 - load, 0.3 - 0.2 * load) / sqrt(2);
    assert_true(fabs(rolling_residual((double[]){-1, 0, 0, 1, 0}, (double[]){1, 0, 0, -0.3, 0}) -
                     expected) < 1e-15);
}

/// W p + b against the velocities of an answer, and the residual of that answer.
static void expect_same_velocities(const TactContactProblem *problem)
{
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver;
    TactContactReport   report;
    TactFrictionForm    form;
    size_t              n = 3 * (size_t)problem->contact_count;
    double             *p = calloc(n, sizeof *p), *u = calloc(n, sizeof *u);
    TactContactAnswer   answer = {.impulse = p, .u = u};
    config.cone = TACT_CONE_CIRCLE;
    assert_non_null(p);
    assert_non_null(u);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    assert_int_equal(tact_friction_form_create(problem, &form), TACT_OK);
    for (size_t i = 0; i < n; i++) {
        double sum = form.b[i], scale = fabs(form.b[i]) + 1;
        for (size_t j = 0; j < n; j++) {
            sum += form.W[i * n + j] * p[j];
            scale += fabs(form.W[i * n + j] * p[j]);
        }
        assert_true(fabs(sum - u[i]) < 1e-12 * scale);
    }
    assert_true(tact_friction_residual(&form, p) < 1e-8);
    tact_friction_form_destroy(&form);
    tact_contact_solver_destroy(solver);
    free(p);
    free(u);
}

static void bodies_mechanisms_and_matrices_have_the_velocities_of_their_answers(void **state)
{
    (void)state;
    TactContactCase bodies, matrix, tree;
    TactRandom      random = tact_random_seed(7);
    TactTree        shape = {.joints = 6, .contacts = 4};
    assert_int_equal(tact_case_generate(tact_case_family_find("stack-2-8"), 1, 8, &bodies),
                     TACT_OK);
    assert_int_equal(tact_case_to_delassus(&bodies, &matrix), TACT_OK);
    assert_int_equal(tact_case_tree(&random, &shape, &tree), TACT_OK);
    bodies.contacts[2].surface[1] = 0.3;
    tree.contacts[0].surface[0] = 0.2;
    expect_same_velocities(&bodies.problem);
    expect_same_velocities(&matrix.problem);
    expect_same_velocities(&tree.problem);
    tact_case_destroy(&bodies);
    tact_case_destroy(&matrix);
    tact_case_destroy(&tree);
}

static void joint_rows_have_no_such_form(void **state)
{
    (void)state;
    TactContactCase  made;
    TactFrictionForm form;
    TactRandom       random = tact_random_seed(7);
    assert_int_equal(tact_case_chain(&random, 3, &made), TACT_OK);
    assert_int_equal(tact_friction_form_create(&made.problem, &form), TACT_UNSUPPORTED);
    tact_friction_form_destroy(&form);
    tact_case_destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_that_slides_at_its_limit_has_no_residual),
        cmocka_unit_test(the_residual_is_the_distance_to_the_projection_over_that_of_b),
        cmocka_unit_test(rolling_at_its_limit_has_no_residual_and_beyond_it_has),
        cmocka_unit_test(bodies_mechanisms_and_matrices_have_the_velocities_of_their_answers),
        cmocka_unit_test(joint_rows_have_no_such_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
