// The assembled LCP as a method: every method of lcp.h that can take it, on all forms.
#include "made.h"

static const TactLcpMethod lcp_methods[] = {TACT_LCP_METHOD_LEMKE, TACT_LCP_METHOD_LEMKE_LEX,
                                            TACT_LCP_METHOD_SEARCH};
enum { LCP_METHODS = 3 };

static void solve(const TactContactProblem *problem, TactContactCone cone, TactLcpMethod lcp,
                  const TactContactAnswer *answer, TactContactReport *report)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LCP);
    TactContactSolver  *solver;
    config.lcp_method = lcp;
    config.cone = cone;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactStatus status = tact_contact_solve(solver, problem, answer, report);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    tact_contact_solver_destroy(solver);
}

static void assert_solved(const TactContactReport *report, TactLcpMethod lcp, int seed)
{
    if (report->outcome != TACT_OUTCOME_SOLVED) {
        print_error("%s, problem %d: %s, error %g at %d\n", tact_lcp_method_info(lcp)->name, seed,
                    tact_contact_outcome_name(report->outcome), report->certificate.error,
                    report->certificate.worst);
        fail();
    }
}

static void random_problems_are_solved_and_proven(void **state)
{
    (void)state;
    const MadeKind kinds[] = {
        {TACT_CONE_PYRAMID, 1, 0.1}, {TACT_CONE_PYRAMID, 1e3, 0}, {TACT_CONE_BOX, 1, 0.1}};
    for (int k = 0; k < 3; k++) {
        for (int seed = 0; seed < 20; seed++) {
            TactRandom random = tact_random_seed((uint64_t)seed);
            Made       made;
            double     p[3 * SCENE_CONTACTS];
            made_create(&random, &kinds[k], &made);
            for (int m = 0; m < LCP_METHODS; m++) {
                TactContactReport report;
                TactContactAnswer answer = {.impulse = p};
                solve(&made.scene.problem, kinds[k].cone, lcp_methods[m], &answer, &report);
                assert_solved(&report, lcp_methods[m], seed);
                assert_true(report.pivots > 0);
            }
        }
    }
}

static void joints_limits_and_motors_take_part(void **state)
{
    (void)state;
    double v[LCP_METHODS][12];
    for (int m = 0; m < LCP_METHODS; m++) {
        Scene             scene;
        double            p[12], rows[SCENE_ROWS];
        TactContactReport report;
        TactContactAnswer answer = {.impulse = p, .row_impulse = rows, .velocity = v[m]};
        scene_arm(&scene);
        solve(&scene.problem, TACT_CONE_PYRAMID, lcp_methods[m], &answer, &report);
        assert_solved(&report, lcp_methods[m], 0);
        // The motor saturates: 2 N m for 0.01 s. The limit holds: omega_x of body 1 is at least
        // 0.1.
        assert_true(fabs(rows[4] - 0.02) < 1e-12);
        assert_true(v[m][9] > 0.1 - 1e-12);
        for (int i = 0; i < 12; i++) {
            assert_true(fabs(v[m][i] - v[0][i]) < 1e-9);
        }
    }
}

static void a_delassus_matrix_is_read_as_it_is(void **state)
{
    (void)state;
    // One contact with W = 1 / m, falling and sliding: p = (m u_n, friction).
    double             W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, u_free[3] = {-1, 2, 0};
    TactContact        contact = {.mu = 0.5, .directions = 4};
    TactContactProblem problem = {
        .step = 1, .W = W, .u_free = u_free, .contact_count = 1, .contacts = &contact};
    for (int m = 0; m < LCP_METHODS; m++) {
        double            p[3], u[3];
        TactContactReport report;
        TactContactAnswer answer = {.impulse = p, .u = u};
        solve(&problem, TACT_CONE_PYRAMID, lcp_methods[m], &answer, &report);
        assert_solved(&report, lcp_methods[m], 0);
        assert_true(fabs(p[0] - 2) < 1e-12 && fabs(p[1] + 1) < 1e-12 && fabs(p[2]) < 1e-12);
        assert_true(fabs(u[0]) < 1e-12 && fabs(u[1] - 1.5) < 1e-12);
    }
}

static void methods_that_cannot_take_the_lcp_are_refused(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LCP);
    TactContactSolver  *solver;
    config.lcp_method = TACT_LCP_METHOD_PGS;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "'pgs' cannot take it"));
    config.lcp_method = TACT_LCP_METHOD_ENUMERATE; // 40 unknowns are too many
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
    config = tact_contact_config_default(TACT_METHOD_LCP);
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved_and_proven),
        cmocka_unit_test(joints_limits_and_motors_take_part),
        cmocka_unit_test(a_delassus_matrix_is_read_as_it_is),
        cmocka_unit_test(methods_that_cannot_take_the_lcp_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
