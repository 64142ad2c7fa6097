// ladder: rungs in order, each with why it was left; large problems; problems without an answer.
#include <tact/io.h>

#include "pegs.h"

static void assert_rungs(const TactContactReport *report, const char *const *names, int count)
{
    assert_int_equal(report->rung_count, count);
    for (int k = 0; k < count; k++) {
        assert_string_equal(report->rungs[k].name, names[k]);
        bool last = k == count - 1;
        if (!last) {
            assert_int_not_equal(report->rungs[k].outcome, TACT_OUTCOME_SOLVED);
        }
    }
}

static void every_shape_is_solved_on_the_first_rung_and_kept_by_its_basis(void **state)
{
    (void)state;
    static Shape shape;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        for (int kind = 0; kind < SHAPE_COUNT; kind++) {
            Solving solving;
            shape_make(&shape, kind, 2);
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_rungs(&solving.report, (const char *const[]){"reduced"}, 1);
            assert_true(solving.report.rungs[0].error == solving.report.certificate.error);
            assert_int_equal(solving.report.rungs[0].pivots, solving.report.pivots);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            assert_string_equal(solving.report.rungs[0].name, "last-basis");
            solving_end(&solving);
        }
    }
}

static void a_rung_that_fails_is_reported_and_the_next_one_solves(void **state)
{
    (void)state;
    static Shape      shape;
    TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_PYRAMID);
    Solving           solving;
    config.max_pivots = 1; // reduced cannot
    shape_make(&shape, SHAPE_PEG, 1);
    solving_begin(&solving, &shape.problem, &config);
    assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
    const TactContactReport *report = &solving.report;
    assert_true(report->rung_count >= 2);
    assert_string_equal(report->rungs[0].name, "reduced");
    assert_int_equal(report->rungs[0].outcome, TACT_OUTCOME_LIMIT);
    assert_true(report->rungs[0].error > config.tol);
    assert_string_equal(report->rungs[1].name, "search");
    int last = report->rung_count - 1;
    assert_int_equal(report->rungs[last].outcome, TACT_OUTCOME_SOLVED);
    assert_true(report->rungs[last].error <= config.tol);
    solving_end(&solving);
}

// Turns that are ended early leave an answer that is nearly one: Newton's few steps make it one,
// and in the next step, which has impulses and no basis, their states, or those steps again, lead
// to it without a pivot.
static void what_is_nearly_an_answer_is_polished_and_kept_by_its_impulses(void **state)
{
    (void)state;
    static Shape shape;
    int          polished = 0, kept = 0, again = 0;
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        for (int turns = 2; turns <= 4; turns++) {
            TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_CIRCLE);
            Solving           solving;
            config.max_turns = turns;
            shape_make(&shape, kind, 2);
            solving_begin(&solving, &shape.problem, &config);
            assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
            const TactContactReport *report = &solving.report;
            if (report->rung_count == 2 && strcmp(report->rungs[1].name, "polish") == 0) {
                polished++;
                assert_string_equal(report->rungs[0].name, "reduced");
                assert_true(report->rungs[0].error > config.tol && report->rungs[0].error < 1e-3);
                assert_int_equal(solving_run(&solving, &shape.problem), TACT_OUTCOME_SOLVED);
                assert_int_equal(report->rung_count, 1);
                kept += strcmp(report->rungs[0].name, "last-basis") == 0;
                again += strcmp(report->rungs[0].name, "last-answer") == 0;
                assert_int_equal(report->pivots, 0);
            }
            solving_end(&solving);
        }
    }
    assert_true(polished > 0 && kept > 0);
    assert_int_equal(kept + again, polished);
}

static void without_contacts_there_is_nothing_to_climb(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_block_on_plane(&scene);
        scene.problem.contact_count = 0;
        solving_begin(&solving, &scene.problem, &config);
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
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
    TactContactConfig   config = solving_config(TACT_METHOD_LADDER, cone);
    TactContactCapacity capacity;
    large_create(&large, bodies);
    capacity = tact_contact_get_capacity(&large.problem);
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
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
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
    assert_large_is_solved(1, TACT_CONE_PYRAMID);
    assert_large_is_solved(1, TACT_CONE_CIRCLE);
}

