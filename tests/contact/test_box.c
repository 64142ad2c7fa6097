// The friction box as a method: answers worked out by hand, bounds that lag and bounds that agree.
#include "bench/problems/contact_families.h"
#include "scenes.h"

static const TactLcpMethod lcp_methods[] = {TACT_LCP_METHOD_DANTZIG, TACT_LCP_METHOD_PGS,
                                            TACT_LCP_METHOD_PGS_SM};
enum { LCP_METHODS = 3 };

typedef struct Answer {
    double            p[3 * SCENE_CONTACTS], rows[SCENE_ROWS], v[6 * SCENE_BODIES];
    TactContactReport report;
} Answer;

static TactContactSolver *create(const Scene *scene, TactLcpMethod lcp, int sweeps)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BOX);
    TactContactSolver  *solver;
    config.lcp_method = lcp;
    config.max_sweeps = sweeps;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    return solver;
}

static void solve(TactContactSolver *solver, const Scene *scene, Answer *answer)
{
    TactContactAnswer arrays = {
        .impulse = answer->p, .row_impulse = answer->rows, .velocity = answer->v};
    TactStatus status = tact_contact_solve(solver, &scene->problem, &arrays, &answer->report);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
}

static void assert_solved(const Answer *answer)
{
    assert_string_equal(tact_contact_outcome_name(answer->report.outcome), "solved");
    assert_true(answer->report.certificate.error <= 1e-8);
}

static void a_block_that_slides_feels_the_box_in_both_components(void **state)
{
    (void)state;
    for (int k = 0; k < LCP_METHODS; k++) {
        Scene  scene;
        Answer answer;
        scene_block_on_plane(&scene);
        scene.bodies[0].velocity[0] = 3;
        scene.bodies[0].velocity[1] = -4;
        TactContactSolver *solver = create(&scene, lcp_methods[k], 200);
        solve(solver, &scene, &answer);
        assert_solved(&answer);
        double n = 0, t[2] = {0};
        for (int i = 0; i < 4; i++) {
            n += answer.p[3 * i];
            t[0] += answer.p[3 * i + 1];
            t[1] += answer.p[3 * i + 2];
        }
        // m g h in all; friction mu m g h along each tangent, sqrt(2) of Coulomb's.
        double load = 2 * GRAVITY * scene.problem.step;
        assert_true(fabs(n - load) < 1e-9 && fabs(t[0] + 0.5 * load) < 1e-9);
        assert_true(fabs(t[1] - 0.5 * load) < 1e-9);
        tact_contact_solver_destroy(solver);
    }
}

static void a_block_inside_the_box_stays(void **state)
{
    (void)state;
    for (int k = 0; k < LCP_METHODS; k++) {
        Scene  scene;
        Answer answer;
        scene_block_on_plane(&scene);
        scene.bodies[0].force[0] = 0.49 * 2 * GRAVITY;
        TactContactSolver *solver = create(&scene, lcp_methods[k], 200);
        solve(solver, &scene, &answer);
        assert_solved(&answer);
        for (int i = 0; i < 6; i++) {
            assert_true(fabs(answer.v[i]) < 1e-9);
        }
        tact_contact_solver_destroy(solver);
    }
}

static void one_outer_iteration_lags_behind_and_the_next_step_catches_up(void **state)
{
    (void)state;
    // Friction tilts the block as it brakes: the frictionless normals are not those it will have.
    Scene  scene;
    Answer answer;
    scene_block_on_plane(&scene);
    scene.bodies[0].velocity[0] = 3;
    for (int i = 0; i < 4; i++) {
        scene.contacts[i].id = (uint64_t)i + 1;
    }
    TactContactSolver *solver = create(&scene, TACT_LCP_METHOD_DANTZIG, 1);
    solve(solver, &scene, &answer);
    assert_string_equal(tact_contact_outcome_name(answer.report.ended), "limit");
    assert_string_equal(tact_contact_outcome_name(answer.report.outcome), "limit");
    double before = answer.report.certificate.error;
    assert_true(before > 1e-3);
    for (int step = 0; step < 60; step++) {
        solve(solver, &scene, &answer); // the same step again, with the normals of the last
    }
    assert_solved(&answer);
    tact_contact_solver_destroy(solver);
}

static void joints_limits_and_motors_take_part(void **state)
{
    (void)state;
    double v[LCP_METHODS][12];
    for (int k = 0; k < LCP_METHODS; k++) {
        Scene  scene;
        Answer answer;
        scene_arm(&scene);
        TactContactSolver *solver = create(&scene, lcp_methods[k], 200);
        solve(solver, &scene, &answer);
        assert_solved(&answer);
        assert_int_equal(answer.report.redundant_rows, 1);
        memcpy(v[k], answer.v, sizeof v[k]);
        tact_contact_solver_destroy(solver);
    }
    for (int i = 0; i < 12; i++) {
        assert_true(fabs(v[0][i] - v[1][i]) < 1e-6 && fabs(v[0][i] - v[2][i]) < 1e-6);
    }
}

