// The start from the problem without friction [Yamane, IV-C], for every pivoting method.
#include "scenes.h"

static const TactContactMethod pivoting[] = {TACT_METHOD_REDUCED, TACT_METHOD_STRUCTURAL,
                                             TACT_METHOD_LCP};

/// A cube on side x side contacts under a random wrench.
static void make_cube_on(Scene *scene, int side, uint64_t seed, double mu)
{
    TactRandom random = tact_random_seed(seed);
    scene_clear(scene);
    TactContactBody *body = scene_add_cube(scene, 2, 0.1, 0, 0, 0.1);
    for (int k = 0; k < 3; k++) {
        body->force[k] += 5 * tact_random_normal(&random);
        body->torque[k] += 0.3 * tact_random_normal(&random);
    }
    for (int k = 0; k < side * side; k++) {
        double x = 0.2 * (k % side) / (side - 1), y = 0.2 * (k / side) / (side - 1);
        scene_add_contact(scene, -1, 0, x - 0.1, y - 0.1, 0, mu);
    }
}

static void make_cube(Scene *scene, uint64_t seed, double mu)
{
    make_cube_on(scene, 2, seed, mu);
}

/// The same, pressed down by a force that passes inside the contacts: nothing slides.
static void make_pressed_cube(Scene *scene, uint64_t seed, double mu)
{
    TactRandom random = tact_random_seed(seed);
    make_cube(scene, seed, mu);
    TactContactBody *body = &scene->bodies[0];
    for (int k = 0; k < 3; k++) {
        body->force[k] = k < 2 ? 0 : -20;
        body->torque[k] = k < 2 ? tact_random_uniform(&random, -0.9, 0.9) : 0;
    }
}

static TactContactReport solve_lcp(const Scene *scene, TactContactMethod method, TactLcpMethod lcp,
                                   TactContactStart start, double *p)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&scene->problem);
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactSolver  *solver = NULL;
    TactContactReport   report;
    config.lcp_method = lcp;
    config.start = start;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(
        tact_contact_solve(solver, &scene->problem, &(TactContactAnswer){.impulse = p}, &report),
        TACT_OK);
    tact_contact_solver_destroy(solver);
    return report;
}

static TactContactReport solve(const Scene *scene, TactContactMethod method, TactContactStart start,
                               double *p)
{
    return solve_lcp(scene, method, TACT_LCP_METHOD_LEMKE_LEX, start, p);
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

static void where_nothing_slides_the_second_step_takes_no_pivot(void **state)
{
    (void)state;
    // Friction has nothing to do there: the basis of the first step is that of the answer. A start
    // that is not handed over is one more path, with more pivots.
    int cold = 0, two = 0;
    for (size_t m = 0; m < sizeof pivoting / sizeof pivoting[0]; m++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            Scene  scene;
            double p[3 * SCENE_CONTACTS];
            make_pressed_cube(&scene, seed, 0);
            TactContactReport smooth = solve(&scene, pivoting[m], TACT_START_FRICTIONLESS, p);
            make_pressed_cube(&scene, seed, 0.4);
            TactContactReport rough = solve(&scene, pivoting[m], TACT_START_FRICTIONLESS, p);
            assert_int_equal(smooth.outcome, TACT_OUTCOME_SOLVED);
            assert_int_equal(rough.outcome, TACT_OUTCOME_SOLVED);
            assert_int_equal(rough.pivots, smooth.pivots);
            two += rough.pivots;
            cold += solve(&scene, pivoting[m], TACT_START_COLD, p).pivots;
        }
    }
    print_message("pivots from the first step %d, from cold %d\n", two, cold);
    assert_true(two < cold);
}

static void two_steps_save_pivots_on_the_assembled_lcp(void **state)
{
    (void)state;
    // Not lemke, whose ties of least index make paths of any length from either start.
    static const TactLcpMethod methods[] = {TACT_LCP_METHOD_LEMKE_LEX, TACT_LCP_METHOD_SEARCH};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        int cold = 0, two = 0;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            Scene  scene;
            double p[3 * SCENE_CONTACTS];
            make_cube_on(&scene, 4, seed, 0.4); // of which three press
            TactContactReport a =
                solve_lcp(&scene, TACT_METHOD_LCP, methods[m], TACT_START_COLD, p);
            TactContactReport b =
                solve_lcp(&scene, TACT_METHOD_LCP, methods[m], TACT_START_FRICTIONLESS, p);
            assert_int_equal(a.outcome, TACT_OUTCOME_SOLVED);
            assert_int_equal(b.outcome, TACT_OUTCOME_SOLVED);
            cold += a.pivots;
            two += b.pivots;
        }
        print_message("%s: %d pivots in two steps, %d from cold\n",
                      tact_lcp_method_info(methods[m])->name, two, cold);
        assert_true(two < 0.8 * cold);
    }
}

/// A row of masses on the floor, side by side, of which the first one is pushed against the others.
static void make_row(Scene *scene, double mu)
{
    scene_clear(scene);
    for (int i = 0; i < SCENE_BODIES; i++) {
        scene_add_cube(scene, 1, 0.1, 0.2 * i, 0, 0);
        scene_add_contact(scene, -1, i, 0.2 * i, 0, 0, mu);
        if (i > 0) {
            TactContact *side = scene_add_contact(scene, i - 1, i, 0.2 * i - 0.1, 0, 0, 0);
            side->normal[0] = 1;
            side->normal[2] = 0;
            side->bias = i == 1 ? 0.005 : 0; // the first one has a way to go
        }
    }
    scene->bodies[0].force[0] = 1;
}

static void two_steps_save_pivots_where_friction_meets_many_normals(void **state)
{
    (void)state;
    // Without friction all 8 + 7 normals are active; with it the floor holds the first mass. From
    // cold, friction and normals get in each other's way.
    static const TactContactMethod methods[] = {TACT_METHOD_REDUCED, TACT_METHOD_STRUCTURAL};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        Scene  scene;
        double p[3 * SCENE_CONTACTS];
        make_row(&scene, 0);
        TactContactReport smooth = solve(&scene, methods[m], TACT_START_COLD, p);
        make_row(&scene, 0.5);
        TactContactReport cold = solve(&scene, methods[m], TACT_START_COLD, p);
        TactContactReport two = solve(&scene, methods[m], TACT_START_FRICTIONLESS, p);
        print_message("%s: %d pivots without friction, %d from cold, %d in two steps\n",
                      tact_contact_method_info(methods[m])->name, smooth.pivots, cold.pivots,
                      two.pivots);
        assert_int_equal(two.outcome, TACT_OUTCOME_SOLVED);
        assert_true(smooth.pivots < two.pivots && two.pivots < cold.pivots);
    }
}

static void motors_alone_have_a_first_step_without_unknowns(void **state)
{
    (void)state;
    Scene  scene;
    double p[3 * SCENE_CONTACTS];
    scene_arm(&scene);
    scene.problem.contact_count = 0;
    TactContactReport report = solve(&scene, TACT_METHOD_LCP, TACT_START_FRICTIONLESS, p);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pivoting_method_solves_from_the_frictionless_contacts),
        cmocka_unit_test(without_friction_the_first_step_is_all),
        cmocka_unit_test(where_nothing_slides_the_second_step_takes_no_pivot),
        cmocka_unit_test(two_steps_save_pivots_on_the_assembled_lcp),
        cmocka_unit_test(two_steps_save_pivots_where_friction_meets_many_normals),
        cmocka_unit_test(motors_alone_have_a_first_step_without_unknowns),
    };
    return cmocka_run_group_tests_name("contact/two steps", tests, NULL, NULL);
}