static void ten_thousand_contacts_of_many_bodies_are_solved(void **state)
{
    (void)state;
    assert_large_is_solved(2500, TACT_CONE_PYRAMID);
    assert_large_is_solved(2500, TACT_CONE_CIRCLE);
}

// ---------------------------------------------------------------------------------------------
// No answer

// The same joint row twice, with targets that differ: no velocity has both.
static void joint_targets_that_contradict_each_other_are_reported(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_block_on_plane(&scene);
        for (int k = 0; k < 2; k++) {
            TactContactRow *row = scene_add_row(&scene, TACT_ROW_BILATERAL, -1, 0);
            row->J_b[0] = 1;
            row->target = k;
        }
        solving_begin(&solving, &scene.problem, &config);
        assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_int_equal(solving.report.redundant_rows, 1);
        assert_true(solving.report.certificate.row_error > 0.1);
        assert_true(solving.report.rung_count <= TACT_CONTACT_MAX_RUNGS);
        for (int i = 0; i < 12; i++) {
            assert_true(isfinite(solving.impulse[i]));
        }
        scene.rows[1].target = 0; // and without the contradiction
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        solving_end(&solving);
    }
}

/// A hinge between two contacts at different arms: v >= 1 / 0.4 and v <= top.
static void make_door(double top, TactContact contacts[2], TactContactProblem *problem)
{
    static const double M[1] = {2}, v[1] = {0}, tau[1] = {0};
    static const double J[2][3] = {{0.4, 0, 0}, {-0.7, 0, 0}};
    contacts[0] = (TactContact){.J = J[0], .bias = -1, .id = 1};
    contacts[1] = (TactContact){.J = J[1], .bias = 0.7 * top, .id = 2};
    *problem = (TactContactProblem){
        .contacts = contacts, .contact_count = 2, .nv = 1, .M = M, .v = v, .tau = tau, .step = 1};
}

// A door between two posts: no angle takes it out of both, which is found out by the first rungs.
static void a_door_that_two_posts_hold_is_left_before_the_last_rungs(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_PYRAMID);
    for (int apart = 0; apart < 2; apart++) {
        TactContact        contacts[2];
        TactContactProblem problem;
        Solving            solving;
        make_door(apart ? 2.6 : -1, contacts, &problem);
        solving_begin(&solving, &problem, &config);
        TactContactOutcome outcome = solving_run(&solving, &problem);
        if (apart) { // both can have what they ask for
            assert_int_equal(outcome, TACT_OUTCOME_SOLVED);
        } else {
            assert_int_not_equal(outcome, TACT_OUTCOME_SOLVED);
            for (int k = 0; k < solving.report.rung_count; k++) {
                assert_string_not_equal(solving.report.rungs[k].name, "nsgs-fine");
                assert_string_not_equal(solving.report.rungs[k].name, "quadruple");
            }
        }
        solving_end(&solving);
    }
}

// A contact that shall separate (bias) from two walls which a joint holds apart.
static void a_contact_that_no_impulse_can_open_is_reported(void **state)
{
    (void)state;
    TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_PYRAMID);
    Scene             scene;
    Solving           solving;
    scene_particle(&scene, 1, 0.5);
    scene.contacts[0].bias = -1;
    TactContactRow *row = scene_add_row(&scene, TACT_ROW_BILATERAL, -1, 0);
    row->J_b[2] = 1; // the body may not move along the normal
    solving_begin(&solving, &scene.problem, &config);
    assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
    assert_true(solving.report.certificate.approach > 0.9);
    scene.contacts[0].bias = 0;
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
    solving_end(&solving);
}

// Numbers whose squares overflow end somewhere, and do not spoil the problem after them.
static void numbers_out_of_range_do_not_spoil_the_next_problem(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
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
        if (solving.report.outcome == TACT_OUTCOME_SOLVED) {
            assert_true(solving.report.certificate.error <= config.tol);
        }
        assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        solving_end(&solving);
    }
}

// ---------------------------------------------------------------------------------------------
// One large island

enum { TOWER = 48, CORNERS = 8, TOWER_CONTACTS = TOWER * CORNERS };

