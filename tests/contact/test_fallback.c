// The answer without friction where the LCP with friction is not solved [Yamane, V-A], and softness
// on its diagonal [Arechavaleta, IV-C].
#include "scenes.h"

/// A cube on nine contacts, pushed down, aside and about.
static void make_pushed_cube(Scene *scene, uint64_t seed, double mu)
{
    TactRandom random = tact_random_seed(seed);
    scene_clear(scene);
    TactContactBody *body = scene_add_cube(scene, 2, 0.1, 0, 0, 0.1);
    for (int k = 0; k < 3; k++) {
        body->force[k] += k < 2 ? 8 * tact_random_normal(&random) : -20;
        body->torque[k] += 0.5 * tact_random_normal(&random);
    }
    for (int k = 0; k < 9; k++) {
        scene_add_contact(scene, -1, 0, 0.1 * (k % 3) - 0.1, 0.1 * (k / 3) - 0.1, 0, mu);
    }
}

/// By lemke-lex, which may take so many pivots (0: enough).
static TactContactReport solve(const Scene *scene, TactContactFallback fallback, int max_pivots,
                               double *p, double *u)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LCP);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.fallback = fallback;
    config.max_pivots = max_pivots;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &scene->problem,
                                        &(TactContactAnswer){.impulse = p, .u = u}, &report),
                     TACT_OK);
    tact_contact_solver_destroy(solver);
    return report;
}

static void where_the_lcp_is_not_solved_contacts_slip_but_do_not_penetrate(void **state)
{
    (void)state;
    int sunk = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Scene  scene;
        double p[3 * SCENE_CONTACTS], u[3 * SCENE_CONTACTS];
        make_pushed_cube(&scene, seed, 0.4);
        TactContactReport none = solve(&scene, TACT_FALLBACK_NONE, 1, p, u);
        assert_int_equal(none.outcome, TACT_OUTCOME_LIMIT);
        for (int i = 0; i < 9; i++) {
            sunk += u[3 * i] < -1e-6;
        }
        TactContactReport slips = solve(&scene, TACT_FALLBACK_FRICTIONLESS, 1, p, u);
        for (int i = 0; i < 9; i++) { // the law without friction, from the answer alone
            assert_true(p[3 * i] >= 0 && u[3 * i] > -1e-10);
            assert_true(p[3 * i] * fabs(u[3 * i]) < 1e-10);
            assert_true(p[3 * i + 1] == 0 && p[3 * i + 2] == 0);
        }
        // It is told, and nobody calls it solved: with friction it is no answer.
        assert_int_equal(slips.outcome, TACT_OUTCOME_LIMIT);
        assert_true(slips.certificate.error > 1e-8);
        assert_int_equal(slips.rung_count, 2);
        assert_string_equal(slips.rungs[0].name, "lcp");
        assert_string_equal(slips.rungs[1].name, "frictionless");
        assert_true(slips.rungs[1].pivots > 0);
    }
    assert_true(sunk > 30);
}

static void where_the_lcp_is_solved_nothing_changes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Scene  scene;
        double a[3 * SCENE_CONTACTS], b[3 * SCENE_CONTACTS], u[3 * SCENE_CONTACTS];
        make_pushed_cube(&scene, seed, 0.4);
        TactContactReport none = solve(&scene, TACT_FALLBACK_NONE, 0, a, u);
        TactContactReport same = solve(&scene, TACT_FALLBACK_FRICTIONLESS, 0, b, u);
        assert_int_equal(none.outcome, TACT_OUTCOME_SOLVED);
        assert_int_equal(same.outcome, TACT_OUTCOME_SOLVED);
        assert_int_equal(same.pivots, none.pivots);
        assert_int_equal(same.rung_count, 1);
        assert_memory_equal(a, b, 27 * sizeof(double));
    }
}

static void without_friction_the_fall_back_is_the_answer(void **state)
{
    (void)state;
    Scene  scene;
    double p[3 * SCENE_CONTACTS], u[3 * SCENE_CONTACTS];
    make_pushed_cube(&scene, 3, 0);
    assert_int_equal(solve(&scene, TACT_FALLBACK_NONE, 1, p, u).outcome, TACT_OUTCOME_LIMIT);
    assert_int_equal(solve(&scene, TACT_FALLBACK_FRICTIONLESS, 1, p, u).outcome,
                     TACT_OUTCOME_SOLVED);
}

static void cfm_is_a_softness_of_normals_and_friction(void **state)
{
    (void)state;
    // A particle of 2 kg: (1/m + cfm) p_n = g h, by the LCP and by the box.
    static const TactContactMethod methods[] = {TACT_METHOD_LCP, TACT_METHOD_BOX};
    for (int m = 0; m < 2; m++) {
        Scene scene;
        scene_particle(&scene, 2, 0.5);
        TactContactCapacity capacity = tact_contact_get_capacity(&scene.problem);
        TactContactConfig   config = tact_contact_config_default(methods[m]);
        TactContactSolver  *solver = NULL;
        TactContactReport   report;
        double              p[3], h = scene.problem.step;
        config.cfm = 0.01;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(
            tact_contact_solve(solver, &scene.problem, &(TactContactAnswer){.impulse = p}, &report),
            TACT_OK);
        assert_true(fabs(p[0] - 9.81 * h / (0.5 + 0.01)) < 1e-12);
        assert_int_equal(report.outcome, TACT_OUTCOME_UNVERIFIED); // it sinks
        tact_contact_solver_destroy(solver);
    }
}

static void a_config_that_cannot_be_is_refused(void **state)
{
    (void)state;
    TactContactCapacity capacity = {.contacts = 1, .dof = 6, .support = 6};
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LCP);
    TactContactSolver  *solver = NULL;
    config.fallback = (TactContactFallback)7;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_BAD_ARGUMENT);
    config = tact_contact_config_default(TACT_METHOD_LCP);
    config.cfm = NAN;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_the_lcp_is_not_solved_contacts_slip_but_do_not_penetrate),
        cmocka_unit_test(where_the_lcp_is_solved_nothing_changes),
        cmocka_unit_test(without_friction_the_fall_back_is_the_answer),
        cmocka_unit_test(cfm_is_a_softness_of_normals_and_friction),
        cmocka_unit_test(a_config_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
