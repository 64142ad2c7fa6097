// dantzig: the friction index against closed forms, and starts from a basis.
#include "lcp/dantzig/dantzig.h"

#include "contacts.h"

static TactLcpReport dantzig(const TactLcpProblem *problem, double *z)
{
    TactLcpReport report;
    assert_int_equal(solve(TACT_LCP_METHOD_DANTZIG, problem, z, &report), TACT_OK);
    return report;
}

// ---------------------------------------------------------------------------------------------
// Friction index

/// A point of mass 1 on a plane: rows normal, tangent; momentum (p_n, p_t) to be taken away.
static void a_point_on_a_plane_sticks_or_slides(void **state)
{
    (void)state;
    const double   mu = 0.5;
    double         M[] = {1, 0, 0, 1}, q[] = {-2, 0}, lo[] = {0, 0}, hi[] = {INF, mu}, z[2];
    int            f_index[] = {-1, 0};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .f_index = f_index};
    // |q_t| <= mu 2: it sticks, z_t = -q_t. Beyond: it slides, z_t = -+mu 2.
    const double tangent[] = {-3, -1, -0.5, 0, 0.25, 1, 4};
    const double expected[] = {1, 1, 0.5, 0, -0.25, -1, -1};
    for (int k = 0; k < 7; k++) {
        q[1] = tangent[k];
        assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(z[0] == 2 && z[1] == expected[k]);
    }
    q[0] = 1; // in the air: no normal force, no friction
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 0 && z[1] == 0);
}

static void bounds_follow_a_normal_force_that_friction_changes(void **state)
{
    (void)state;
    // Friction presses the contact on: w_n = 2 z_n - z_t - 4, and it slides with z_t = mu z_n:
    // z_n = 4 / (2 - mu), reached only by bounds that follow.
    const double   mu = 0.8;
    double         M[] = {2, -1, -1, 2}, q[] = {-4, -100}, lo[] = {0, 0}, hi[] = {INF, mu}, z[2];
    int            f_index[] = {-1, 0};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .f_index = f_index};
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(z[0] - 4 / (2 - mu)) <= 1e-14);
    assert_true(fabs(z[1] - mu * z[0]) <= 1e-14);
}

static void a_block_with_redundant_friction_keeps_its_momentum_balance(void **state)
{
    (void)state;
    for (int k = 0; k < 9; k++) {
        double p_x = -0.4 + 0.1 * k; // with mu = 0.5 and p_z = -1 it sticks up to 0.5
        Owned  owned = new_problem(12);
        int    f_index[12];
        double z[12], normal = 0, x = 0, y = 0;
        fill_block(p_x, -1, &owned, f_index);
        assert_int_equal(dantzig(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int c = 0; c < 4; c++) {
            normal += z[3 * c];
            x += z[3 * c + 1];
            y += z[3 * c + 2];
        }
        assert_true(fabs(normal - 1) <= 1e-12);
        assert_true(fabs(x + p_x) <= 1e-12 && fabs(y) <= 1e-12);
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Start

static void check_warm_start(const TactLcpProblem *problem)
{
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    TactLcpSolver *solver, *other;
    TactLcpReport  report;
    double         cold[128], warm[128];
    unsigned char  basis[128];
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &other), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, problem, cold, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK);
    assert_int_equal(tact_lcp_solver_set_start(other, problem->n, cold, basis), TACT_OK);
    assert_int_equal(tact_lcp_solve(other, problem, warm, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(report.pivots, 0);
    assert_int_equal(report.iterations, 0);
    for (int i = 0; i < problem->n; i++) {
        assert_true(fabs(warm[i] - cold[i]) <= 1e-9 * (1 + max_abs(problem->n, cold)));
    }
    tact_lcp_solver_destroy(solver);
    tact_lcp_solver_destroy(other);
}

static void the_right_basis_costs_no_pivot(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(69);
    for (int repeat = 0; repeat < 200; repeat++) {
        int   n = 1 + (int)(tact_random_next(&random) % 40);
        Owned owned = new_problem(n);
        if (repeat % 2) {
            fill_gram(&random, n, n + 3, owned.M);
            fill_random(&random, n, owned.q);
            set_random_bounds(&random, &owned);
        } else {
            fill_redundant(&random, 6, &owned);
        }
        check_warm_start(&owned.problem);
        free_problem(&owned);
    }
    Owned owned = new_problem(12);
    int   f_index[12];
    fill_block(0.3, -1, &owned, f_index);
    check_warm_start(&owned.problem);
    fill_block(0.7, -1, &owned, f_index);
    check_warm_start(&owned.problem);
    free_problem(&owned);
}

static void a_wrong_basis_still_leads_to_the_solution(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(70);
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    for (int repeat = 0; repeat < 300; repeat++) {
        int            n = 1 + (int)(tact_random_next(&random) % 30);
        Owned          owned = new_problem(n);
        TactLcpSolver *solver;
        TactLcpReport  report;
        double         z[64];
        unsigned char  basis[64];
        fill_redundant(&random, repeat % 2 ? 6 : 3, &owned);
        if (repeat % 3 == 0) { // only what is bounded has a solution for sure
            set_random_bounds(&random, &owned);
            for (int i = 0; i < n; i++) {
                owned.lo[i] = fmax(owned.lo[i], -5);
                owned.hi[i] = fmin(owned.hi[i], 5);
            }
        }
        for (int i = 0; i < n; i++) {
            basis[i] = (unsigned char)(tact_random_next(&random) % 3);
        }
        assert_int_equal(tact_lcp_solver_create(n, &config, &solver), TACT_OK);
        assert_int_equal(tact_lcp_solver_set_start(solver, n, NULL, basis), TACT_OK);
        assert_int_equal(tact_lcp_solve(solver, &owned.problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        tact_lcp_solver_destroy(solver);
        free_problem(&owned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_on_a_plane_sticks_or_slides),
        cmocka_unit_test(bounds_follow_a_normal_force_that_friction_changes),
        cmocka_unit_test(a_block_with_redundant_friction_keeps_its_momentum_balance),
        cmocka_unit_test(the_right_basis_costs_no_pivot),
        cmocka_unit_test(a_wrong_basis_still_leads_to_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