// 48 plates on each other, every second one pushed: 288 degrees of freedom in one island, more than
// the pivoting rungs take.
static void a_tower_of_384_contacts_is_solved_by_the_proximal_path_for_both_cones(void **state)
{
    (void)state;
    static TactContactBody bodies[TOWER];
    static TactContact     contacts[TOWER_CONTACTS];
    static double          impulse[3 * TOWER_CONTACTS];
    for (int k = 0; k < TOWER; k++) {
        bodies[k] = (TactContactBody){
            .mass = 1,
            .inertia = {0.1, 0.1, 0.15},
            .position = {0, 0, 0.05 + 0.1 * k},
            .force = {k % 2 ? 0.3 : 0, k % 3 ? 0 : 0.2, -GRAVITY},
        };
        for (int c = 0; c < CORNERS; c++) {
            double angle = 2 * 3.141592653589793 * (c + 0.1) / CORNERS;
            contacts[CORNERS * k + c] = (TactContact){
                .a = k - 1,
                .b = k,
                .point = {0.5 * cos(angle), 0.5 * sin(angle), 0.1 * k},
                .normal = {0, 0, 1},
                .mu = 0.4,
                .directions = k % 2 ? 4 : 8,
            };
        }
    }
    TactContactProblem problem = {
        .step = 0.01,
        .body_count = TOWER,
        .bodies = bodies,
        .contact_count = TOWER_CONTACTS,
        .contacts = contacts,
    };
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        TactContactCapacity capacity = tact_contact_get_capacity(&problem);
        TactContactSolver  *solver;
        TactContactReport   report;
        TactContactAnswer   answer = {.impulse = impulse};
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        assert_int_equal(tact_contact_solve(solver, &problem, &answer, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        assert_string_equal(report.rungs[report.rung_count - 1].name, "proximal");
        double ground = 0;
        for (int c = 0; c < CORNERS; c++) {
            ground += impulse[3 * c];
        }
        assert_true(fabs(ground / (TOWER * GRAVITY * 0.01) - 1) < 1e-6);
        tact_contact_solver_destroy(solver);
    }
}

// ---------------------------------------------------------------------------------------------
// W as other programs write it

enum { GIVEN = 4, GIVEN_ROWS = 3 * GIVEN };

typedef struct Given {
    double             W[GIVEN_ROWS * GIVEN_ROWS], u[GIVEN_ROWS], impulse[GIVEN_ROWS];
    TactContact        contacts[GIVEN];
    TactContactProblem problem;
} Given;

/// W of rank 11 with a skew part beside it, and along its null vector a negative eigenvalue.
static void given_make(Given *given, uint64_t seed, double skew, double negative)
{
    enum { n = GIVEN_ROWS };
    TactRandom random = tact_random_seed(seed);
    double     v[n], length = 0;
    *given = (Given){0};
    for (int i = 0; i < n; i++) {
        v[i] = tact_random_normal(&random);
        length += v[i] * v[i];
    }
    for (int k = 0; k < n - 1; k++) {
        double row[n], along = 0;
        for (int i = 0; i < n; i++) {
            row[i] = tact_random_normal(&random);
            along += row[i] * v[i] / length;
        }
        for (int e = 0; e < n * n; e++) {
            given->W[e] += (row[e / n] - along * v[e / n]) * (row[e % n] - along * v[e % n]);
        }
    }
    for (int e = 0; e < n * n; e++) {
        double sign = e / n < e % n ? -1 : e / n > e % n;
        int    low = e / n < e % n ? e / n : e % n, high = e / n + e % n - low;
        given->W[e] += skew * sign * sin(low + 3.0 * high) - negative * v[e / n] * v[e % n];
    }
    for (int i = 0; i < n; i++) {
        given->u[i] = tact_random_normal(&random) - (i % 3 == 0 ? 2 : 0);
    }
    for (int i = 0; i < GIVEN; i++) {
        given->contacts[i] = (TactContact){.mu = 0.3};
    }
    given->problem = (TactContactProblem){.step = 1,
                                          .W = given->W,
                                          .u_free = given->u,
                                          .contact_count = GIVEN,
                                          .contacts = given->contacts};
}

static TactStatus given_solve(Given *given, const TactContactConfig *config,
                              TactContactReport *report)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&given->problem);
    TactContactAnswer   answer = {.impulse = given->impulse};
    TactContactSolver  *solver;
    assert_int_equal(tact_contact_solver_create(&capacity, config, &solver), TACT_OK);
    TactStatus status = tact_contact_solve(solver, &given->problem, &answer, report);
    tact_contact_solver_destroy(solver);
    return status;
}

