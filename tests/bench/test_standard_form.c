// The standard form of the DART notes: conditions of known matrices, and answers that hold.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tact/lcp.h>

#include "bench/problems/standard_form.h"

static void a_turned_diagonal_keeps_its_condition(void **state)
{
    (void)state;
    // R diag(1, 1e3, 1e6) with a rotation about (1, 1, 1).
    const double R[9] = {2.0 / 3,  -1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3,
                         -1.0 / 3, -1.0 / 3, 2.0 / 3, 2.0 / 3};
    double       A[9];
    for (int i = 0; i < 9; i++) {
        A[i] = R[i] * (i % 3 == 0 ? 1 : i % 3 == 1 ? 1e3 : 1e6);
    }
    TactFormCondition condition = tact_form_condition(A, 3);
    assert_int_equal(condition.rank, 3);
    assert_true(fabs(condition.value / 1e6 - 1) < 1e-9);
}

static void a_null_direction_lowers_the_rank(void **state)
{
    (void)state;
    double            A[9] = {1, 2, 3, 2, 4, 6, 0, 1, 1};
    TactFormCondition condition = tact_form_condition(A, 3);
    assert_int_equal(condition.rank, 2);
    assert_true(condition.value < 100);
}

/// A slide of 2 kg along a normal and two tangents, on a plane, under weight and a pull.
static TactContactProblem slide(TactContact *contact, double pull)
{
    static double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, v[3], J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static double tau[3];
    tau[0] = -2 * 9.81;
    tau[1] = pull;
    *contact = (TactContact){.J = J, .mu = 0.5};
    return (TactContactProblem){
        .step = 0.01, .nv = 3, .M = M, .v = v, .tau = tau, .contact_count = 1, .contacts = contact};
}

static void solve(TactFormLcp *lcp, double *velocity, double impulse[3])
{
    double         z[10], none;
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    TactLcpProblem problem = {.n = lcp->n, .M = lcp->A, .q = lcp->q};
    TactLcpReport  report;
    TactLcpSolver *solver;
    assert_int_equal(lcp->n, 10);
    assert_int_equal(tact_lcp_solver_create(lcp->n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    tact_lcp_solver_destroy(solver);
    tact_form_read(lcp, z, velocity, impulse, &none);
}

static void all_forms_give_the_friction_of_a_block(void **state)
{
    (void)state;
    const double h = 0.01, weight = 2 * 9.81;
    for (int f = 0; f < TACT_FORM_SOFT; f++) {
        for (int slips = 0; slips < 2; slips++) {
            double             pull = slips ? weight : 0.25 * weight, v[3], p[3];
            TactContact        contact;
            TactContactProblem problem = slide(&contact, pull);
            TactFormLcp        lcp;
            assert_true(tact_form_takes(&problem));
            assert_int_equal(tact_form_create(&problem, &lcp), TACT_OK);
            tact_form_write(&lcp, (TactStandardForm)f, 0);
            solve(&lcp, v, p);
            assert_true(fabs(p[0] - h * weight) < 1e-12);
            assert_true(fabs(p[1] + h * (slips ? 0.5 * weight : pull)) < 1e-12);
            assert_true(fabs(v[0]) < 1e-12);
            assert_true(fabs(v[1] - (slips ? h * (pull - 0.5 * weight) / 2 : 0)) < 1e-12);
            tact_form_destroy(&lcp);
        }
    }
}

static void cfm_lets_a_block_sink_and_creep_by_its_softness(void **state)
{
    (void)state;
    // Normal: (1 / m + s) p = h g with s a thousandth of the diagonal 1 / m.
    const double       h = 0.01, g = 9.81;
    double             v[3], p[3];
    TactContact        contact;
    TactContactProblem problem = slide(&contact, 0);
    TactFormLcp        lcp;
    assert_int_equal(tact_form_create(&problem, &lcp), TACT_OK);
    tact_form_write(&lcp, TACT_FORM_SOFT, 1e-3);
    solve(&lcp, v, p);
    assert_true(fabs(p[0] - h * g * 2 / 1.001) < 1e-12);
    assert_true(fabs(v[0] + h * g * 0.001 / 1.001) < 1e-12);
    tact_form_destroy(&lcp);
}

static void other_problems_are_not_taken(void **state)
{
    (void)state;
    TactContact        contact;
    TactContactProblem problem = slide(&contact, 0);
    TactContactRow     row = {.kind = TACT_ROW_BILATERAL};
    problem.rows = &row;
    problem.row_count = 1;
    assert_false(tact_form_takes(&problem));
    problem.row_count = 0;
    problem.contact_count = 0;
    assert_false(tact_form_takes(&problem));
    problem.M = NULL;
    assert_false(tact_form_takes(&problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turned_diagonal_keeps_its_condition),
        cmocka_unit_test(a_null_direction_lowers_the_rank),
        cmocka_unit_test(all_forms_give_the_friction_of_a_block),
        cmocka_unit_test(cfm_lets_a_block_sink_and_creep_by_its_softness),
        cmocka_unit_test(other_problems_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
