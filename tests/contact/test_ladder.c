// ladder: rungs in order, each with why it was left; large problems; problems without an answer.
#include "pegs.h"

static void assert_rungs(const TactContactReport *report, const char *const *names, int count)
{
    assert_int_equal(report->rung_count, count);
    for (int k = 0; k < count; k++) {
        assert_string_equal(report->rungs[k].name, names[k]);
        bool last = k == count - 1;
        if (!last) {
            assert_int_not_equal(report->rungs[k].outcome, TACT_CONTACT_SOLVED);
        }
    }
}

static void every_shape_is_solved_on_the_first_rung_and_kept_by_its_basis(void **state)
{
    (void)state;
    static Shape shape;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config = solving_config(
            TACT_CONTACT_LADDER, circle ? TACT_CONTACT_CIRCLE : TACT_CONTACT_PYRAMID);
        for (int kind = 0; kind < SHAPE_COUNT; kind++) {
            Solving solving;
            shape_make(&shape, kind, 2);
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_CONTACT_SOLVED);
            assert_rungs(&solving.report, (const char *const[]){"reduced"}, 1);
            assert_true(solving.report.rungs[0].error == solving.report.certificate.error);
            assert_int_equal(solving.report.rungs[0].pivots, solving.report.pivots);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_CONTACT_SOLVED);
            assert_string_equal(solving.report.rungs[0].name, "basis");
            solving_end(&solving);
        }
    }
}

static void a_rung_that_fails_is_reported_and_the_next_one_solves(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_CONTACT_LADDER, TACT_CONTACT_PYRAMID);
    Solving           solving;
    config.max_pivots = 1; // reduced cannot
    shape_make(&shape, SHAPE_PEG, 1);
    solving_begin(&solving, &shape.problem, &config);
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_CONTACT_SOLVED);
    const TactContactReport *report = &solving.report;
    assert_true(report->rung_count >= 2);
    assert_string_equal(report->rungs[0].name, "reduced");
    assert_int_equal(report->rungs[0].outcome, TACT_CONTACT_LIMIT);
    assert_true(report->rungs[0].error > config.tol);
    assert_string_equal(report->rungs[1].name, "search");
    int last = report->rung_count - 1;
    assert_int_equal(report->rungs[last].outcome, TACT_CONTACT_SOLVED);
    assert_true(report->rungs[last].error <= config.tol);
    solving_end(&solving);
}

static void without_contacts_there_is_nothing_to_climb(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config = solving_config(
            TACT_CONTACT_LADDER, circle ? TACT_CONTACT_CIRCLE : TACT_CONTACT_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_block_on_plane(&scene);
        scene.problem.contact_count = 0;
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
        assert_true(fabs(solving.velocity[2] + GRAVITY * 0.01) < 1e-15); // free fall
        solving_end(&solving);
    }
}

// ---------------------------------------------------------------------------------------------
// Ten thousand contacts

enum { MANY = 10000 };

typedef struct Large {
    TactContactProblem problem;
    TactContactBody   *bodies;
    TactContact       *contacts;
    double            *impulse;
} Large;

static void large_create(Large *large, int bodies)
{
    *large = (Large){0};
    large->bodies = calloc((size_t)bodies, sizeof *large->bodies);
    large->contacts = calloc(MANY, sizeof *large->contacts);
    large->impulse = calloc(3 * MANY, sizeof(double));
    assert_true(large->bodies && large->contacts && large->impulse);
    for (int k = 0; k < bodies; k++) {
        large->bodies[k] = (TactContactBody){
            .mass = 1,
            .inertia = {0.1, 0.1, 0.1},
            .position = {3.0 * k, 0, 0.5},
            .force = {0, 0, -GRAVITY},
            .velocity = {0.01 * (k % 7), 0, 0},
        };
    }
    int side = (int)sqrt(MANY / bodies);
    for (int i = 0; i < MANY; i++) {
        int    body = i / (MANY / bodies), place = i % (MANY / bodies);
        double x = (double)(place % side) / (side - 1) - 0.5;
        double y = (double)(place / side) / (side - 1) - 0.5;
        large->contacts[i] = (TactContact){
            .a = -1,
            .b = body,
            .point = {3.0 * body + x, y, 0},
            .normal = {0, 0, 1},
            .mu = 0.5,
            .id = (uint64_t)i + 1,
        };
    }
    large->problem = (TactContactProblem){
        .step = 0.01,
        .body_count = bodies,
        .bodies = large->bodies,
        .contact_count = MANY,
        .contacts = large->contacts,
    };
}

static void large_destroy(Large *large)
{
    free(large->bodies);
    free(large->contacts);
    free(large->impulse);
}