static void a_delassus_matrix_that_is_not_quite_one_is_solved_as_given(void **state)
{
    (void)state;
    const TactContactMethod methods[] = {TACT_METHOD_LADDER, TACT_METHOD_REDUCED,
                                         TACT_METHOD_STRUCTURAL};
    Given                   given;
    TactContactReport       report;
    int                     corrected = 0;
    for (int k = 0; k < 60; k++) {
        TactContactConfig config =
            solving_config(methods[k % 3], k % 2 ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        given_make(&given, (uint64_t)k / 6, k % 4 < 2 ? 1e-4 : 0, k % 4 < 2 ? 0 : 1e-8);
        assert_int_equal(given_solve(&given, &config, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
        if (methods[k % 3] == TACT_METHOD_LADDER && report.rung_count == 2) {
            assert_string_equal(report.rungs[0].name, "reduced");
            assert_string_equal(report.rungs[1].name, "reduced-W");
            corrected++;
        }
    }
    assert_true(corrected > 5);
    TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_PYRAMID);
    given_make(&given, 1, 0, 1e-3); // that is no rounding
    assert_int_equal(given_solve(&given, &config, &report), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "not positive semidefinite"));
}

// Two walls that shall both separate from a body: huge impulses that cancel are no answer.
static void walls_that_cannot_both_give_way_are_never_called_solved(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        Scene   scene;
        Solving solving;
        scene_clear(&scene);
        scene_add_cube(&scene, 1, 1, 0, 0, 0);
        for (int i = 0; i < 2; i++) {
            TactContact *contact = scene_add_contact(&scene, -1, 0, i ? 1 : -1, 0, 0, 0.3);
            double       normal[3] = {i ? -1 : 1, 0, 0};
            memcpy(contact->normal, normal, sizeof normal);
            contact->bias = -1;
        }
        solving_begin(&solving, &scene.problem, &config);
        assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        assert_true(solving.report.certificate.approach > 0.9);
        solving_end(&solving);
    }
}

/// Found by fuzz_contact_solve: a body that turns as if it had no thickness. On the rung `rotated`
/// the inverse is lost, and a row that had left the basis would leave it once more.
static void a_row_that_is_not_in_the_basis_does_not_leave_it(void **state)
{
    (void)state;
    TactContactFile *file = NULL;
    TactStatus       status =
        tact_contact_read(TACT_SOURCE_DIR "/tests/fuzz/corpus/contact_solve/thin.json", &file);
    if (status == TACT_UNSUPPORTED) { // a build without jansson
        print_message("skipped: %s\n", tact_status_message());
        return;
    }
    assert_int_equal(status, TACT_OK);
    for (int circle = 0; circle < 2; circle++) {
        Solving           solving;
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        solving_begin(&solving, &file->problem, &config);
        assert_int_equal(solving_run(&solving, &file->problem), TACT_OUTCOME_SOLVED);
        solving_end(&solving);
    }
    tact_contact_file_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_solved_on_the_first_rung_and_kept_by_its_basis),
        cmocka_unit_test(a_rung_that_fails_is_reported_and_the_next_one_solves),
        cmocka_unit_test(what_is_nearly_an_answer_is_polished_and_kept_by_its_impulses),
        cmocka_unit_test(without_contacts_there_is_nothing_to_climb),
        cmocka_unit_test(joint_targets_that_contradict_each_other_are_reported),
        cmocka_unit_test(a_door_that_two_posts_hold_is_left_before_the_last_rungs),
        cmocka_unit_test(a_contact_that_no_impulse_can_open_is_reported),
        cmocka_unit_test(walls_that_cannot_both_give_way_are_never_called_solved),
        cmocka_unit_test(a_tower_of_384_contacts_is_solved_by_the_proximal_path_for_both_cones),
        cmocka_unit_test(a_delassus_matrix_that_is_not_quite_one_is_solved_as_given),
        cmocka_unit_test(numbers_out_of_range_do_not_spoil_the_next_problem),
        cmocka_unit_test(a_row_that_is_not_in_the_basis_does_not_leave_it),
        cmocka_unit_test(ten_thousand_contacts_of_one_body_are_solved),
        cmocka_unit_test(ten_thousand_contacts_of_many_bodies_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
