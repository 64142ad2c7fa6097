// The start from the problem without friction [Yamane, IV-C], for every pivoting method.
#include "scenes.h"

static const TactContactMethod pivoting[] = {TACT_METHOD_REDUCED, TACT_METHOD_STRUCTURAL,
                                             TACT_METHOD_LCP};

/// A cube on four contacts under a random wrench.
static void make_cube(Scene *scene, uint64_t seed, double mu)
{
    TactRandom random = tact_random_seed(seed);
    scene_clear(scene);
    TactContactBody *body = scene_add_cube(scene, 2, 0.1, 0, 0, 0.1);
    for (int k = 0; k < 3; k++) {
        body->force[k] += 5 * tact_random_normal(&random);
        body->torque[k] += 0.3 * tact_random_normal(&random);
    }
    for (int k = 0; k < 4; k++) {
        scene_add_contact(scene, -1, 0, k % 2 ? 0.1 : -0.1, k / 2 ? 0.1 : -0.1, 0, mu);
    }
}

static TactContactReport solve(const Scene *scene, TactContactMethod method, TactContactStart start,
                               double *p)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.start = start;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(
        tact_contact_solve(solver, &scene->problem, &(TactContactAnswer){.impulse = p}, &report),
        TACT_OK);
    tact_contact_solver_destroy(solver);
    return report;
}

static void every_pivoting_method_solves_from_the_frictionless_contacts(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof pivoting / sizeof pivoting[0]; m++) {
        for (uint64_t seed = 1; seed <= 50; seed++) {
            Scene  scene;
            double p[3 * SCENE_CONTACTS];
            make_cube(&scene, seed, 0.4);
            TactContactReport report = solve(&scene, pivoting[m], TACT_START_FRICTIONLESS, p);
            assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        }
    }
}

static void without_friction_the_first_step_is_all(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof pivoting / sizeof pivoting[0]; m++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            Scene  scene;
            double cold[3 * SCENE_CONTACTS], two[3 * SCENE_CONTACTS];
            make_cube(&scene, seed, 0);
            TactContactReport a = solve(&scene, pivoting[m], TACT_START_COLD, cold);
            TactContactReport b = solve(&scene, pivoting[m], TACT_START_FRICTIONLESS, two);
            assert_int_equal(a.outcome, TACT_OUTCOME_SOLVED);
            assert_int_equal(b.outcome, TACT_OUTCOME_SOLVED);
            if (pivoting[m] != TACT_METHOD_LCP) { // there dantzig does the first step
                assert_int_equal(b.pivots, a.pivots);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pivoting_method_solves_from_the_frictionless_contacts),
        cmocka_unit_test(without_friction_the_first_step_is_all),
    };
    return cmocka_run_group_tests_name("contact/two steps", tests, NULL, NULL);
}