static void assert_large_is_solved(int bodies, TactContactCone cone)
{
    Large               large;
    TactContactSolver  *solver;
    TactContactReport   report;
    TactContactConfig   config = solving_config(TACT_CONTACT_LADDER, cone);
    TactContactCapacity capacity;
    large_create(&large, bodies);
    capacity = tact_contact_capacity(&large.problem);
    double start = tact_time_now();
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactContactAnswer answer = {.impulse = large.impulse};
    assert_int_equal(tact_contact_solve(solver, &large.problem, &answer, &report), TACT_OK);
    double seconds = tact_time_now() - start;
    for (int k = 0; k < report.rung_count; k++) {
        print_message("%d bodies, %s: %s, error %.1e\n", bodies, report.rungs[k].name,
                      tact_contact_outcome_name(report.rungs[k].outcome), report.rungs[k].error);
    }
    print_message("%.2f s\n", seconds);
    assert_int_equal(report.outcome, TACT_CONTACT_SOLVED);
    assert_true(seconds < 60);
    double weight = 0;
    for (int i = 0; i < MANY; i++) {
        weight += large.impulse[3 * i];
    }
    assert_true(fabs(weight / (bodies * GRAVITY * 0.01) - 1) < 1e-6);
    tact_contact_solver_destroy(solver);
    large_destroy(&large);
}

static void ten_thousand_contacts_of_one_body_are_solved(void **state)
{
    (void)state;
    assert_large_is_solved(1, TACT_CONTACT_PYRAMID);
    assert_large_is_solved(1, TACT_CONTACT_CIRCLE);
}

static void ten_thousand_contacts_of_many_bodies_are_solved(void **state)
{
    (void)state;
    assert_large_is_solved(2500, TACT_CONTACT_PYRAMID);
    assert_large_is_solved(2500, TACT_CONTACT_CIRCLE);
}

// ---------------------------------------------------------------------------------------------
// No answer

// The same joint row twice, with targets that differ: no velocity has both.
static void joint_targets_that_contradict_each_other_are_reported(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config = solving_config(
            TACT_CONTACT_LADDER, circle ? TACT_CONTACT_CIRCLE : TACT_CONTACT_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_block_on_plane(&scene);
        for (int k = 0; k < 2; k++) {
            TactContactRow *row = scene_add_row(&scene, TACT_CONTACT_BILATERAL, -1, 0);
            row->J_b[0] = 1;
            row->target = k;
        }
        solving_begin(&solving, &scene.problem, &config);
        assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
        assert_int_equal(solving.report.redundant_rows, 1);
        assert_true(solving.report.certificate.row_error > 0.1);
        assert_true(solving.report.rung_count <= TACT_CONTACT_MAX_RUNGS);
        for (int i = 0; i < 12; i++) {
            assert_true(isfinite(solving.impulse[i]));
        }
        scene.rows[1].target = 0; // and without the contradiction
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
        solving_end(&solving);
    }
}

// A contact that shall separate (bias) from two walls which a joint holds apart.
static void a_contact_that_no_impulse_can_open_is_reported(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_CONTACT_LADDER, TACT_CONTACT_PYRAMID);
    Scene             scene;
    Solving           solving;
    scene_particle(&scene, 1, 0.5);
    scene.contacts[0].bias = -1;
    TactContactRow *row = scene_add_row(&scene, TACT_CONTACT_BILATERAL, -1, 0);
    row->J_b[2] = 1; // the body may not move along the normal
    solving_begin(&solving, &scene.problem, &config);
    assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
    assert_true(solving.report.certificate.approach > 0.9);
    scene.contacts[0].bias = 0;
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
    solving_end(&solving);
}

// Numbers whose squares overflow end somewhere, and do not spoil the problem after them.
static void numbers_out_of_range_do_not_spoil_the_next_problem(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config = solving_config(
            TACT_CONTACT_LADDER, circle ? TACT_CONTACT_CIRCLE : TACT_CONTACT_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_block_on_plane(&scene);
        for (int i = 0; i < 4; i++) {
            scene.contacts[i].id = (uint64_t)i + 1;
        }
        solving_begin(&solving, &scene.problem, &config);
        Scene huge = scene;
        huge.problem.bodies = huge.bodies, huge.problem.contacts = huge.contacts;
        huge.problem.rows = huge.rows;
        huge.bodies[0].mass = 1e-200;
        huge.bodies[0].velocity[2] = -1e200;
        huge.bodies[0].velocity[0] = 1e300;
        solving_run(&solving, &huge.problem);
        if (solving.report.outcome == TACT_CONTACT_SOLVED) {
            assert_true(solving.report.certificate.error <= config.tol);
        }
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_CONTACT_SOLVED);
        solving_end(&solving);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_solved_on_the_first_rung_and_kept_by_its_basis),
        cmocka_unit_test(a_rung_that_fails_is_reported_and_the_next_one_solves),
        cmocka_unit_test(without_contacts_there_is_nothing_to_climb),
        cmocka_unit_test(joint_targets_that_contradict_each_other_are_reported),
        cmocka_unit_test(a_contact_that_no_impulse_can_open_is_reported),
        cmocka_unit_test(numbers_out_of_range_do_not_spoil_the_next_problem),
        cmocka_unit_test(ten_thousand_contacts_of_one_body_are_solved),
        cmocka_unit_test(ten_thousand_contacts_of_many_bodies_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