static void it_refuses_other_cones_and_methods_without_upper_bounds(void **state)
{
    (void)state;
    Scene scene;
    scene_block_on_plane(&scene);
    TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
    TactContactSolver  *solver;
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BOX);
    assert_int_equal(config.cone, TACT_CONE_BOX);
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
    config.cone = TACT_CONE_PYRAMID;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
    assert_string_equal(tact_status_message(), "method 'box' cannot take the pyramid");
    config = tact_contact_config_default(TACT_METHOD_BOX);
    config.lcp_method = TACT_LCP_METHOD_LEMKE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_UNSUPPORTED);
    assert_string_equal(tact_status_message(),
                        "a friction box has upper bounds: 'lemke' cannot take them");
}

static void no_contacts_and_no_friction_are_boxes_too(void **state)
{
    (void)state;
    for (int k = 0; k < LCP_METHODS; k++) {
        Scene  scene;
        Answer answer;
        scene_block_on_plane(&scene);
        TactContactSolver *solver = create(&scene, lcp_methods[k], 200);
        scene.problem.contact_count = 0;
        solve(solver, &scene, &answer);
        assert_solved(&answer);
        assert_true(fabs(answer.v[2] + GRAVITY * scene.problem.step) < 1e-15);
        scene.problem.contact_count = 4;
        for (int i = 0; i < 4; i++) {
            scene.contacts[i].mu = 0;
        }
        scene.bodies[0].velocity[0] = 3;
        solve(solver, &scene, &answer);
        assert_solved(&answer);
        assert_true(fabs(answer.v[0] - 3) < 1e-9);
        tact_contact_solver_destroy(solver);
    }
}

// A contact in the plane: nothing moves it along tangent 2. Where that slides all the same (a
// belt), friction opposes it and changes nothing. W need not be quite symmetric either.
static void a_contact_in_the_plane_has_a_box_too(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * LCP_METHODS; k++) {
        double             W[9] = {2, 0.5, 0, 0.5 + 1e-3 * (k % 2), 1, 0, 0, 0, 0};
        double             u[3] = {-1, 0.15, 0.5}, p[3];
        TactContact        contact = {.mu = 0.3};
        TactContactProblem problem = {
            .step = 1, .W = W, .u_free = u, .contact_count = 1, .contacts = &contact};
        TactContactCapacity capacity = tact_contact_get_capacity(&problem);
        TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BOX);
        TactContactSolver  *solver;
        TactContactReport   report;
        TactContactAnswer   answer = {.impulse = p};
        config.lcp_method = lcp_methods[k / 2];
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        // p_1 = -mu p_n, and 2 p_n + 0.5 p_1 = 1
        double n = 1 / (2 - 0.5 * 0.3);
        assert_true(fabs(p[0] - n) < 1e-10 && fabs(p[1] + 0.3 * n) < 1e-10);
        assert_true(fabs(p[2] + 0.3 * n) < 1e-10);
        tact_contact_solver_destroy(solver);
    }
}

/// Two contacts of high friction: for some of these, bounds taken from the last normals go to and
/// fro for ever, with any damping.
static void bounds_that_do_not_settle_are_found(void **state)
{
    (void)state;
    const TactCaseFamily *family = tact_case_family_find("few-2-mu");
    assert_non_null(family);
    for (uint64_t seed = 0; seed < 500; seed++) {
        TactContactCase made;
        assert_int_equal(tact_case_generate(family, seed, 4, &made), TACT_OK);
        TactContactCapacity capacity = tact_contact_get_capacity(&made.problem);
        TactContactConfig   config = tact_contact_config_default(TACT_METHOD_BOX);
        TactContactSolver  *solver;
        TactContactReport   report;
        double              p[6];
        TactContactAnswer   answer = {.impulse = p};
        assert_int_equal(made.problem.contact_count, 2);
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &made.problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        tact_contact_solver_destroy(solver);
        tact_case_destroy(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_in_the_plane_has_a_box_too),
        cmocka_unit_test(a_block_that_slides_feels_the_box_in_both_components),
        cmocka_unit_test(a_block_inside_the_box_stays),
        cmocka_unit_test(one_outer_iteration_lags_behind_and_the_next_step_catches_up),
        cmocka_unit_test(joints_limits_and_motors_take_part),
        cmocka_unit_test(it_refuses_other_cones_and_methods_without_upper_bounds),
        cmocka_unit_test(no_contacts_and_no_friction_are_boxes_too),
        cmocka_unit_test(bounds_that_do_not_settle_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
